package serve_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
)

// A running service listens on loopback until the test stops it.
type running struct {
	*harness
	address string
	stop    context.CancelFunc
	ended   chan error // what Run returned
}

// patience is how long a test waits for what has to happen.
const patience = 20 * time.Second

func run(t testing.TB, s *harness, secure *tls.Config) *running {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	r := &running{harness: s, address: listener.Addr().String(), stop: stop, ended: make(chan error, 1)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.ended <- s.service.Run(ctx, listener, secure)
	}()
	t.Cleanup(func() { stop(); <-done })
	return r
}

// write opens a connection on which nothing waits longer than patience, and sends a text.
func (r *running) write(t testing.TB, text string) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", r.address)
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	must(t, conn.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(conn, text)
	must(t, err)
	return conn.(*net.TCPConn)
}

// sent is a request as text.
func sent(t testing.TB, r *http.Request) string {
	t.Helper()
	var text strings.Builder
	must(t, r.Write(&text))
	return text.String()
}

// enforceText is a whole request that hands in a record.
func (s *harness) enforceText(t testing.TB) string {
	t.Helper()
	return sent(t, s.request(http.MethodPost, api.AppealEnforcePath, Reviewer,
		s.bodyFor(t, api.AppealEnforcePath)))
}

// answered reads the status of an answer; 0 if the connection was closed instead.
func answered(t testing.TB, conn net.Conn) int {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		t.Fatal("it is neither answered nor closed")
	}
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body) // what was not read of the request may reset the connection
	return response.StatusCode
}

// answers fails the test unless the connection is answered with the status; 0 for closed.
func answers(t testing.TB, conn net.Conn, want int) {
	t.Helper()
	if status := answered(t, conn); status != want {
		t.Errorf("answered %d, want %d", status, want)
	}
}

func (r *running) live(t testing.TB) {
	t.Helper()
	answers(t, r.write(t, "GET /healthz HTTP/1.1\r\nHost: docket\r\nConnection: close\r\n\r\n"),
		http.StatusOK)
}

func TestWhoeverSendsTooSlowlyOrTooMuchIsCutOffAndHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	// A caller that sends at once has time on a busy machine, too.
	quick := func(l *serve.Limits) { l.Head, l.Read, l.Idle = time.Second, 2*time.Second, time.Second }
	const get, length = "GET /healthz HTTP/1.1\r\nHost: docket\r\n", "Content-Length: 1000\r\n\r\n{"
	post := func(path string) string { return "POST " + path + " HTTP/1.1\r\nHost: docket\r\n" }
	token := "Authorization: Bearer " + TokenOf(Reviewer) + "\r\n"
	evaluate := post(api.AppealEvaluatePath) + token + "Content-Type: application/json\r\n"
	for _, c := range []struct {
		limits func(*serve.Limits)
		asks   map[string]int
	}{
		{quick, map[string]int{
			"":                0,
			"GET /hea":        0,
			get + "X-A: ":     0,
			evaluate + length: http.StatusBadRequest,
			get + "\r\n":      http.StatusOK,
			evaluate + "Content-Length: 1048577\r\n\r\n{":         http.StatusRequestEntityTooLarge,
			evaluate + "Transfer-Encoding: chunked\r\n\r\n5\r\n{": http.StatusBadRequest,
		}},
		// Those that are refused are answered before the rest of their bodies comes.
		{func(*serve.Limits) {}, map[string]int{
			post(api.AppealEnforcePath) + length: http.StatusUnauthorized,
			post("/nowhere") + length:            http.StatusNotFound,
			post(api.AppealEnforcePath) + token + "Content-Type: text/plain\r\n" +
				length: http.StatusUnsupportedMediaType,
			post(api.OverlapCheckPath) +
				"Transfer-Encoding: chunked\r\n\r\n5\r\n{": http.StatusForbidden,
			get + "X-A: " + strings.Repeat("a", 30000) +
				"\r\n\r\n": http.StatusRequestHeaderFieldsTooLarge,
		}},
	} {
		r := run(t, newHarness(t, newServiceStore(t), within(c.limits)), nil)
		conns := map[string]*net.TCPConn{}
		for text := range c.asks {
			conns[text] = r.write(t, text)
		}
		r.live(t)
		for text, want := range c.asks {
			status := answered(t, conns[text])
			if want == 0 && status == http.StatusBadRequest {
				status = 0 // net/http says so where the first line is not whole
			}
			if status != want {
				t.Errorf("%.60q is answered %d, want %d", text, status, want)
			}
			if rest, err := io.Copy(io.Discard, conns[text]); err == nil && rest > 0 {
				t.Errorf("%.60q: %d bytes more", text, rest)
			}
		}
	}
}

func TestWhoHasClosedItsHalfOfTheConnectionIsStillAnswered(t *testing.T) {
	s := serving(t)
	held := s.held("TokenOf")
	conn := run(t, s, nil).write(t, s.enforceText(t))
	must(t, conn.CloseWrite())
	held.await(t, 1)
	close(held.opened)
	answers(t, conn, http.StatusCreated)
}

func TestWhatWasBegunIsFinishedWhenTheServiceIsToldToStop(t *testing.T) {
	s := serving(t)
	held := s.held("TokenOf")
	r := run(t, s, nil)
	conn := r.write(t, s.enforceText(t))
	held.await(t, 1)
	r.stop()
	until(t, func() bool { // from then on nobody is let in
		late, err := net.Dial("tcp", r.address)
		if err == nil {
			late.Close()
		}
		return err != nil
	})
	close(held.opened)
	answers(t, conn, http.StatusCreated)
	if err := <-r.ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	s.holds(t, 1)
	s.ask(t, http.MethodGet, api.ReadyPath, here).is(t, api.Unavailable)
}

func TestWhatTakesLongerThanTheGraceIsBrokenOffAndNotAcknowledged(t *testing.T) {
	s := serving(t, within(func(l *serve.Limits) { l.Stop = 50 * time.Millisecond }))
	held := s.held("TokenOf")
	r := run(t, s, nil)
	conn := r.write(t, s.enforceText(t))
	held.await(t, 1)
	r.stop()
	if err := <-r.ended; !errors.Is(err, serve.ErrBrokenOff) {
		t.Errorf("it ended with %v", err)
	}
	answers(t, conn, 0)
	close(held.opened)
}

// A panicking listener has a fault of its own.
type panicking struct{ net.Listener }

func (panicking) Accept() (net.Conn, error) { panic("what it was doing") }

func TestAListenerThatFailsEndsTheServiceWithoutTheTextOfAPanic(t *testing.T) {
	s := serving(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	err = s.service.Run(t.Context(), panicking{listener}, nil)
	if err == nil || strings.Contains(err.Error(), "doing") || errors.Is(err, http.ErrServerClosed) {
		t.Errorf("serving ended with %v", err)
	}
	_ = listener.Close()
	if err := s.service.Run(t.Context(), listener, nil); !errors.Is(err, net.ErrClosed) {
		t.Errorf("it ended with %v", err)
	}
}

func TestTLSIsOfVersionTwelveOrNewer(t *testing.T) {
	pattern := httptest.NewTLSServer(nil) // for its certificate
	defer pattern.Close()
	roots := pattern.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	r := run(t, serving(t), &tls.Config{Certificates: pattern.TLS.Certificates})
	for version := uint16(tls.VersionTLS10); version <= tls.VersionTLS13; version++ {
		conn := tls.Client(r.write(t, ""), &tls.Config{RootCAs: roots, ServerName: "example.com",
			MinVersion: version, MaxVersion: version})
		if err := conn.Handshake(); (err == nil) != (version >= tls.VersionTLS12) {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
	}
	for _, two := range []bool{false, true} {
		transport := &http.Transport{ForceAttemptHTTP2: two,
			TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "example.com"}}
		client := http.Client{Transport: transport, Timeout: patience}
		response, err := client.Get("https://" + r.address + api.LivePath)
		must(t, err)
		response.Body.Close()
		if response.StatusCode != http.StatusOK || (response.ProtoMajor == 2) != two {
			t.Errorf("%s: %d", response.Proto, response.StatusCode)
		}
		transport.CloseIdleConnections()
	}
	plain := r.write(t, "GET /healthz HTTP/1.1\r\nHost: docket\r\n\r\n")
	answers(t, plain, http.StatusBadRequest)
}

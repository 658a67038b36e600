package serve_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/store"
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
	if err != nil {
		t.Fatal(err)
	}
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

// harnessWith is a harness of a service with those limits.
func harnessWith(t testing.TB, limits serve.Limits) *harness {
	t.Helper()
	s := newHarness(t, newServiceStore(t))
	s.service = serviceOver(t, s.store, limits)
	return s
}

// dial opens a connection on which nothing waits longer than patience.
func (r *running) dial(t testing.TB) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.TCPConn)
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

func write(t testing.TB, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

func live(t testing.TB, r *running) {
	t.Helper()
	conn := r.dial(t)
	write(t, conn, "GET /healthz HTTP/1.1\r\nHost: docket\r\nConnection: close\r\n\r\n")
	if status := answered(t, conn); status != http.StatusOK {
		t.Errorf("it does not live: %d", status)
	}
}

func TestWhoeverSendsTooSlowlyIsCutOffAndHoldsNobodyUp(t *testing.T) {
	quick := unlimited
	quick.Head, quick.Read, quick.Idle = time.Second, 2*time.Second, time.Second // a caller that sends at once has time on a busy machine, too
	r := run(t, harnessWith(t, quick), nil)
	post := "POST " + api.AppealEvaluatePath + " HTTP/1.1\r\nHost: docket\r\nAuthorization: Bearer " +
		TokenOf(Reviewer) + "\r\nContent-Type: application/json\r\n"
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"nothing":              {"", 0},
		"half a line":          {"GET /hea", 0},
		"half a head":          {"GET /healthz HTTP/1.1\r\nHost: docket\r\nX-A: ", 0},
		"half a body":          {post + "Content-Length: 100\r\n\r\n{", http.StatusBadRequest},
		"half a chunk":         {post + "Transfer-Encoding: chunked\r\n\r\n5\r\n{", http.StatusBadRequest},
		"nothing more":         {"GET /healthz HTTP/1.1\r\nHost: docket\r\n\r\n", http.StatusOK},
		"no body, no token":    {"POST " + api.AppealEvaluatePath + " HTTP/1.1\r\nHost: docket\r\nContent-Length: 100\r\n\r\n", http.StatusUnauthorized},
		"a body that is large": {post + "Content-Length: 1048577\r\n\r\n{", http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := r.dial(t)
			write(t, conn, c.text)
			live(t, r)
			status := answered(t, conn)
			if c.want == 0 && status == http.StatusBadRequest {
				status = 0 // net/http says so where the first line is not whole
			}
			if status != c.want {
				t.Errorf("answered %d, want %d", status, c.want)
			}
			if rest, err := io.Copy(io.Discard, conn); err == nil && rest > 0 {
				t.Errorf("%d bytes more", rest)
			}
		})
	}
}

func TestAHeadThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	r := run(t, harnessWith(t, unlimited), nil)
	conn := r.dial(t)
	write(t, conn, "GET /healthz HTTP/1.1\r\nHost: docket\r\nX-A: "+strings.Repeat("a", 30000)+"\r\n\r\n")
	if status := answered(t, conn); status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("answered %d", status)
	}
	live(t, r)
}

// A gate blocks authentication until it is opened.
type gate struct {
	serve.Registry
	asked, opened chan struct{}
}

func gated(s *harness, t testing.TB) *gate { return gatedWith(s, t, unlimited) }

func gatedWith(s *harness, t testing.TB, limits serve.Limits) *gate {
	g := &gate{s.store, make(chan struct{}, 8), make(chan struct{})}
	s.service = serviceOver(t, parts{g, s.store, s.store, s.store}, limits)
	return g
}

func (g *gate) TokenOf(ctx context.Context, digest [32]byte) (store.Token, error) {
	g.asked <- struct{}{}
	select {
	case <-g.opened:
		return g.Registry.TokenOf(ctx, digest)
	case <-ctx.Done():
		return store.Token{}, ctx.Err()
	}
}

// enforceText is a whole request that hands in a record.
func (s *harness) enforceText(t testing.TB) string {
	t.Helper()
	body := s.bodyFor(t, api.AppealEnforcePath)
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: docket\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		api.AppealEnforcePath, TokenOf(Reviewer), len(body), body)
}

func TestWhoHasClosedItsHalfOfTheConnectionIsStillAnswered(t *testing.T) {
	s := serving(t)
	g := gated(s, t)
	r := run(t, s, nil)
	conn := r.dial(t)
	write(t, conn, s.enforceText(t))
	if err := conn.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	<-g.asked
	close(g.opened)
	if status := answered(t, conn); status != http.StatusCreated {
		t.Errorf("answered %d", status)
	}
}

func TestWhatWasBegunIsFinishedWhenTheServiceIsToldToStop(t *testing.T) {
	s := serving(t)
	g := gated(s, t)
	r := run(t, s, nil)
	conn := r.dial(t)
	write(t, conn, s.enforceText(t))
	<-g.asked
	r.stop()
	for { // from then on nobody is let in
		late, err := net.Dial("tcp", r.address)
		if err != nil {
			break
		}
		late.Close()
	}
	close(g.opened)
	if status := answered(t, conn); status != http.StatusCreated {
		t.Errorf("answered %d", status)
	}
	if err := <-r.ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if len(s.Dump(t)["docket_log"]) != 1 {
		t.Error("what was acknowledged is not there")
	}
	if s.ask(t, api.ReadyPath) != http.StatusServiceUnavailable {
		t.Error("a service that has stopped is ready")
	}
}

func TestWhatTakesLongerThanTheGraceIsBrokenOffAndNotAcknowledged(t *testing.T) {
	s := serving(t)
	limits := unlimited
	limits.Stop = 50 * time.Millisecond
	g := gatedWith(s, t, limits)
	r := run(t, s, nil)
	conn := r.dial(t)
	write(t, conn, s.enforceText(t))
	<-g.asked
	r.stop()
	if err := <-r.ended; !errors.Is(err, serve.ErrBrokenOff) {
		t.Errorf("it ended with %v", err)
	}
	if status := answered(t, conn); status != 0 {
		t.Errorf("answered %d", status)
	}
	close(g.opened)
}

func TestAListenerThatFailsEndsTheService(t *testing.T) {
	s := serving(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.service.Run(t.Context(), listener, nil); !errors.Is(err, net.ErrClosed) {
		t.Errorf("it ended with %v", err)
	}
}

func TestTLSIsOfVersionTwelveOrNewer(t *testing.T) {
	t.Parallel()
	pattern := httptest.NewTLSServer(nil) // for its certificate
	defer pattern.Close()
	roots := pattern.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	r := run(t, newHarness(t, newServiceStore(t)), &tls.Config{Certificates: pattern.TLS.Certificates})
	for version, want := range map[uint16]bool{tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		conn := tls.Client(r.dial(t), &tls.Config{RootCAs: roots, ServerName: "example.com", MinVersion: version, MaxVersion: version})
		if err := conn.Handshake(); (err == nil) != want {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
	}
	for _, two := range []bool{false, true} {
		transport := &http.Transport{ForceAttemptHTTP2: two, TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "example.com"}}
		client := http.Client{Transport: transport, Timeout: patience}
		response, err := client.Get("https://" + r.address + api.LivePath)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK || (response.ProtoMajor == 2) != two {
			t.Errorf("%s: %d", response.Proto, response.StatusCode)
		}
		transport.CloseIdleConnections()
	}
	plain := r.dial(t)
	write(t, plain, "GET /healthz HTTP/1.1\r\nHost: docket\r\n\r\n")
	if status := answered(t, plain); status != http.StatusBadRequest {
		t.Errorf("without TLS: %d", status)
	}
}

package client_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/terms"
)

// A clock stands still but for what is slept.
type clock struct {
	at    time.Time
	slept []time.Duration
}

func (c *clock) pace() client.Retry {
	p := client.DefaultRetry()
	p.Now = func() time.Time { return c.at }
	p.Random = func() float64 { return 0.5 }
	p.Sleep = func(ctx context.Context, d time.Duration) error {
		c.at, c.slept = c.at.Add(d), append(c.slept, d)
		return ctx.Err()
	}
	return p
}

func newClock() *clock { return &clock{at: time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)} }

// to is a client of an address. It never sleeps for real.
func to(t *testing.T, address string, change func(*client.Options)) *client.Client {
	t.Helper()
	token, err := client.ParseToken("docket_SECRET")
	if err != nil {
		t.Fatal(err)
	}
	o := client.Options{Address: address, Token: token, Retry: newClock().pace()}
	if change != nil {
		change(&o)
	}
	caller, err := client.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(caller.Close)
	return caller
}

// serving is a service that answers as it is told, one request at a time: what a test counts needs no lock, also where a
// request was cut and the next one comes by another connection.
func serving(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	var turn sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turn.Lock()
		defer turn.Unlock()
		handle(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// saying answers everything alike.
func saying(status int, media, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const aPage = `{"packets": [{"b": 1, "a": "<é"}], "cursor": "c 1", "more": true, "key": "k"}`

func TestAPageIsAskedForByItsCursorWithTheToken(t *testing.T) {
	var seen *http.Request
	caller := to(t, serving(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r
		saying(200, "application/json; charset=utf-8", aPage)(w, r)
	})+"/docket/", nil)
	page, err := caller.Page(t.Context(), "a&b=c d")
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Packets) != 1 || string(page.Packets[0]) != `{"a":"<é","b":1}` || page.Cursor != "c 1" || !page.More || page.Key != "k" {
		t.Errorf("%+v", page)
	}
	if seen.Method != "GET" || seen.URL.Path != "/docket"+api.QueuePath || seen.URL.Query().Get("cursor") != "a&b=c d" ||
		seen.Header.Get("Authorization") != "Bearer docket_SECRET" || len(seen.URL.Query()) != 1 {
		t.Errorf("%+v", seen)
	}
	if _, err = caller.Page(t.Context(), ""); err != nil || seen.URL.RawQuery != "" {
		t.Errorf("%v %q", err, seen.URL.RawQuery)
	}
}

func TestTheFeedIsAskedForByItsCursor(t *testing.T) {
	for cursor, query := range map[string]string{"": "", "a&b=c d": "after=a%26b%3Dc+d"} {
		var seen string
		caller := to(t, serving(t, func(w http.ResponseWriter, r *http.Request) {
			seen = r.URL.RequestURI()
			saying(200, api.JSON, `{"records": [], "after": "a 2", "more": true}`)(w, r)
		}), nil)
		feed, err := caller.Records(t.Context(), cursor)
		if err != nil || feed.After != "a 2" || !feed.More || seen != strings.TrimSuffix(api.RecordsPath+"?"+query, "?") {
			t.Errorf("%q: %+v, %v, asked for %s", cursor, feed, err, seen)
		}
	}
}

const anEnforced = `{"receipt": {"recordId": "01910000-0000-7000-8000-000000000001", "sequence": 4,
	"leafHash": "sha256:0000000000000000000000000000000000000000000000000000000000000001", "treeSize": 5,
	"root": "sha256:0000000000000000000000000000000000000000000000000000000000000002"}, "checkpoint": "signed\n"}`

func TestARecordIsHandedInAtTheRouteOfItsAreaAsItStands(t *testing.T) {
	for area, path := range map[terms.Area]string{terms.Appeals: api.AppealEnforcePath, terms.Amendments: api.AmendmentEnforcePath} {
		for status, wantAgain := range map[int]bool{201: false, 200: true} {
			var body []byte
			caller := to(t, serving(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ = io.ReadAll(r.Body)
				if r.URL.Path != path || r.Method != "POST" || r.Header.Get("Content-Type") != "application/json" {
					t.Errorf("%s %s", r.Method, r.URL.Path)
				}
				saying(status, api.JSON, anEnforced)(w, r)
			}), nil)
			record := json.RawMessage(`{"a":"<&>"}`)
			answer, again, err := caller.Enforce(t.Context(), area, api.Enforce{Record: record, Signature: "s\n", PacketSalt: "00"})
			if err != nil || again != wantAgain || answer.Receipt.Sequence != 4 || answer.Receipt.TreeSize != 5 || answer.Checkpoint != "signed\n" {
				t.Errorf("%+v %t %v", answer, again, err)
			}
			if strings.TrimSpace(string(body)) != `{"record":{"a":"<&>"},"signature":"s\n","packetSalt":"00","statement":null}` {
				t.Errorf("%s", body)
			}
		}
	}
}

func TestAProblemIsReturnedAsItWasSaid(t *testing.T) {
	caller := to(t, serving(t, saying(409, api.ProblemJSON, `{"type": "urn:docket:problem:packet_stale", "title": "x", "status": 409,
		"detail": "pull", "changes": ["a", "b"], "inForce": "01910000-0000-7000-8000-000000000001", "latest": 3,
		"blockers": ["notice_missing"], "rejection": "signed", "instance": "passed over"}`)), nil)
	_, err := caller.Page(t.Context(), "")
	var p *api.Problem
	if !errors.As(err, &p) || p.Kind() != api.PacketStale || p.Title != api.PacketStale.Title() || p.Detail != "pull" || len(p.Changes) != 2 ||
		p.Latest != 3 || p.Blockers[0] != terms.NoticeMissing || p.Rejection != "signed" || p.InForce == "" {
		t.Errorf("%+v %v", p, err)
	}
}

func TestWhatIsNotTheAnswerOfAServiceIsRefusedAndNotRepeated(t *testing.T) {
	const problem = api.ProblemJSON
	for name, answer := range map[string]http.HandlerFunc{
		"HTML":                            saying(200, "text/html", "<p>SECRET"),
		"no media type":                   saying(200, "", aPage),
		"another status":                  saying(202, api.JSON, aPage),
		"no JSON":                         saying(200, api.JSON, "SECRET"),
		"nothing":                         saying(200, api.JSON, ""),
		"a member twice":                  saying(200, api.JSON, `{"packets": [], "key": "SECRET", "key": "k"}`),
		"a member in the wrong case":      saying(200, api.JSON, `{"packets": [], "Key": "SECRET"}`),
		"an unknown member":               saying(200, api.JSON, `{"packets": [], "key": "k", "SECRET": 1}`),
		"no key":                          saying(200, api.JSON, `{"packets": []}`),
		"null":                            saying(200, api.JSON, `{"packets": null, "key": "k"}`),
		"a packet that is no object":      saying(200, api.JSON, `{"packets": ["SECRET"], "key": "k"}`),
		"a number for a text":             saying(200, api.JSON, `{"packets": [], "key": 1}`),
		"bytes after it":                  saying(200, api.JSON, aPage+"SECRET"),
		"deeper than a packet can be":     saying(200, api.JSON, `{"key": "k", "packets": [`+strings.Repeat(`{"a":`, 70)+`1`+strings.Repeat(`}`, 70)+`]}`),
		"a problem of another media type": saying(409, api.JSON, `{"type": "urn:docket:problem:packet_stale", "status": 409}`),
		"a problem of another status":     saying(409, problem, `{"type": "urn:docket:problem:packet_stale", "status": 403}`),
		"a problem of another kind":       saying(404, problem, `{"type": "urn:docket:problem:packet_stale", "status": 404}`),
		"a problem without a type":        saying(404, problem, `{"status": 404, "detail": "SECRET"}`),
		"a problem with an odd blocker":   saying(409, problem, `{"type": "urn:docket:problem:packet_stale", "status": 409, "blockers": ["SECRET"]}`),
		"a problem with an odd record":    saying(409, problem, `{"type": "urn:docket:problem:packet_stale", "status": 409, "inForce": "SECRET"}`),
		"a problem that grants":           saying(200, problem, `{"type": "about:blank", "status": 200}`),
	} {
		_, err := to(t, serving(t, answer), nil).Page(t.Context(), "")
		var p *api.Problem
		if !errors.Is(err, client.ErrUnreadable) || errors.As(err, &p) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAReceiptThatIsNotWholeIsRefused(t *testing.T) {
	for _, change := range [][2]string{{`"sequence": 4,`, ``}, {`"sequence": 4`, `"sequence": -1`}, {`"sequence": 4`, `"sequence": 4.5`},
		{`sha256:`, `sha512:`}, {`7000`, `4000`}, {`"treeSize"`, `"other": 1, "treeSize"`}, {`"checkpoint": "signed\n"`, `"checkpoint": null`}} {
		body := strings.Replace(anEnforced, change[0], change[1], 1)
		caller := to(t, serving(t, saying(201, api.JSON, body)), nil)
		if _, _, err := caller.Enforce(t.Context(), terms.Appeals, api.Enforce{Record: []byte("{}")}); !errors.Is(err, client.ErrUnreadable) {
			t.Errorf("%v: %v", change, err)
		}
	}
}

func TestAnUnknownProblemStaysOneThatRejectsNothing(t *testing.T) {
	caller := to(t, serving(t, saying(418, api.ProblemJSON, `{"type": "about:blank", "status": 418, "title": "tea"}`)), nil)
	_, err := caller.Page(t.Context(), "")
	var p *api.Problem
	if !errors.As(err, &p) || p.Kind().Rejects().Present() || p.Status != 418 {
		t.Errorf("%v", err)
	}
}

func TestARedirectIsRefusedAndTheTokenGoesNowhereElse(t *testing.T) {
	var elsewhere atomic.Int64
	other := serving(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		asked := 0
		caller := to(t, serving(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			http.Redirect(w, r, other+"/SECRET", status)
		}), nil)
		_, err := caller.Page(t.Context(), "")
		var refused *client.StatusError
		if !errors.As(err, &refused) || refused.Status != status || asked != 1 || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%d: %v after %d", status, err, asked)
		}
	}
	if elsewhere.Load() != 0 {
		t.Error("the redirect was followed")
	}
}

// endless is an answer that never ends.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

func TestAnAnswerThatIsTooLargeIsGivenUpOnce(t *testing.T) {
	asked := 0
	caller := to(t, serving(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", api.JSON)
		_, _ = io.Copy(w, io.LimitReader(endless{}, 1<<20+1))
	}), nil)
	_, _, err := caller.Enforce(t.Context(), terms.Appeals, api.Enforce{Record: json.RawMessage("{}")})
	if !errors.Is(err, client.ErrUnreadable) || !strings.Contains(err.Error(), "larger than 1048576 bytes") || asked != 1 {
		t.Errorf("%v after %d", err, asked)
	}
}

func TestHeadersThatAreTooLargeAreGivenUp(t *testing.T) {
	caller := to(t, serving(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Large", strings.Repeat("x", 1<<20))
		saying(200, api.JSON, aPage)(w, r)
	}), nil)
	if _, err := caller.Page(t.Context(), ""); !errors.Is(err, client.ErrUnreachable) {
		t.Errorf("%v", err)
	}
}

// silent is a network on which no answer comes. It counts how often one was awaited.
type silent struct{ asked int }

func (s *silent) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked++
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestAServiceThatDoesNotAnswerInTimeIsGivenUp(t *testing.T) {
	network := &silent{}
	caller := to(t, "http://127.0.0.1:1", func(o *client.Options) {
		o.Transport, o.Retry.Attempt, o.Retry.Attempts = network, time.Millisecond, 2
	})
	_, err := caller.Page(t.Context(), "")
	if !errors.Is(err, client.ErrUnreachable) || !strings.Contains(err.Error(), "in time") || network.asked != 2 {
		t.Errorf("%v after %d", err, network.asked)
	}
}

func TestAnAnswerThatStopsHalfwayIsGivenUpInTime(t *testing.T) {
	caller := to(t, serving(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", api.JSON)
		_, _ = io.WriteString(w, aPage[:10])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}), func(o *client.Options) { o.Retry.Attempt, o.Retry.Attempts = 50*time.Millisecond, 1 })
	if _, err := caller.Page(t.Context(), ""); !errors.Is(err, client.ErrUnreachable) || !strings.Contains(err.Error(), "in time") {
		t.Errorf("%v", err)
	}
}

func TestWhoeverAskedCanHaveEnough(t *testing.T) {
	ctx, enough := context.WithCancel(t.Context())
	caller := to(t, serving(t, func(_ http.ResponseWriter, r *http.Request) {
		enough()
		<-r.Context().Done()
	}), nil)
	if _, err := caller.Page(ctx, ""); !errors.Is(err, context.Canceled) || errors.Is(err, client.ErrUnreachable) {
		t.Errorf("%v", err)
	}
}

func TestAServiceWithACertificateNobodyVouchesForIsRefusedAtOnce(t *testing.T) {
	asked := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		saying(200, api.JSON, aPage)(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it would say that the certificate was refused
	server.StartTLS()
	defer server.Close()
	clock := newClock()
	strict := func(o *client.Options) { o.Retry = clock.pace() }
	if _, err := to(t, server.URL, strict).Page(t.Context(), ""); !errors.Is(err, client.ErrUnreachable) || asked != 0 || len(clock.slept) != 0 {
		t.Errorf("%v after %d", err, asked)
	}
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	if _, err := to(t, server.URL, func(o *client.Options) { o.Roots = roots }).Page(t.Context(), ""); err != nil {
		t.Error(err)
	}
}

func TestAServiceWithoutTLSAtAnHTTPSAddressIsRefusedAtOnce(t *testing.T) {
	clock := newClock()
	address := strings.Replace(serving(t, saying(200, api.JSON, aPage)), "http://", "https://", 1)
	_, err := to(t, address, func(o *client.Options) { o.Retry = clock.pace() }).Page(t.Context(), "")
	if !errors.Is(err, client.ErrUnreachable) || len(clock.slept) != 0 {
		t.Errorf("%v %v", err, clock.slept)
	}
}

func TestAClientNeedsATokenAndAnAddress(t *testing.T) {
	if _, err := client.New(client.Options{Address: "https://docket.example.org"}); !errors.Is(err, client.ErrNoToken) {
		t.Errorf("%v", err)
	}
	token, _ := client.ParseToken("docket_SECRET")
	if _, err := client.New(client.Options{Address: "http://docket.example.org", Token: token}); err == nil {
		t.Error("the token would be sent in the clear")
	}
}

package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
func to(t testing.TB, address string, change func(*client.Options)) *client.Client {
	t.Helper()
	parsed, err := client.ParseToken(token)
	must(t, err)
	o := client.Options{Address: address, Token: parsed, Retry: newClock().pace()}
	if change != nil {
		change(&o)
	}
	caller, err := client.New(o)
	must(t, err)
	t.Cleanup(caller.Close)
	return caller
}

// serving is a service that answers as it is told, one request at a time: what a test counts needs no lock, also where a
// request was cut and the next one comes by another connection.
func serving(t testing.TB, handle http.HandlerFunc) string {
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

func TestAPageAndTheFeedAreAskedForByTheirCursorWithTheToken(t *testing.T) {
	for cursor, query := range map[string]string{"": "", "a&b=c d": "PARAMETER=a%26b%3Dc+d"} {
		var seen *http.Request
		answer := aPage
		caller := to(t, serving(t, func(w http.ResponseWriter, r *http.Request) {
			seen = r
			saying(200, "application/json; charset=utf-8", answer)(w, r)
		})+"/docket/", nil)
		asked := func(path, parameter string) bool {
			return seen.Method == "GET" && seen.URL.Path == "/docket"+path && seen.Header.Get("Authorization") == "Bearer docket_SECRET" &&
				seen.URL.RawQuery == strings.Replace(query, "PARAMETER", parameter, 1)
		}
		page, err := caller.Page(t.Context(), cursor)
		if err != nil || len(page.Packets) != 1 || string(page.Packets[0]) != `{"a":"<é","b":1}` || page.Cursor != "c 1" || !page.More ||
			page.Key != "k" || !asked(api.QueuePath, "cursor") {
			t.Errorf("%+v %v %+v", page, err, seen.URL)
		}
		answer = `{"records": [], "after": "a 2", "more": true}`
		feed, err := caller.Records(t.Context(), cursor)
		if err != nil || feed.After != "a 2" || !feed.More || !asked(api.RecordsPath, "after") {
			t.Errorf("%+v, %v, asked for %s", feed, err, seen.URL)
		}
	}
}

const anEnforced = `{"receipt": {"recordId": "01910000-0000-7000-8000-000000000001", "sequence": 4, "at": "2026-06-15T12:30:00.000Z",
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
	caller = to(t, serving(t, saying(418, api.ProblemJSON, `{"type": "about:blank", "status": 418, "title": "tea"}`)), nil)
	if _, err = caller.Page(t.Context(), ""); !errors.As(err, &p) || p.Kind().Rejects().Present() || p.Status != 418 || p.Title != "tea" {
		t.Errorf("an unknown one: %+v %v", p, err)
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
		if !errors.Is(err, client.ErrUnreadable) || !strings.Contains(err.Error(), fmt.Sprintf("its status is %d ", status)) || asked != 1 || strings.Contains(err.Error(), "SECRET") {
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

// A network is a transport of a test.
type network func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (n network) RoundTrip(r *http.Request) (*http.Response, error) { return n(r) }

func TestAServiceThatGivesNoWholeAnswerIsGivenUp(t *testing.T) {
	page := func(c *client.Client) error { _, err := c.Page(t.Context(), ""); return err }
	whole := saying(200, api.JSON, aPage)
	tls := strings.Replace(serving(t, whole), "http://", "https://", 1)
	for name, c := range map[string]struct {
		handle http.HandlerFunc // nil: that of tls
		change func(*client.Options)
		ask    func(*client.Client) error
		want   error
		says   string
		slept  int
	}{
		"an answer that is too large": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", api.JSON)
			_, _ = io.Copy(w, io.LimitReader(endless{}, 1<<20+1))
		}, nil, func(c *client.Client) error {
			_, _, err := c.Enforce(t.Context(), terms.Appeals, api.Enforce{Record: json.RawMessage("{}")})
			return err
		}, client.ErrUnreadable, "larger than 1048576 bytes", 0},
		"headers that are too large": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Large", strings.Repeat("x", 1<<20))
			whole(w, r)
		}, nil, page, client.ErrUnreachable, "", 4},
		"no answer in time": {whole, func(o *client.Options) {
			o.Retry.Total = time.Millisecond
			o.Transport = network(func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() })
		}, page, client.ErrUnreachable, "in time", 0},
		"an answer that stops halfway": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", api.JSON)
			_, _ = io.WriteString(w, aPage[:10])
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, func(o *client.Options) { o.Retry.Body, o.Retry.Attempts = 50*time.Millisecond, 1 }, page, client.ErrUnreachable, "in time", 0},
		"no connection": {whole, func(o *client.Options) {
			o.Transport = network(func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") })
		}, page, client.ErrUnreachable, "connection refused", 4},
		"no TLS at an https address": {nil, nil, page, client.ErrUnreachable, "", 0},
	} {
		clock, address := newClock(), tls
		if c.handle != nil {
			address = serving(t, c.handle)
		}
		err := c.ask(to(t, address, func(o *client.Options) {
			if o.Retry = clock.pace(); c.change != nil {
				c.change(o)
			}
		}))
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || len(clock.slept) != c.slept {
			t.Errorf("%s: %v after %v", name, err, clock.slept)
		}
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

func TestAClientNeedsATokenAndAnAddress(t *testing.T) {
	if _, err := client.New(client.Options{Address: "https://docket.example.org"}); !errors.Is(err, client.ErrNoToken) {
		t.Errorf("%v", err)
	}
	token, _ := client.ParseToken("docket_SECRET")
	if _, err := client.New(client.Options{Address: "http://docket.example.org", Token: token}); err == nil {
		t.Error("the token would be sent in the clear")
	}
}

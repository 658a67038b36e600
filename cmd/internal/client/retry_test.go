package client_test

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
)

// failing answers with a status so many times, then with a page.
func failing(times, status int, header http.Header) (handle http.HandlerFunc, asked *int) {
	asked = new(int)
	return func(w http.ResponseWriter, r *http.Request) {
		*asked++
		if *asked > times {
			saying(200, api.JSON, aPage)(w, r)
			return
		}
		for name, values := range header {
			w.Header()[name] = values
		}
		saying(status, api.ProblemJSON, `{"type": "about:blank", "status": `+strconv.Itoa(status)+`}`)(w, r)
	}, asked
}

func TestWhatMayPassIsTriedAgainWithLongerWaits(t *testing.T) {
	for _, status := range []int{429, 502, 503, 504} {
		clock := newClock()
		handle, asked := failing(4, status, nil)
		_, err := to(t, serving(t, handle), func(o *client.Options) { o.Retry = clock.pace() }).Page(t.Context(), "")
		want := []time.Duration{187500 * time.Microsecond, 375 * time.Millisecond, 750 * time.Millisecond, 1500 * time.Millisecond}
		if err != nil || *asked != 5 || !slices.Equal(clock.slept, want) {
			t.Errorf("%d: %v after %d, %v", status, err, *asked, clock.slept)
		}
	}
}

func TestTryingAgainHasAnEnd(t *testing.T) {
	clock := newClock()
	handle, asked := failing(100, 503, nil)
	_, err := to(t, serving(t, handle), func(o *client.Options) { o.Retry = clock.pace() }).Page(t.Context(), "")
	var p *api.Problem
	if !errors.As(err, &p) || p.Status != 503 || *asked != 5 || len(clock.slept) != 4 {
		t.Errorf("%v after %d, %v", err, *asked, clock.slept)
	}
}

func TestWhatWillNotPassIsNotTriedAgain(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 405, 409, 413, 415, 422, 500, 501} {
		handle, asked := failing(100, status, nil)
		if _, err := to(t, serving(t, handle), nil).Page(t.Context(), ""); err == nil || *asked != 1 {
			t.Errorf("%d: %v after %d", status, err, *asked)
		}
	}
}

func TestAServiceIsNotAskedBeforeTheTimeItGave(t *testing.T) {
	clock := newClock()
	for name, c := range map[string]struct {
		after string
		wait  time.Duration
	}{
		"seconds":       {"7", 7 * time.Second},
		"a date":        {clock.at.Add(9 * time.Second).Format(http.TimeFormat), 9 * time.Second},
		"a past date":   {clock.at.Add(-time.Hour).Format(http.TimeFormat), 187500 * time.Microsecond},
		"nothing":       {"0", 187500 * time.Microsecond},
		"no time":       {"soon", 187500 * time.Microsecond},
		"less than now": {"-5", 187500 * time.Microsecond},
	} {
		clock := newClock()
		handle, asked := failing(1, 429, http.Header{"Retry-After": {c.after}})
		_, err := to(t, serving(t, handle), func(o *client.Options) { o.Retry = clock.pace() }).Page(t.Context(), "")
		if err != nil || *asked != 2 || !slices.Equal(clock.slept, []time.Duration{c.wait}) {
			t.Errorf("%s: %v after %d, %v", name, err, *asked, clock.slept)
		}
	}
}

func TestNobodyWaitsLongerThanIsReasonable(t *testing.T) {
	clock := newClock()
	for _, after := range []string{"31", "2000000000", clock.at.Add(time.Hour).Format(http.TimeFormat)} {
		clock := newClock()
		handle, asked := failing(1, 429, http.Header{"Retry-After": {after}})
		_, err := to(t, serving(t, handle), func(o *client.Options) { o.Retry = clock.pace() }).Page(t.Context(), "")
		var p *api.Problem
		if !errors.As(err, &p) || *asked != 1 || len(clock.slept) != 0 {
			t.Errorf("%s: %v after %d, %v", after, err, *asked, clock.slept)
		}
	}
}

func TestTheWaitsTogetherHaveAnEnd(t *testing.T) {
	clock := newClock()
	handle, asked := failing(100, 429, http.Header{"Retry-After": {"30"}})
	caller := to(t, serving(t, handle), func(o *client.Options) { o.Retry = clock.pace(); o.Retry.Attempts = 100 })
	if _, err := caller.Page(t.Context(), ""); err == nil || *asked != 5 {
		t.Errorf("%v after %d, %v", err, *asked, clock.slept)
	}
}

func TestACutConnectionIsTriedAgain(t *testing.T) {
	for name, cut := range map[string]http.HandlerFunc{
		"before an answer": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"within an answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", api.JSON)
			w.Header().Set("Content-Length", strconv.Itoa(len(aPage)))
			_, _ = w.Write([]byte(aPage[:10]))
			panic(http.ErrAbortHandler)
		},
	} {
		asked, clock := 0, newClock()
		caller := to(t, serving(t, func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked < 3 {
				cut(w, r)
				return
			}
			saying(200, api.JSON, aPage)(w, r)
		}), func(o *client.Options) { o.Retry = clock.pace() })
		if _, err := caller.Page(t.Context(), ""); err != nil || asked != 3 || len(clock.slept) != 2 {
			t.Errorf("%s: %v after %d, %v", name, err, asked, clock.slept)
		}
	}
}

func TestAServiceThatIsNotThereIsTriedAgainAndSaidSo(t *testing.T) {
	server := serving(t, saying(200, api.JSON, aPage))
	clock := newClock()
	caller := to(t, server, func(o *client.Options) {
		o.Retry = clock.pace()
		o.Transport = refusing{}
	})
	if _, err := caller.Page(t.Context(), ""); !errors.Is(err, client.ErrUnreachable) || len(clock.slept) != 4 {
		t.Errorf("%v %v", err, clock.slept)
	}
}

// refusing is a network that connects nowhere.
type refusing struct{}

func (refusing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("connection refused")
}

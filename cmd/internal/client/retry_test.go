package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
)

// A retried is a service that fails so many times and then gives a page, with what a client does.
type retried struct {
	status int
	times  int
	after  string // its Retry-After
	asked  int
	slept  []time.Duration
	right  bool // the page comes
}

func TestWhatMayPassIsTriedAgainAsOftenAndAsLateAsItShould(t *testing.T) {
	const first = 187500 * time.Microsecond
	waits := []time.Duration{first, 2 * first, 4 * first, 8 * first}
	all := []retried{{503, 100, "", 5, waits, false}}
	for _, status := range []int{429, 502, 503, 504} {
		all = append(all, retried{status, 4, "", 5, waits, true})
	}
	for _, status := range []int{400, 401, 403, 404, 405, 409, 413, 415, 422, 500, 501} {
		all = append(all, retried{status, 100, "", 1, nil, false})
	}
	date := func(d time.Duration) string { return newClock().at.Add(d).Format(http.TimeFormat) }
	for after, wait := range map[string]time.Duration{
		"7": 7 * time.Second, date(9 * time.Second): 9 * time.Second, date(-time.Hour): first, "0": first, "soon": first, "-5": first,
	} {
		all = append(all, retried{429, 1, after, 2, []time.Duration{wait}, true})
	}
	for _, after := range []string{"11", "2000000000", date(time.Hour)} {
		all = append(all, retried{429, 1, after, 1, nil, false})
	}
	all = append(all, retried{503, 100, "2", 6, append(slices.Repeat([]time.Duration{2 * time.Second}, 4), 3*time.Second), false})
	for _, c := range all {
		asked, clock := 0, newClock()
		address := serving(t, func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked > c.times {
				saying(200, api.JSON, aPage)(w, r)
				return
			}
			if c.after != "" {
				w.Header().Set("Retry-After", c.after)
			}
			saying(c.status, api.ProblemJSON, `{"type": "about:blank", "status": `+strconv.Itoa(c.status)+`}`)(w, r)
		})
		_, err := to(t, address, func(o *client.Options) {
			if o.Retry = clock.pace(); c.after == "2" {
				o.Retry.Attempts = 100 // the waits together have an end, too
			}
		}).Page(t.Context(), "")
		var p *api.Problem
		if right := err == nil; right != c.right || !right && (!errors.As(err, &p) || p.Status != c.status) ||
			asked != c.asked || !slices.Equal(clock.slept, c.slept) {
			t.Errorf("%+v: %v after %d, %v", c, err, asked, clock.slept)
		}
	}
}

func TestACutConnectionIsTriedAgain(t *testing.T) {
	for _, given := range []int{0, 10} {
		asked, clock := 0, newClock()
		caller := to(t, serving(t, func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked == 3 {
				saying(200, api.JSON, aPage)(w, r)
				return
			}
			if given > 0 {
				w.Header().Set("Content-Type", api.JSON)
				w.Header().Set("Content-Length", strconv.Itoa(len(aPage)))
				fmt.Fprint(w, aPage[:given])
			}
			panic(http.ErrAbortHandler)
		}), func(o *client.Options) { o.Retry = clock.pace() })
		if _, err := caller.Page(t.Context(), ""); err != nil || asked != 3 || len(clock.slept) != 2 {
			t.Errorf("after %d bytes: %v after %d, %v", given, err, asked, clock.slept)
		}
	}
}

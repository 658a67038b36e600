package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"

	"docket/cmd/internal/api"
)

// discarding is a ResponseWriter that keeps the status only.
type discarding struct {
	header http.Header
	status int
}

func (d *discarding) Header() http.Header            { return d.header }
func (d *discarding) Write(text []byte) (int, error) { return len(text), nil }
func (d *discarding) WriteHeader(status int)         { d.status = status }

// longTests reports whether tests that take long run in their long form.
func longTests() bool { return os.Getenv("DOCKET_LONG") == "1" }

// TestMemoryStaysFlatOverManyRequests sends 2,000 requests, or 100,000 with DOCKET_LONG=1, of every kind, from many
// addresses, with tokens that nobody has, and with large bodies among them.
func TestMemoryStaysFlatOverManyRequests(t *testing.T) {
	rounds := 2_000
	if longTests() {
		rounds = 100_000
	}
	s := newHarness(t, newServiceStore(t))
	s.service = serviceOver(t, s.store, limitedAddress(1))
	record := s.Decide(s.Case, Reviewer, nil)
	s.taken(t, s.handIn(t, record, Reviewer), http.StatusCreated)
	enforce, questions := s.Body(t, record), oracle(t)
	large := []byte(`{"record":{"a":[` + strings.Repeat("0,", 200_000) + `0]},"signature":""}`)
	requests := []func(i int) *http.Request{
		func(int) *http.Request {
			return s.request(http.MethodPost, api.AppealEnforcePath, Reviewer, enforce)
		},
		func(i int) *http.Request {
			text := questions[i%len(questions)].text
			return s.request(http.MethodPost, evaluatePath(t, text), Reviewer, text)
		},
		func(int) *http.Request { return s.request(http.MethodGet, api.QueuePath, Reviewer, nil) },
		func(int) *http.Request {
			return s.request(http.MethodGet, api.AppealContractPath, Reviewer, nil)
		},
		func(i int) *http.Request {
			r := s.request(http.MethodGet, fmt.Sprintf("/api/trade/packets/none-%d", i), Reviewer, nil)
			r.Header.Set("Authorization", fmt.Sprintf("Bearer docket_%d", i))
			r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:80", i>>16&255, i>>8&255, i&255)
			return r
		},
		func(i int) *http.Request {
			return s.request(fmt.Sprintf("M%d", i), fmt.Sprintf("/%d", i), Reviewer, nil)
		},
		func(i int) *http.Request {
			if i%100 > 3 {
				return httptest.NewRequest(http.MethodGet, api.LivePath, nil)
			}
			return s.request(http.MethodPost, api.AppealEnforcePath, Reviewer, large)
		},
	}
	send := func(from, to int) uint64 {
		for i := from; i < to; i++ {
			w := &discarding{header: http.Header{}}
			if s.service.ServeHTTP(w, requests[i%len(requests)](i)); w.status == 0 || w.status == http.StatusInternalServerError {
				t.Fatalf("request %d: %d", i, w.status)
			}
		}
		return heap()
	}
	early := send(0, rounds/5)
	late := send(rounds/5, rounds)
	runtime.KeepAlive(s)
	t.Logf("%d KiB after %d requests, %d KiB after %d", early>>10, rounds/5, late>>10, rounds)
	const slack = 4 << 20 // what is kept of addresses fills up to its bound, and the heap is never quite the same
	if late > early+slack {
		t.Errorf("the heap has grown from %d to %d bytes", early, late)
	}
}

// heap is how much is in use once what is not has been collected.
func heap() uint64 {
	for range 3 { // what a pool holds is given up in the second collection
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

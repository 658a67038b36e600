//go:build unix

package serve_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
)

// processorTime is what this process has used of the processors.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkCost measures the processor time that the work of each route takes, in microseconds and without the connection: the least costs
// of the table of routes.
func BenchmarkCost(b *testing.B) {
	for _, route := range serve.Routes() {
		b.Run(route.Method+route.Path, func(b *testing.B) {
			s := newHarness(b, newServiceStore(b))
			s.book = nil
			requests := make([]*http.Request, b.N)
			for i := range requests {
				requests[i] = s.requestOf(b, &route, Admin)
				requests[i].RemoteAddr = here
			}
			if route.Path == api.AppealEnforcePath {
				packets, records := s.crowd(b, b.N)
				if _, err := s.store.Import(b.Context(), packets); err != nil {
					b.Fatal(err)
				}
				for i, record := range records {
					requests[i] = s.request(route.Method, route.Path, Reviewer, s.Body(b, record))
				}
			}
			s.spend(b, requests)
		})
	}
	b.Run("body", func(b *testing.B) { // of 256 KiB, that is read as JSON and then refused
		s := newHarness(b, newServiceStore(b))
		s.book = nil
		body := []byte(`{"record":{"a":[` + strings.Repeat(`"0",`, 64<<10) + `0]},"signature":""}`)
		requests := make([]*http.Request, b.N)
		for i := range requests {
			requests[i] = s.request(http.MethodPost, api.AppealEnforcePath, Reviewer, body)
		}
		s.spend(b, requests)
	})
}

// spend sends the requests and reports the processor time of each.
func (s *harness) spend(b *testing.B, requests []*http.Request) {
	b.Helper()
	b.ResetTimer()
	begun := processorTime(b)
	for _, r := range requests {
		s.send(b, r)
	}
	b.ReportMetric(float64((processorTime(b)-begun).Microseconds())/float64(len(requests)), "cpu-µs/request")
}

package serve_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"docket/cmd/internal/api"
)

// loopback is a server on this machine, asked over connections that are kept. The status is the one
// that is wanted.
func loopback(b *testing.B, s *harness) func(path string, body []byte, want int) error {
	b.Helper()
	server := httptest.NewServer(s.service)
	transport := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	b.Cleanup(func() { transport.CloseIdleConnections(); server.Close() })
	token := "Bearer " + TokenOf(Reviewer)
	return func(path string, body []byte, want int) error {
		r, err := http.NewRequest(http.MethodPost, server.URL+path, bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", token)
		r.Header.Set("Content-Type", api.JSON)
		answered, err := transport.RoundTrip(r)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(answered.Body)
		if err == nil && answered.StatusCode != want {
			err = fmt.Errorf("%s: %s", answered.Status, text)
		}
		return errors.Join(err, answered.Body.Close())
	}
}

// BenchmarkEvaluateOverLoopback puts the rows of the rule tables to the evaluate routes, with clients in the same process.
func BenchmarkEvaluateOverLoopback(b *testing.B) {
	const clients = 8
	ask, questions := loopback(b, newHarness(b, newServiceStore(b))), oracle(b)
	b.ReportAllocs()
	b.ResetTimer()
	var wait sync.WaitGroup
	failed := make([]error, clients)
	for client := range clients {
		wait.Go(func() {
			for i := client; i < b.N && failed[client] == nil; i += clients {
				q := &questions[i%len(questions)]
				failed[client] = ask(q.path, q.text, http.StatusOK)
			}
		})
	}
	wait.Wait()
	must(b, errors.Join(failed...))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

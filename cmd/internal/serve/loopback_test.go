package serve_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"docket/cmd/internal/api"
)

// loopback is a server on this machine with clients that keep their connections.
func loopback(t testing.TB, handler http.Handler) (address string, client *http.Client) {
	t.Helper()
	server := httptest.NewServer(handler)
	transport := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	t.Cleanup(func() { transport.CloseIdleConnections(); server.Close() })
	return server.URL, &http.Client{Transport: transport}
}

// exchangeOver sends a request over the network and wants that status.
func exchangeOver(client *http.Client, method, address, token string, body []byte, want int) error {
	r, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != nil {
		r.Header.Set("Content-Type", api.JSON)
	}
	answered, err := client.Do(r)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(answered.Body)
	if err == nil && answered.StatusCode != want {
		err = &unexpected{answered.StatusCode, text}
	}
	_ = answered.Body.Close()
	return err
}

// unexpected is an answer of another status than the one that was wanted.
type unexpected struct {
	status int
	text   []byte
}

func (u *unexpected) Error() string { return http.StatusText(u.status) + ": " + string(u.text) }

// clients is how many ask at once.
const clients = 8

// everyClient runs b.N requests with so many clients at once, and reports how many there were a second.
func everyClient(b *testing.B, send func(i int) error) {
	b.Helper()
	var next atomic.Int64
	b.SetParallelism(clients) // times GOMAXPROCS; the bound below makes it clients
	gate := make(chan struct{}, clients)
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		gate <- struct{}{}
		defer func() { <-gate }()
		for pb.Next() {
			if err := send(int(next.Add(1) - 1)); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

// BenchmarkEvaluateOverLoopback puts the rows of the rule tables to the evaluate routes, with clients in the same process.
func BenchmarkEvaluateOverLoopback(b *testing.B) {
	s := newHarness(b, newServiceStore(b))
	address, client := loopback(b, s.service)
	token, questions := TokenOf(Reviewer), oracle(b)
	paths := make([]string, len(questions))
	for i := range questions {
		paths[i] = address + evaluatePath(b, questions[i].text)
	}
	everyClient(b, func(i int) error {
		i %= len(questions)
		return exchangeOver(client, http.MethodPost, paths[i], token, questions[i].text, http.StatusOK)
	})
}

package serve_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify/verifytest"
)

// loopback runs the service on this machine, asked over connections that are kept. The status is the one that is wanted.
func loopback(b *testing.B, s *harness) func(method, path string, who person, body []byte, want int) error {
	b.Helper()
	running := run(b, s, nil)
	transport := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	b.Cleanup(transport.CloseIdleConnections)
	return func(method, path string, who person, body []byte, want int) error {
		r, err := http.NewRequest(method, "http://"+running.address+path, bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+TokenOf(who))
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

// clients is how many ask at once.
const clients = 8

// atOnce does what there is from one number to another, as so many clients.
func atOnce(clients, from, to int, do func(i int) error) error {
	var wait sync.WaitGroup
	failed := make([]error, clients)
	for client := range clients {
		wait.Go(func() {
			for i := from + client; i < to && failed[client] == nil; i += clients {
				failed[client] = do(i)
			}
		})
	}
	wait.Wait()
	return errors.Join(failed...)
}

// BenchmarkEvaluateOverLoopback puts the rows of the rule tables to the evaluate routes, with clients in the same process.
func BenchmarkEvaluateOverLoopback(b *testing.B) {
	ask, questions := loopback(b, newHarness(b, newServiceStore(b))), oracle(b)
	b.ReportAllocs()
	b.ResetTimer()
	must(b, atOnce(clients, 0, b.N, func(i int) error {
		q := &questions[i%len(questions)]
		return ask(http.MethodPost, q.path, Reviewer, q.text, http.StatusOK)
	}))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

// BenchmarkEnforceAgainstTheStore compares records handed in over loopback by eight clients with
// the store's HandIn, which the route calls: one after the other, each with a commit of its own,
// and by eight callers, who share commits. All of them are durable. They take turns, so that what
// else the machine does falls on all of them alike.
func BenchmarkEnforceAgainstTheStore(b *testing.B) {
	s := newHarness(b, newServiceStore(b))
	var logged []records.Enforcement
	for i := range b.N {
		ref := s.Log.Hold(terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("crowd-%d", i), 1))
		logged = append(logged, s.Decide(ref, Reviewer, nil))
	}
	var list []packets.Packet
	for _, document := range s.Log.Held {
		list = append(list, stored(b, document))
	}
	single, shared := openedStore(b), openedStore(b)
	for _, to := range []*store.Store{s.store, single.store, shared.store} {
		_, err := to.Import(b.Context(), list)
		must(b, err)
	}
	bodies, submissions := make([][]byte, b.N), make([]store.Submission, b.N)
	for i, record := range logged {
		bodies[i] = s.Body(b, record)
		signature := s.Log.Armored(record.Document(), verifytest.Key(string(Reviewer.ID)), records.SignatureNamespace)
		submissions[i] = store.Submission{Record: record, Signature: signature, PacketSalt: verifytest.Salt,
			Statement: verifytest.ReasonsOf(record.Document()), Token: Reviewer.Token}
	}
	ask := loopback(b, s)
	handIn := func(to *serviceStore) func(int) error {
		return func(i int) error {
			_, err := to.store.HandIn(b.Context(), submissions[i])
			return err
		}
	}
	contenders := []struct {
		name    string
		clients int
		do      func(i int) error
		took    time.Duration
	}{
		{name: "http", clients: clients, do: func(i int) error {
			return ask(http.MethodPost, api.AppealEnforcePath, Reviewer, bodies[i], http.StatusCreated)
		}},
		{name: "single", clients: 1, do: handIn(single)},
		{name: "shared", clients: clients, do: handIn(shared)},
	}
	const turn = 50
	b.ResetTimer()
	for from := 0; from < b.N; from += turn {
		for i := range contenders {
			c, begun := &contenders[i], time.Now()
			must(b, atOnce(c.clients, from, min(from+turn, b.N), c.do))
			c.took += time.Since(begun)
		}
	}
	b.StopTimer()
	for i, c := range contenders {
		b.ReportMetric(float64(b.N)/c.took.Seconds(), c.name+"/s")
		if i > 0 {
			b.ReportMetric(c.took.Seconds()/contenders[0].took.Seconds(), "http-per-"+c.name)
		}
	}
}

// BenchmarkEnforceBesideReaders hands records in one after the other, by turns alone and beside sixteen reviewers who read
// their queue and the records without a pause, and compares the medians.
func BenchmarkEnforceBesideReaders(b *testing.B) {
	const readers, turn = 16, 25
	limits := serve.DefaultLimits()
	limits.TokenRate = 1e6
	s := newHarness(b, newServiceStore(b), func(c *serve.Config) { c.Limits = limits })
	for i := range 300 {
		s.Bring(b, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("crowd-%d", i), 1))
	}
	made := s.decisions(b, b.N)
	bodies := make([][]byte, b.N)
	for i, record := range made {
		bodies[i] = s.Body(b, record)
	}
	ask := loopback(b, s)
	crowd := make([]person, readers)
	for i := range crowd {
		crowd[i] = Reviewer
		crowd[i].Token = fmt.Sprintf("reader %d", i)
		s.Token(b, TokenOf(crowd[i]), crowd[i])
	}
	var took [2][]time.Duration
	var read atomic.Int64
	b.ResetTimer()
	for from := 0; from < b.N; from += turn {
		beside := from / turn % 2
		var done atomic.Bool
		var wait sync.WaitGroup
		for i := range readers * beside {
			wait.Go(func() {
				for !done.Load() {
					if err := ask(http.MethodGet, []string{api.QueuePath, api.RecordsPath}[i%2], crowd[i], nil, http.StatusOK); err != nil {
						b.Error(err)
						return
					}
					read.Add(1)
				}
			})
		}
		for _, body := range bodies[from:min(from+turn, b.N)] {
			begun := time.Now()
			must(b, ask(http.MethodPost, api.AppealEnforcePath, Reviewer, body, http.StatusCreated))
			took[beside] = append(took[beside], time.Since(begun))
		}
		done.Store(true)
		wait.Wait()
	}
	b.StopTimer()
	if len(took[1]) == 0 {
		return
	}
	var medians [2]time.Duration
	for i := range took {
		slices.Sort(took[i])
		medians[i] = took[i][len(took[i])/2]
	}
	b.ReportMetric(float64(medians[0].Microseconds()), "alone-µs")
	b.ReportMetric(float64(medians[1].Microseconds()), "beside-µs")
	b.ReportMetric(float64(medians[1])/float64(medians[0]), "times")
	b.ReportMetric(float64(read.Load())/b.Elapsed().Seconds()*2, "reads/s")
}

// openedStore is a store that is not served, with the reviewer's token and key.
func openedStore(b *testing.B) *serviceStore {
	b.Helper()
	w := newServiceStore(b)
	w.Token(b, TokenOf(Reviewer), Reviewer)
	w.Key(b, Reviewer.ID, verifytest.Key(string(Reviewer.ID)).PublicKey())
	return w
}

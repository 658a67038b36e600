package serve_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
)

// ready reports whether the service says so. It reads in any case.
func (s *harness) ready(t testing.TB) bool {
	t.Helper()
	answered := s.ask(t, http.MethodGet, api.ReadyPath, elsewhere)
	if answered.status != http.StatusOK {
		answered.is(t, api.Unavailable)
	}
	s.get(t, api.QueuePath, Reviewer).want(t, http.StatusOK, "reading")
	return answered.status == http.StatusOK
}

// readyNow fails the test unless the service is as ready as it is due.
func (s *harness) readyNow(t testing.TB, due bool, when string) {
	t.Helper()
	if s.ready(t) != due {
		t.Errorf("%s: ready %t: %s", when, !due, s.log.String())
	}
}

func TestAServiceIsNotReadyForAMinuteAfterAnAppendFailed(t *testing.T) {
	s := serving(t)
	s.readyNow(t, true, "at first")
	record := s.Decide(s.Case, Reviewer, nil)
	for _, cause := range []error{&store.Problem{Kind: store.ErrDiskFull}, &store.Problem{Kind: store.ErrDevice},
		context.DeadlineExceeded, errors.New("anything else")} {
		s.before = fails(cause, "HandIn")
		s.handIn(t, record, Reviewer)
		s.readyNow(t, false, "at once")
		s.pass(59 * time.Second)
		s.readyNow(t, false, "59 s later")
		s.pass(2 * time.Second)
		s.readyNow(t, true, "61 s later")
		s.handIn(t, record, Reviewer)
		s.before = fails(records.ErrRefused, "HandIn") // the service works: it refuses the record
		s.handIn(t, record, Reviewer)
		s.readyNow(t, false, "after a refusal")
		s.before = nil
		if answered := s.handIn(t, record, Reviewer); answered.status >= http.StatusBadRequest {
			t.Fatalf("answered %d", answered.status)
		}
		s.readyNow(t, true, "after an append that succeeded")
	}
}

func TestReadinessAndHealthAreFoundOutOnceASecondAndLoggedWhenTheyChange(t *testing.T) {
	limits := unlimited
	limits.FreeSpace = 12345
	s := serving(t, within(limits))
	asked, full := map[string]int{}, false
	s.before = func(_ context.Context, call string) error {
		asked[call]++
		if call == "Appendable" && full {
			return &store.Problem{Path: "service.db", Kind: store.ErrDiskFull}
		}
		return nil
	}
	for range 100 {
		s.readyNow(t, true, "at first")
		s.ask(t, http.MethodGet, api.AmendmentHealthPath, elsewhere).want(t, http.StatusOK, "health")
	}
	if asked["Appendable"] != 1 || asked["Head"] != 1 || s.free != 12345 {
		t.Errorf("the store was asked %v, for %d bytes", asked, s.free)
	}
	full = true
	s.readyNow(t, true, "within the second")
	for range 3 {
		s.pass(time.Second)
		s.readyNow(t, false, "on a full disk")
	}
	full = false
	s.pass(time.Second)
	s.readyNow(t, true, "with room again")
	text := s.log.String()
	if strings.Count(text, "readiness changed") != 2 || !strings.Contains(text, `"ready":false,"cause":"service.db: `) {
		t.Errorf("logged %s", text)
	}
	if asked["Head"] != 5 {
		t.Errorf("the store was asked %v", asked)
	}
}

// TestAgreementAmendmentHealthContract: the health is one small document that names nobody and nothing.
func TestAgreementAmendmentHealthContract(t *testing.T) {
	s := serving(t)
	answered := s.ask(t, http.MethodGet, api.AmendmentHealthPath, elsewhere)
	const want = `{"ok":true,"contractVersion":"trade-agreement-amendments-v0.1-2026-06","contractStatus":"pass",` +
		`"store":{"exists":true,"readable":true,"proved":false,"findings":false}}`
	if got := strings.TrimSpace(string(answered.body)); got != want {
		t.Errorf("health %s, want %s", got, want)
	}
	if zero := (serve.Health{}); zero.OK || zero.ContractStatus == terms.Pass {
		t.Errorf("the zero health is %+v", zero)
	}
}

func TestWhatIsNotWellIsToldAndNotReady(t *testing.T) {
	s := serving(t)
	ill := func(want serve.StoreHealth) {
		t.Helper()
		s.pass(time.Minute)
		found := read[struct {
			OK             bool
			ContractStatus string
			Store          serve.StoreHealth
		}](t, s.ask(t, http.MethodGet, api.AmendmentHealthPath, elsewhere), http.StatusOK)
		if found.OK || found.ContractStatus != terms.Pass.String() || found.Store != want {
			t.Errorf("it is %+v", found)
		}
		s.readyNow(t, false, "not well")
	}
	s.before = fails(errors.New(canary), "Head")
	ill(serve.StoreHealth{Exists: true})
	s.before, s.findings = nil, []verify.Finding{{}}
	ill(serve.StoreHealth{Exists: true, Readable: true, Findings: true})
	s.ask(t, http.MethodGet, api.LivePath, elsewhere).want(t, http.StatusOK, "it lives")
}

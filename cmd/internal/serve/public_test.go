package serve_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/contracts/report"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
)

// readyNow fails the test unless the service is as ready as it is due. It reads in any case.
func (s *harness) readyNow(t testing.TB, due bool, when string) {
	t.Helper()
	answered := s.ask(t, http.MethodGet, api.ReadyPath, elsewhere)
	if answered.status != http.StatusOK {
		answered.is(t, api.Unavailable)
	}
	if (answered.status == http.StatusOK) != due {
		t.Errorf("%s: ready %t: %s", when, !due, s.log.String())
	}
	s.get(t, api.QueuePath, Reviewer).want(t, http.StatusOK, "reading")
}

func TestAServiceIsNotReadyForAMinuteAfterAnAppendFailed(t *testing.T) {
	s := serving(t)
	s.readyNow(t, true, "at first")
	record := s.Decide(s.Case, Reviewer, nil)
	for _, cause := range []error{&store.Problem{Kind: store.ErrDiskFull},
		&store.Problem{Kind: store.ErrDevice},
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
	s := serving(t, within(func(l *serve.Limits) { l.FreeSpace = 12345 }))
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
		s.ask(t, http.MethodGet, api.AmendmentHealthPath, elsewhere).want(t, http.StatusOK,
			"health")
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
	if strings.Count(text, "readiness changed") != 2 || !strings.Contains(text,
		`"ready":false,"cause":"service.db: `) {
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

var contractPaths = map[report.Kind]string{report.Appeals: api.AppealContractPath,
	report.Amendments: api.AmendmentContractPath, report.Overlap: api.OverlapContractPath}

// public asks for a document.
func (s *harness) public(t testing.TB, path string, header ...string) reply {
	t.Helper()
	return s.ask(t, http.MethodGet, path, elsewhere, header...)
}

// publishing is a profile that a service publishes.
func publishing(text []byte) setting { return func(c *serve.Config) { c.Profile = text } }

func TestAContractReportIsTheOneThatTheProgramPrintsAndNamesRoutesThatAreServed(t *testing.T) {
	s := serving(t)
	served := map[string]bool{}
	for _, route := range serve.Routes() {
		served[route.Method+" "+route.Path] = true
	}
	for kind, path := range contractPaths {
		want, err := report.Of(kind, terms.InstantOf(Noon))
		must(t, err)
		answered := s.public(t, path)
		contract := read[struct {
			PublicContract struct {
				EnforcementRoute struct{ Method, Path string }
				PlannedEndpoints []struct{ Method, Path string }
			}
		}](t, answered, http.StatusOK).PublicContract
		if !bytes.Equal(answered.body, want.JSON()) {
			t.Errorf("%s: %s", kind, answered.body)
		}
		for _, route := range append(contract.PlannedEndpoints, contract.EnforcementRoute) {
			if name := route.Method + " " + route.Path; route.Path != "" && !served[name] {
				t.Errorf("the contract states %s, which is not served", name)
			}
		}
	}
}

func TestAReportIsMadeAnewWhenItsCheckIsAnHourAgoOrAhead(t *testing.T) {
	s := serving(t)
	for after, again := range map[time.Duration]bool{0: false, time.Hour - 1: false,
		time.Hour:      true,
		50 * time.Hour: true, -1: true, -time.Hour: true} {
		s.passed.Store(0)
		s.restart(t)
		s.pass(after)
		at := read[struct{ CheckedAt time.Time }](t, s.public(t, api.AppealContractPath),
			http.StatusOK).CheckedAt
		if age := s.now().Sub(at); at.Equal(Noon) == again || age < 0 || age >= time.Hour {
			t.Errorf("after %s it was checked at %s", after, at)
		}
	}
}

// profileOf is one of the profiles of the test data.
func profileOf(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../testdata/profiles", name))
	must(t, err)
	return text
}

func sampleProfile(t testing.TB) []byte { return profileOf(t, "valid/sample.json") }

func TestWhatMayBeCachedIsNotSentAgain(t *testing.T) {
	s := serving(t, publishing(sampleProfile(t)))
	for _, path := range []string{api.AppealContractPath, api.AmendmentContractPath,
		api.OverlapContractPath, api.IncidentProfilePath} {
		first := s.public(t, path)
		tag := first.header.Get("ETag")
		if !strings.HasPrefix(tag, `"`) || !strings.Contains(first.header.Get("Cache-Control"), "max-age") {
			t.Fatalf("%s: %v", path, first.header)
		}
		for given, known := range map[string]bool{tag: true, "W/" + tag: true, `"other", ` +
			tag: true, "*": true,
			`"other"`: false, tag[1:]: false, "": false, "W/*": false} {
			status, body := http.StatusOK, first.body
			if known {
				status, body = http.StatusNotModified, nil
			}
			again := s.public(t, path, "If-None-Match", given)
			if again.status != status || !bytes.Equal(again.body, body) ||
				again.header.Get("ETag") != tag {
				t.Errorf("%s with %q: %d", path, given, again.status)
			}
		}
	}
	if live := s.public(t, api.LivePath); live.header.Get("Cache-Control") != "no-store" ||
		live.header.Get("ETag") != "" {
		t.Errorf("%v", live.header)
	}
}

func TestHeadIsAnsweredAsGetWithoutABody(t *testing.T) {
	s := serving(t)
	for _, path := range []string{api.AppealContractPath, api.LivePath, api.AmendmentHealthPath, api.IncidentProfilePath, "/nowhere"} {
		get, head := s.public(t, path), s.ask(t, http.MethodHead, path, elsewhere)
		if head.status != get.status || len(head.body) > 0 || head.header.Get("Content-Length") != get.header.Get("Content-Length") {
			t.Errorf("%s: %d %v", path, head.status, head.header)
		}
	}
}

func TestAProfileIsPublishedAsItIsIfItKeepsToTheContract(t *testing.T) {
	s := serving(t)
	s.public(t, api.IncidentProfilePath).is(t, api.NotFound)
	odd, err := filepath.Glob("../../../testdata/profiles/odd/*.json")
	if err != nil || len(odd) < 3 {
		t.Fatal(odd, err)
	}
	texts := [][]byte{sampleProfile(t)}
	for _, path := range odd {
		texts = append(texts, profileOf(t, filepath.Join("odd", filepath.Base(path))))
	}
	for i, text := range texts {
		s.restart(t, publishing(text))
		if answered := s.public(t, api.IncidentProfilePath); !bytes.Equal(answered.body, text) {
			t.Errorf("profile %d: %d %s", i, answered.status, answered.body)
		}
	}
	whole := serve.Config{Store: s.store, Now: Clock, Log: slog.New(slog.DiscardHandler)}
	for _, text := range []string{"", "{}", "[" + canary,
		strings.Replace(string(texts[0]), "{", `{"`+canary+`":1,`, 1)} {
		whole.Profile = []byte(text)
		_, err := serve.New(whole)
		if err == nil || !strings.Contains(err.Error(), "breaks its contract") || strings.Contains(err.Error(), canary) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAServiceIsNotMadeOfHalves(t *testing.T) {
	whole := serve.Config{Store: serving(t).store, Now: Clock, Log: slog.New(slog.DiscardHandler)}
	for name, spoil := range map[string]setting{
		"no store": func(c *serve.Config) { c.Store = nil },
		"no clock": func(c *serve.Config) { c.Now = nil },
		"no log":   func(c *serve.Config) { c.Log = nil },
	} {
		half := whole
		spoil(&half)
		if s, err := serve.New(half); err == nil || s != nil {
			t.Errorf("%s: a service is made", name)
		}
	}
}

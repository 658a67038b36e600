package serve_test

import (
	"bytes"
	"encoding/json"
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
	"docket/domain/terms"
	"docket/store/verify"
)

// A observed harness is one with a clock that can be set and a log that can be read.
type observed struct {
	*harness
	now time.Time
	log bytes.Buffer
}

func newObserved(t testing.TB, config serve.Config) *observed {
	t.Helper()
	return newObservedOver(t, newServiceStore(t), config)
}

func newObservedOver(t testing.TB, backend *serviceStore, config serve.Config) *observed {
	t.Helper()
	w := &observed{harness: newHarness(t, backend), now: Noon}
	if over, is := config.Store.(*faulty); is {
		over.Store = backend.store
	} else {
		config.Store = backend.store
	}
	config.Now = func() time.Time { return w.now }
	config.Log = slog.New(slog.NewJSONHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	service, err := serve.New(config)
	if err != nil {
		t.Fatal(err)
	}
	w.service = service
	return w
}

var contractPaths = map[report.Kind]string{report.Appeals: api.AppealContractPath,
	report.Amendments: api.AmendmentContractPath, report.Overlap: api.OverlapContractPath}

func TestAContractReportIsTheOneThatTheProgramPrints(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: unlimited})
	for kind, path := range contractPaths {
		want, err := report.Of(kind, terms.InstantOf(Noon))
		if err != nil {
			t.Fatal(err)
		}
		answered := w.ask(t, http.MethodGet, path, elsewhere)
		if answered.status != http.StatusOK || !bytes.Equal(answered.body, want.JSON()) {
			t.Errorf("%s: %d %s", kind, answered.status, answered.body)
		}
	}
}

func TestAReportIsMadeAnewWhenItsCheckIsAnHourAgoOrAhead(t *testing.T) {
	s := serving(t)
	for after, again := range map[time.Duration]bool{0: false, time.Hour - 1: false, time.Hour: true,
		50 * time.Hour: true, -1: true, -time.Hour: true} {
		s.passed.Store(0)
		s.restart(t)
		s.pass(after)
		document := read[struct{ CheckedAt time.Time }](t, s.ask(t, http.MethodGet, api.AppealContractPath, elsewhere), http.StatusOK)
		age := s.now().Sub(document.CheckedAt)
		if document.CheckedAt.Equal(Noon) == again || age < 0 || age >= time.Hour {
			t.Errorf("after %s it was checked at %s", after, document.CheckedAt)
		}
	}
}

// sampleProfile is the sample profile as it is written.
func sampleProfile(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/profiles/valid/sample.json")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestWhatMayBeCachedIsNotSentAgain(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: unlimited, Profile: sampleProfile(t)})
	for _, path := range []string{api.AppealContractPath, api.AmendmentContractPath, api.OverlapContractPath,
		api.IncidentProfilePath} {
		first := w.ask(t, http.MethodGet, path, elsewhere)
		tag := first.header.Get("ETag")
		if !strings.HasPrefix(tag, `"`) || !strings.Contains(first.header.Get("Cache-Control"), "max-age") {
			t.Fatalf("%s: %v", path, first.header)
		}
		for _, same := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
			again := w.ask(t, http.MethodGet, path, elsewhere, "If-None-Match", same)
			if again.status != http.StatusNotModified || len(again.body) > 0 || again.header.Get("ETag") != tag {
				t.Errorf("%s with %s: %d", path, same, again.status)
			}
		}
		for _, other := range []string{`"other"`, tag[1:], "", "W/*"} {
			again := w.ask(t, http.MethodGet, path, elsewhere, "If-None-Match", other)
			if again.status != http.StatusOK || !bytes.Equal(again.body, first.body) {
				t.Errorf("%s with %q: %d", path, other, again.status)
			}
		}
	}
	if other := w.ask(t, http.MethodGet, api.LivePath, elsewhere); other.header.Get("Cache-Control") != "no-store" ||
		other.header.Get("ETag") != "" {
		t.Errorf("%v", other.header)
	}
}

func TestHeadIsAnsweredAsGetWithoutABody(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: unlimited})
	for _, path := range []string{api.AppealContractPath, api.LivePath, api.AmendmentHealthPath, api.IncidentProfilePath, "/nowhere"} {
		get, head := w.ask(t, http.MethodGet, path, elsewhere), w.ask(t, http.MethodHead, path, elsewhere)
		if head.status != get.status || len(head.body) > 0 || head.header.Get("Content-Length") != get.header.Get("Content-Length") {
			t.Errorf("%s: %d %v", path, head.status, head.header)
		}
	}
}

func TestTheProfileIsPublishedAsItIsWhereThereIsOne(t *testing.T) {
	t.Parallel()
	without := newObserved(t, serve.Config{Limits: unlimited})
	without.ask(t, http.MethodGet, api.IncidentProfilePath, elsewhere).is(t, api.NotFound)
	with := newObserved(t, serve.Config{Limits: unlimited, Profile: sampleProfile(t)})
	if answered := with.ask(t, http.MethodGet, api.IncidentProfilePath, elsewhere); !bytes.Equal(answered.body, sampleProfile(t)) {
		t.Errorf("%d %s", answered.status, answered.body)
	}
}

func TestAProfileThatIsOnlyOddIsPublishedAsItIs(t *testing.T) {
	t.Parallel()
	odd, err := filepath.Glob("../../../testdata/profiles/odd/*.json")
	if err != nil || len(odd) < 3 {
		t.Fatal(odd, err)
	}
	for _, name := range odd {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w := newObserved(t, serve.Config{Limits: unlimited, Profile: text})
		if answered := w.ask(t, http.MethodGet, api.IncidentProfilePath, elsewhere); !bytes.Equal(answered.body, text) {
			t.Errorf("%s: %d %s", name, answered.status, answered.body)
		}
	}
}

func TestAProfileThatDoesNotKeepToTheContractIsNotServed(t *testing.T) {
	t.Parallel()
	backend := newServiceStore(t)
	for _, text := range []string{"", "{}", "[" + canary, strings.Replace(string(sampleProfile(t)), "{", `{"`+canary+`":1,`, 1)} {
		_, err := serve.New(serve.Config{Store: backend.store, Now: Clock, Log: slog.New(slog.DiscardHandler), Profile: []byte(text)})
		var flawed *serve.ProfileError
		if !errors.As(err, &flawed) || strings.Contains(err.Error(), canary) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAServiceIsNotMadeOfHalves(t *testing.T) {
	t.Parallel()
	whole := serve.Config{Store: newServiceStore(t).store, Now: Clock, Log: slog.New(slog.DiscardHandler)}
	for name, spoil := range map[string]func(*serve.Config){
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

// told is a health as it is read.
type told struct {
	OK             bool
	ContractStatus string
	Store          serve.StoreHealth
}

func TestTheHealthIsAskedForOnceASecondAndNamesNothing(t *testing.T) {
	t.Parallel()
	w, f := newFaulty(t, unlimited)
	for range 5 {
		found := read[told](t, w.ask(t, http.MethodGet, api.AmendmentHealthPath, elsewhere), http.StatusOK)
		if n := f.heads.Load(); !found.OK || n != 1 {
			t.Errorf("%+v, asked %d times", found, n)
		}
	}
	w.now = w.now.Add(time.Second)
	if w.ask(t, http.MethodGet, api.ReadyPath, elsewhere); f.heads.Load() != 2 {
		t.Errorf("asked %d times", f.heads.Load())
	}
}

// TestAgreementAmendmentHealthContract: the health is one small document that names nobody and nothing.
func TestAgreementAmendmentHealthContract(t *testing.T) {
	t.Parallel()
	w, _ := newFaulty(t, unlimited)
	answered := w.ask(t, http.MethodGet, api.AmendmentHealthPath, elsewhere)
	const want = `{"ok":true,"contractVersion":"trade-agreement-amendments-v0.1-2026-06","contractStatus":"pass",` +
		`"store":{"exists":true,"readable":true,"proved":false,"findings":false}}`
	if got := strings.TrimSpace(string(answered.body)); got != want {
		t.Errorf("health %s, want %s", got, want)
	}
	var zero serve.Health
	if zero.OK || zero.ContractStatus == terms.Pass {
		t.Errorf("the zero health is %+v", zero)
	}
}

func TestWhatIsNotWellIsToldAndNotReady(t *testing.T) {
	t.Parallel()
	w, f := newFaulty(t, unlimited)
	ill := func(want serve.StoreHealth) {
		t.Helper()
		w.now = w.now.Add(time.Minute)
		found := read[told](t, w.ask(t, http.MethodGet, api.AmendmentHealthPath, elsewhere), http.StatusOK)
		if found.OK || found.ContractStatus != terms.Pass.String() || found.Store != want {
			t.Errorf("it is %+v", found)
		}
		w.ask(t, http.MethodGet, api.ReadyPath, elsewhere).is(t, api.Unavailable)
	}
	f.head = errors.New(canary)
	ill(serve.StoreHealth{Exists: true})
	f.head, f.findings = nil, []verify.Finding{{}}
	ill(serve.StoreHealth{Exists: true, Readable: true, Findings: true})
	if answered := w.ask(t, http.MethodGet, api.LivePath, elsewhere); answered.status != http.StatusOK {
		t.Errorf("it does not live: %d", answered.status)
	}
}

func TestThePathsOfTheTableAreThoseOfTheContracts(t *testing.T) {
	t.Parallel()
	stated := map[string]bool{}
	for kind := range contractPaths {
		r, err := report.Of(kind, terms.InstantOf(Noon))
		if err != nil {
			t.Fatal(err)
		}
		var contract struct {
			PublicContract struct {
				EnforcementRoute struct{ Method, Path string }
				PlannedEndpoints []struct{ Method, Path string }
			}
		}
		if err := json.Unmarshal(r.JSON(), &contract); err != nil {
			t.Fatal(err)
		}
		body := contract.PublicContract
		for _, route := range append(body.PlannedEndpoints, body.EnforcementRoute) {
			if route.Path != "" {
				stated[route.Method+" "+route.Path] = true
			}
		}
	}
	for _, route := range serve.Routes() {
		delete(stated, route.Method+" "+route.Path)
	}
	if len(stated) > 0 {
		t.Errorf("the contracts state routes that are not served: %v", stated)
	}
}

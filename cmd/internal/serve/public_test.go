package serve_test

import (
	"bytes"
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
)

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
	for after, again := range map[time.Duration]bool{0: false, time.Hour - 1: false, time.Hour: true,
		50 * time.Hour: true, -1: true, -time.Hour: true} {
		s.passed.Store(0)
		s.restart(t)
		s.pass(after)
		at := read[struct{ CheckedAt time.Time }](t, s.public(t, api.AppealContractPath), http.StatusOK).CheckedAt
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
	for _, path := range []string{api.AppealContractPath, api.AmendmentContractPath, api.OverlapContractPath, api.IncidentProfilePath} {
		first := s.public(t, path)
		tag := first.header.Get("ETag")
		if !strings.HasPrefix(tag, `"`) || !strings.Contains(first.header.Get("Cache-Control"), "max-age") {
			t.Fatalf("%s: %v", path, first.header)
		}
		for given, known := range map[string]bool{tag: true, "W/" + tag: true, `"other", ` + tag: true, "*": true,
			`"other"`: false, tag[1:]: false, "": false, "W/*": false} {
			status, body := http.StatusOK, first.body
			if known {
				status, body = http.StatusNotModified, nil
			}
			again := s.public(t, path, "If-None-Match", given)
			if again.status != status || !bytes.Equal(again.body, body) || again.header.Get("ETag") != tag {
				t.Errorf("%s with %q: %d", path, given, again.status)
			}
		}
	}
	if live := s.public(t, api.LivePath); live.header.Get("Cache-Control") != "no-store" || live.header.Get("ETag") != "" {
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
	for _, text := range []string{"", "{}", "[" + canary, strings.Replace(string(texts[0]), "{", `{"`+canary+`":1,`, 1)} {
		whole.Profile = []byte(text)
		_, err := serve.New(whole)
		var flawed *serve.ProfileError
		if !errors.As(err, &flawed) || strings.Contains(err.Error(), canary) {
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

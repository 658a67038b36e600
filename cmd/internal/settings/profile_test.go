package settings_test

import (
	"docket/cmd/internal/settings"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestTheIncidentProfileIsFoundFromWhereItIsNamed(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	absolute := filepath.Join(t.TempDir(), "profile.json")
	for text, want := range map[string]string{"": "", absolute: absolute, "~/profile.json": filepath.Join(home, "profile.json"), "own/profile.json": "beside"} {
		e := sources{file: "incident_profile = " + strconv.Quote(text)}.mustLoad(t)
		if want == "beside" {
			want = filepath.Join(filepath.Dir(e.Path), text)
		}
		if e.Profile != want {
			t.Errorf("%q is %q", text, e.Profile)
		}
	}
	e := sources{file: `incident_profile = "a.json"`, flags: map[string][]string{"incident-profile": {"b.json"}}}.mustLoad(t)
	if e.Profile != "b.json" {
		t.Errorf("the flag's is %q", e.Profile)
	}
}

func TestAnAgeIsDaysOrHours(t *testing.T) {
	for text, want := range map[string]time.Duration{"90d": 90 * 24 * time.Hour, "12h": 12 * time.Hour, "1h": time.Hour, "3650d": 3650 * 24 * time.Hour} {
		if got, ok := settings.ParseAge(text); !ok || got != want || settings.WriteAge(got) != text {
			t.Errorf("%s is read as %s, %t, and written %s", text, got, ok, settings.WriteAge(got))
		}
	}
	for _, text := range []string{"", "d", "90", "0d", "-1d", "+1d", "1.5d", "3651d", "99999h", "12m", "1d1h", " 1d", "99999999999d", "90D"} {
		if got, ok := settings.ParseAge(text); ok {
			t.Errorf("%q is read as %s", text, got)
		}
		if text != "" {
			if _, err := (sources{file: "witness_max_age = " + strconv.Quote(text)}).load(t); err == nil || !strings.Contains(err.Error(), ":1: witness_max_age takes a number of days or hours") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if e := (sources{file: `witness_max_age = "36h"`}).mustLoad(t); e.MaxAge != 36*time.Hour {
		t.Errorf("it is %s", e.MaxAge)
	}
}

func TestTheWitnessPolicyIsFoundFromWhereItIsNamed(t *testing.T) {
	e := sources{file: `witness_policy = "policy"`}.mustLoad(t)
	if e.Policy != filepath.Join(filepath.Dir(e.Path), "policy") || e.MaxAge != 7*24*time.Hour {
		t.Errorf("%q, %s", e.Policy, e.MaxAge)
	}
}

func TestAPathThatIsNoCleanTextIsRefused(t *testing.T) {
	for _, line := range []string{`incident_profile = 7`, `incident_profile = true`, `incident_profile = "a\u001b[0m"`, `incident_profile = ["a"]`} {
		if _, err := (sources{file: line}).load(t); err == nil || !strings.Contains(err.Error(), ":1: incident_profile takes the path of a file") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

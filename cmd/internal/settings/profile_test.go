package settings

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTheIncidentProfileIsFoundFromWhereItIsNamed(t *testing.T) {
	absolute := filepath.Join(t.TempDir(), "profile.json")
	for text, want := range map[string]string{"": "", absolute: absolute, "~/profile.json": "~/profile.json", "own/profile.json": "beside"} {
		e := sources{file: "incident_profile = " + basic(text)}.mustLoad(t)
		if want == "beside" {
			want = filepath.Join(filepath.Dir(e.Path), text)
		}
		if e.Profile != want {
			t.Errorf("%q is %q", text, e.Profile)
		}
	}
	e := sources{file: `incident_profile = "a.json"`, flags: map[string]string{"incident-profile": "b.json"}}.mustLoad(t)
	if e.Profile != "b.json" {
		t.Errorf("the flag's is %q", e.Profile)
	}
}

func TestAPathThatIsNoCleanTextIsRefused(t *testing.T) {
	for _, line := range []string{`incident_profile = 7`, `incident_profile = true`, `incident_profile = "a\u001b[0m"`, `incident_profile = ["a"]`} {
		if _, err := (sources{file: line}).load(t); err == nil || !strings.Contains(err.Error(), ":1: incident_profile is the path of a file") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

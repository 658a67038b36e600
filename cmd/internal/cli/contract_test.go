package cli

import (
	"strings"
	"testing"

	"docket/cmd/internal/selftest"
	"docket/domain/terms"
)

func TestAHookThatIsBlockedIsMarkedAndEndsTheSelftestWithARefusal(t *testing.T) {
	results := []selftest.Result{
		{Hook: "sound_hook", Area: "appeals", Status: terms.Pass, Evidence: "3 of 3"},
		{Hook: "broken_hook", Area: "overlap", Evidence: "2 are missing", Checks: "all are there"},
	}
	var out strings.Builder
	p := &program{System: System{Out: &out}}
	if status := statusOf(p.reportSelftest(results)); status != Refused {
		t.Errorf("status %d", status)
	}
	for _, line := range []string{"✓ sound_hook\n    3 of 3\n", "✗ broken_hook\n    required: all are there\n    2 are missing\n",
		"\n1 of 2 hooks pass\n"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is not in %q", line, out.String())
		}
	}
	out.Reset()
	p.json = true
	if status := statusOf(p.reportSelftest(results)); status != Refused {
		t.Errorf("status %d", status)
	}
	want := `{"hook":"sound_hook","area":"appeals","status":"pass","evidence":"3 of 3"}` + "\n" +
		`{"hook":"broken_hook","area":"overlap","status":"blocked","evidence":"2 are missing"}` + "\n"
	if out.String() != want {
		t.Errorf("printed %s", out.String())
	}
}

func TestTheSelftestPassesOnlyIfEveryHookDoes(t *testing.T) {
	var out strings.Builder
	p := &program{System: System{Out: &out}}
	if status := statusOf(p.reportSelftest([]selftest.Result{{Hook: "sound_hook", Area: "appeals", Status: terms.Pass}})); status != Done {
		t.Errorf("status %d", status)
	}
	if !strings.HasSuffix(out.String(), "\n1 of 1 hook passes\n") {
		t.Errorf("printed %q", out.String())
	}
}

package ui

import (
	"bytes"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"docket/ui/internal/workbenchtest"
)

// traced matches what a line of the debug log may be, and nothing else.
var traced = regexp.MustCompile(`^time=\S+ level=INFO msg=(message|job) kind=("[a-z ']+"|[a-z]+|[a-z]+\.[A-Za-z]+) took=[0-9.µa-z]+$`)

func TestTheDebugLogHoldsKindsAndDurationsOnly(t *testing.T) {
	t.Parallel()
	lines := 0
	for i := range scenes {
		var out bytes.Buffer
		workbench := workbenchtest.Sample()
		b := startHarness(t, &workbenchtest.Hostile{Workbench: workbench, Text: "CANARY"}, 80, 24)
		b.console.work.trace = trace{slog.New(slog.NewTextHandler(&out, nil))}
		b.console.scene.Notice = "CANARY"
		b.run(b.console.Init())
		scenes[i].setup(b, workbench)
		b.press("type CANARY")
		b.paste("CANARY")
		for _, written := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			lines++
			if !traced.MatchString(written) {
				t.Fatalf("%s: %q", scenes[i].name, written)
			}
		}
		for _, canary := range []string{"CANARY", "AC-20", "AM-3", "rev-", "notice_missing", "enter", "pgdown", "東京"} {
			if strings.Contains(out.String(), canary) {
				t.Errorf("%s: %q is in the log", scenes[i].name, canary)
			}
		}
	}
	if lines < 20*len(scenes) {
		t.Errorf("only %d lines were written", lines)
	}
}

func TestWithoutADebugLogNothingIsWritten(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("j")
	if b.console.work.trace.log != nil {
		t.Error("there is a log that nobody asked for")
	}
}

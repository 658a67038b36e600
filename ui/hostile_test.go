package ui

import (
	"bytes"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/visible"
	"docket/ui/internal/workbenchtest"
	"docket/ui/task"
	"docket/ui/theme"

	"github.com/muesli/termenv"
)

// hostileScene builds a scene in which every text that can holds the given one, and returns its debug log, too.
func hostileScene(t *testing.T, index int, text string) (*harness, *bytes.Buffer) {
	t.Helper()
	workbench, log := workbenchtest.Sample(t), &bytes.Buffer{}
	b := startHarness(t, &workbenchtest.Hostile{Workbench: workbench, Text: text}, 80, 24)
	b.console.work.trace = trace{slog.New(slog.NewTextHandler(log, nil))}
	b.run(b.console.Init())
	b.console.scene.Notice = text
	scenes[index].setup(b, workbench)
	return b, log
}

// plainText is what ids and hashes are written in, one a line.
var plainText = regexp.MustCompile(`^[A-Za-z0-9._:+/=-]{1,256}(\n[A-Za-z0-9._:+/=-]{1,256})*$`)

// Every sixth text is tried in a scene, and another sixth in the next; with DOCKET_LONG=1 all are tried in each.
func TestNoHostileTextReachesTheTerminalTheClipboardOrTheDebugLog(t *testing.T) {
	t.Parallel()
	showing, tried, lines := 0, 0, 0
	for i := range scenes {
		t.Run(scenes[i].name, func(t *testing.T) {
			for at, text := range workbenchtest.HostileTexts {
				if at%6 != i%6 && !longTests() {
					continue
				}
				tried++
				b, log := hostileScene(t, i, "<"+text+">")
				b.fits(scenes[i].name)
				if strings.Contains(b.frame(), visible.String("<"+text)) {
					showing++
				}
				for _, shown := range strings.Split(b.console.View(), "\n") {
					if !visible.Clean(shown) {
						t.Fatalf("%q gets through: %q", text, shown)
					}
				}
				for _, item := range task.Copies(b.console.stage.Top(), &b.console.scene) {
					if !plainText.MatchString(item.Text) {
						t.Fatalf("it offers %q for copying", item.Text)
					}
				}
				b.press("type CANARY", "paste CANARY")
				for line := range strings.Lines(log.String()) {
					if lines++; !traced.MatchString(line) || strings.Contains(line, "enter") || strings.Contains(line, "pgdown") {
						t.Fatalf("the debug log has %q", line)
					}
				}
			}
		})
	}
	if showing < tried/2 || lines < 20*tried {
		t.Errorf("only %d of %d frames show the text at all, and %d lines are logged", showing, tried, lines)
	}
}

func TestColouredFramesHoldOnlyTheConsolesOwnEscapes(t *testing.T) {
	b, _ := hostileScene(t, 0, "<\x1b[31m\x1b]0;owned\x07>")
	b.console.theme = theme.New(termenv.TrueColor, theme.Dark)
	b.press("b", "esc", "b")
	view := b.console.View()
	if !strings.Contains(view, "\x1b[") {
		t.Fatal("there are no colours")
	}
	for _, part := range strings.Split(view, "\x1b")[1:] {
		end := strings.IndexFunc(part, func(r rune) bool { return r != '[' && r != ';' && (r < '0' || r > '9') })
		if end < 0 || part[0] != '[' || part[end] != 'm' {
			t.Fatalf("an escape sequence that sets no colour: %q", part[:min(len(part), 20)])
		}
	}
}

func TestTypedAndPastedTextIsShownAsEscapes(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("/", "paste a\u202eb\x1b[2J\u009b")
	for _, shown := range strings.Split(b.console.View(), "\n") {
		if !visible.Clean(shown) {
			t.Fatalf("gets through: %q", shown)
		}
	}
	b.shows(`a\u202eb`)
}

func TestADraftThatCannotBeReadIsShownCleanly(t *testing.T) {
	for _, text := range workbenchtest.HostileTexts {
		workbench := workbenchtest.Sample(t)
		workbench.Keep(sampleKey, records.Draft{})
		b := newHarness(t, &workbenchtest.Hostile{Workbench: workbench, Text: text, Unreadable: "<" + text + ">"}, 80, 24)
		b.press("open AC-2041", "d", "shows cannot be read")
		for _, shown := range strings.Split(b.console.View(), "\n") {
			if !visible.Clean(shown) {
				t.Fatalf("%q gets through: %q", text, shown)
			}
		}
		b.press("X", "y", "d", "at choosing")
	}
}

// traced matches what a line of the debug log may be, and nothing else.
var traced = regexp.MustCompile(`^time=\S+ level=INFO msg=(message|job) kind=("[a-z ']+"|[a-z]+|[a-z]+\.[A-Za-z]+) took=[0-9.µa-z]+\n$`)

func TestWithoutADebugLogNothingIsWritten(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("j")
	if b.console.work.trace.log != nil {
		t.Error("there is a log that nobody asked for")
	}
}

package ui

import (
	"encoding/base64"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen/packet"
	"docket/ui/task"
)

// writes keeps each write apart.
type writes struct {
	all []string
	err error
}

func (w *writes) Write(text []byte) (int, error) {
	w.all = append(w.all, string(text))
	return len(text), w.err
}

// plainClipboard is that of a terminal without a multiplexer.
func plainClipboard(out io.Writer) task.Clipboard {
	return task.NewClipboard(out, func(string) string { return "" })
}

func TestIdsAndHashesAreChosenFromAList(t *testing.T) {
	b, _ := sample(t, 80, 24)
	out := &writes{}
	b.console.clipboard = plainClipboard(out)
	b.press("open AC-2041", "y")
	b.shows("copy to the clipboard", "1 id", "3 case hash")
	b.press("j", "enter")
	b.shows("copied: subject id, if the terminal allows it")
	packet := b.console.stage.Top().(*packet.Screen)
	hash := packet.CaseFile.View.Record().AppealCase().Record().CaseHash.String()
	b.press("y", "3")
	for i, want := range []string{"row-8841", hash} {
		if got, _ := strings.CutPrefix(out.all[i], "\x1b]52;c;"); got != base64.StdEncoding.EncodeToString([]byte(want))+"\x07" {
			t.Errorf("copied %q", out.all[i])
		}
	}
	b.press("y", "esc")
	b.hides("copy to the clipboard")
	if len(out.all) != 2 {
		t.Errorf("%d copies", len(out.all))
	}
}

func TestACopyThatFailsSaysWhy(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.console.clipboard = plainClipboard(&writes{err: errors.New("the pipe is closed")})
	b.press("y", "enter")
	b.shows("✗ not copied: the terminal: the pipe is closed")
}

// plainText is what ids and hashes are written in, one a line.
var plainText = regexp.MustCompile(`^[A-Za-z0-9._:+/=-]{1,256}(\n[A-Za-z0-9._:+/=-]{1,256})*$`)

func TestNothingHostileIsOfferedForCopying(t *testing.T) {
	t.Parallel()
	for i := range scenes {
		for _, text := range []string{"\x1b]52;c;eA==\x07", " ; rm", "東京"} {
			b := hostileScene(t, i, text)
			for _, item := range task.Copies(b.console.stage.Top(), &b.console.scene) {
				if !plainText.MatchString(item.Text) {
					t.Fatalf("%s offers %q", scenes[i].name, item.Text)
				}
			}
		}
	}
}

func TestNoTextOfAPacketIsOfferedForCopying(t *testing.T) {
	workbench := workbenchtest.New()
	workbench.Add(terms.AppealPolicies, workbenchtest.AppealPolicy(), nil)
	record := workbenchtest.Case("AC-1", 24*time.Hour)
	record.In("evidenceScope")["statement"] = "statement"
	record["remedyGap"] = "gap"
	workbench.Add(terms.AppealCases, record, nil)
	b := newHarness(t, workbench, 80, 24)
	b.press("enter")
	for _, item := range task.Copies(b.console.stage.Top(), &b.console.scene) {
		if item.Text == "statement" || item.Text == "gap" {
			t.Errorf("it offers %q", item.Text)
		}
	}
}

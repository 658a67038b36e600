package ui

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen/packet"
)

func TestACopyIsOneWholeSequenceForTheTerminalOrTheProgramBefore(t *testing.T) {
	const hash = "sha256:0f"
	coded := base64.StdEncoding.EncodeToString([]byte(hash))
	plain := "\x1b]52;c;" + coded + "\x07"
	for through, want := range map[multiplexer]string{
		noMultiplexer: plain,
		tmux:          plain + "\x1bPtmux;\x1b\x1b]52;c;" + coded + "\x07\x1b\\",
		gnuScreen:     "\x1bP\x1b]52;c;" + coded + "\x07\x1b\\",
	} {
		out := &writes{}
		if err := toClipboard(out, through, hash); err != nil || len(out.all) != 1 || out.all[0] != want {
			t.Errorf("%d: %q, %v", through, out.all, err)
		}
	}
}

// writes keeps each write apart.
type writes struct {
	all []string
	err error
}

func (w *writes) Write(text []byte) (int, error) {
	w.all = append(w.all, string(text))
	return len(text), w.err
}

func TestTheEnvironmentNamesTheMultiplexer(t *testing.T) {
	for _, one := range []struct {
		name, value string
		want        multiplexer
	}{{"TMUX", "/tmp/x,1,0", tmux}, {"STY", "1.x", gnuScreen}, {"TERM", "screen-256color", gnuScreen}, {"TERM", "xterm", noMultiplexer}, {"", "", noMultiplexer}} {
		got := multiplexerOf(func(name string) string {
			if name == one.name {
				return one.value
			}
			return ""
		})
		if got != one.want {
			t.Errorf("%s=%s: %d", one.name, one.value, got)
		}
	}
}

func TestOnlyWhatHasTheFormOfAnIdOrAHashIsCopied(t *testing.T) {
	for text, may := range map[string]bool{
		"AC-2041": true, "sha256:" + strings.Repeat("0f", 32): true, "SHA256:Yq3mH0nQ2v/Xo8+bJ=": true, "019cadc6-9a80-7000-8a00-000000000000": true,
		"": false, "a b": false, "rm -rf\n": false, "\x1b[2J": false, "a;b": false, "$(x)": false, "é": false, strings.Repeat("a", 257): false,
	} {
		if copyable(text) != may {
			t.Errorf("%q may be copied: %v", text, !may)
		}
		if out := (&writes{}); !may && (toClipboard(out, noMultiplexer, text) == nil || len(out.all) > 0) {
			t.Errorf("%q reached the terminal: %q", text, out.all)
		}
	}
}

func TestIdsAndHashesAreChosenFromAList(t *testing.T) {
	b, _ := sample(t, 80, 24)
	out := &writes{}
	b.console.output, b.console.multiplexer = out, noMultiplexer
	b.goTo(terms.Appeals, "AC-2041")
	b.press("y")
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
	b.console.output = &writes{err: errors.New("the pipe is closed")}
	b.press("y", "enter")
	b.shows("✗ not copied: the terminal: the pipe is closed")
}

func TestNothingHostileIsOfferedForCopying(t *testing.T) {
	for i := range scenes {
		for _, text := range []string{"\x1b]52;c;eA==\x07", " ; rm", "東京"} {
			b := hostileScene(t, i, text)
			for _, item := range copiesOf(b.console.stage.Top(), &b.console.scene) {
				if !copyable(item.Text) {
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
	for _, item := range copiesOf(b.console.stage.Top(), &b.console.scene) {
		if item.Text == "statement" || item.Text == "gap" {
			t.Errorf("it offers %q", item.Text)
		}
	}
}

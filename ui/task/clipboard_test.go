package task

import (
	"encoding/base64"
	"strings"
	"testing"
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

func TestOnlyTextsInTheFormOfAnIdOrAHashAreCopied(t *testing.T) {
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

func TestALineThatIsNoIdKeepsAllFromBeingCopied(t *testing.T) {
	for _, text := range []string{"AC-1\n", "\nAC-1", "AC-1\n\nAC-2", "AC-1\nrm -rf", "AC-1\r\nAC-2", "AC-1\n\x1b[2J"} {
		if out := (&writes{}); toClipboard(out, noMultiplexer, text) == nil || len(out.all) > 0 {
			t.Errorf("%q reached the terminal: %q", text, out.all)
		}
	}
}

func TestTheNewestStepOfAnExportIsShown(t *testing.T) {
	e := &exportRun{news: make(chan exportStep, 1)}
	tell := e.tell()
	tell("writing records", 1, 10)
	tell("writing records", 2, 10) // too soon to be seen
	tell("reading it back", 3, 10)
	if step := <-e.news; step != (exportStep{"reading it back", 3, 10}) {
		t.Errorf("shown: %+v", step)
	}
}

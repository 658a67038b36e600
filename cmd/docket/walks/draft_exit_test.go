package walks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
)

// keysOfADecision are those from the first choice to the review, each with what shows that it was
// taken and with what the draft then has to hold.
var keysOfADecision = []struct {
	key, shows      string
	statement, note string
}{
	{key: "Space", shows: "● "},
	{key: "Enter", shows: "Your reasons"},
	{key: "b", shows: "❯ b", statement: "b"},
	{key: "e", shows: "❯ be", statement: "be"},
	{key: "C-j", shows: "❯ be", statement: "be"},
	{key: "x", shows: "❯ x", statement: "be\nx"},
	{key: "Enter", shows: "Type record to record it", statement: "be\nx"},
	{key: "5", shows: "A note for yourself", statement: "be\nx"},
	{key: "a", shows: "❯ a", statement: "be\nx", note: "a"},
	{key: "k", shows: "❯ ak", statement: "be\nx", note: "ak"},
	{key: "Enter", shows: "Type record to record it", statement: "be\nx", note: "ak"},
}

// What was typed is in the draft after every end of the console, at every key: after a signal and a
// closed terminal all of it, after a kill what had been typed two seconds before.
func TestAnEndAtAnyKeyOfADecisionLeavesTheDraft(t *testing.T) {
	docket := programtest.Built(t)
	ends := map[string]func(*programtest.Terminal, *os.Process) error{
		"HUP":  func(_ *programtest.Terminal, p *os.Process) error { return p.Signal(syscall.SIGHUP) },
		"TERM": func(_ *programtest.Terminal, p *os.Process) error { return p.Signal(syscall.SIGTERM) },
		"KILL": func(_ *programtest.Terminal, p *os.Process) error {
			<-time.After(2 * time.Second)
			return p.Kill()
		},
		"closed": func(term *programtest.Terminal, _ *os.Process) error { term.Tmux("kill-server"); return nil },
	}
	run := 0
	for end, stop := range ends {
		for at := range keysOfADecision {
			if run++; os.Getenv("DOCKET_LONG") == "" && run%12 != 5 && !(end == "KILL" && at == 7) {
				continue
			}
			t.Run(fmt.Sprintf("%s after %d keys", end, at+1), func(t *testing.T) {
				t.Parallel()
				endsAtKey(t, docket, at, stop)
			})
		}
	}
}

func endsAtKey(t *testing.T, docket string, at int, stop func(*programtest.Terminal, *os.Process) error) {
	folder := t.TempDir()
	db, pid := filepath.Join(folder, "docket.db"), filepath.Join(folder, "pid")
	term := programtest.OpenTerminal(t, 80, 24, reviewing(t, docket, folder)+
		fmt.Sprintf("sh -c 'echo $$ >%s; exec %s --db %s'", pid, docket, db))
	through(term, "sees Appeals 1 open", "and rev-0417", "Enter", "sees PASS", "d",
		"sees Which outcome?")
	for _, step := range keysOfADecision[:at+1] {
		term.Press(step.key)
		term.WaitFor(step.shows)
	}
	process := processOf(t, pid)
	err := stop(term, process)
	for err == nil && process.Signal(syscall.Signal(0)) == nil {
		<-time.After(10 * time.Millisecond)
	}
	must(t, err)
	s, err := store.Open(t.Context(), store.Options{Path: db, ReadOnly: true})
	must(t, err)
	defer s.Close()
	file, err := s.CaseFile(t.Context(), terms.AppealCases, programtest.SampleCase, 0, terms.InstantOf(time.Now()), "rev-0417")
	must(t, err)
	want, got := keysOfADecision[at], file.Draft
	if got.Unreadable != "" || !got.Outcome.Present() || got.Statement != want.statement || got.Note != want.note {
		t.Errorf("the draft is %+v, not %+v", describe(got), want)
	}
}

func describe(d records.KeptDraft) string {
	return fmt.Sprintf("outcome %s, statement %q, note %q", d.Outcome, d.Statement, d.Note)
}

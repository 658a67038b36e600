//go:build unix

package damage_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

// onlyRead holds the site, in which an opening finds something, to exporting and taking nothing.
func onlyRead(t *testing.T, s *programtest.Site, found string) {
	t.Helper()
	s.Write("more.jsonl", programtest.GoodPacket)
	files, before := s.List(), s.Read("docket.db")
	if got := s.Docket("export", s.At("refused")); got.Status != 1 {
		t.Errorf("docket export: exit status %d, %s", got.Status, got.Stderr)
	}
	if got := s.Docket("records"); got.Status != 1 || got.Stdout == "" || !strings.Contains(got.Stderr, found) || !strings.Contains(got.Stderr, "read-only") {
		t.Errorf("docket records: exit status %d, %s", got.Status, got.Stderr)
	}
	if got := s.Docket("doctor"); got.Status != 1 || !strings.Contains(got.Stdout, "✗ log") {
		t.Errorf("docket doctor: exit status %d, %s", got.Status, got.Stdout)
	}
	if got := programtest.Run(t, "docket-decide", s.Folder, programtest.SampleCase, "uphold_decision"); got.Status == 0 || !strings.Contains(got.Stderr, "verify the store") {
		t.Errorf("a record was taken: %s", got.Stderr)
	}
	for _, args := range [][]string{{"import", s.At("more.jsonl")}, {"backup", s.At("copy.db")}} {
		if got := s.Docket(args...); got.Status != 1 || !strings.Contains(got.Stderr, "docket verify") {
			t.Errorf("docket %s: exit status %d, %s", args[0], got.Status, got.Stderr)
		}
	}
	s.Unchanged(files, "a forged store was worked with")
	if s.Read("docket.db") != before {
		t.Error("the store was changed")
	}
}

func TestAStoreWithAnotherSchemaIsOnlyRead(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "sqlite3")
	s := programtest.Decided(t, "request_evidence")
	sqlite(s, "CREATE TRIGGER swallow BEFORE INSERT ON docket_log BEGIN SELECT RAISE(IGNORE); END")
	onlyRead(t, s, "schema_altered")
}

func TestAStoreThatWasRolledBackToYesterdayIsNamed(t *testing.T) {
	t.Parallel()
	s := programtest.Decided(t, "request_evidence")
	yesterday := s.Read("docket.db")
	s.Done("docket-decide", programtest.SampleCase, "uphold_decision")
	s.Done("docket", "export", s.At("today"))
	s.Write("docket.db", yesterday)
	s.Finds("rolled_back")
	s.Finds("rolled_back", "--since", s.At("today/checkpoint"))
	onlyRead(t, s, "rolled_back")
	if got := s.Docket("doctor"); !strings.Contains(got.Stdout, "✗ log") || !strings.Contains(got.Stdout, "Look for the newer file") {
		t.Errorf("docket doctor: %s", got.Stdout)
	}
}

func TestTwoForksOfOneOriginAreNamed(t *testing.T) {
	t.Parallel()
	here := programtest.Decided(t, "request_evidence")
	there := here.Copied(t)
	here.Done("docket-decide", programtest.SampleCase, "uphold_decision")
	for _, outcome := range []string{"request_evidence", "uphold_decision"} {
		there.Done("docket-decide", programtest.SampleCase, outcome)
	}
	for _, s := range []*programtest.Site{here, there} {
		s.Done("docket", "export", s.At("out"))
		if v, plain := s.Verify(); v.Status != 0 {
			t.Fatalf("%s", plain)
		}
	}
	here.Finds("rolled_back", "--since", there.At("out/checkpoint"))
	there.Finds("forked", "--since", here.At("out/checkpoint"))
	there.Finds("forked", there.At("out"), "--since", here.At("out/checkpoint"))

	// The fork in the place of the store is known by the checkpoint that this machine kept.
	here.Write("docket.db", there.Read("docket.db"))
	here.Finds("forked")
	onlyRead(t, here, "forked")
}

func TestTheConsoleOfAForgedStoreSaysSoAndOnlyReads(t *testing.T) {
	t.Parallel()
	s := programtest.Decided(t, "request_evidence")
	yesterday := s.Read("docket.db")
	s.Done("docket-decide", programtest.SampleCase, "uphold_decision")
	s.Write("docket.db", yesterday)
	term := programtest.OpenTerminal(t, 100, 30, fmt.Sprintf(
		"export HOME=%[1]s XDG_DATA_HOME=%[1]s/data XDG_CONFIG_HOME=%[1]s/config XDG_STATE_HOME=%[1]s/state; %[2]s --db %[3]s",
		s.Folder, programtest.Built(t), s.DB()))
	term.WaitFor("signs 4 entries, there are 3")
	term.Press("Enter")
	term.WaitFor(programtest.SampleCase)
	term.Press("q")
	term.WaitFor("exit status 0")
	if now, err := os.ReadFile(s.DB()); err != nil || string(now) != yesterday {
		t.Errorf("the store was changed: %v", err)
	}
}

// A bundle that somebody made from a store of their own says nothing against itself. What was learnt by another way does.
func TestABundleOfAnotherStoreIsNamedByTheKeyAndTheCheckpointOfTheRightOne(t *testing.T) {
	t.Parallel()
	right, other := programtest.Decided(t, "request_evidence"), programtest.Decided(t, "uphold_decision")
	for _, s := range []*programtest.Site{right, other} {
		s.Done("docket", "export", s.At("out"))
	}
	if v, plain := other.Verify(other.At("out")); v.Status != 0 {
		t.Fatalf("%s", plain)
	}
	key := verifierKeyOf(t, right)
	if v, plain := right.Verify(right.At("out"), "--key", key, "--since", right.At("out/checkpoint")); v.Status != 0 {
		t.Errorf("%s", plain)
	}
	other.Finds("checkpoint_unusable", other.At("out"), "--key", key)
	other.Finds("earlier_unusable", other.At("out"), "--since", right.At("out/checkpoint"))
}

// verifierKeyOf is the key that `docket verify` names.
func verifierKeyOf(t *testing.T, s *programtest.Site) string {
	t.Helper()
	_, rest, found := strings.Cut(s.Done("docket", "verify").Stdout, "verifier key")
	key, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	if !found || !strings.HasPrefix(key, "docket/") {
		t.Fatalf("%q", key)
	}
	return key
}

// sqlite runs statements with the sqlite3 program on the site's store, and returns what they print.
func sqlite(s *programtest.Site, statements string) string {
	s.T.Helper()
	command := exec.Command("sqlite3", "-batch", "-bail", s.DB())
	command.Stdin = strings.NewReader(statements)
	out, err := command.CombinedOutput()
	if err != nil {
		s.T.Fatalf("sqlite3: %v\n%s\n%s", err, out, statements)
	}
	return strings.TrimSuffix(string(out), "\n")
}

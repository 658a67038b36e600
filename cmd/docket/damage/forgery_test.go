//go:build unix

package damage_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

// on does the forgery on a copy of a site, and holds verify to naming it.
func (c *forgery) on(t *testing.T, pristine *programtest.Site) forger {
	t.Helper()
	f := forger{pristine.Copied(t)}
	ids := []string{f.record(0), f.record(1), f.record(2)}
	c.do(f)
	v, plain := f.Verify()
	if v.Status != 1 {
		t.Errorf("exit status %d", v.Status)
	}
	for _, want := range c.want {
		id := ""
		if want.sequence >= 0 {
			id = ids[want.sequence]
		}
		f.Names(v, plain, want.kind, want.sequence, id)
	}
	return f
}

func TestWhatIsForgedBesideTheRecordsIsNamedByVerify(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "sqlite3")
	pristine := programtest.Decided(t, "request_evidence", "uphold_decision", "request_evidence")
	for _, c := range besideForgeries {
		t.Run(c.name, func(t *testing.T) {
			f := c.on(t, pristine)
			onlyRead(t, f.Site, c.want)
		})
	}
}

func TestEveryForgeryOfTheStoreIsNamedByVerify(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "sqlite3", "ssh-keygen")
	pristine := programtest.Decided(t, "request_evidence", "uphold_decision", "request_evidence")
	if v, plain := pristine.Verify(); v.Status != 0 || v.Records != 3 {
		t.Fatalf("%+v\n%s", v, plain)
	}
	for _, c := range forgeries {
		t.Run(c.name, func(t *testing.T) {
			f := c.on(t, pristine)
			onlyRead(t, f.Site, c.want)
		})
	}
}

// onlyRead holds the site to exporting nothing, and to taking nothing where an opening already finds the forgery.
func onlyRead(t *testing.T, s *programtest.Site, found []named) {
	t.Helper()
	s.Write("more.jsonl", programtest.GoodPacket)
	files, before := s.List(), s.Read("docket.db")
	if got := s.Docket("export", s.At("refused")); got.Status != 1 {
		t.Errorf("docket export: exit status %d, %s", got.Status, got.Stderr)
	}
	for _, want := range found {
		switch want.kind {
		case "rolled_back", "forked", "schema_altered":
		default:
			continue
		}
		if got := s.Docket("records"); got.Status != 1 || got.Stdout == "" || !strings.Contains(got.Stderr, want.kind) || !strings.Contains(got.Stderr, "read-only") {
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
	}
	s.Unchanged(files, "a forged store was worked with")
	if s.Read("docket.db") != before {
		t.Error("the store was changed")
	}
}

func TestAStoreThatWasRolledBackToYesterdayIsNamed(t *testing.T) {
	t.Parallel()
	s := programtest.Decided(t, "request_evidence")
	yesterday := s.Read("docket.db")
	s.Done("docket-decide", programtest.SampleCase, "uphold_decision")
	s.Done("docket", "export", s.At("today"))
	s.Write("docket.db", yesterday)
	v, plain := s.Verify()
	s.Names(v, plain, "rolled_back", -1, "")
	v, plain = s.Verify("--since", s.At("today/checkpoint"))
	s.Names(v, plain, "rolled_back", -1, "")
	onlyRead(t, s, []named{{"rolled_back", -1}})
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
	v, plain := here.Verify("--since", there.At("out/checkpoint"))
	here.Names(v, plain, "rolled_back", -1, "")
	v, plain = there.Verify("--since", here.At("out/checkpoint"))
	there.Names(v, plain, "forked", -1, "")
	v, plain = there.Verify(there.At("out"), "--since", here.At("out/checkpoint"))
	there.Names(v, plain, "forked", -1, "")

	// The fork in the place of the store is known by the checkpoint that this machine kept.
	here.Write("docket.db", there.Read("docket.db"))
	v, plain = here.Verify()
	here.Names(v, plain, "forked", -1, "")
	onlyRead(t, here, []named{{"forked", -1}})
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
	term.WaitFor("signs 2 records, there are 1")
	term.Press("Enter")
	term.WaitFor(programtest.SampleCase)
	term.Press("q")
	term.WaitFor("exit status 0")
	if now, err := os.ReadFile(s.DB()); err != nil || string(now) != yesterday {
		t.Errorf("the store was changed: %v", err)
	}
}

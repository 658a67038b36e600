//go:build unix

package main_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// on does the forgery on a copy of a site, and holds verify to naming it.
func (c *forgery) on(t *testing.T, pristine *site) forger {
	t.Helper()
	f := forger{pristine.copied(t)}
	ids := []string{f.record(0), f.record(1), f.record(2)}
	c.do(f)
	v, plain := f.verify()
	if v.status != 1 {
		t.Errorf("exit status %d", v.status)
	}
	for _, want := range c.want {
		id := ""
		if want.sequence >= 0 {
			id = ids[want.sequence]
		}
		f.names(v, plain, want.kind, want.sequence, id)
	}
	return f
}

func TestWhatIsForgedBesideTheRecordsIsNamedByVerify(t *testing.T) {
	t.Parallel()
	needs(t, "sqlite3")
	pristine := decided(t, "request_evidence", "uphold_decision", "request_evidence")
	for _, c := range besideForgeries {
		t.Run(c.name, func(t *testing.T) {
			f := c.on(t, pristine)
			onlyRead(t, f.site, c.want)
		})
	}
}

func TestEveryForgeryOfTheStoreIsNamedByVerify(t *testing.T) {
	t.Parallel()
	needs(t, "sqlite3", "ssh-keygen")
	pristine := decided(t, "request_evidence", "uphold_decision", "request_evidence")
	if v, plain := pristine.verify(); v.status != 0 || v.Records != 3 {
		t.Fatalf("%+v\n%s", v, plain)
	}
	for _, c := range forgeries {
		t.Run(c.name, func(t *testing.T) {
			f := c.on(t, pristine)
			onlyRead(t, f.site, c.want)
		})
	}
}

// onlyRead holds the site to exporting nothing, and to taking nothing where an opening already finds the forgery.
func onlyRead(t *testing.T, s *site, found []named) {
	t.Helper()
	s.write("more.jsonl", good)
	files, before := s.list(), s.read("docket.db")
	if got := s.docket("export", s.at("refused")); got.status != 1 {
		t.Errorf("docket export: exit status %d, %s", got.status, got.stderr)
	}
	for _, want := range found {
		switch want.kind {
		case "rolled_back", "forked", "schema_altered":
		default:
			continue
		}
		if got := s.docket("records"); got.status != 1 || got.stdout == "" || !strings.Contains(got.stderr, want.kind) || !strings.Contains(got.stderr, "read-only") {
			t.Errorf("docket records: exit status %d, %s", got.status, got.stderr)
		}
		if got := s.docket("doctor"); got.status != 1 || !strings.Contains(got.stdout, "✗ log") {
			t.Errorf("docket doctor: exit status %d, %s", got.status, got.stdout)
		}
		if got := run(t, "docket-decide", s.folder, sampleCase, "uphold_decision"); got.status == 0 || !strings.Contains(got.stderr, "verify the store") {
			t.Errorf("a record was taken: %s", got.stderr)
		}
		for _, args := range [][]string{{"import", s.at("more.jsonl")}, {"backup", s.at("copy.db")}} {
			if got := s.docket(args...); got.status != 1 || !strings.Contains(got.stderr, "docket verify") {
				t.Errorf("docket %s: exit status %d, %s", args[0], got.status, got.stderr)
			}
		}
	}
	s.unchanged(files, "a forged store was worked with")
	if s.read("docket.db") != before {
		t.Error("the store was changed")
	}
}

func TestAStoreThatWasRolledBackToYesterdayIsNamed(t *testing.T) {
	t.Parallel()
	s := decided(t, "request_evidence")
	yesterday := s.read("docket.db")
	s.done("docket-decide", sampleCase, "uphold_decision")
	s.done("docket", "export", s.at("today"))
	s.write("docket.db", yesterday)
	v, plain := s.verify()
	s.names(v, plain, "rolled_back", -1, "")
	v, plain = s.verify("--since", s.at("today/checkpoint"))
	s.names(v, plain, "rolled_back", -1, "")
	onlyRead(t, s, []named{{"rolled_back", -1}})
	if got := s.docket("doctor"); !strings.Contains(got.stdout, "✗ copy") || !strings.Contains(got.stdout, "open the newer one") {
		t.Errorf("docket doctor: %s", got.stdout)
	}
}

func TestTwoForksOfOneOriginAreNamed(t *testing.T) {
	t.Parallel()
	here := decided(t, "request_evidence")
	there := here.copied(t)
	here.done("docket-decide", sampleCase, "uphold_decision")
	for _, outcome := range []string{"request_evidence", "uphold_decision"} {
		there.done("docket-decide", sampleCase, outcome)
	}
	for _, s := range []*site{here, there} {
		s.done("docket", "export", s.at("out"))
		if v, plain := s.verify(); v.status != 0 {
			t.Fatalf("%s", plain)
		}
	}
	v, plain := here.verify("--since", there.at("out/checkpoint"))
	here.names(v, plain, "rolled_back", -1, "")
	v, plain = there.verify("--since", here.at("out/checkpoint"))
	there.names(v, plain, "forked", -1, "")
	v, plain = there.verify(there.at("out"), "--since", here.at("out/checkpoint"))
	there.names(v, plain, "forked", -1, "")

	// The fork in the place of the store is known by the checkpoint that this machine kept.
	here.write("docket.db", there.read("docket.db"))
	v, plain = here.verify()
	here.names(v, plain, "forked", -1, "")
	onlyRead(t, here, []named{{"forked", -1}})
}

func TestTheConsoleOfAForgedStoreSaysSoAndOnlyReads(t *testing.T) {
	t.Parallel()
	s := decided(t, "request_evidence")
	yesterday := s.read("docket.db")
	s.done("docket-decide", sampleCase, "uphold_decision")
	s.write("docket.db", yesterday)
	term := openTerminal(t, 100, 30, fmt.Sprintf(
		"export HOME=%[1]s XDG_DATA_HOME=%[1]s/data XDG_CONFIG_HOME=%[1]s/config XDG_STATE_HOME=%[1]s/state; %[2]s --db %[3]s",
		s.folder, program(t), s.db()))
	term.waitFor("signs 2 records, there are 1")
	term.press("Enter")
	term.waitFor(sampleCase)
	term.press("q")
	term.waitFor("exit status 0")
	if now, err := os.ReadFile(s.db()); err != nil || string(now) != yesterday {
		t.Errorf("the store was changed: %v", err)
	}
}

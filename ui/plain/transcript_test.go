package plain

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/ui"
	"docket/ui/internal/workbenchtest"
)

var update = flag.Bool("update", false, "write the transcripts")

// transcripts are sessions from the greeting to the end. Goldens, the property of the output and the hostile texts go
// through them: every place and every answer of the workbench is among them.
var transcripts = []struct {
	name      string
	workbench func(*workbenchtest.Workbench)
	script    []string
	found     []ui.Finding
	blind     bool // in blind-first mode
	empty     bool // no packets
	// keyless is why the reviewer's key cannot be used.
	keyless string
	saved   []ui.SavedFilter
}{
	{name: "queue", script: lines("1", "", "list", "sort id", "filter blocker:not", "/ due:<48h is:mine", "filter gate:maybe",
		"filter nothing-of-the-kind", "filter", "amendments", "who", "back", "quit")},
	{name: "saved-filters", saved: []ui.SavedFilter{{Name: "mine", Text: "is:mine"}, {Name: "ready", Text: "gate:pass"}},
		script: lines("1", "saved", "f READY", "saved 1", "saved nobody", "quit")},
	{name: "packet-pass", script: lines("AC-2041", "", "", "sections", "4", "all", "", "older", "older", "newer", "newer", "again",
		"99", "back", "quit")},
	{name: "packet-blocked", script: lines("open AC-2044", "all", "decide", "leave", "next", "previous", "back", "quit")},
	{name: "packet-amendment", script: lines("amendments", "3", "all", "quit")},
	{name: "packet-unreadable", script: lines("appeals", "open AC-1999", "open 99", "open nobody", "nonsense", "quit")},
	{name: "decide", script: lines("a", "open AC-2041", "2", toReview("correct record"), "record", "receipt", "r", "1", "", "back", "quit")},
	{name: "decide-answers", script: lines("open AC-2041", "decide", "", "99", "uphold_decision", "", "write to jane@example.org", "The receipt stands.",
		"factors", "2 99", "repeat", "", "blockers", "claim", "notice_missing", "repeat", "notice_missing", "", "note", "ask the school", "note", "back",
		"statement", "", "yes", "back", "back", "leave", "sections", "d", "leave", "quit")},
	{name: "decide-blocked", script: lines("open AC-2042", "decide", "1", "5", "blockers", "notice_missing", "12", "", "deadline passed", "record", "quit")},
	{name: "decide-amendment", script: lines("open AM-311", "decide", "blockers", "", "record", "quit")},
	{name: "decide-tightened", script: lines("open AC-2041", "decide", "correct_record", "blockers", "standing_missing", "", "close unresolved",
		"two receipts", "note", "a note", "record", "quit")},
	{name: "packet-blind", blind: true, script: lines("open AC-2041", "all", "sections", "older", "3", "back", "amendments", "open AM-310",
		"3", "quit")},
	{name: "decide-blind", blind: true, script: lines("open AC-2041", "decide", "", "99", "record remedy", "repeat", "uphold decision", "leave",
		"8", "decide", "back", "decide", "8", "record", "records", "1", "open AC-2041", "8", "quit")},
	{name: "draft", script: lines("open AC-2041", "decide", "leave", "decide", "correct record", "factors", "1", "", "blockers", "notice_missing",
		"notice_missing", "", "statement", "two receipts", "note", "ask the school", "leave", "back", "open AC-2041", "decide", "help", "back", "leave",
		"decide", "", "record", "back", "open AC-2041", "quit")},
	{name: "draft-discarded", workbench: begun, script: lines("open AC-2043", "discard", "discard", "open AC-2041", "discard", "", "decide", "leave",
		"decide", "discard", "", "quit")},
	{name: "draft-unreadable", workbench: func(d *workbenchtest.Workbench) {
		d.KeepUnreadable(packets.Key{ID: "AC-2041", Number: 2})
	},
		script: lines("open AC-2041", "decide", "discard", "", "discard", "discard", "decide", "leave", "quit")},
	{name: "word", script: lines("open AC-2041", toReview("8"), "", "no", "Record", "help", pasted+"record", pasted+"record 1234",
		ahead+"record", "record", "quit")},
	{name: "stale", workbench: func(d *workbenchtest.Workbench) {
		d.Refusing = &records.StaleError{Changes: []string{"revision 3 has arrived", "notice_missing holds now"}}
	}, script: lines("open AC-2041", toReview("8"), "record", "decide", "", "leave", "quit")},
	{name: "refused", workbench: func(d *workbenchtest.Workbench) {
		d.Refusing = &records.Refusal{Reason: "the log is read-only; run `docket verify`"}
	},
		script: lines("open AC-2041", toReview("8"), "record", "quit")},
	{name: "not-recorded", workbench: func(d *workbenchtest.Workbench) { d.Refusing = errors.New("the disk is full") },
		script: lines("open AC-2041", toReview("8"), "record", "quit")},
	{name: "not-yours", script: lines("open AC-2045", "decide", "open AC-2046", "decide", "open AC-2051", "decide", "quit")},
	{name: "nobody", workbench: func(d *workbenchtest.Workbench) { d.Who = records.Reviewer{} }, script: lines("open AC-2041", "decide", "skip x", "quit")},
	{name: "no-key", workbench: func(d *workbenchtest.Workbench) { d.Who.KeyFingerprint = "" }, script: lines("open AC-2041", "decide", "quit")},
	{name: "keyless", keyless: noKey, workbench: func(d *workbenchtest.Workbench) { d.Who.KeyFingerprint = "" },
		script: lines("open AC-2041", "decide", "skip it waits", "who", "quit")},
	{name: "keyless-nobody", keyless: "identity.toml is not an identity", workbench: func(d *workbenchtest.Workbench) { d.Who = records.Reviewer{} },
		script: lines("open AC-2041", "decide", "skip it waits", "quit")},
	{name: "findings", found: []ui.Finding{{Found: "record 3 was altered", Advice: "restore the backup of the log"}},
		script: lines("open AC-2041", "decide", "skip it waits", "who", "quit")},
	{name: "skip", script: lines("open AC-2041", "skip", "", "skip", "waiting for the school", "skip", "skip", "",
		"skip it waits", "next", "back", "quit")},
	{name: "board", script: lines("blockers", "2", "back", "blockers", "list", "99", "again", "back", "amendments", "blockers", "appeals",
		"blockers assigned:me", "1", "blockers nonsense:x", "quit")},
	{name: "records", workbench: func(d *workbenchtest.Workbench) {
		d.Decide("AC-2048", 0)
		d.Decide("AC-2041", terms.CorrectRecord)
		d.Damage(0)
	},
		script: lines("records", "1", "", "2", "again", "back", "back", "quit")},
	{name: "pages", script: lines("AC-2041", "compare", "older", "=", "text", "text wrong scope evidence", "t notice missing", "text nothing",
		"search school", "/RECEIPTS", "search", "contracts", "contracts 1", "c nonsense", "AM-312", "text", "text parent_record_edit_detected",
		"t destination change", "compare", "quit")},
	{name: "compare-blind", blind: true, script: lines("AC-2041", "compare", "search correct record", "quit")},
	{name: "supersede", workbench: func(d *workbenchtest.Workbench) {
		d.Decide("AC-2041", terms.CorrectRecord)
	}, script: lines("records", "1", "text", "supersede", "uphold decision", "two receipts", "record", "records", "2", "supersede", "back", "1", "d", "leave",
		"quit")},
	{name: "service", workbench: atService, script: lines("appeals", "filter is:rejected", "1", "back", "filter", "records", "judge", "judge 1",
		"judge 3", "3", "judge", "back", "2", "judge", "", "decide", "route human review", "somebody else must look", "record", "records", "judge 3", "3", "judge", "1",
		"who", "quit")},
	{name: "trouble", workbench: func(d *workbenchtest.Workbench) { d.Failing = errors.New("the disk does not answer") },
		script: lines("appeals", "records", "blockers", "AC-2041", "again", "quit")},
	{name: "empty", empty: true, script: lines("appeals", "", "amendments", "records", "blockers", "quit")},
	{name: "help", script: lines("help", "appeals", "?", "1", "help", "blockers", "help", "records", "help", "quit")},
	{name: "odd-lines", script: lines("\x1b[A", strings.Repeat("x", 5000), "a\u0301\xff", "0", "-1", "99999999999999999999", "")},
}

// noKey is why a key cannot be used.
const noKey = "ssh-agent has no key SHA256:lOzCRCgmhdgz/iUVXgGJZ9z6KriP47hPy6P2g6bLGFU among its 0; add it with `ssh-add FILE`, and see `ssh-add -l`"

// atService puts three records on a workbench. The service has accepted the first and rejected the second.
func atService(d *workbenchtest.Workbench) {
	d.Pull(3 * time.Hour)
	for _, id := range []terms.ID{"AC-2048", "AC-2042", "AC-2041"} {
		d.Decide(id, terms.RouteHumanReview)
	}
	d.Pass(2 * time.Minute)
	d.Accept(0)
	d.Reject(1, records.PacketStale, workbenchtest.Foreign, "notice_missing no longer holds", "decided elsewhere by record "+string(workbenchtest.Foreign)+
		"; yours would replace it")
}

// begun puts decisions on a workbench that were begun: one on the sample case's earlier revision, and one on another case.
func begun(d *workbenchtest.Workbench) {
	older := records.Draft{Outcome: terms.OpenChallengeWindow, Factors: terms.SetOf(terms.HumanReviewRequired),
		Added: terms.SetOf(terms.NoticeMissing), Note: "ask the school", Step: "note"}
	d.Keep(packets.Key{ID: "AC-2041", Number: 1}, older)
	d.Keep(packets.Key{ID: "AC-2043", Number: 1}, older)
}

// transcript runs a session of the table on a workbench whose text may be hostile.
func transcript(t *testing.T, i int, text string) string {
	t.Helper()
	one, workbench := &transcripts[i], workbenchtest.Sample(t)
	if one.empty {
		workbench = workbenchtest.New(t)
	}
	if one.workbench != nil {
		one.workbench(workbench)
	}
	h := newHarness(t, workbench, one.script...)
	h.blindFirst, h.keyless, h.saved = one.blind, one.keyless, one.saved
	if text != "" {
		h.keyless += map[bool]string{true: text}[h.keyless != ""]
		h.workbench, h.notice = &workbenchtest.Hostile{Workbench: workbench, Text: text, Bare: one.blind}, text
		for j := range one.found {
			h.sayFindings([]ui.Finding{{Found: one.found[j].Found + text, Advice: text}})
		}
	}
	return h.works(one.found...)
}

// A session writes clean text in lines, and no code as a program has it.
func TestEverySessionReadsAsItsTranscriptDoes(t *testing.T) {
	wanted := map[string]bool{}
	for i := range transcripts {
		name := transcripts[i].name + ".txt"
		wanted[name] = true
		t.Run(transcripts[i].name, func(t *testing.T) {
			workbenchtest.Alone(t)
			text := transcript(t, i, "")
			compare(t, filepath.Join("testdata", name), text+"\n")
			onlyText(t, text)
			for line := range strings.SplitSeq(flat(text), "\n") {
				typed := slices.ContainsFunc(transcripts[i].script, func(typed string) bool { return typed != "" && strings.HasSuffix(line, ": "+typed) })
				if said := written.ReplaceAllStringFunc(line, inWords); said != line && !typed {
					t.Errorf("the code in %q is said", line)
				}
			}
		})
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no transcripts: %v", err)
	}
	for _, file := range files {
		if !wanted[filepath.Base(file)] {
			t.Errorf("%s is a transcript of no session", file)
		}
	}
}

func TestCodesAreWordsAndHashesAreSaidWhenAskedForOnly(t *testing.T) {
	output := works(t, workbenchtest.Sample(t), "AM-312", "exact", "AC-2044", "exact", "decide", "5", "exact", "record", "receipt", "exact", "exact", "quit")
	says(t, output, "1 line holds only a hash or an id; exact says them.", "Terms: from sha256:", "blocked: parent record: differs; at lock (hash), now (hash)",
		"blocked: summary: absent (standing missing).", "Signed by: rev-marsh, neutral reviewer; (fingerprint).",
		"2 lines hold only hashes or ids; exact says them.", "blocked: summary: absent (standing_missing).", "Found blockers: standing_missing, deadline_expired, ",
		"Signed by: rev-marsh, neutral reviewer; "+string(workbenchtest.Reviewer().KeyFingerprint)+".", "Leaf hash: sha256:",
		"Deadline: 2026-03-02 14:00Z; ")
	saysNot(t, output, "(hash) to (hash)", "Leaf hash: (hash)", "Deadline: 2026-03-02T14:00:00Z")
	same(t, "times the leaf hash is said", strings.Count(output, "\nLeaf hash:"), 2)
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if got != string(want) {
		t.Errorf("the session is not the one of %s; go test -update writes it:\n%s", file, got)
	}
}

// Every sixth text is tried in a session, and another sixth in the next; with DOCKET_LONG=1 all are tried in each.
func TestNoHostileTextReachesTheTerminal(t *testing.T) {
	for i := range transcripts {
		t.Run(transcripts[i].name, func(t *testing.T) {
			t.Parallel()
			for at, text := range workbenchtest.HostileTexts {
				if at%6 != i%6 && os.Getenv("DOCKET_LONG") != "1" {
					continue
				}
				output := transcript(t, i, "<"+text+">")
				onlyText(t, output)
				// A line may be broken inside a text with blanks; none of these has any.
				if shown := visible.String("<" + text); !strings.Contains(strings.ReplaceAll(output, "\n  ", ""), shown) {
					t.Errorf("%q is not shown as %s", text, shown)
				}
			}
		})
	}
}

func TestTypedTextIsWrittenAsEscapes(t *testing.T) {
	output := works(t, workbenchtest.Sample(t), "appeals", "filter a\u202eb", "open AC-2041", "skip \u200bquiet", "quit")
	onlyText(t, output)
	says(t, output, `a\u202eb`, `\u200bquiet`)
}

func TestNothingPrivateIsSaid(t *testing.T) {
	const canary = "kanarienvogel"
	workbench := workbenchtest.Sample(t)
	workbench.Add(terms.AppealCases, workbenchtest.Case("AC-9000", time.Hour), map[string]any{"contact_data": []string{canary}, canary: canary})
	leaking := workbenchtest.Case("AC-9001", time.Hour)
	leaking["remedyGap"] = "write to " + canary + "@example.org"
	workbench.AddUnsealed(terms.AppealCases, leaking)
	output := works(t, workbench, "appeals", "AC-9000", "all", "AC-9001", "all", "decide", "5", "", "", "", "", "record", "records", "1", "quit")
	says(t, output, "Redacted: contact data, 1 value never kept.", "private details unredacted", "Recorded: AC-9001")
	saysNot(t, output, canary)
}

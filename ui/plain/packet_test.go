package plain

import (
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/page"
)

func TestEveryPacketBeginsWithTheSameFourSentencesAndThenWhatIsSaid(t *testing.T) {
	for _, blind := range []bool{false, true} {
		advice := []string{"docket advises: ", "No outcome is advised on an amendment."}
		if blind {
			advice[0] = "The advice is held back until you have given an outcome of your own."
		}
		for _, id := range []string{"AC-2041", "AC-2042", "AC-2044", "AC-2045", "AC-2046", "AC-2047", "AC-2053", "AM-310", "AM-312"} {
			h := newHarness(t, workbenchtest.Sample(t), id, "quit")
			h.blindFirst = blind
			noun, said := "Case", "2 of 14. What is said: "
			if strings.HasPrefix(id, "AM") {
				noun, said = "Amendment", "2 of 1"
			}
			_, packet, opened := strings.Cut(flat(h.works()), "\n"+noun+" "+id+", revision ")
			if !opened {
				t.Fatalf("%s is not opened", id)
			}
			lines := strings.Split(packet, "\n")[1:]
			if !strings.HasPrefix(lines[0], "Decide ") || !strings.HasPrefix(lines[1], "Gate: ") ||
				!strings.HasPrefix(lines[2], advice[0]) && lines[2] != advice[1] {
				t.Errorf("%s begins with %q", id, lines[:6])
			}
			if !strings.Contains(lines[3], "deadline") || lines[4] != "" || !strings.HasPrefix(lines[5], said) {
				t.Errorf("%s begins with %q", id, lines[:6])
			}
			if noun == "Case" && !strings.HasPrefix(lines[6], "Statement: ") {
				t.Errorf("after its beginning %s says %q", id, lines[6])
			}
		}
	}
}

func TestEachPromptOfADecisionNamesTheCase(t *testing.T) {
	for _, script := range [][]string{
		lines("AC-2041", "decide", "", "1", "uphold decision", "because", "factors", "99", "", "blockers", "xyz", "", "statement", "", "note", "", "no", "back"),
		lines("AC-2041", "recuse", "because", "leave", "discard", "", "skip", ""),
		lines("AM-310", "decide", "no", "blockers", "", "note", "back"),
	} {
		h, prompts := newHarness(t, workbenchtest.Sample(t), script...), 0
		h.blindFirst = true
		h.keys.before = func(line string) {
			if h.packet == nil {
				return
			}
			said := flat(h.output.String())
			prompt := said[strings.LastIndex(said, "\n")+1:]
			if prompts++; !strings.HasPrefix(prompt, script[0]+". ") {
				t.Errorf("%q answers the prompt %q", line, prompt)
			}
		}
		if h.works(); prompts != len(script)-1 {
			t.Errorf("%d prompts are answered by %q", prompts, script)
		}
	}
}

func TestAPacketIsHeardAndShownInTheWordsOfTheScreen(t *testing.T) {
	for id, want := range map[string][]string{
		"AC-2041": {"5 hours left, deadline 2026-03-02 14:00Z, 15:00 CET local.", "Standing: counterparty, accepted",
			"Asks for: correct record; fits the trigger", "Deadline: 2026-03-02 14:00Z; 15:00 CET local; 5 hours left"},
		"AM-312": {"Change: destination change: wording", "blocked: confirmations: passed, required from party-a, party-b",
			"blocked: funds redirect: yes; not confirmed by party-a, party-b", "No effect on: retroactive performance, evidence claim retyped"},
	} {
		h := newHarness(t, workbenchtest.Sample(t), id, "all", "quit")
		h.zone = time.FixedZone("CET", 3600)
		heard := h.works()
		says(t, heard, want...)
		saysNot(t, heard, "pass: ", "info: ", "ategory:", "ccepted: yes", "onfirmation state:", "arent at lock:")
		whole := page.PacketPage(&h.packet.caseFile, h.packet.reader(h.packet.openedAt), nil)
		shown := strings.Join(strings.Fields(whole.TextIn(0)), " ")
		for _, text := range want {
			label, value, is := strings.Cut(strings.TrimPrefix(text, "blocked: "), ": ")
			value = strings.Replace(value, " 14:00Z", "T14:00:00Z", 1)
			if label = strings.ToLower(label[:1]) + label[1:]; is && !strings.Contains(shown, label+" "+value) {
				t.Errorf("%s %s is not shown in\n%s", label, value, shown)
			}
		}
	}
}

// Where the statement is the first that an amendment asks for, going back leads to the blockers, of which one could be added again instead.
func TestBackFromTheFirstStatementOfAnAmendmentAreItsBlockers(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	works(t, workbench, "open AM-310", "decide", "blockers", "reviewer_quality_missing", "", "the reviewers are not named", "record", "quit")
	revised := workbenchtest.Amendment("AM-310")
	revised["revision"] = 2
	workbench.Add(terms.AmendmentRecords, revised, nil)
	says(t, works(t, workbench, "open AM-310", "decide", "back", "reviewer_quality_missing", "leave", "quit"), "AM-310, statement.",
		"Back at the blockers; repeat says the question.", "Added: reviewer quality missing: ")
	says(t, works(t, workbench, "open AM-311", "decide", "blockers", "back", "quit"), "AM-311, blockers.", "AM-311 revision 1, review.")
}

// What a person added on an earlier revision is named in the queue, the packet, the board, the question for blockers and the review.
func TestABlockerOfAnEarlierRevisionIsNamedInEachPlace(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	works(t, workbench, "open AC-2043", "decide", "5", "the notice came late", "blockers", "notice_missing", "", "record", "quit")
	revised := workbenchtest.Case("AC-2043", 40)
	revised["revision"] = 2
	workbench.Add(terms.AppealCases, revised, nil)
	says(t, works(t, workbench, "appeals", "filter earlier:notice_missing", "blockers", "open AC-2043", "decide", "8", "it came in time", "blockers", "",
		"record", "quit"),
		"AC-2043, revision 2. Pass. notice missing, added on an earlier revision.", "1 to 1 of 1",
		"notice missing, added on an earlier revision, is not answered in 1 case.",
		"Not answered: notice missing: added on revision 1 by rev-marsh in record ", "add it again, or say in your statement why it no longer stands.",
		"It is required: a blocker that a person added on an earlier revision is not added again",
		"Not added again: notice missing; added on an earlier revision; your statement says why.")
	if m := lastRecord(t, workbench); m.Key.Number != 2 || m.Gate != terms.Pass || !m.StatementDigest.Present() {
		t.Errorf("recorded %+v", m)
	}
}

func TestARevisionIsComparedWithTheOneOfANumber(t *testing.T) {
	says(t, works(t, workbenchtest.Sample(t), "AC-2041", "compare 1", "compare 2", "compare 7", "compare one", "older", "compare", "AM-312", "compare 1", "quit"),
		"AC-2041. Enter for Reviewed item, or a number or command: compare 1\n\nFrom revision 1 to revision 2, both judged now:",
		"compare 2\nNo other revision 2 is held", "compare 7\nNo other revision 7 is held", "compare one\nNo other revision one is held",
		"compare\n\nFrom revision 1 to revision 2, both judged now:", "Only this revision is held, so there is nothing to compare it with.")
}

func TestDueCasesAreAnnouncedOnceADay(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	h := newHarness(t, workbench, "appeals", "again", "back", "quit")
	said := h.works()
	says(t, said, "1 case is overdue, 1 case is due today.")
	if strings.Count(said, "is overdue, ") != 1 {
		t.Errorf("it is said again:\n%s", said)
	}
	h = newHarness(t, workbench, "again", "back", "quit")
	h.when("again", func() { workbench.Pass(16 * time.Hour) })
	same(t, "days said", strings.Count(h.works(), "overdue, "), 2)
}

func TestClosedCasesStandBelowTheirHeading(t *testing.T) {
	workbench := workbenchtest.New(t)
	for _, id := range []string{"AC-1", "AC-2", "AC-3"} {
		record := workbenchtest.Case(id, time.Hour)
		if id != "AC-3" {
			record["status"] = "upheld"
		}
		workbench.Add(terms.AppealCases, record, nil)
	}
	says(t, works(t, workbench, "appeals", "quit"), "Closed, 2:\n2. AC-1")
}

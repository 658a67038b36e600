package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

// served is a console whose service has answered two of three records.
func served(t *testing.T, width, height int) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	b, workbench := sample(t, width, height)
	atService(b, workbench)
	return b, workbench
}

// reads fails unless the words of each text stand on the screen one after the other, across line breaks.
func (b *harness) reads(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		if !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(b.frame(), "│", "")), " "), text) {
			b.t.Fatalf("the screen does not read %q:\n%s", text, b.frame())
		}
	}
}

func TestWaysThroughTheAnswersOfAService(t *testing.T) {
	walks(t, []walk{
		{"a console that never met a service says nothing of one, and where its records are kept", nil, 120, 40, way{
			"hides offline", "hides pulled", "hides handed in", "decided AC-2041", "pass 0s",
			"hides handed in", "hides offline", "hides pulled", "esc", "r", "reads kept"}},
		{"rejected cases are listed alone", nil, 100, 40, way{"at service", "tab", ":",
			"type rejected", "enter", "at queue", "reads is:rejected", "reads 1 of 14",
			"reads AC-2042 ⊘ rejected", "enter", "reads ⊘ REJECTED", "reads what was judged had changed",
			"reads A new decision is needed.", "reads notice_missing no longer holds",
			"reads in force at the service: record " + string(workbenchtest.Foreign)[:20], "esc", "esc",
			"s", "reads Why do you skip it?", "esc", "decided AC-2042", "pass 0s", "hides ⊘", "!",
			"reads ✗ no case is rejected by the service"}},
		{"a case judged again meanwhile is not judged a third time", nil, 100, 40, way{"at service", "r",
			"j", "enter", "decided AC-2042", "a", "at packet", "shows Nothing to judge again",
			"shows it has been judged again: record", "shows #3 is in"}},
		{"answers of the service show without a key", nil, 120, 40, way{"at service",
			"shows ⊘ 1 rejected · ⇡ 1 not handed in", "shows AC-2042 ⊘ rejected", "r", "shows ⇡ not yet",
			"shows ⊘ rejected", "shows ✓ as 3",
			func(b *harness) { b.over.Reject(2, records.RecordRefused, "") }, "pass 0s", "hides ⇡ not yet",
			"shows ⊘ 2 rejected · offline", "enter", "shows the service finds that it may not be recorded",
			"shows   had changed     not given", "shows in force there  nothing"}},
		{"an unreadable service state is shown beside the last known one", nil, 160, 40, way{
			"at service", "fail the disk is gone",
			func(b *harness) { b.run(b.console.scene.ReadHandIns()) },
			"shows ⊘ 1 rejected · ⇡ 1 not handed in", "shows · ? not read again", "fail", "pass 0s",
			"hides no later news"}},
		{"a rejected record of an earlier revision is judged again on the latest", nil, 100, 40, way{
			"at service",
			func(b *harness) { b.over.Decide("AC-2041", 0) },
			func(b *harness) { b.over.Reject(3, records.PacketStale, "", "revision 3 has arrived") },
			"overtake", "R", "shows AC-2041 ⊘ rejected", "r", "enter",
			"reads revision 3 has arrived", "a", "at packet", "reads AC-2041 revision 3",
			"reads the decision on revision 2 was rejected by the service"}},
		{"only a reviewer who may decide judges again", nil, 120, 40, way{"at service", "r", "a",
			"shows ✗ this record is not handed in yet, so the service has not rejected it", "G", "a",
			"shows ✗ the service accepted this record",
			func(b *harness) { b.console.scene.Reviewer.ID = "dec-oyelaran" }, "k", "a", "at packet",
			"shows Not yours to judge again", "esc", "esc", "esc",
			func(b *harness) { b.console.scene.Reviewer = records.Reviewer{} }, "r", "j", "enter", "a",
			"shows ✗ no reviewer is set up on this machine", "d",
			"shows ✗ the service rejected it, so it is not in force; a judges its packet again"}},
		{"a rejected case judged again supersedes the record in force there", nil, 100, 40, way{
			"at service", "r", "j", "reads a judges its packet again", "a", "at packet",
			"shows this is its state now; d decides on it again", "shows ⊘ REJECTED", "d", "at choosing",
			"reads You judge it again, because the service rejected the decision before",
			"reads The new one supersedes record " + string(workbenchtest.Foreign), "review",
			"reads supersedes " + string(workbenchtest.Foreign) + " a record of another console, in force at the service",
			"reads in place of #1 the service rejected it", "record",
			"at receipt", "reads It is not handed in yet: `docket push` hands it in.",
			"reads ⇡ 2 not handed in", "recorded supersedes " + string(workbenchtest.Foreign),
			"esc", "r", "j", "j", "a",
			"reads ✗ its packet has been judged again: see record 24 of the log", "enter", "a", "at record",
			"reads ✗ its packet has been judged again: see record 24 of the log"}},
	})
}

func TestACaseOfSomebodyElseIsMarkedNotDecidedAndItsDraftIsRead(t *testing.T) {
	b, workbench := served(t, 120, 40)
	workbench.Keep(packets.Key{ID: "AC-2041", Number: 1}, records.Draft{Outcome: terms.RequestEvidence, Statement: "The notice came late.", Note: "ask the club"})
	workbench.Reassign("AC-2041", 9)
	b.press("pass 0s", "shows 1 given to somebody else", "shows Closed or given to somebody else: ",
		"/", "type is:reassigned", "enter", "reads AC-2041", "reads ⇢ given away",
		"reads ⇢ given to somebody else")
	b.hides("The notice came late", "ask the club") // the list is seen by others
	b.press("enter", "at packet",
		"reads ⇢ given to somebody else: revision 9 at the service is not assigned to you; if it is given back to you, `docket pull` brings it",
		"reads draft: outcome: request evidence", "reads statement of reasons: The notice came late.",
		"reads private note: ask the club", "d", "at packet",
		"reads ✗ revision 9 at the service is not assigned to you")
	workbench.Reassign("AC-2041", 0)
	b.press("esc", "pass 0s", "reads Nothing matches")
}

func TestTheStatusLineSaysByWhenTheFirstRecordHasToBeHandedIn(t *testing.T) {
	b, workbench := served(t, 160, 40)
	tally, err := workbench.HandIns(t.Context())
	must(t, err)
	by := tally.By
	b.press("pass 0s", "shows ⇡ 1 not handed in · hand in by "+by.Time().Format("2006-01-02 15:04Z"),
		"pass "+(by.Time().Sub(workbench.Now().Time())+time.Second).String(), "shows ⇡ 1 not handed in · too late to hand in")
}

func TestThePageOfRecordsSaysHowTheServiceWasSetBack(t *testing.T) {
	for kind, want := range map[records.SetbackKind]string{
		records.LogRolledBack: "it was rolled back", records.LogForked: "it was forked", records.LogOtherKey: "signed with another key",
		records.LogUnproven: "it does not prove that it extends",
	} {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			b, workbench := served(t, size[0], size[1])
			workbench.SetBack(kind)
			tally, err := workbench.HandIns(t.Context())
			must(t, err)
			b.press("pass 0s", "shows service set back", "r",
				fmt.Sprintf("reads a log of size %d where one of size %d was known", tally.Setback.Shown.Size, tally.Setback.Known.Size), "reads "+want,
				"reads Pull and push are off; ask its operator", "shows AC-2048 r1  uphold decision")
		}
	}
}

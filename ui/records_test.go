package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/wording"
)

// withRecords is a console at a list of so many records.
func withRecords(t *testing.T, count int) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	b, workbench := sample(t, 120, 40)
	for range count {
		b.press("decide", "record", "esc")
	}
	b.press("r")
	return b, workbench
}

func TestRecordsOnTheScreenAreExaminedAndOnlyOnce(t *testing.T) {
	b, workbench := withRecords(t, 2)
	b.shows("  ✓        · kept", "✓ checked  inclusion proof valid; signature valid; re-evaluated: same result")
	asked := workbench.Examined()
	b.press("j", "k", "enter", "esc", "j")
	same(t, "times asked", workbench.Examined(), asked)
	b.press("R")
	if workbench.Examined() == asked {
		t.Error("reading again does not look again")
	}
}

func TestWaysThroughTheRecords(t *testing.T) {
	walks(t, []walk{
		{"a record that is not as it was logged is crossed", nil, 120, 40, way{"decide", "record", "esc",
			"r", "damage 0", "R", "g", "shows   ✗        · kept",
			"shows ✗ proof         A record is not the one that was logged in its place.", "shows ○ judged again  not re-evaluated"}},
		{"remarks below the list wrap and are not cut", nil, 80, 30, way{"decide", "record", "esc",
			"r", "damage 0", "R", "g", "reads A record is not the one that was logged in its place. (its bytes"}},
		{"the records page says how it stands and proves its place", nil, 120, 40, way{
			"decided AC-2048", "decided AC-2050", "decided AC-2052", "decide", "record", "esc", "r", "enter", "shows ✓ checked",
			"shows inclusion proof valid; signature valid; re-evaluated: same result", "hides leaf, recomputed", "z", "G",
			"shows leaf, recomputed", "shows path 4 of 4", "shows root of 24 entries"}},
		{"a record page begins with what was decided and why", nil, 80, 24, way{
			"decided AC-2041", "r", "enter", "shows   outcome                uphold decision",
			"shows departs: docket advised correct record", "shows The notice does not say who was told.",
			"G", "shows z shows them", "hides leaf, recomputed", "z", "G", "shows leaf, recomputed", "z", "hides leaf, recomputed"}},
		{"a record of a revoked key is marked in the list and on its page", nil, 120, 40, way{"decide",
			"record", "esc", "r", "hides " + wording.RevokedKey, "revoke", "R", "shows ⊘ revoked key  ",
			"shows ✗ standing  the key that signed it was revoked, so not in force; a judges its packet again",
			"enter", "shows ✗ standing               the key that signed it was revoked, so not in force", "d", "at record",
			"shows ✗ the key that signed it was revoked, so it is not in force; a judges its packet again"}},
		{"without a record there is nothing to export", nil, 80, 24, way{
			"r", "e", "shows ✗ there is no record to export"}},
		{"until a record is examined nothing is said of it", nil, 120, 40, way{
			"r", "esc", "decide", "record", "esc", "r",
			func(b *harness) { b.console.records.Begin() },
			"hold", "j", "shows   ·        · kept", "shows Checking …", "hides signature valid",
			"release", "shows signature valid"}},
		{"a recused reviewer does not supersede", nil, 120, 40, way{"decide", "record", "esc", "r",
			func(b *harness) { b.console.scene.Reviewer.ID = "dec-oyelaran" }, "enter", "d", "at packet",
			"shows Not yours to supersede", "shows you took the decision that is challenged here"}},
		{"esc stops an export", nil, 120, 40, way{"decide", "record", "esc", "r",
			func(b *harness) { b.over.Exporting = func(ctx context.Context, _ string) error { return ctx.Err() } },
			"hold", "e", "type x", "enter", "shows exporting", "shows Esc stops it", "e",
			"shows ✗ an export is running", "q", "shows An export is running", "enter", "esc", "release",
			"at records", "shows the export was stopped; the folder is unchanged", "esc", "at queue"}},
		{"a record that was superseded meanwhile is not superseded from its page", nil, 120, 40, way{
			"decide", "record", "esc", "r", "enter",
			func(b *harness) { b.over.Decide("AC-2041", terms.UpholdDecision) }, "d", "at packet",
			"shows Not superseded", "shows #1 has superseded it",
			"shows supersede that one"}},
		{"a record is superseded from its page", nil, 120, 40, way{"decide", "record", "esc", "r", "enter", "d",
			"at choosing", "choose uphold decision", "review", "record", "at receipt", "records 2",
			"recorded supersedes #0", "recorded outcome uphold decision", "esc", "r", "j", "enter", "d",
			"at record", "shows ✗ it is superseded by #1"}},
	})
}

func TestARecordThatCannotBeExaminedIsNeitherGoodNorBadAndIsNotAskedForAgain(t *testing.T) {
	b, workbench := withRecords(t, 1)
	b.console.records.Begin()
	b.press("fail the disk is gone", "j", "shows   ?        · kept", "shows could not be checked",
		"shows the disk is gone")
	asked := workbench.Examined()
	b.press("k")
	same(t, "times asked", workbench.Examined(), asked)
}

// pageSize is how many records are read at once.
const pageSize = 200

// atLongLog is a console at the records of a log of so many.
func atLongLog(t *testing.T, count int) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	b, workbench := sample(t, 120, 40)
	workbench.Fill(count)
	b.press("r")
	return b, workbench
}

func TestTheRecordsPageReadsThePagesThatShow(t *testing.T) {
	const count = 3*pageSize + 50
	b, workbench := atLongLog(t, count)
	caseOf := func(sequence int) string { return string(workbench.Logged(sequence).Record.Members().Key.ID) }
	b.shows("650 records in the log", caseOf(count-1))
	same(t, "pages read to open the list", workbench.Pages(), 1)
	b.press("G", "shows "+caseOf(0), "hides still being read")
	same(t, "pages read to see both ends", workbench.Pages(), 2)
	b.press("k", "j", "pgup", "pgdown")
	same(t, "pages read after going up and down", workbench.Pages(), 2)
	seen := map[string]bool{}
	b.press("g")
	for range count {
		for _, word := range strings.Fields(b.cursor()) {
			if strings.HasPrefix(word, "AC-") {
				seen[word] = true
			}
		}
		b.press("j")
	}
	same(t, "records under the cursor", len(seen), count)
	workbench.Decide("AC-2041", terms.RequestEvidence)
	b.press("R", "g", "shows 651 records in the log", "shows AC-2041")
}

func TestARecordThatIsStillBeingReadSaysSoAndDoesNotOpen(t *testing.T) {
	b, workbench := atLongLog(t, 2*pageSize)
	b.press("hold", "G", "shows reading …", "enter", "at records", "shows still being read",
		"release", "shows "+string(workbench.Logged(0).Record.Members().Key.ID))
}

func TestARecordWhoseEntryWasRemovedIsSaidAndNothingElseOfItIsShown(t *testing.T) {
	b, workbench := withRecords(t, 3)
	workbench.Remove(1)
	b.press("R", "shows its row is not in the log", "j", "hides Checking", "enter", "at records", "shows its row is not in the log")
}

func TestAnExportIsAskedForItsFolderAndAnnounced(t *testing.T) {
	b, workbench := withRecords(t, 1)
	b.console.export.Folder = "/home/marsh/docket-export"
	folder := ""
	workbench.Exporting = func(_ context.Context, into string) error { folder = into; return nil }
	b.press("e", "shows /home/marsh/docket-export", "type -2", "enter", "shows ✓ Exported",
		"shows 21 entries exported to /home/marsh/docket-export-2", "shows read back")
	same(t, "exported to", folder, "/home/marsh/docket-export-2")
}

func TestAnExportThatFailsIsAnAlarm(t *testing.T) {
	b, workbench := withRecords(t, 1)
	workbench.Exporting = func(context.Context, string) error { return errors.New("the folder holds something else") }
	b.press("e", "type x", "enter")
	b.shows("Nothing was exported", "the folder holds something else")
	if b.console.scene.StopExport != nil {
		t.Error("it still is under way")
	}
}

func TestAnExportThatEndsDuringOtherWorkInterruptsNothing(t *testing.T) {
	b, _ := withRecords(t, 1)
	b.press("hold", "e", "type x", "enter")
	held := b.held
	b.hold, b.held = false, nil
	b.press("esc", "b", ":")
	b.held = held
	b.press("release", "shows Every action")
}

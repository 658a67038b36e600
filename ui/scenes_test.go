package ui

import (
	"context"
	"errors"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen/findings"
	queuescreen "docket/ui/screen/queue"
	"docket/ui/task"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// A sceneCase is a state of the console that has a name, a place and the keys that lead there.
type sceneCase struct {
	name  string
	place action.Place
	setup func(t *testing.T, b *harness, workbench *workbenchtest.Workbench)
}

// scenes are the pictures of the console that goldens, the size sweep and the hostile texts go through: every place and
// every overlay is among them.
var scenes = []sceneCase{
	{"queue", action.InQueue, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("j", "j") }},
	{"queue-amendments", action.InQueue, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("tab", "j") }},
	{"greeting", action.InQueue, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.console.scene.Greeting = sampleGreeting
		b.press("j")
	}},
	{"queue-filter", action.InFilter, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("/"); b.typeText("blocker:not") }},
	{"queue-filter-wrong", action.InFilter, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.press("/")
		b.typeText("gate:pass due:soon")
	}},
	{"queue-complete", action.InFilter, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.press("/")
		b.typeText("gate:pass blocker:not")
		b.press("tab", "tab")
	}},
	{"queue-saved", action.InQueue, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.queue().Saved = savedSample
		b.press("f", "j")
	}},
	{"queue-complete-saved", action.InFilter, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.queue().Saved = savedSample
		b.press("/")
		b.typeText("gate:pass s")
		b.press("shift+tab")
	}},
	{"queue-nothing", action.InQueue, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.press("/")
		b.typeText("zzz")
		b.press("enter")
	}},
	{"queue-marked", action.InQueue, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.press("space", "j", "space", "/")
		b.typeText("gate:pass")
		b.press("enter", "shift+down")
	}},
	{"queue-skip-marked", action.InQueue, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		workbench.Decide("AC-2041", 0)
		b.press("R", "*", "s")
		b.typeText("waiting for 東京")
	}},
	{"packet-pass", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.goTo(terms.Appeals, "AC-2041") }},
	{"packet-blocked", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.goTo(terms.Appeals, "AC-2044") }},
	{"packet-recused", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.goTo(terms.Appeals, "AC-2045") }},
	{"packet-hostile", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2050")
		b.press("pgdown", "pgdown")
	}},
	{"packet-amendment", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.goTo(terms.Amendments, "AM-312") }},
	{"packet-end", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2042")
		b.press("G")
	}},
	{"packet-folded", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2044")
		b.press("Z", "Z", "J", "J", "J", "J")
	}},
	{"packet-timeline", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Amendments, "AM-311")
		b.toLine("Timeline")
		b.press("J", "K")
	}},
	{"packet-row", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2042")
		b.toLine("↳ notice_missing")
	}},
	{"packet-records", action.InPacket, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		review(b)
		b.recordIt()
		overtake(workbench)
		b.press("esc", "R")
		b.goTo(terms.Appeals, "AC-2041")
		b.toLine("in force")
	}},
	{"packet-search", action.InFind, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("/")
		b.typeText("rev-")
	}},
	{"packet-related", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.toLine("AC-2043")
	}},
	{"packet-copy", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("y", "j", "j")
	}},
	{"text-blocker", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2044")
		b.toLine("standing_missing")
		b.press("t")
	}},
	{"text-transition", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Amendments, "AM-311")
		b.toLine("protected: ")
		b.press("t")
	}},
	{"text-queue", action.InQueue, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("j", "t", "tab") }},
	{"text-board", action.InBoard, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("b", "j", "t") }},
	{"difference", action.InDifference, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		overtake(workbench)
		b.press("R")
		b.goTo(terms.Appeals, "AC-2041")
		b.press("=")
	}},
	{"decide-outcome", action.InDecision, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2042")
		b.press("d", "j")
	}},
	{"decide-factors", action.InDecision, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d", "space", "enter", "j")
	}},
	{"decide-blockers", action.InBlockers, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d", "space", "enter", "enter", "j", "j", "space")
	}},
	{"decide-search", action.InSearch, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d", "space", "enter", "enter", "/")
		b.typeText("hash")
	}},
	{"decide-statement", action.InStatement, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d")
		b.choose("close unresolved")
		b.press("enter", "enter")
		b.typeText("write to jane@example.org about it 東京 🙂")
		b.press("enter")
	}},
	{"decide-note", action.InNote, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d")
		b.choose("correct record")
		b.toNote()
		b.typeText("ask about the second receipt 東京 🙂")
	}},
	{"decide-review", action.InReview, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { review(b) }},
	{"decide-review-amendment", action.InReview, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Amendments, "AM-311")
		b.press("d")
		b.toReview()
	}},
	{"decide-leave", action.InDecision, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d", "space", "enter", "q")
	}},
	{"decide-resumed", action.InDecision, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		workbench.Keep(packets.Key{ID: "AC-2041", Number: 1}, older)
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d")
	}},
	{"draft-discard", action.InPacket, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		workbench.Keep(packets.Key{ID: "AC-2041", Number: 1}, older)
		b.goTo(terms.Appeals, "AC-2041")
		b.press("X")
	}},
	{"recuse", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("u")
		b.typeText("ask jane@example.org")
	}},
	{"decide-recused", action.InReview, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("u")
		b.typeText("I advised one of the parties")
		b.press("enter")
	}},
	{"decide-reading", action.InReading, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d", "8", "enter", "tab", "j")
	}},
	{"receipt-hashes", action.InReceipt, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { review(b); b.recordIt(); b.press("z") }},
	{"packet-draft", action.InPacket, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		workbench.Keep(packets.Key{ID: "AC-2041", Number: 1}, older)
		b.goTo(terms.Appeals, "AC-2041")
	}},
	{"queue-draft", action.InQueue, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		workbench.Keep(packets.Key{ID: "AC-2041", Number: 1}, older)
		workbench.Keep(packets.Key{ID: "AC-2043", Number: 1}, older)
		b.press("R", "j")
	}},
	{"packet-blind", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.console.scene.BlindFirst = true
		b.goTo(terms.Appeals, "AC-2041")
	}},
	{"decide-first", action.InDecision, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { blind(b) }},
	{"decide-revealed", action.InDecision, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { blind(b); b.choose("uphold decision") }},
	{"receipt", action.InReceipt, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { review(b); b.recordIt() }},
	{"stale", action.InStale, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		review(b)
		overtake(workbench)
		b.recordIt()
	}},
	{"refused", action.InReview, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		review(b)
		workbench.Refusing = &records.Refusal{Reason: "the log is read-only; run `docket verify`"}
		b.recordIt()
	}},
	{"records", action.InRecords, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		review(b)
		b.recordIt()
		workbench.Damage("leaf 1 does not match")
		b.press("esc", "r")
	}},
	{"record", action.InRecord, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		review(b)
		b.recordIt()
		b.press("esc", "r", "enter")
	}},
	{"record-superseded", action.InRecord, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		review(b)
		b.recordIt()
		b.press("esc")
		review(b)
		b.recordIt()
		b.press("esc", "r", "j", "enter", "d")
	}},
	{"queue-rejected", action.InQueue, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		atService(b, workbench)
		b.press("!", "esc", "k", "j")
	}},
	{"packet-rejected", action.InPacket, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		atService(b, workbench)
		b.goTo(terms.Appeals, "AC-2042")
	}},
	{"packet-rejected-earlier", action.InPacket, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		atService(b, workbench)
		workbench.Reject(0, records.PacketStale, "", "revision 3 has arrived")
		overtake(workbench)
		b.press("R")
		b.goTo(terms.Appeals, "AC-2041")
	}},
	{"decide-again", action.InReview, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		judgeRejected(b, workbench)
		b.toReview()
	}},
	{"records-at-service", action.InRecords, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		atService(b, workbench)
		b.press("r", "j")
	}},
	{"record-rejected", action.InRecord, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		atService(b, workbench)
		b.press("r", "j", "enter")
	}},
	{"record-handed-in", action.InRecord, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		atService(b, workbench)
		b.press("r", "G", "enter", "pgdown")
	}},
	{"record-judged-again", action.InRecord, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		judgeRejected(b, workbench)
		b.toReview()
		b.recordIt()
		b.press("esc", "r", "j", "j", "enter", "a")
	}},
	{"export-where", action.InRecords, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		exporting(b, workbench)
		b.press("e")
	}},
	{"export-under-way", action.InRecords, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		exporting(b, workbench)
		b.hold = true
		b.press("e", "enter")
		under := b.held[len(b.held)-1]().(tea.BatchMsg) // the export, and what waits for its steps
		workbench.Exporting = func(context.Context, string) error {
			b.console.Update(under[1]())
			return context.Canceled
		}
		under[0]()
		b.hold, b.held, workbench.Exporting = false, nil, nil
	}},
	{"exported", action.InRecords, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		exporting(b, workbench)
		b.press("e", "enter")
	}},
	{"erase-what", action.InPacket, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		workbench.Keep(packets.Key{ID: "AC-2041", Number: 1}, older)
		b.goTo(terms.Appeals, "AC-2041")
		b.press("E")
	}},
	{"erase-why", action.InRecord, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		eraseStatement(b)
		b.press("enter", "down")
	}},
	{"erase-word", action.InRecord, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		eraseStatement(b)
		b.press("enter", "enter")
		b.typeText("era")
	}},
	{"packet-erased", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		b.press("E", "enter", "down", "enter")
		b.typeText("erase")
		b.press("enter")
	}},
	{"stats", action.InStats, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("%") }},
	{"stats-week", action.InStats, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("%", "v", "v") }},
	{"stats-none", action.InStats, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("%", "]") }},
	{"statement", action.InParties, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		review(b)
		b.recordIt()
		b.press("esc", "r", "enter", "s")
	}},
	{"statement-end", action.InParties, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		review(b)
		b.recordIt()
		b.press("esc", "r", "enter", "s", "G")
	}},
	{"statement-where", action.InParties, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		review(b)
		b.recordIt()
		b.press("esc", "r", "enter", "s", "w")
	}},
	{"board", action.InBoard, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("b", "j") }},
	{"board-amendments", action.InBoard, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("b", "tab", "j", "j") }},
	{"contracts", action.InContracts, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("c", "j") }},
	{"contract", action.InContract, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("c", "enter", "J") }},
	{"board-triggers", action.InBoard, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("b", "v", "j") }},
	{"board-assignees", action.InBoard, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("b", "tab", "v", "v") }},
	{"findings", action.InFindings, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { lock(b) }},
	{"packet-locked", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		lock(b)
		b.press("enter")
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d")
	}},
	{"keyless", action.InFindings, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) { withoutKey(b, workbench) }},
	{"packet-keyless", action.InPacket, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		withoutKey(b, workbench)
		b.press("enter")
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d")
	}},
	{"help", action.InQueue, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) { b.press("?") }},
	{"palette", action.InPacket, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2045")
		b.press(":")
		b.typeText("de")
	}},
	{"skip", action.InQueue, func(_ *testing.T, b *harness, _ *workbenchtest.Workbench) {
		b.press("j", "s")
		b.typeText("waiting for 東京")
	}},
	{"error", action.InPacket, func(_ *testing.T, b *harness, workbench *workbenchtest.Workbench) {
		b.goTo(terms.Appeals, "AC-2041")
		workbench.Failing = errors.New("the disk is full: free some space, then try again")
		b.press("R")
	}},
}

// savedSample are saved filters, one of them of a hostile name.
var savedSample = []queuescreen.SavedFilter{{Name: "mine, open", Text: "is:mine -is:decided -is:skipped"}, {Name: "soon", Text: "due:<48h gate:pass"},
	{Name: "東京 <\x1b]0;x\x07>", Text: "AC-20"}}

// older is what a reviewer began on an earlier revision.
var older = records.Draft{Outcome: terms.OpenChallengeWindow, Factors: terms.SetOf(terms.HumanReviewRequired),
	Added: terms.SetOf(terms.NoticeMissing), Note: "ask the school", Step: "note"}

// blind opens a decision in blind-first mode.
func blind(b *harness) {
	b.t.Helper()
	b.console.scene.BlindFirst = true
	b.goTo(terms.Appeals, "AC-2041")
	b.press("d")
}

// atService is a console whose service has taken the first of three records and rejected the second.
func atService(b *harness, workbench *workbenchtest.Workbench) {
	b.t.Helper()
	for _, id := range []terms.ID{"AC-2041", "AC-2042", "AC-2048"} {
		workbench.Decide(id, 0)
	}
	workbench.Pull(3 * time.Hour)
	b.send(task.Ticked{Now: workbench.Now()})
	workbench.Pass(2 * time.Minute)
	workbench.Accept(0)
	workbench.Reject(1, records.PacketStale, workbenchtest.Foreign, "notice_missing no longer holds", "record "+string(workbenchtest.Foreign)+
		" is in force and has to be named as superseded")
	b.send(task.Ticked{Now: workbench.Now()})
}

// judgeRejected judges a rejected record's packet again, from the list of the records.
func judgeRejected(b *harness, workbench *workbenchtest.Workbench) {
	b.t.Helper()
	atService(b, workbench)
	b.press("r", "j", "a", "d")
}

// exporting goes to the list of the single record, with a folder to export into.
func exporting(b *harness, _ *workbenchtest.Workbench) {
	b.t.Helper()
	b.console.export.Folder = "/home/marsh/docket-export"
	if b.console.scene.Notice != sampleNotice {
		b.console.export.Folder += b.console.scene.Notice // a hostile one
	}
	review(b)
	b.recordIt()
	b.press("esc", "r")
}

// lock makes the console one that opened on a log with findings.
func lock(b *harness) {
	b.console.scene.Locked = wording.Locked
	b.console.stage.Over = append(b.console.stage.Over, findings.NewLog([]Finding{
		{Found: "The log has 3 records, but 5 were there when this machine last wrote to it.", Advice: "Look for the newer file and open that."},
		{Found: "A trigger of the table docket_log is gone.", Advice: "Keep a copy of the file, then restore a backup."},
	}))
	b.send(tea.WindowSizeMsg{Width: b.console.frame.Width, Height: b.console.frame.Height})
}

// withoutKey makes the console one whose reviewer cannot sign.
func withoutKey(b *harness, workbench *workbenchtest.Workbench) {
	workbench.Who.KeyFingerprint = ""
	b.console.scene.Reviewer = workbench.Who
	b.console.scene.Keyless = "ssh-agent has no key SHA256:lOzCRCgmhdgz/iUVXgGJZ9z6KriP47hPy6P2g6bLGFU among its 0; add it with `ssh-add FILE`, and see `ssh-add -l`"
	if b.console.scene.Notice != sampleNotice {
		b.console.scene.Keyless += b.console.scene.Notice // a hostile one
	}
	b.console.stage.Over = append(b.console.stage.Over, findings.NewKeyless(b.console.scene.Keyless))
	b.send(tea.WindowSizeMsg{Width: b.console.frame.Width, Height: b.console.frame.Height})
}

// overtake lets a third revision of a case arrive, with an undelivered notice and more evidence.
func overtake(workbench *workbenchtest.Workbench) {
	record := workbenchtest.Case("AC-2041", 29*time.Hour)
	record["revision"] = 3
	record["remedyGap"] = "The second receipt was paid by another programme, as its own report says."
	record.In("notice")["state"] = "queued"
	delete(record.In("notice"), "deliveredAt")
	record.In("evidenceScope")["items"] = []string{"ev-101", "ev-102", "ev-118"}
	workbench.Add(terms.AppealCases, record, map[string]any{"contact_data": []string{"x"}})
}

// review goes to the last page of a decision.
func review(b *harness) {
	b.t.Helper()
	b.goTo(terms.Appeals, "AC-2041")
	b.press("pgdown", "d")
	b.choose("correct record")
	b.toReview()
}

// sceneAt builds a scene at a size.
func sceneAt(t *testing.T, index, width, height int) *harness {
	t.Helper()
	b, workbench := sample(t, width, height)
	scenes[index].setup(t, b, workbench)
	b.at(scenes[index].place)
	return b
}

func TestTheScenesGoThroughEveryPlace(t *testing.T) {
	var seen action.PlaceSet
	for _, scene := range scenes {
		seen |= action.SetOf(scene.place)
	}
	for p := range action.Places {
		if !seen.Has(p) {
			t.Errorf("no scene shows the %s", action.PlaceNames[p])
		}
	}
}

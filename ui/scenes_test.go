package ui

import (
	"errors"
	"testing"
	"time"

	"docket/domain"
	"docket/ui/internal/desktest"

	tea "github.com/charmbracelet/bubbletea"
)

// A sceneCase is a state of the console that has a name, a place and the keys that lead there.
type sceneCase struct {
	name  string
	place place
	setup func(t *testing.T, b *bench, desk *desktest.Desk)
}

// scenes are the pictures of the console that goldens, the size sweep and the hostile texts go through: every place and
// every overlay is among them.
var scenes = []sceneCase{
	{"queue", inQueue, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("j", "j") }},
	{"queue-amendments", inQueue, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("tab", "j") }},
	{"queue-filter", inFilter, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("/"); b.typeText("blocker:not") }},
	{"queue-filter-wrong", inFilter, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("/"); b.typeText("gate:pass due:soon") }},
	{"queue-complete", inFilter, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.press("/")
		b.typeText("gate:pass blocker:not")
		b.press("tab", "tab")
	}},
	{"queue-saved", inQueue, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.console.queue.saved = NewFilterBook(savedSample, nil)
		b.press("f", "j")
	}},
	{"queue-save", inQueue, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.press("/")
		b.typeText("blocker:notice_missing is:mine")
		b.press("enter", "F")
		b.typeText("no notice")
	}},
	{"queue-complete-saved", inFilter, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.console.queue.saved = NewFilterBook(savedSample, nil)
		b.press("/")
		b.typeText("gate:pass s")
		b.press("shift+tab")
	}},
	{"queue-delete", inQueue, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.console.queue.saved = NewFilterBook(savedSample, nil)
		b.press("X", "j")
	}},
	{"queue-nothing", inQueue, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("/"); b.typeText("zzz"); b.press("enter") }},
	{"packet-pass", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.goTo(domain.Appeals, "AC-2041") }},
	{"packet-blocked", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.goTo(domain.Appeals, "AC-2044") }},
	{"packet-recused", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.goTo(domain.Appeals, "AC-2045") }},
	{"packet-hostile", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2050")
		b.press("pgdown", "pgdown")
	}},
	{"packet-amendment", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.goTo(domain.Amendments, "AM-312") }},
	{"packet-end", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.goTo(domain.Appeals, "AC-2042"); b.press("G") }},
	{"packet-folded", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2044")
		b.press("Z", "Z", "J", "J", "J", "J")
	}},
	{"packet-timeline", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Amendments, "AM-311")
		b.toLine("Timeline")
		b.press("J", "K")
	}},
	{"packet-row", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2042")
		b.toLine("↳ notice_missing")
	}},
	{"packet-records", inPacket, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		review(b)
		b.recordIt()
		overtake(desk)
		b.press("esc", "R")
		b.goTo(domain.Appeals, "AC-2041")
		b.toLine("in force")
	}},
	{"packet-related", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2041")
		b.toLine("AC-2043")
	}},
	{"packet-copy", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2041")
		b.press("y", "j", "j")
	}},
	{"text-blocker", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2044")
		b.toLine("standing_missing")
		b.press("t")
	}},
	{"text-transition", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Amendments, "AM-311")
		b.toLine("protected: ")
		b.press("t")
	}},
	{"text-queue", inQueue, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("j", "t", "tab") }},
	{"text-board", inBoard, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("b", "j", "t") }},
	{"difference", inDifference, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		overtake(desk)
		b.press("R")
		b.goTo(domain.Appeals, "AC-2041")
		b.press("=")
	}},
	{"decide-outcome", inDecision, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.goTo(domain.Appeals, "AC-2042"); b.press("d", "j") }},
	{"decide-factors", inDecision, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2041")
		b.press("d", "space", "enter", "j")
	}},
	{"decide-blockers", inBlockers, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2041")
		b.press("d", "space", "enter", "enter", "j", "j", "space")
	}},
	{"decide-search", inSearch, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2041")
		b.press("d", "space", "enter", "enter", "/")
		b.typeText("hash")
	}},
	{"decide-statement", inStatement, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2041")
		b.press("d")
		b.choose("close unresolved")
		b.press("enter", "enter")
		b.typeText("write to jane@example.org about it 東京 🙂")
		b.press("enter")
	}},
	{"decide-note", inNote, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2041")
		b.press("d")
		b.choose("correct record")
		b.toNote()
		b.typeText("ask about the second receipt 東京 🙂")
	}},
	{"decide-review", inReview, func(_ *testing.T, b *bench, _ *desktest.Desk) { review(b) }},
	{"decide-review-amendment", inReview, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Amendments, "AM-311")
		b.press("d")
		b.toReview()
	}},
	{"decide-leave", inDecision, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2041")
		b.press("d", "space", "enter", "q")
	}},
	{"decide-resumed", inDecision, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		desk.Keep(domain.Key{ID: "AC-2041", Number: 1}, older)
		b.goTo(domain.Appeals, "AC-2041")
		b.press("d", "enter")
	}},
	{"draft-offer", inPacket, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		desk.Keep(domain.Key{ID: "AC-2041", Number: 1}, older)
		b.goTo(domain.Appeals, "AC-2041")
		b.press("d")
	}},
	{"packet-draft", inPacket, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		desk.Keep(domain.Key{ID: "AC-2041", Number: 1}, older)
		b.goTo(domain.Appeals, "AC-2041")
	}},
	{"queue-draft", inQueue, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		desk.Keep(domain.Key{ID: "AC-2041", Number: 1}, older)
		desk.Keep(domain.Key{ID: "AC-2043", Number: 1}, older)
		b.press("R", "j")
	}},
	{"packet-blind", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.console.scene.blindFirst = true
		b.goTo(domain.Appeals, "AC-2041")
	}},
	{"decide-first", inDecision, func(_ *testing.T, b *bench, _ *desktest.Desk) { blind(b) }},
	{"decide-revealed", inDecision, func(_ *testing.T, b *bench, _ *desktest.Desk) { blind(b); b.choose("uphold decision") }},
	{"receipt", inReceipt, func(_ *testing.T, b *bench, _ *desktest.Desk) { review(b); b.recordIt() }},
	{"stale", inStale, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		review(b)
		overtake(desk)
		b.recordIt()
	}},
	{"refused", inReview, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		review(b)
		desk.Refusing = &domain.Refusal{Reason: "the log is read-only; run `docket verify`"}
		b.recordIt()
	}},
	{"records", inRecords, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		review(b)
		b.recordIt()
		desk.Damage("leaf 1 does not match")
		b.press("esc", "r")
	}},
	{"record", inRecord, func(_ *testing.T, b *bench, _ *desktest.Desk) { review(b); b.recordIt(); b.press("esc", "r", "enter") }},
	{"record-superseded", inRecord, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		review(b)
		b.recordIt()
		b.press("esc")
		review(b)
		b.recordIt()
		b.press("esc", "r", "j", "enter", "d")
	}},
	{"session", inRecords, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2042")
		b.press("d")
		b.toReview()
		desk.Pass(2 * time.Minute)
		b.recordIt()
		b.press("esc", "/", "ctrl+u", "enter", "g", "s")
		b.typeText("waiting")
		b.press("enter", "r", "S")
	}},
	{"queue-rejected", inQueue, func(_ *testing.T, b *bench, desk *desktest.Desk) { atService(b, desk); b.press("!", "esc", "k", "j") }},
	{"packet-rejected", inPacket, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		atService(b, desk)
		b.goTo(domain.Appeals, "AC-2042")
	}},
	{"packet-rejected-earlier", inPacket, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		atService(b, desk)
		desk.Reject(0, domain.PacketStale, "", "revision 3 has arrived")
		overtake(desk)
		b.press("R")
		b.goTo(domain.Appeals, "AC-2041")
	}},
	{"decide-again", inReview, func(_ *testing.T, b *bench, desk *desktest.Desk) { judgeRejected(b, desk); b.toReview() }},
	{"records-at-service", inRecords, func(_ *testing.T, b *bench, desk *desktest.Desk) { atService(b, desk); b.press("r", "j") }},
	{"record-rejected", inRecord, func(_ *testing.T, b *bench, desk *desktest.Desk) { atService(b, desk); b.press("r", "j", "enter") }},
	{"record-handed-in", inRecord, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		atService(b, desk)
		b.press("r", "G", "enter", "pgdown")
	}},
	{"record-judged-again", inRecord, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		judgeRejected(b, desk)
		b.toReview()
		b.recordIt()
		b.press("esc", "r", "j", "j", "enter", "a")
	}},
	{"session-at-service", inQueue, func(_ *testing.T, b *bench, desk *desktest.Desk) { atService(b, desk); b.press("S") }},
	{"export-where", inRecords, func(_ *testing.T, b *bench, desk *desktest.Desk) { exporting(b, desk); b.press("e") }},
	{"export-under-way", inRecords, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		exporting(b, desk)
		b.hold = true
		b.press("e", "enter")
		b.console.Update(exportMoved{b.console.export, exportStep{"writing records", 1234, 4321}})
		b.hold = false
	}},
	{"exported", inRecords, func(_ *testing.T, b *bench, desk *desktest.Desk) { exporting(b, desk); b.press("e", "enter") }},
	{"board", inBoard, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("b", "j") }},
	{"board-amendments", inBoard, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("b", "tab", "j", "j") }},
	{"contracts", inContracts, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("c", "j") }},
	{"contract", inContract, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("c", "enter", "J") }},
	{"board-triggers", inBoard, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("b", "v", "j") }},
	{"board-assignees", inBoard, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("b", "tab", "v", "v") }},
	{"findings", inFindings, func(_ *testing.T, b *bench, _ *desktest.Desk) { lock(b) }},
	{"packet-locked", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		lock(b)
		b.press("enter")
		b.goTo(domain.Appeals, "AC-2041")
		b.press("d")
	}},
	{"keyless", inFindings, func(_ *testing.T, b *bench, desk *desktest.Desk) { withoutKey(b, desk) }},
	{"packet-keyless", inPacket, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		withoutKey(b, desk)
		b.press("enter")
		b.goTo(domain.Appeals, "AC-2041")
		b.press("d")
	}},
	{"help", inQueue, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("?") }},
	{"palette", inPacket, func(_ *testing.T, b *bench, _ *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2045")
		b.press(":")
		b.typeText("de")
	}},
	{"theme", inQueue, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("T", "j") }},
	{"skip", inQueue, func(_ *testing.T, b *bench, _ *desktest.Desk) { b.press("j", "s"); b.typeText("waiting for 東京") }},
	{"error", inPacket, func(_ *testing.T, b *bench, desk *desktest.Desk) {
		b.goTo(domain.Appeals, "AC-2041")
		desk.Failing = errors.New("the disk is full: free some space, then try again")
		b.press("R")
	}},
}

// savedSample are saved filters, one of them of a hostile name.
var savedSample = []SavedFilter{{"mine, open", "is:mine -is:decided -is:skipped", true}, {"soon", "due:<48h gate:pass", false},
	{"東京 <\x1b]0;x\x07>", "AC-20", false}}

// older is what a reviewer began on an earlier revision.
var older = domain.Draft{Outcome: domain.OpenChallengeWindow, Factors: domain.SetOf(domain.HumanReviewRequired),
	Added: domain.SetOf(domain.NoticeMissing), Note: "ask the school", Step: "note"}

// blind opens a decision in blind-first mode.
func blind(b *bench) {
	b.t.Helper()
	b.console.scene.blindFirst = true
	b.goTo(domain.Appeals, "AC-2041")
	b.press("d")
}

// atService is a console whose service has taken the first of three records and rejected the second, as the console finds
// when time has gone by.
func atService(b *bench, desk *desktest.Desk) {
	b.t.Helper()
	for _, id := range []domain.ID{"AC-2041", "AC-2042", "AC-2048"} {
		decideOn(b.t, desk, id)
	}
	desk.Pull(3 * time.Hour)
	b.send(ticked{desk.Now()})
	desk.Pass(2 * time.Minute)
	desk.Accept(0)
	desk.Reject(1, domain.PacketStale, desktest.Foreign, "notice_missing no longer holds", "record "+string(desktest.Foreign)+
		" is in force and has to be named as superseded")
	b.send(ticked{desk.Now()})
}

// decideOn decides on the latest revision of an appeal, without the console.
func decideOn(t *testing.T, desk *desktest.Desk, id domain.ID) {
	t.Helper()
	dossier, err := desk.Open(t.Context(), domain.AppealCases, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	choice := domain.Choice{Statement: domain.Statement{Text: "The notice does not say who was told."},
		Factors: domain.SetOf(domain.HumanReviewRequired), OpenedAt: desk.Now(), Supersedes: dossier.InForce}
	for _, option := range domain.Options(&dossier.View, domain.BlockerSet(0)) {
		if option.Obstacle == "" {
			choice.Outcome = option.Outcome
			break
		}
	}
	if _, err := desk.Record(t.Context(), &dossier.View, choice, ""); err != nil {
		t.Fatal(err)
	}
}

// judgeRejected judges a rejected record's packet again, from the list of the records.
func judgeRejected(b *bench, desk *desktest.Desk) {
	b.t.Helper()
	atService(b, desk)
	b.press("r", "j", "a", "d")
}

// exporting goes to the records, of which there is one, with a folder to export into.
func exporting(b *bench, _ *desktest.Desk) {
	b.t.Helper()
	b.console.exportFolder = "/home/marsh/docket-export"
	if b.console.notice != sampleNotice {
		b.console.exportFolder += b.console.notice // a hostile one
	}
	review(b)
	b.recordIt()
	b.press("esc", "r")
}

// lock makes the console one that opened on a log of which something was found.
func lock(b *bench) {
	b.console.scene.locked = locked
	b.console.stage.over = append(b.console.stage.over, newFindingsScreen([]Finding{
		{"The log has 3 records, but 5 were there when this machine last wrote to it.", "Look for the newer file and open that."},
		{"A trigger of the table docket_log is gone.", "Keep a copy of the file, then restore a backup."},
	}))
	b.send(tea.WindowSizeMsg{Width: b.console.width, Height: b.console.height})
}

// withoutKey makes the console one whose reviewer cannot sign.
func withoutKey(b *bench, desk *desktest.Desk) {
	desk.Who.KeyFingerprint = ""
	b.console.scene.reviewer = desk.Who
	b.console.scene.keyless = "ssh-agent has no key SHA256:Yq3mH0nQ2vXo8bJtq4kD1w among its 0; add it with `ssh-add FILE`, and see `ssh-add -l`"
	if b.console.notice != sampleNotice {
		b.console.scene.keyless += b.console.notice // a hostile one
	}
	b.console.stage.over = append(b.console.stage.over, newKeylessScreen(b.console.scene.keyless))
	b.send(tea.WindowSizeMsg{Width: b.console.width, Height: b.console.height})
}

// overtake lets a third revision of a case arrive, whose notice is not delivered and whose evidence is more.
func overtake(desk *desktest.Desk) {
	record := desktest.Case("AC-2041", 29*time.Hour)
	record["revision"] = 3
	record["remedyGap"] = "The second receipt was paid by another programme, as its own report says."
	record.In("notice")["state"] = "queued"
	delete(record.In("notice"), "deliveredAt")
	record.In("evidenceScope")["items"] = []string{"ev-101", "ev-102", "ev-118"}
	desk.Add(domain.AppealCases, record, map[string]any{"contact_data": []string{"x"}})
}

// review goes to the last page of a decision.
func review(b *bench) {
	b.t.Helper()
	b.goTo(domain.Appeals, "AC-2041")
	b.press("pgdown", "d")
	b.choose("correct record")
	b.toReview()
}

// sceneAt builds a scene at a size.
func sceneAt(t *testing.T, index, width, height int) *bench {
	t.Helper()
	b, desk := sample(t, width, height)
	scenes[index].setup(t, b, desk)
	b.at(scenes[index].place)
	return b
}

func TestTheScenesGoThroughEveryPlace(t *testing.T) {
	var seen placeSet
	for _, scene := range scenes {
		seen |= at(scene.place)
	}
	for p := range places {
		if !seen.has(p) {
			t.Errorf("no scene shows the %s", placeNames[p])
		}
	}
}

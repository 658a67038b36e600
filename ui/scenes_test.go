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
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// A sceneCase is a state of the console that has a name, a place and the keys that lead there.
type sceneCase struct {
	name  string
	place action.Place
	setup func(b *harness, workbench *workbenchtest.Workbench)
}

// scenes are the pictures of the console that goldens, the size sweep and the hostile texts go through: every place and
// every overlay is among them.
var scenes = []sceneCase{
	{"queue", action.InQueue, steps("j", "j")},
	{"queue-amendments", action.InQueue, steps("tab", "j")},
	{"greeting", action.InQueue, func(b *harness, _ *workbenchtest.Workbench) {
		b.console.scene.Greeting = sampleGreeting
		b.press("j")
	}},
	{"queue-filter", action.InFilter, steps("/", "type blocker:not")},
	{"queue-filter-wrong", action.InFilter, steps("/", "type gate:pass due:soon")},
	{"queue-complete", action.InFilter, steps("/", "type gate:pass blocker:not", "tab", "tab")},
	{"queue-saved", action.InQueue, after(saved, "f", "down")},
	{"queue-complete-saved", action.InFilter, after(saved, "/", "type gate:pass s", "shift+tab")},
	{"queue-nothing", action.InQueue, steps("/", "type zzz", "enter")},
	{"queue-skip", action.InQueue, steps("s", "type waiting for 東京")},
	{"packet-pass", action.InPacket, steps("open AC-2041")},
	{"packet-blocked", action.InPacket, steps("open AC-2044")},
	{"packet-recused", action.InPacket, steps("open AC-2045")},
	{"packet-hostile", action.InPacket, steps("open AC-2050", "pgdown", "pgdown")},
	{"packet-amendment", action.InPacket, steps("open AM-312")},
	{"packet-end", action.InPacket, steps("open AC-2042", "G")},
	{"packet-folded", action.InPacket, steps("open AC-2044", "Z", "Z", "J", "J", "J", "J")},
	{"packet-timeline", action.InPacket, steps("open AM-311", "to Timeline", "J", "K")},
	{"packet-row", action.InPacket, steps("open AC-2042", "to ↳ notice_missing")},
	{"packet-records", action.InPacket, func(b *harness, workbench *workbenchtest.Workbench) {
		b.press("decide", "record")
		overtake(workbench)
		b.press("esc", "R", "open AC-2041", "to in force")
	}},
	{"packet-search", action.InFind, steps("open AC-2041", "/", "type rev-")},
	{"packet-related", action.InPacket, steps("open AC-2041", "to AC-2043")},
	{"packet-copy", action.InPacket, steps("open AC-2041", "y", "j", "j")},
	{"text-blocker", action.InPacket, steps("open AC-2044", "to standing_missing", "t")},
	{"text-transition", action.InPacket, steps("open AM-311", "to protected", "t")},
	{"text-queue", action.InQueue, steps("j", "t", "tab")},
	{"text-board", action.InBoard, steps("b", "j", "t")},
	{"difference", action.InDifference, func(b *harness, workbench *workbenchtest.Workbench) {
		overtake(workbench)
		b.press("R", "open AC-2041", "=")
	}},
	{"decide-outcome", action.InDecision, steps("open AC-2042", "d", "j")},
	{"decide-factors", action.InDecision, steps("open AC-2041", "d", "8", "factors", "j")},
	{"decide-blockers", action.InBlockers, steps("open AC-2041", "d", "8", "blockers", "j", "j", "space")},
	{"decide-search", action.InSearch, steps("open AC-2041", "d", "8", "blockers", "/", "type hash")},
	{"decide-statement", action.InStatement, steps("open AC-2041", "d", "choose close unresolved",
		"type write to jane@example.org about it 東京 🙂", "enter")},
	{"decide-note", action.InNote, steps("open AC-2041", "d", "choose correct record", "note",
		"type ask about the second receipt 東京 🙂")},
	{"decide-review", action.InReview, steps("decide")},
	{"decide-review-amendment", action.InReview, steps("open AM-311", "d", "review")},
	{"decide-leave", action.InDecision, steps("open AC-2041", "d", "space", "q")},
	{"decide-resumed", action.InDecision, after(begun, "open AC-2041", "d")},
	{"draft-discard", action.InPacket, after(begun, "open AC-2041", "X")},
	{"recuse", action.InStatement, steps("open AC-2041", "u", "type ask jane@example.org")},
	{"decide-recused", action.InReview, steps("open AC-2041", "u", "type I advised one of the parties", "enter")},
	{"decide-reading", action.InReading, steps("open AC-2041", "d", "8", "enter", "tab", "j")},
	{"receipt-hashes", action.InReceipt, steps("decide", "record", "z")},
	{"packet-draft", action.InPacket, after(begun, "open AC-2041")},
	{"queue-draft", action.InQueue, func(b *harness, workbench *workbenchtest.Workbench) {
		workbench.Keep(packets.Key{ID: "AC-2041", Number: 1}, older)
		workbench.Keep(packets.Key{ID: "AC-2043", Number: 1}, older)
		b.press("R", "j")
	}},
	{"packet-blind", action.InPacket, after(blind, "esc")},
	{"decide-first", action.InDecision, blind},
	{"decide-revealed", action.InDecision, after(blind, "choose uphold decision")},
	{"receipt", action.InReceipt, steps("decide", "record")},
	{"stale", action.InStale, func(b *harness, workbench *workbenchtest.Workbench) {
		b.press("decide")
		overtake(workbench)
		b.press("record")
	}},
	{"refused", action.InReview, func(b *harness, workbench *workbenchtest.Workbench) {
		b.press("decide")
		workbench.Refusing = &records.Refusal{Reason: "the log is read-only; run `docket verify`"}
		b.press("record")
	}},
	{"records", action.InRecords, func(b *harness, workbench *workbenchtest.Workbench) {
		workbench.Decide("AC-2048", terms.RequestEvidence)
		b.press("decide", "record")
		workbench.Damage(0)
		b.press("esc", "r")
	}},
	{"record", action.InRecord, steps("decide", "record", "esc", "r", "enter")},
	{"record-superseded", action.InRecord, steps("decide", "record", "esc", "decide", "record", "esc", "r", "j", "enter", "d")},
	{"queue-rejected", action.InQueue, after(atService, "!", "esc", "k", "j")},
	{"packet-rejected", action.InPacket, after(atService, "open AC-2042")},
	{"packet-rejected-earlier", action.InPacket, func(b *harness, workbench *workbenchtest.Workbench) {
		atService(b, workbench)
		workbench.Decide("AC-2041", 0)
		workbench.Reject(3, records.PacketStale, "", "revision 3 has arrived")
		overtake(workbench)
		b.press("R", "open AC-2041")
	}},
	{"decide-again", action.InReview, after(judgeRejected, "review")},
	{"records-at-service", action.InRecords, after(atService, "r", "j")},
	{"record-rejected", action.InRecord, after(atService, "r", "j", "enter")},
	{"record-handed-in", action.InRecord, after(atService, "r", "G", "enter", "pgdown")},
	{"record-judged-again", action.InRecord, after(judgeRejected, "review", "record", "esc", "r", "j", "j", "enter", "a")},
	{"export-where", action.InRecords, after(exporting, "e")},
	{"export-under-way", action.InRecords, func(b *harness, workbench *workbenchtest.Workbench) {
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
	{"exported", action.InRecords, after(exporting, "e", "enter")},
	{"erase-what", action.InPacket, after(begun, "open AC-2041", "E")},
	{"erase-why", action.InRecord, after(eraseStatement, "enter", "down")},
	{"erase-word", action.InRecord, after(eraseStatement, "enter", "enter", "type era")},
	{"packet-erased", action.InPacket, steps("open AC-2041", "E", "enter", "down", "enter", "type erase", "enter")},
	{"stats", action.InStats, after(history, "%")},
	{"stats-week", action.InStats, after(history, "%", "v", "v")},
	{"stats-none", action.InStats, steps("%", "]")},
	{"statement", action.InParties, steps("decide", "record", "esc", "r", "enter", "s")},
	{"statement-end", action.InParties, steps("decide", "record", "esc", "r", "enter", "s", "G")},
	{"statement-where", action.InParties, steps("decide", "record", "esc", "r", "enter", "s", "w")},
	{"board", action.InBoard, steps("b", "j")},
	{"board-amendments", action.InBoard, steps("b", "tab", "j", "j")},
	{"contracts", action.InContracts, steps("c", "j")},
	{"contract", action.InContract, steps("c", "enter", "J")},
	{"board-triggers", action.InBoard, steps("b", "v", "j")},
	{"board-assignees", action.InBoard, steps("b", "tab", "v", "v")},
	{"findings", action.InFindings, lock},
	{"packet-locked", action.InPacket, after(lock, "enter", "open AC-2041", "d")},
	{"keyless", action.InFindings, withoutKey},
	{"packet-keyless", action.InPacket, after(withoutKey, "enter", "open AC-2041", "d")},
	{"help", action.InQueue, steps("?")},
	{"palette", action.InPacket, steps("open AC-2045", ":", "type de")},
	{"skip", action.InQueue, steps("j", "s", "type waiting for 東京")},
	{"error", action.InPacket, func(b *harness, workbench *workbenchtest.Workbench) {
		b.press("open AC-2041")
		workbench.Failing = errors.New("the disk is full: free some space, then try again")
		b.press("R")
	}},
}

// savedSample are saved filters, one of them of a hostile name.
var savedSample = []queuescreen.SavedFilter{{Name: "mine, open", Text: "is:mine -is:decided -is:skipped"}, {Name: "soon", Text: "due:<48h gate:pass"},
	{Name: "東京 <\x1b]0;x\x07>", Text: "AC-20"}}

// steps are the keys of a scene, after are those that follow on a beginning.
func steps(keys ...string) func(*harness, *workbenchtest.Workbench) {
	return func(b *harness, _ *workbenchtest.Workbench) { b.press(keys...) }
}

func after(begin func(*harness, *workbenchtest.Workbench), keys ...string) func(*harness, *workbenchtest.Workbench) {
	return func(b *harness, workbench *workbenchtest.Workbench) {
		begin(b, workbench)
		b.press(keys...)
	}
}

// saved has saved filters, begun a draft on an earlier revision of the sample appeal.
func saved(b *harness, _ *workbenchtest.Workbench) { b.queue().Saved = savedSample }

func begun(_ *harness, workbench *workbenchtest.Workbench) {
	workbench.Keep(packets.Key{ID: "AC-2041", Number: 1}, older)
}

// older is what a reviewer began on an earlier revision.
var older = records.Draft{Outcome: terms.OpenChallengeWindow, Factors: terms.SetOf(terms.HumanReviewRequired),
	Added: terms.SetOf(terms.NoticeMissing), Note: "ask the school", Step: "note"}

// history has records of the weeks before.
func history(_ *harness, workbench *workbenchtest.Workbench) { workbench.History() }

// blind opens a decision in blind-first mode.
func blind(b *harness, _ *workbenchtest.Workbench) {
	b.t.Helper()
	b.console.scene.BlindFirst = true
	b.press("open AC-2041", "d")
}

// atService is a console whose service has taken the first of three records and rejected the second.
func atService(b *harness, workbench *workbenchtest.Workbench) {
	b.t.Helper()
	for _, id := range []terms.ID{"AC-2041", "AC-2042", "AC-2048"} {
		workbench.Decide(id, 0)
	}
	workbench.Pull(3 * time.Hour)
	b.pass(workbench, 0)
	workbench.Pass(2 * time.Minute)
	workbench.Accept(0)
	workbench.Reject(1, records.PacketStale, workbenchtest.Foreign, "notice_missing no longer holds", "decided elsewhere by record "+string(workbenchtest.Foreign)+
		"; yours would replace it")
	b.pass(workbench, 0)
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
	b.press("decide", "record", "esc", "r")
}

// lock makes the console one that opened on a log with findings.
func lock(b *harness, _ *workbenchtest.Workbench) {
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

// revise lets a revision of a case arrive that passes, too.
func revise(workbench *workbenchtest.Workbench, id string, revision int, left time.Duration) {
	record := workbenchtest.Case(id, left)
	record["revision"] = revision
	workbench.Add(terms.AppealCases, record, nil)
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

// sceneAt builds a scene at a size.
func sceneAt(t *testing.T, index, width, height int) *harness {
	t.Helper()
	b, workbench := sample(t, width, height)
	scenes[index].setup(b, workbench)
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

package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/domain/visible"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/theme"

	"github.com/muesli/termenv"
)

// hostileWorkbench puts a text wherever the workbench hands over something that is not a packet view.
type hostileWorkbench struct {
	*workbenchtest.Workbench
	text       string
	unreadable string // what is said of drafts
}

func (h *hostileWorkbench) Reviewer() records.Reviewer {
	who := h.Workbench.Reviewer()
	who.KeyFingerprint += h.text
	return who
}

func (h *hostileWorkbench) Top(ctx context.Context, area terms.Area, most int) ([]queue.Row, error) {
	rows, err := h.Workbench.Top(ctx, area, most)
	return h.spoil(rows), h.wrap(err)
}

func (h *hostileWorkbench) Queue(ctx context.Context, area terms.Area, progress func(done, total int64)) (*queue.Queue,
	queue.Watermark, error) {
	docket, mark, err := h.Workbench.Queue(ctx, area, progress)
	if err != nil {
		return nil, mark, h.wrap(err)
	}
	var rows []queue.Row
	for _, row := range docket.All() {
		rows = append(rows, row)
	}
	return queue.New(area, h.spoil(rows)), mark, nil
}

func (h *hostileWorkbench) spoil(rows []queue.Row) []queue.Row {
	for i := range rows {
		rows[i].Status += terms.AnyTerm(h.text)
		rows[i].Subject += terms.AnyTerm(h.text)
		rows[i].Trigger += terms.AnyTerm(h.text)
		if rows[i].Unreadable != "" {
			rows[i].Unreadable += h.text
			rows[i].ID += terms.ID(h.text)
			rows[i].AssignedTo = terms.ID(h.text)
		}
		if rows[i].Skipped != "" {
			rows[i].Skipped += h.text
		}
	}
	return rows
}

func (h *hostileWorkbench) Open(ctx context.Context, table terms.Table, id terms.ID, revision int64) (queue.CaseFile, error) {
	file, err := h.Workbench.Open(ctx, table, id, revision)
	file.Skipped = h.text
	file.InForce += records.RecordID(h.text)
	if file.Draft.Present() {
		file.Draft.Note += h.text
		file.Draft.Supersedes += records.RecordID(h.text)
		file.Draft.Unreadable = h.unreadable
	}
	h.spoilAnswer(file.Records)
	h.spoilAnswer(file.Elsewhere)
	file.Records = append(file.Records, records.LoggedRecord{Unreadable: h.text})
	file.Elsewhere = append(file.Elsewhere, records.LoggedRecord{Unreadable: h.text})
	for i := range file.Related {
		row := &file.Related[i]
		row.ID, row.Trigger, row.Status = row.ID+terms.ID(h.text), row.Trigger+terms.AnyTerm(h.text), row.Status+terms.AnyTerm(h.text)
	}
	file.Related = append(file.Related, queue.UnreadableRow(table, packets.Key{ID: terms.ID(h.text), Number: 1}, h.text))
	return file, h.wrap(err)
}

func (h *hostileWorkbench) Record(ctx context.Context, v *views.View, c records.Choice, note string) (records.Receipt, error) {
	c.Supersedes = ""
	receipt, err := h.Workbench.Record(ctx, v, c, note)
	receipt.RecordID += records.RecordID(h.text)
	var stale *records.StaleError
	if errors.As(err, &stale) {
		return receipt, &records.StaleError{Changes: append(stale.Changes, h.text)}
	}
	return receipt, h.wrap(err)
}

func (h *hostileWorkbench) Records(ctx context.Context, before int64, most int) (records.Page, error) {
	page, err := h.Workbench.Records(ctx, before, most)
	logged := page.Records
	h.spoilAnswer(logged)
	for i := range logged {
		logged[i].Receipt.RecordID += records.RecordID(h.text)
		logged[i].SupersededBy = records.RecordID(h.text)
		if logged[i].Unreadable != "" {
			logged[i].Unreadable += h.text
		}
	}
	return page, h.wrap(err)
}

// spoilAnswer puts the text wherever the service has a say.
func (h *hostileWorkbench) spoilAnswer(logged []records.LoggedRecord) {
	for i := range logged {
		answer := &logged[i].HandIn
		answer.Rejection.Origin += h.text
		if answer.Rejection.InForce.Present() {
			answer.Rejection.InForce += records.RecordID(h.text)
		}
		answer.Changes = append(append([]string(nil), answer.Changes...), h.text)
		answer.Receipt.Caution = h.text
	}
}

func (h *hostileWorkbench) HandIns(ctx context.Context) (records.HandInTally, error) {
	tally, err := h.Workbench.HandIns(ctx)
	if tally.Service != "" {
		tally.Service += h.text
	}
	return tally, h.wrap(err)
}

func (h *hostileWorkbench) Examine(ctx context.Context, from, to int64) ([]records.State, error) {
	states, err := h.Workbench.Examine(ctx, from, to)
	for i := range states {
		states[i].Proof.Found = append(states[i].Proof.Found, h.text)
		states[i].Replay = records.Check{Verdict: records.Fails, Found: []string{h.text, h.text}}
	}
	return states, h.wrap(err)
}

func (h *hostileWorkbench) WeeklyCounts(ctx context.Context, area terms.Area) (queue.WeeklyCounts, error) {
	trend, err := h.Workbench.WeeklyCounts(ctx, area)
	return trend, h.wrap(err)
}

func (h *hostileWorkbench) Export(ctx context.Context, folder string, progress func(string, int64, int64)) (records.LogHead, error) {
	progress(h.text, 1, 3)
	head, err := h.Workbench.Export(ctx, folder, progress)
	return head, h.wrap(err)
}

func (h *hostileWorkbench) wrap(err error) error {
	if err == nil {
		return nil
	}
	return &records.Refusal{Reason: err.Error() + h.text}
}

// hostileScene builds a scene in which every text that can holds the given one.
func hostileScene(t *testing.T, index int, text string) *harness {
	t.Helper()
	workbench := workbenchtest.Sample()
	b := newHarness(t, &hostileWorkbench{Workbench: workbench, text: text}, 80, 24)
	b.console.notice = text
	scenes[index].setup(t, b, workbench)
	return b
}

// corpus are texts that do something to a terminal, or to the order in which it shows what follows.
var corpus = []string{
	"\x1b]0;owned\x07", "\x1b]52;c;b3duZWQ=\x1b\\", "\x1b[2J\x1b[H", "\x1bP+q544e\x1b\\", "\x1b]8;;http://x\x1b\\x",
	"\u009b2J", "\u0090x\u009c", "a\rb", "a\nb\nc", "a\tb", "a\x08\x08b", "\x00", "\x7f", "\x0e\x0f", "\u202eevil\u202c", "\u2066x\u2069",
	"\u200b\u200d\u2060\ufeff", "\u2028\u2029", "\ue000", "\U000e0041", "\xff\xfe", "e" + strings.Repeat("\u0301", 60), "\u3164\u115f",
}

func TestNoHostileTextReachesTheTerminal(t *testing.T) {
	showing := 0
	for i := range scenes {
		t.Run(scenes[i].name, func(t *testing.T) {
			for _, text := range corpus {
				b := hostileScene(t, i, "<"+text+">")
				b.fits(scenes[i].name)
				if strings.Contains(b.frame(), visible.String("<"+text)) {
					showing++
				}
				for _, shown := range strings.Split(b.console.View(), "\n") {
					if !visible.Clean(shown) {
						t.Fatalf("%q gets through: %q", text, shown)
					}
				}
			}
		})
	}
	if showing < len(scenes)*len(corpus)/2 {
		t.Errorf("only %d of the frames show the text at all", showing)
	}
}

func TestColouredFramesHoldOnlyTheConsolesOwnEscapes(t *testing.T) {
	b := hostileScene(t, 0, "<\x1b[31m\x1b]0;owned\x07>")
	b.console.theme = theme.NewFixed(termenv.TrueColor, theme.Dark)
	b.press("b", "esc", "b")
	view := b.console.View()
	if !strings.Contains(view, "\x1b[") {
		t.Fatal("there are no colours")
	}
	for _, part := range strings.Split(view, "\x1b")[1:] {
		end := strings.IndexFunc(part, func(r rune) bool { return r != '[' && r != ';' && (r < '0' || r > '9') })
		if end < 0 || part[0] != '[' || part[end] != 'm' {
			t.Fatalf("an escape sequence that sets no colour: %q", part[:min(len(part), 20)])
		}
	}
}

func TestTypedAndPastedTextIsShownAsEscapes(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("/")
	b.paste("a\u202eb\x1b[2J\u009b")
	for _, shown := range strings.Split(b.console.View(), "\n") {
		if !visible.Clean(shown) {
			t.Fatalf("gets through: %q", shown)
		}
	}
	b.shows(`a\u202eb`)
}

func TestADraftThatCannotBeReadIsShownCleanly(t *testing.T) {
	for _, text := range corpus {
		workbench := workbenchtest.Sample()
		workbench.Keep(sampleKey, records.Draft{})
		b := newHarness(t, &hostileWorkbench{Workbench: workbench, text: text, unreadable: "<" + text + ">"}, 80, 24)
		b.goTo(terms.Appeals, "AC-2041")
		b.press("d")
		b.shows("cannot be read")
		for _, shown := range strings.Split(b.console.View(), "\n") {
			if !visible.Clean(shown) {
				t.Fatalf("%q gets through: %q", text, shown)
			}
		}
		b.press("enter")
		b.at(action.InDecision)
	}
}

package plain

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/domain/visible"
	"docket/ui/internal/workbenchtest"
)

// hostileWorkbench puts a text into everything that the workbench returns apart from packet views.
type hostileWorkbench struct {
	*workbenchtest.Workbench
	text string
	bare bool // it adds no record, with which blind-first mode would end
}

func (h *hostileWorkbench) Reviewer() records.Reviewer {
	who := h.Workbench.Reviewer()
	if who.KeyFingerprint != "" {
		who.KeyFingerprint += h.text
	}
	return who
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
		rows[i].Subject = terms.AnyTerm(h.text) + rows[i].Subject
		rows[i].Trigger += terms.AnyTerm(h.text)
		if rows[i].Unreadable != "" {
			rows[i].Unreadable += h.text
			rows[i].ID += terms.ID(h.text)
		}
		if rows[i].Skipped != "" {
			rows[i].Skipped += h.text
		}
		if rows[i].AssignedTo != h.Who.ID {
			rows[i].AssignedTo += terms.ID(h.text)
		}
	}
	return rows
}

func (h *hostileWorkbench) Open(ctx context.Context, table terms.Table, id terms.ID, revision int64) (queue.CaseFile, error) {
	caseFile, err := h.Workbench.Open(ctx, table, id, revision)
	caseFile.Skipped = h.text
	caseFile.InForce += records.RecordID(h.text)
	h.spoilAnswer(caseFile.Records)
	if !h.bare {
		caseFile.Records = append(caseFile.Records, records.LoggedRecord{Unreadable: h.text})
	}
	if kept := &caseFile.Draft; kept.Present() {
		kept.Note += h.text
		kept.Supersedes += records.RecordID(h.text)
	}
	if kept := &caseFile.Draft; kept.Unreadable != "" {
		kept.Unreadable += h.text
	}
	return caseFile, h.wrap(err)
}

func (h *hostileWorkbench) Record(ctx context.Context, v *views.View, c records.Choice, note string) (records.Receipt, error) {
	c.Supersedes = ""
	receipt, err := h.Workbench.Record(ctx, v, c, note)
	receipt.RecordID += records.RecordID(h.text)
	receipt.Caution = h.text
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

// spoilAnswer puts the text into everything that the service said.
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

func (h *hostileWorkbench) wrap(err error) error {
	if err == nil {
		return nil
	}
	return &records.Refusal{Reason: err.Error() + h.text}
}

// corpus are texts that do something to a terminal, or to the order in which it shows what follows.
var corpus = []string{
	"\x1b]0;owned\x07", "\x1b]52;c;b3duZWQ=\x1b\\", "\x1b[2J\x1b[H", "\u009b2J", "\u0090x\u009c", "a\rb", "a\nb\nc", "a\tb",
	"a\x08\x08b", "\x00", "\x7f", "\x0e\x0f", "\u202eevil\u202c", "\u2066x\u2069", "\u200b\u200d\u2060\ufeff", "\u2028\u2029",
	"\ue000", "\U000e0041", "\xff\xfe", "e" + strings.Repeat("\u0301", 60), "\u3164\u115f", "%s%n",
}

func TestNoHostileTextReachesTheTerminal(t *testing.T) {
	for i := range transcripts {
		t.Run(transcripts[i].name, func(t *testing.T) {
			for _, text := range corpus {
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

func TestEverySessionWritesPlainTextInLinesAndNothingElse(t *testing.T) {
	for i := range transcripts {
		onlyText(t, transcript(t, i, ""))
	}
}

func TestWhatIsTypedIsWrittenAsEscapes(t *testing.T) {
	output := works(t, workbenchtest.Sample(), "appeals", "filter a\u202eb", "open AC-2041", "skip \u200bquiet", "quit")
	onlyText(t, output)
	says(t, output, `a\u202eb`, `\u200bquiet`)
}

func TestNothingPrivateIsSaid(t *testing.T) {
	const canary = "kanarienvogel"
	workbench := workbenchtest.Sample()
	workbench.Add(terms.AppealCases, workbenchtest.Case("AC-9000", time.Hour), map[string]any{"contact_data": []string{canary}, canary: canary})
	leaking := workbenchtest.Case("AC-9001", time.Hour)
	leaking["remedyGap"] = "write to " + canary + "@example.org"
	workbench.AddUnsealed(terms.AppealCases, leaking)
	output := works(t, workbench, "appeals", "AC-9000", "all", "AC-9001", "all", "decide", "5", "", "", "", "", "record", "records", "1", "quit")
	says(t, output, "Redacted: contact data, 1 value never kept.", "private_details_unredacted", "Recorded: AC-9001")
	saysNot(t, output, canary)
}

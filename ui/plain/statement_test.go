package plain

import (
	"testing"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

func TestAStatementThatHoldsPrivateDetailsIsRefusedAndNowhereKept(t *testing.T) {
	for _, text := range []string{"write to jane@example.org", "call +49 170 1234567", "\u200b", "\u2800"} {
		workbench := workbenchtest.Sample()
		output := works(t, workbench, "open AC-2041", "decide", "1", "", "", "", text, "leave", "quit")
		says(t, output, "It is required: the outcome is not the advised one; docket advises correct record.", "A statement of reasons is required",
			"The statement of reasons")
		if kept := workbench.Draft(sampleKey); kept.Statement != "" || kept.Step != "statement" {
			t.Errorf("of %q the draft keeps %+v", text, kept)
		}
	}
}

func TestAStatementIsRecordedAndABlockerThatWasAddedIsCarriedOver(t *testing.T) {
	workbench := workbenchtest.Sample()
	output := works(t, workbench, "open AC-2041", "decide", "5", "", "notice_missing", "", "the notice came late", "", "record",
		"open AC-2041", "decide", "5", "", "notice_missing", "", "", "", "record", "quit")
	first := lastRecord(t, workbench).Supersedes
	says(t, output, "Added blockers: notice_missing; stays until the platform sends a new revision.",
		"blocked: notice_missing: added by a human in record "+string(first),
		"notice_missing: added by a human in record", "Nobody can remove notice_missing", "Carried over: notice_missing", "Statement: the notice came late.")
	if got := workbench.Choices(); len(got) != 2 || got[0].Statement.Text != "the notice came late" || got[1].Statement.Text != "" {
		t.Errorf("recorded %+v", got)
	}
	if m := lastRecord(t, workbench); m.Gate != terms.Blocked || len(m.CarriedBlockers) != 1 {
		t.Errorf("recorded %+v", m)
	}
}

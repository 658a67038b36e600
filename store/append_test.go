package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/merkle"

	"golang.org/x/mod/sumdb/tlog"
)

func TestARecordComesBackAsItWasAppended(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	if gate := caseFile.View.Evaluation().Gate(); gate != terms.Pass {
		t.Fatalf("the case is blocked by %v", caseFile.View.Evaluation().Blockers())
	}
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, note: records.Note{Salt: "s4lt", Text: "a hunch"}})
	receipt := need(d.store.Append(t.Context(), sub))(t)
	path := d.store.Path()
	must(t, d.store.Close())
	again := openAt(t, path, noon)
	id := sub.Record.Members().RecordID
	logged := need(again.Record(t.Context(), id))(t)
	if logged.Receipt != receipt || string(logged.Record.Document()) != string(sub.Record.Document()) || logged.Unreadable != "" {
		t.Errorf("read %+v, appended %+v", logged, receipt)
	}
	wantSame(t, "signature", string(need(again.signature(t.Context(), id))(t)), string(sub.Signature))
	wantSame(t, "note", need(again.note(t.Context(), id))(t), sub.Note)
	head, err := again.Head(t.Context())
	if err != nil || head.Size != 1 || head.Root != receipt.Root {
		t.Errorf("head %v, %v", head, err)
	}
	if leaf := tlog.RecordHash(sub.Record.Document()); receipt.LeafHash != merkle.FromTree(leaf) || receipt.Root != merkle.FromTree(leaf) {
		t.Error("the tree is not the one of that one leaf")
	}
}

func TestAnAmendmentIsRecordedInTheSameLog(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	d.take(d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)))
	caseFile := d.caseFile(terms.AmendmentRecords, "amd-1")
	if gate := caseFile.View.Evaluation().Gate(); gate != terms.Pass {
		t.Fatalf("the amendment is blocked by %v", caseFile.View.Evaluation().Blockers())
	}
	receipt := need(d.store.Append(t.Context(), d.decide(&caseFile.View, decision{})))(t)
	if receipt.Sequence != 1 || receipt.TreeSize != 2 {
		t.Errorf("receipt %+v", receipt)
	}
	records, err := d.store.Records(t.Context(), 0, 10)
	if err != nil || len(records) != 2 || records[0].Record.Table() != terms.AmendmentEnforcements {
		t.Errorf("records %v, %v", records, err)
	}
}

func TestTheSameRecordAgainIsTheSameReceipt(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	first := need(d.store.Append(t.Context(), sub))(t)
	d.record("case-1", decision{outcome: terms.RequestEvidence, supersedes: first.RecordID})
	second, err := d.store.Append(t.Context(), sub)
	if err != nil || second != first {
		t.Fatalf("%+v, %v; the first was %+v", second, err, first)
	}
	other := d.decide(&caseFile.View, decision{outcome: terms.RequestEvidence, id: first.RecordID})
	mustBe(t, errOf(d.store.Append(t.Context(), other)), records.ErrRefused)
	if head, _ := d.store.Head(t.Context()); head.Size != 2 {
		t.Errorf("the log has %d records", head.Size)
	}
}

func TestASecondRecordMustSupersedeTheOneInForce(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	first := d.record("case-1", decision{outcome: terms.UpholdDecision})
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	for name, supersedes := range map[string]records.RecordID{"none": "", "another": newRecordID(noon)} {
		_, err := d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.RequestEvidence, supersedes: supersedes}))
		var stale *records.StaleError
		if !errors.As(err, &stale) || !strings.Contains(stale.Error(), string(first.RecordID)) {
			t.Errorf("superseding %s: %v", name, err)
		}
	}
	second := d.record("case-1", decision{outcome: terms.RequestEvidence, supersedes: first.RecordID})
	caseFile = d.caseFile(terms.AppealCases, "case-1")
	if caseFile.InForce != second.RecordID || len(caseFile.Records) != 2 || caseFile.Records[0].SupersededBy != second.RecordID {
		t.Errorf("in force is %s of %+v", caseFile.InForce, caseFile.Records)
	}
}

func TestARecordOfAStalePacketSaysWhatChanged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		happens    func(d *fixture)
	}{
		{"a revision arrives", "revision 2 has arrived", func(d *fixture) { d.take(d.mill.appealCase(passing("case-1", 2))) }},
		{"a policy version arrives", "appeal_policy_not_current holds now", func(d *fixture) { d.take(d.mill.appealPolicy(2)) }},
		{"the deadline passes", "deadline_expired holds now", func(d *fixture) {
			d.store.options.Now = func() time.Time { return noon.AddDate(0, 2, 0) }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := withCase(t)
			caseFile := d.caseFile(terms.AppealCases, "case-1")
			sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
			c.happens(d)
			_, err := d.store.Append(t.Context(), sub)
			var stale *records.StaleError
			if !errors.As(err, &stale) || !strings.Contains(stale.Error(), c.want) {
				t.Fatalf("the error is %v", err)
			}
			wantSame(t, "records in the log", need(d.store.Head(t.Context()))(t).Size, 0)
		})
	}
}

func TestARecordMustVouchForThisLog(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)), d.mill.appealCase(passing("case-3", 1)))
	empty := need(d.store.Head(t.Context()))(t)
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	one, _ := d.store.Head(t.Context())
	d.record("case-2", decision{outcome: terms.UpholdDecision})
	caseFile := d.caseFile(terms.AppealCases, "case-3")
	for name, head := range map[string]records.LogHead{
		"longer":            {Origin: one.Origin, Size: 3, Root: one.Root},
		"another root":      {Origin: one.Origin, Size: 1, Root: terms.HashOf(nil)},
		"another beginning": {Origin: one.Origin, Size: 0, Root: one.Root},
	} {
		_, err := d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, head: &head}))
		if !errors.Is(err, ErrForked) || !errors.Is(err, records.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := records.LogHead{Origin: "docket/0123456789abcdef", Size: 1, Root: one.Root}
	wantErr(t, "another log of the same records", errOf(d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, head: &other}))), records.ErrRefused)
	for _, head := range []records.LogHead{one, empty} {
		inForce := d.caseFile(terms.AppealCases, "case-3").InForce
		sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, head: &head, supersedes: inForce})
		if _, err := d.store.Append(t.Context(), sub); err != nil {
			t.Errorf("size %d: %v", head.Size, err)
		}
	}
}

func TestNothingIsAppendedAboutAPacketThatIsNotHeld(t *testing.T) {
	t.Parallel()
	d, other := withCase(t), newFixture(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	mustBe(t, errOf(other.store.Append(t.Context(), sub)), ErrNotFound)
	mustBe(t, errOf(other.store.Append(context.Background(), Submission{})), records.ErrRefused)
}

func TestWhatIsKeptBesideARecordIsNotFoundWithoutTheRecord(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	const id = records.RecordID("019ecb6a-4e00-7abc-8def-0123456789ab")
	for name, read := range map[string]func() error{
		"its salt":       func() error { _, err := d.store.PacketSalt(t.Context(), id); return err },
		"its statement":  func() error { _, err := d.store.Statement(t.Context(), id); return err },
		"its note":       func() error { _, err := d.store.note(t.Context(), id); return err },
		"its signature":  func() error { _, err := d.store.signature(t.Context(), id); return err },
		"the record too": func() error { _, err := d.store.Record(t.Context(), id); return err },
	} {
		wantErr(t, name, read(), ErrNotFound)
	}
}

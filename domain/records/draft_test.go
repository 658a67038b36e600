package records_test

import (
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
)

func TestADraftIsReadAsItWasWritten(t *testing.T) {
	for _, draft := range []records.Draft{
		{},
		{Factors: terms.SetOf(terms.FactorCodes.All()...), Added: rules.AllBlockers(terms.Amendments)},
		{Outcome: terms.CorrectRecord, Preliminary: terms.UpholdDecision, Factors: terms.SetOf(terms.HumanReviewRequired),
			Added: terms.SetOf(terms.NoticeMissing), Statement: "because \u202e", Note: "東京 \x1b[2J \" \\", Step: "blockers",
			Supersedes: "0195582c-7c00-7000-8a00-000000000000", OpenedAt: terms.InstantOf(time.Unix(1_800_000_000, 5))},
	} {
		read, err := records.ReadDraft(draft.Document())
		if err != nil || read != draft {
			t.Errorf("wrote %+v, read %+v, %v", draft, read, err)
		}
	}
}

func TestAnInvalidDraftIsRefusedWithoutItsText(t *testing.T) {
	for _, text := range []string{"", "null text", `{"outcome":"a secret"}`, `{"factorCodes":["a secret"]}`, `{"note":17}`, `{"openedAt":"yesterday"}`, `{"statement":["a secret"]}`, `[]`,
		`{"note":"a secret","note":"a secret"}`, `{"Note":"a secret"}`, `{"note":null}`, `{"secret":"a secret"}`, `{"note":"a secret"} {}`, "{\"note\":\"a secret\xff\"}",
		`{"supersedes":"a secret"}`} {
		draft, err := records.ReadDraft([]byte(text))
		if err == nil || draft != (records.Draft{}) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %+v, %v", text, draft, err)
		}
	}
}

func TestThereIsADraftFromTheFirstRevisionOn(t *testing.T) {
	for revision, want := range map[int64]bool{0: false, 1: true, 7: true} {
		if got := (records.KeptDraft{Revision: revision}).Present(); got != want {
			t.Errorf("revision %d: %v", revision, got)
		}
	}
}

func TestAReceiptIsReadOnlyAsItWasWritten(t *testing.T) {
	hash := terms.HashOf([]byte("x"))
	receipt := records.Receipt{RecordID: "0195582c-7c00-7000-8a00-000000000000", Sequence: 3, At: "2026-06-15T12:00:00.000Z", LeafHash: hash, TreeSize: 4, Root: hash}
	text := string(receipt.Document())
	if read, err := records.ReadReceipt([]byte(text)); err != nil || read != receipt {
		t.Fatalf("read %+v, %v", read, err)
	}
	for _, change := range [][2]string{{"}", "} "}, {"sequence", "Sequence"}, {`"treeSize":4`, `"treeSize":4,"treeSize":4`}, {`"treeSize":4`, `"treeSize":4.0`},
		{`"sequence":3`, `"sequence":-3`}, {`"sequence":3`, `"sequence":null`}, {"{", `{"more":1,`}, {"sha256:", "sha512:"}, {text, "[]"}} {
		changed := strings.Replace(text, change[0], change[1], 1)
		if read, err := records.ReadReceipt([]byte(changed)); err == nil || changed == text || read != (records.Receipt{}) {
			t.Errorf("%s is read as %+v", changed, read)
		}
	}
}

package bundle_test

import (
	"os"
	"strings"
	"testing"

	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// accepted is a log of two records, the first of which a service took in.
func accepted(t *testing.T) *verifytest.Log {
	t.Helper()
	l := verifytest.New(t)
	l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1)), assigned, nil))
	l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 1)), assigned, nil))
	l.Accept(verifytest.NewService("one"), 0)
	return l
}

func TestABundleHoldsTheServicesReceipts(t *testing.T) {
	t.Parallel()
	dir := written(t, accepted(t))
	report := checked(t, dir, verify.Options{})
	if !report.OK() || report.Receipts != 1 {
		t.Errorf("%d receipts: %v", report.Receipts, report.Findings)
	}
	if names := strings.Join(files(t, dir), " "); !strings.Contains(names, "receipts/0.json") || strings.Contains(names, "receipts/1.json") {
		t.Error(names)
	}
}

// forgedReceipts are a bundle with the receipt of a service, and what a forger does to it.
func forgedReceipts(t *testing.T) (string, []changedBundle) {
	replace := func(old, with string) func(string) error {
		return func(dir string) error {
			text, err := os.ReadFile(at(dir, "receipts/0.json"))
			if err != nil {
				return err
			}
			changed := strings.Replace(string(text), old, with, 1)
			if changed == string(text) {
				return os.ErrInvalid
			}
			return os.WriteFile(at(dir, "receipts/0.json"), []byte(changed), 0o644)
		}
	}
	return written(t, accepted(t)), []changedBundle{
		{"receipts", "a receipt removed", removing("receipts/0.json"), []verify.Code{verify.FileDiffers}}, // SUMMARY.md counts it
		{"receipts", "a receipt of another record", copying("receipts/0.json", "receipts/1.json"), []verify.Code{verify.AnswerAltered}},
		{"receipts", "a receipt of another tree size", replace(`\"treeSize\":1`, `\"treeSize\":2`), []verify.Code{verify.AnswerAltered}},
		{"receipts", "a receipt with another checkpoint", replace(`\n1\n`, `\n2\n`), []verify.Code{verify.AnswerAltered}},
		{"receipts", "a receipt with a member more", replace(`{"checkpoint"`, `{"a":1,"checkpoint"`), []verify.Code{verify.AnswerAltered}},
		{"receipts", "an empty receipt", writing("receipts/0.json", ""), []verify.Code{verify.AnswerAltered}},
		{"receipts", "a receipt of no record", copying("receipts/0.json", "receipts/7.json"), []verify.Code{verify.FileUnexpected}},
		{"receipts", "a receipt under no name of one", writing("receipts/x.json", "{}"), []verify.Code{verify.FileUnexpected}},
		{"receipts", "the key of the service removed", removing("service"), []verify.Code{verify.AnswerAltered}},
	}
}

func TestALogWithAForgedReceiptIsNotExported(t *testing.T) {
	t.Parallel()
	l := accepted(t)
	l.List[0].Acceptance = &signed.Acceptance{Receipt: l.List[0].Acceptance.Receipt, Checkpoint: "forged"}
	report, err := verify.Check(t.Context(), l, verify.Options{})
	if err != nil || report.Count(verify.AnswerAltered) != 1 {
		t.Errorf("%v: %v", err, report.Findings)
	}
}

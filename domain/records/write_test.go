package records_test

import (
	"testing"

	"github.com/gowebpki/jcs"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

func TestDirectWritingGivesTheCanonicalForm(t *testing.T) {
	private := domaintest.Set("/private", map[string]any{"contact_data": []string{"a", "b"}, "unheard_of": 1})
	for name, from := range map[string]func() domaintest.Scene{"appeal": domaintest.Appeal, "correction": domaintest.Correction, "material change": domaintest.MaterialChange} {
		for _, edits := range [][]domaintest.Edit{
			nil, {domaintest.Del("/record/notice")}, {domaintest.Set("/policy", nil)}, {domaintest.Set("/latestRevision", 99), domaintest.Set("/latestPolicyVersion", 99)}, {private},
			{domaintest.LateSet("/record/contractVersion", "<b>\"quoted\"\\</b> [2J ~")},
			{domaintest.Del("/record/originalDeciderId"), domaintest.Del("/record/agreementId"), domaintest.Del("/record/subjectId")},
			{domaintest.RawDel("/record/caseHash"), domaintest.RawDel("/record/amendmentHash"), domaintest.RawDel("/record/policyHash"), domaintest.RawDel("/record/scopeHash"), domaintest.RawDel("/policy/policyHash")},
		} {
			v := domaintest.View(t, from(), edits...)
			canonical(t, name, v.Document())
			for _, added := range [][]terms.Blocker{nil, {terms.NoticeMissing, terms.NeutralReviewMissing}} {
				choice := domaintest.ChoiceFor(&v, added...)
				choice.Supersedes, choice.NoteDigest = domaintest.OtherRecordID, terms.HashOf([]byte("note"))
				if v.Area() == terms.Appeals {
					choice.Preliminary = terms.CloseUnresolved
				}
				if record, err := records.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned)); err == nil {
					canonical(t, name, record.Document())
				}
			}
		}
	}
	var none views.View
	canonical(t, "no view", none.Document())
}

// canonical holds what was written to another implementation of RFC 8785.
func canonical(t *testing.T, name string, written []byte) {
	t.Helper()
	form, err := jcs.Transform(written)
	if err != nil || string(form) != string(written) {
		t.Errorf("%s: %v\n%s", name, err, written)
	}
}

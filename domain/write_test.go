package domain_test

import (
	"testing"

	"github.com/gowebpki/jcs"

	"docket/domain"
)

// A view and a record are written as encoding/json and the canonical form would write them.
func TestWhatIsWrittenDirectlyIsTheCanonicalForm(t *testing.T) {
	private := set("/private", map[string]any{"contact_data": []string{"a", "b"}, "unheard_of": 1})
	for name, from := range map[string]func() scene{"appeal": appeal, "correction": correction, "material change": materialChange} {
		for _, edits := range [][]edit{
			nil, {del("/record/notice")}, {set("/policy", nil)}, {set("/latestRevision", 99), set("/latestPolicyVersion", 99)}, {private},
			{lateSet("/record/contractVersion", "\u2028 <b>\"quoted\"\\</b>\t\x1b[2J é \U0001F600")},
			{del("/record/originalDeciderId"), del("/record/agreementId"), del("/record/subjectId")},
			{rawDel("/record/caseHash"), rawDel("/record/amendmentHash"), rawDel("/record/policyHash"), rawDel("/record/scopeHash"), rawDel("/policy/policyHash")},
		} {
			v := view(t, from(), edits...)
			canonical(t, name, detourOfView(&v), v.Document())
			for _, added := range [][]domain.Blocker{nil, {domain.NoticeMissing, domain.NeutralReviewMissing}} {
				choice := choiceFor(&v, added...)
				choice.Supersedes, choice.NoteDigest = otherRecordID, domain.HashOf([]byte("note"))
				if v.Area() == domain.Appeals {
					choice.Preliminary = domain.CloseUnresolved
				}
				if record, err := domain.Decide(&v, choice, stampOf(assigned)); err == nil {
					canonical(t, name, detourOfRecord(record), record.Document())
				}
			}
		}
	}
	var none domain.View
	canonical(t, "no view", detourOfView(&none), none.Document())
}

// canonical holds what was written directly to the detour and to another implementation of RFC 8785.
func canonical(t *testing.T, name string, detour, written []byte) {
	t.Helper()
	form, err := jcs.Transform(written)
	if err != nil || string(form) != string(written) || string(written) != string(detour) {
		t.Errorf("%s: %v\n%s\n%s", name, err, written, detour)
	}
}

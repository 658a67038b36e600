package records_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
)

// Every way in which a packet names its reviewer as a party. The packet itself is judged with another reviewer assigned,
// so that nothing but the person bars them.
var ownCauses = []struct {
	name string
	from func() domaintest.Scene
	edit domaintest.Edit
}{
	{"party to an appeal", domaintest.Appeal, domaintest.Set("/record/partyIds", []string{"party-b", "party-z"})},
	{"owner of an amendment", domaintest.Correction, domaintest.Set("/record/ownerId", "party-z")},
	{"required party", domaintest.Correction, domaintest.Set("/record/requiredParties", []string{"party-b", "party-z"})},
	{"party that confirmed", domaintest.MaterialChange, domaintest.Set("/record/confirmations", []any{domaintest.ConfirmationOf("party-a"), domaintest.ConfirmationOf("party-b"),
		domaintest.ConfirmationOf("party-z")})},
	{"party that will confirm", domaintest.MaterialChange, domaintest.Set("/record/confirmations", []any{domaintest.ConfirmationOf("party-a"), domaintest.ConfirmationOf("party-b"),
		domaintest.ConfirmationOf("party-z", "confirmedAt", domaintest.FarAhead)})},
}

// Barred before deciding, refused when the record is made, when it is appended, and when it is judged again; also if nobody is
// assigned, and for the safety admin who may block another's case.
func TestNobodyRecordsInTheirOwnCause(t *testing.T) {
	for _, cause := range ownCauses {
		for _, role := range terms.Roles.All() {
			for _, also := range [][]domaintest.Edit{nil, {domaintest.Del("/record/neutralReview/reviewerId")}, {domaintest.Set("/record/neutralReview/reviewerId", "party-z")}} {
				edits := append([]domaintest.Edit{cause.edit}, also...)
				party, other := domaintest.Person("party-z", role), domaintest.Person("admin-1", terms.SafetyAdmin)
				open := domaintest.View(t, cause.from(), edits...)
				if err := records.MayDecide(&open, party); err == nil || !strings.Contains(err.Error(), "you are a party to it") {
					t.Errorf("%s may open: %v", cause.name, err)
				}
				record, err := records.Decide(&open, domaintest.ChoiceFor(&open, terms.NoticeMissing), domaintest.StampOf(party))
				domaintest.Refused(t, cause.name, record, err)

				blocked, err := records.Decide(&open, domaintest.ChoiceFor(&open, terms.NoticeMissing), domaintest.StampOf(other))
				if err != nil {
					t.Fatalf("%s: another's record: %v", cause.name, err)
				}
				forged := forged(t, blocked, domaintest.Set("/reviewer/id", "party-z"), domaintest.Set("/reviewer/role", role.String()))
				later := domaintest.LookAgain(t, cause.from(), domaintest.RecheckedAt, edits...)
				domaintest.Refused(t, cause.name+", appended", records.Enforcement{}, forged.Recheck(&later, ""))
				if got := domaintest.Replayed(&open, forged); !got.Has(records.ReplayParty) {
					t.Errorf("%s, judged again: %+v", cause.name, got.Findings)
				}
				if got := domaintest.Replayed(&open, blocked); got.Has(records.ReplayParty) {
					t.Errorf("%s, another's record judged again: %+v", cause.name, got.Findings)
				}
			}
		}
	}
}

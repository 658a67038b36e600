package domain_test

import (
	"strings"
	"testing"

	"docket/domain"
)

// Every way in which a packet names its reviewer as a party. The packet itself is judged with another reviewer assigned,
// so that nothing but the person bars them.
var ownCauses = []struct {
	name string
	from func() scene
	edit edit
}{
	{"party to an appeal", appeal, set("/record/partyIds", []string{"party-b", "party-z"})},
	{"owner of an amendment", correction, set("/record/ownerId", "party-z")},
	{"required party", correction, set("/record/requiredParties", []string{"party-b", "party-z"})},
	{"party that confirmed", materialChange, confirmations(confirmationOf("party-a"), confirmationOf("party-b"),
		confirmationOf("party-z"))},
	{"party that will confirm", materialChange, confirmations(confirmationOf("party-a"), confirmationOf("party-b"),
		confirmationOf("party-z", "confirmedAt", farAhead))},
}

// Barred before deciding, refused when the record is made, when it is appended, and when it is judged again; also where
// nobody is assigned, and for the safety admin who may block what is another's.
func TestNobodyRecordsInTheirOwnCause(t *testing.T) {
	for _, cause := range ownCauses {
		for _, role := range domain.Roles.All() {
			for _, also := range [][]edit{nil, {del("/record/neutralReview/reviewerId")}, {set("/record/neutralReview/reviewerId", "party-z")}} {
				edits := append([]edit{cause.edit}, also...)
				party, other := person("party-z", role), person("admin-1", domain.SafetyAdmin)
				open := view(t, cause.from(), edits...)
				if err := domain.MayDecide(&open, party); err == nil || !strings.Contains(err.Error(), "you are a party to it") {
					t.Errorf("%s may open: %v", cause.name, err)
				}
				record, err := domain.Decide(&open, choiceFor(&open, domain.NoticeMissing), stampOf(party))
				refused(t, cause.name, record, err)

				blocked, err := domain.Decide(&open, choiceFor(&open, domain.NoticeMissing), stampOf(other))
				if err != nil {
					t.Fatalf("%s: another's record: %v", cause.name, err)
				}
				forged, err := reread(open.Area(), edited(blocked, set("/reviewer/id", "party-z"), set("/reviewer/role", role.String())))
				if err != nil {
					t.Fatal(err)
				}
				later := lookAgain(t, cause.from(), recheckedAt, edits...)
				refused(t, cause.name+", appended", domain.Enforcement{}, forged.Recheck(&later, ""))
				if got := replayed(&open, forged); !got.Has(domain.ReplayParty) {
					t.Errorf("%s, judged again: %+v", cause.name, got.Findings)
				}
				if got := replayed(&open, blocked); got.Has(domain.ReplayParty) {
					t.Errorf("%s, another's record judged again: %+v", cause.name, got.Findings)
				}
			}
		}
	}
}

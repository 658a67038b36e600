package records_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// Who may record what. A case is opened or it is not; opened, its gate is recorded as pass, as blocked by the rules, or
// as blocked by the reviewer alone.
var recorders = []struct {
	name                             string
	who                              records.Reviewer
	edits                            []domaintest.Edit
	opens, passes, blocks, tightened bool
}{
	{"the assigned reviewer", domaintest.Assigned, nil, true, true, true, true},
	{"another reviewer", domaintest.Person("reviewer-8", terms.NeutralReviewer), nil, false, false, false, false},
	{"another reviewer in capitals", domaintest.Person("Reviewer-7", terms.NeutralReviewer), nil, false, false, false, false},
	{"a safety admin", domaintest.Person("admin-1", terms.SafetyAdmin), nil, true, false, true, true},
	{"a safety admin who is assigned", domaintest.Person("reviewer-7", terms.SafetyAdmin), nil, true, true, true, true},
	{"the original decider", domaintest.Person("decider-1", terms.NeutralReviewer), nil, false, false, false, false},
	{"the original decider as safety admin", domaintest.Person("decider-1", terms.SafetyAdmin), nil, false, false, false, false},
	{"a recused reviewer", domaintest.Person("reviewer-3", terms.NeutralReviewer), nil, false, false, false, false},
	{"a recused safety admin", domaintest.Person("reviewer-3", terms.SafetyAdmin), nil, false, false, false, false},
	{"nobody", records.Reviewer{}, nil, false, false, false, false},
	{"somebody without an id", domaintest.Person("", terms.NeutralReviewer), nil, false, false, false, false},
	{"somebody without a role", domaintest.Person("reviewer-7", 0), nil, false, false, false, false},
	{"somebody without a key", records.Reviewer{ID: "reviewer-7", Role: terms.NeutralReviewer}, nil, true, false, false, false},
	{"the assigned reviewer, recused since", domaintest.Assigned,
		edits(`/record/neutralReview/recusedReviewerIds = ["reviewer-7"]`), false, false, false, false},
	{"the assigned reviewer, who took the decision", domaintest.Assigned,
		edits(`/record/originalDeciderId = "reviewer-7"`), false, false, false, false},
	{"anybody where nobody is assigned", domaintest.Person("reviewer-8", terms.NeutralReviewer),
		edits(`-/record/neutralReview/reviewerId`), true, false, true, false},
	{"a recused reviewer where nobody is assigned", domaintest.Person("reviewer-3", terms.NeutralReviewer),
		edits(`-/record/neutralReview/reviewerId`), false, false, false, false},
}

// The rules are checked when the record is made, and again when it is appended.
func TestTheRecordingRulesByReviewerAndGate(t *testing.T) {
	for _, from := range []func() domaintest.Scene{domaintest.Appeal, domaintest.Correction} {
		plain, later := domaintest.View(t, from()), domaintest.LookAgain(t, from(), domaintest.RecheckedAt)
		assigned := domaintest.Recorded(t, &plain, domaintest.ChoiceFor(&plain))
		for _, r := range recorders {
			open := domaintest.View(t, from(), r.edits...)
			if err := records.MayDecide(&open, r.who); (err == nil) != r.opens {
				t.Errorf("%s: may open: %v", r.name, err)
			}
			blocked := domaintest.View(t, from(), append(edits(`-/record/notice`), r.edits...)...)
			attempts := map[string]struct {
				view  views.View
				added []terms.Blocker
				may   bool
			}{
				"pass":      {open, nil, r.passes},
				"blocked":   {blocked, nil, r.blocks},
				"tightened": {open, []terms.Blocker{terms.NoticeMissing}, r.tightened},
			}
			if open.Evaluation().Gate() != terms.Pass {
				delete(attempts, "pass")
				delete(attempts, "tightened")
			}
			for gate, attempt := range attempts {
				record, err := records.Decide(&attempt.view, domaintest.ChoiceFor(&attempt.view, attempt.added...), domaintest.StampOf(r.who))
				if !attempt.may {
					domaintest.Refused(t, r.name+", "+gate, record, err)
					if gate == "pass" && r.edits == nil && r.who.ID.Present() && r.who.Role.Present() && r.who.KeyFingerprint != "" {
						other := forged(t, assigned, domaintest.Set("/reviewer/id", r.who.ID), domaintest.Set("/reviewer/role", r.who.Role))
						domaintest.Refused(t, r.name+", appended", records.Enforcement{}, other.Recheck(&later, ""))
					}
				} else if err != nil {
					t.Errorf("%s, %s: %v", r.name, gate, err)
				}
			}
		}
	}
}

func TestNothingToJudgeIsRefused(t *testing.T) {
	s := domaintest.Appeal()
	s.Question(t)
	policy := s.Stored(t, "policy")
	for name, v := range map[string]views.View{
		"zero view":    {},
		"no record":    views.New(policy, packets.Packet{}, rules.Latest{PolicyVersion: 3, Revision: 2}, domaintest.Instant(domaintest.Now)),
		"policy":       views.New(policy, policy, rules.Latest{PolicyVersion: 3, Revision: 2}, domaintest.Instant(domaintest.Now)),
		"not redacted": views.New(policy, (&packets.Unredacted{}).Redact(), rules.Latest{}, domaintest.Instant(domaintest.Now)),
	} {
		if v.Evaluation().Gate() != terms.Blocked {
			t.Errorf("%s passes", name)
		}
		if records.MayDecide(&v, domaintest.Assigned) == nil {
			t.Errorf("%s may be decided", name)
		}
		record, err := records.Decide(&v, domaintest.ChoiceFor(&v), domaintest.StampOf(domaintest.Assigned))
		domaintest.Refused(t, name, record, err)
	}
}

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

package domain_test

import (
	"testing"

	"docket/domain"
)

// Who may record what. A case is opened or it is not; opened, its gate is recorded as pass, as blocked by the rules, or
// as blocked by the reviewer alone.
var recorders = []struct {
	name                             string
	who                              domain.Reviewer
	edits                            []edit
	opens, passes, blocks, tightened bool
}{
	{"the assigned reviewer", assigned, nil, true, true, true, true},
	{"another reviewer", person("reviewer-8", domain.NeutralReviewer), nil, false, false, false, false},
	{"another reviewer in capitals", person("Reviewer-7", domain.NeutralReviewer), nil, false, false, false, false},
	{"a safety admin", person("admin-1", domain.SafetyAdmin), nil, true, false, true, true},
	{"a safety admin who is assigned", person("reviewer-7", domain.SafetyAdmin), nil, true, true, true, true},
	{"the original decider", person("decider-1", domain.NeutralReviewer), nil, false, false, false, false},
	{"the original decider as safety admin", person("decider-1", domain.SafetyAdmin), nil, false, false, false, false},
	{"a recused reviewer", person("reviewer-3", domain.NeutralReviewer), nil, false, false, false, false},
	{"a recused safety admin", person("reviewer-3", domain.SafetyAdmin), nil, false, false, false, false},
	{"nobody", domain.Reviewer{}, nil, false, false, false, false},
	{"somebody without an id", person("", domain.NeutralReviewer), nil, false, false, false, false},
	{"somebody without a role", person("reviewer-7", 0), nil, false, false, false, false},
	{"somebody without a key", domain.Reviewer{ID: "reviewer-7", Role: domain.NeutralReviewer}, nil, true, false, false, false},
	{"the assigned reviewer, recused since", assigned,
		[]edit{set("/record/neutralReview/recusedReviewerIds", []string{"reviewer-7"})}, false, false, false, false},
	{"the assigned reviewer, who took the decision", assigned,
		[]edit{set("/record/originalDeciderId", "reviewer-7")}, false, false, false, false},
	{"anybody where nobody is assigned", person("reviewer-8", domain.NeutralReviewer),
		[]edit{del("/record/neutralReview/reviewerId")}, true, false, true, false},
	{"a recused reviewer where nobody is assigned", person("reviewer-3", domain.NeutralReviewer),
		[]edit{del("/record/neutralReview/reviewerId")}, false, false, false, false},
}

func TestWhoMayRecordWhat(t *testing.T) {
	for _, from := range []func() scene{appeal, correction} {
		for _, r := range recorders {
			open := view(t, from(), r.edits...)
			if err := domain.MayDecide(&open, r.who); (err == nil) != r.opens {
				t.Errorf("%s: may open: %v", r.name, err)
			}
			blocked := view(t, from(), append([]edit{del("/record/notice")}, r.edits...)...)
			attempts := map[string]struct {
				view  domain.View
				added []domain.Blocker
				may   bool
			}{
				"pass":      {open, nil, r.passes},
				"blocked":   {blocked, nil, r.blocks},
				"tightened": {open, []domain.Blocker{domain.NoticeMissing}, r.tightened},
			}
			if open.Judgment().Gate() != domain.Pass {
				delete(attempts, "pass")
				delete(attempts, "tightened")
			}
			for gate, attempt := range attempts {
				record, err := domain.Decide(&attempt.view, choiceFor(&attempt.view, attempt.added...), stampOf(r.who))
				if !attempt.may {
					refused(t, r.name+", "+gate, record, err)
				} else if err != nil {
					t.Errorf("%s, %s: %v", r.name, gate, err)
				}
			}
		}
	}
}

// A safety admin may only block what is another's: the same choice is refused again where it is appended.
func TestWhoMayRecordIsCheckedAgainWhereTheRecordIsAppended(t *testing.T) {
	for _, from := range []func() scene{appeal, correction} {
		v := view(t, from())
		record := recorded(t, &v, choiceFor(&v))
		for name, id := range map[string]string{"elsewhere": "reviewer-8", "recused": "reviewer-3", "decider": "decider-1"} {
			forged, err := reread(v.Area(), edited(record, set("/reviewer/id", id)))
			if err != nil {
				t.Fatal(err)
			}
			later := lookAgain(t, from(), recheckedAt)
			refused(t, name, domain.Enforcement{}, forged.Recheck(&later, ""))
		}
		forged, err := reread(v.Area(), edited(record, set("/reviewer/id", "admin-1"), set("/reviewer/role", "safety_admin")))
		if err != nil {
			t.Fatal(err)
		}
		later := lookAgain(t, from(), recheckedAt)
		refused(t, "admin", domain.Enforcement{}, forged.Recheck(&later, ""))
	}
}

func TestNothingToJudgeIsRefused(t *testing.T) {
	s := appeal()
	s.question(t)
	policy := s.stored(t, "policy")
	for name, v := range map[string]domain.View{
		"zero view":    {},
		"no record":    domain.Look(policy, domain.Packet{}, domain.Latest{PolicyVersion: 3, Revision: 2}, instant(now)),
		"policy":       domain.Look(policy, policy, domain.Latest{PolicyVersion: 3, Revision: 2}, instant(now)),
		"not redacted": domain.Look(policy, (&domain.Unredacted{}).Redact(), domain.Latest{}, instant(now)),
	} {
		if v.Judgment().Gate() != domain.Blocked {
			t.Errorf("%s passes", name)
		}
		if domain.MayDecide(&v, assigned) == nil {
			t.Errorf("%s may be decided", name)
		}
		record, err := domain.Decide(&v, choiceFor(&v), stampOf(assigned))
		refused(t, name, record, err)
	}
}

package records

import (
	"slices"

	"docket/domain/terms"
)

// An Addition is what a record did with the blockers that people add.
type Addition struct {
	Record   RecordID // "" where a rejection of the service names the blockers
	Reviewer terms.ID // absent with it
	Revision int64    // of the case or amendment
	At       terms.Instant
	Codes    terms.BlockerSet // that people added
	Reasons  bool             // the record has a statement of reasons
}

// AdditionOf returns the blockers that a record adds.
func AdditionOf(m *Members) Addition {
	return Addition{m.RecordID, m.Reviewer.ID, m.Key.Number, m.RecordedAt, terms.SetOf(m.ReviewerBlockers...), m.StatementDigest.Present()}
}

// Unanswered returns those of all records on a case or an amendment, in force now or once, that
// added blockers before the revision and that no record in force on a later revision has answered
// with reasons. A safety blocker is never waived in silence (source 2.3.6 (5)).
func Unanswered(all []Addition, revision int64, inForce func(*Addition) bool) (open []Addition) {
	for i := range all {
		a := &all[i]
		if a.Codes.Empty() || a.Revision >= revision {
			continue
		}
		answers := func(b Addition) bool {
			return b.Reasons && b.Revision > a.Revision && b.Revision <= revision && a.At.NotAfter(b.At) && inForce(&b)
		}
		if !slices.ContainsFunc(all, answers) {
			open = append(open, *a)
		}
	}
	return open
}

// CodesOf returns the blockers of all additions.
func CodesOf(additions []Addition) (codes terms.BlockerSet) {
	for i := range additions {
		codes = codes.Union(additions[i].Codes)
	}
	return codes
}

package records

import (
	"encoding/json"
	"fmt"
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

// ReadAddition reads that of a stored record on a revision, and the blockers that the record carries. It reads no other member, so that a
// record that is damaged elsewhere still blocks. The error wraps ErrEnforcement.
func ReadAddition(document []byte, revision int64) (a Addition, carried terms.BlockerSet, err error) {
	var held struct {
		RecordID         RecordID
		RecordedAt       string
		Reviewer         struct{ ID terms.ID }
		ReviewerBlockers []terms.Blocker
		CarriedBlockers  []terms.Blocker
		StatementDigest  *string
	}
	err = json.Unmarshal(document, &held)
	at, timed := terms.ParseInstant(held.RecordedAt)
	if err != nil || !timed {
		return Addition{}, 0, fmt.Errorf("%w: what people added cannot be read", ErrEnforcement)
	}
	a = Addition{held.RecordID, held.Reviewer.ID, revision, at, terms.SetOf(held.ReviewerBlockers...), held.StatementDigest != nil}
	return a, terms.SetOf(held.CarriedBlockers...), nil
}

// AdditionOf is that of a record.
func AdditionOf(m *Members) Addition {
	return Addition{m.RecordID, m.Reviewer.ID, m.Key.Number, m.RecordedAt, terms.SetOf(m.ReviewerBlockers...), m.StatementDigest.Present()}
}

// Unanswered returns, of all records on a case or an amendment that are or were in force, those that added blockers on a revision
// before the given one, if no record in force on a later revision has given its reasons since. A safety blocker is never waived in
// silence (source 2.3.6 (5)): who does not add it again states why. A nil inForce answers nothing.
func Unanswered(all []Addition, revision int64, inForce func(*Addition) bool) (open []Addition) {
	for i := range all {
		a := &all[i]
		if a.Codes.Empty() || a.Revision >= revision {
			continue
		}
		answers := func(b Addition) bool {
			return b.Reasons && b.Revision > a.Revision && b.Revision <= revision && a.At.NotAfter(b.At) && inForce(&b)
		}
		if inForce == nil || !slices.ContainsFunc(all, answers) {
			open = append(open, *a)
		}
	}
	return open
}

// CodesOf are the blockers of all of them.
func CodesOf(additions []Addition) (codes terms.BlockerSet) {
	for i := range additions {
		codes = codes.Union(additions[i].Codes)
	}
	return codes
}

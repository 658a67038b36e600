package records

import (
	"fmt"
	"time"

	"docket/domain/terms"
)

// A SetbackKind says how the log that a service shows fails to extend the log that a console saw before (this project's choice).
type SetbackKind = terms.Term[setbackKindList]

type setbackKindList struct{}

// WordList returns the kinds.
func (setbackKindList) WordList() *terms.WordList { return setbackKindWords }

var setbackKindWords = terms.NewWordList("kind of a setback of a service's log", "rolled_back", "forked", "other_key", "unproven")

// The kinds.
const (
	LogRolledBack SetbackKind = iota + 1 // it has fewer records than before
	LogForked                            // it has other records in the places of those that it had
	LogOtherKey                          // its checkpoint is signed with another key, and no restore leads to that
	LogUnproven                          // the tiles that it gives out do not prove that it extends what it was
)

// SetbackKinds is the vocabulary, for parsing and listing.
var SetbackKinds terms.Terms[setbackKindList]

// setbackSentences say what each kind means, a clause.
var setbackSentences = [...]string{
	LogRolledBack: "it was rolled back",
	LogForked:     "it was forked: other records are in the places of those that it had",
	LogOtherKey:   "its checkpoint is signed with another key, and no statement of a restore leads to that",
	LogUnproven:   "it does not prove that it extends the log that it was",
}

// A Setback records that a service showed a log that does not extend the log that a console knew.
type Setback struct {
	Kind  SetbackKind
	At    terms.Instant // when the console was shown it
	Known LogHead       // what it knew
	Shown LogHead       // what it was shown
	// Settled says that the service later showed a log that extends the known one.
	Settled bool
}

// Sentence says in one clause what happened.
func (s *Setback) Sentence() string {
	of := s.Known.Origin
	if s.Shown.Origin != s.Known.Origin {
		of += fmt.Sprintf("; now %s", s.Shown.Origin)
	}
	shown := fmt.Sprintf("the service showed a log of size %d where one of size %d was known (%s): %s",
		s.Shown.Size, s.Known.Size, of, setbackSentences[s.Kind])
	if !s.At.Present() {
		return shown
	}
	return fmt.Sprintf("at %s %s", terms.InstantOf(s.At.Time().Truncate(time.Second)), shown)
}

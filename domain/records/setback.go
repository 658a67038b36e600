package records

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/domain/terms"
)

// A SetbackKind is how a service's log fails to extend the known one (this project's choice).
type SetbackKind = terms.Term[setbackKindList]

type setbackKindList struct{}

// WordList returns the kinds.
func (setbackKindList) WordList() *terms.WordList { return setbackKindWords }

var setbackKindWords = terms.NewWordList("kind of a setback of a service's log", "rolled_back", "forked", "other_key", "unproven")

// The kinds.
const (
	LogRolledBack SetbackKind = iota + 1 // it has fewer entries than before
	LogForked                            // it has other records in the places of those that it had
	LogOtherKey                          // another key signed it: after a restore, or another service
	LogUnproven                          // its tiles do not prove that it extends what it was
)

// SetbackKinds is the vocabulary, for parsing and listing.
var SetbackKinds terms.Terms[setbackKindList]

var setbackSentences = [...]string{
	LogRolledBack: "it was rolled back",
	LogForked:     "it was forked: other records are in the places of those that it had",
	LogOtherKey:   "its checkpoint is signed with another key, as after a restore",
	LogUnproven:   "it does not prove that it extends the log that it was",
}

// A Setback records that a service showed a log that does not extend the known one. The console
// takes and sends nothing until a person accepts the service.
type Setback struct {
	Kind SetbackKind
	At   terms.Instant // when the console was shown it
	ServiceChange
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

// A ServiceChange is what a person accepts of a service: the log with which the console goes on, in
// place of the one that it knew.
type ServiceChange struct {
	Known    LogHead // its Origin is the name of KnownKey
	KnownKey string
	Shown    LogHead
	ShownKey string
}

// Words lists the change for a ServiceAccepted statement: each log's verifier key, size and root.
func (c *ServiceChange) Words() []string {
	words := []string{c.KnownKey, strconv.FormatInt(c.Known.Size, 10), c.Known.Root.String()}
	return append(words, c.ShownKey, strconv.FormatInt(c.Shown.Size, 10), c.Shown.Root.String())
}

// ServiceChange reads the change out of a ServiceAccepted statement; false if it holds none.
func (s *LogStatement) ServiceChange() (c ServiceChange, ok bool) {
	if s.Kind != ServiceAccepted || len(s.Found) != 6 {
		return ServiceChange{}, false
	}
	c.KnownKey, c.ShownKey = s.Found[0], s.Found[3]
	for i, head := range []*LogHead{&c.Known, &c.Shown} {
		words := s.Found[3*i : 3*i+3]
		head.Origin, _, _ = strings.Cut(words[0], "+")
		head.Size, _ = strconv.ParseInt(words[1], 10, 64)
		head.Root, _ = terms.ParseHash(words[2])
	}
	return c, slices.Equal(c.Words(), s.Found) && OfService(c.Known.Origin) &&
		OfService(c.Shown.Origin) && c.Known.Size >= 0 && c.Shown.Size >= 0
}

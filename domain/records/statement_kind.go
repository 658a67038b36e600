package records

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/terms"
)

// A LogStatementKind is what a person states about a log (this project's choice).
type LogStatementKind = terms.Term[logStatementKindList]

type logStatementKindList struct{}

// WordList returns the kinds.
func (logStatementKindList) WordList() *terms.WordList { return logStatementKindWords }

// The kinds. The table of statementKinds says what each one holds and who signs it.
const (
	AnchorAccepted   LogStatementKind = iota + 1 // the log as it is, without a usable kept checkpoint
	ClockAccepted                                // a clock that stands before the newest record
	KeyEndorsed                                  // another key of the reviewer, by one that counts
	KeyReplaced                                  // a lost key by the one that signs
	KeyRevoked                                   // a key: what it signed from a record on is void
	KeyRegistered                                // a reviewer's key, by a service
	OperatorNamed                                // the person's key as that of a service's operator
	LogRestored                                  // a log's end: a new one goes on from its records
	Erased                                       // that something was erased
	OperatorChanged                              // another key as the operator's, by the operator
	OperatorReplaced                             // the person's key for the operator's, which is lost
	ServiceAccepted                              // a service's log that does not extend the known one
	ServiceNamed                                 // the log key of the service of the console
)

// LogStatementKinds is the vocabulary, for parsing and listing.
var LogStatementKinds terms.Terms[logStatementKindList]

var logStatementKindWords = func() *terms.WordList {
	var words []string
	for _, kind := range statementKinds[1:] {
		words = append(words, kind.word)
	}
	return terms.NewWordList("kind of a statement about a log", words...)
}()

// A statementKind is a row of the table of kinds.
type statementKind struct {
	word     string
	logs     whose                      // in whose logs it stands
	told     bool                       // consoles keep the ones of their service's log
	about    subject                    // which further lines it has
	log      signing                    // whether the log's key signs it
	holds    func(*LogStatement) bool   // whether the words are those of the kind
	sentence string                     // one clause, with the names of fill; "" where say says it
	say      func(*LogStatement) string // in one clause
}

type whose uint8

const (
	anyLog whose = iota
	consoleLog
	serviceLog
)

type subject uint8

const (
	aLog subject = iota
	aKey
	anOperator
	aRestore
)

type signing uint8

const (
	never     signing = iota
	optional          // the key of a restored log may be lost; it vouches for a person without a record in the log
	atService         // in a service's log, alone but for what its operator signs, too
	always            // with the person
	alone
)

// statementKinds says of every kind what it holds, in whose log, and who signs it.
var statementKinds = [...]statementKind{
	AnchorAccepted: {word: "anchor", log: optional, holds: hasWords,
		sentence: "anchor accepted at {at} by {by} with key {with}, of {size}: {words}"},
	ClockAccepted: {word: "clock", holds: hasWords,
		sentence: "clock accepted at {at} by {by} with key {with}, of {size}: {words}"},
	KeyEndorsed: {word: "key_endorsed", logs: consoleLog, about: aKey, holds: hasNoWords,
		sentence: "{by} endorsed the key {key} with key {with} at {at}, of {size}"},
	KeyReplaced: {word: "key_replaced", logs: consoleLog, about: aKey, log: always, holds: hasNoWords,
		sentence: "{by} replaced a lost key by {with} at {at}, of {size}; only the log's key vouches for it"},
	KeyRevoked: {word: "key_revoked", told: true, about: aKey, log: atService, say: sayRevoked,
		holds: func(s *LogStatement) bool { return len(s.Found) == 0 || s.ofService() && s.byOperator() }},
	KeyRegistered: {word: "key_registered", logs: serviceLog, told: true, about: aKey, log: alone, holds: hasNoWords,
		sentence: "the service registered the key {with} of {by} at {at}"},
	OperatorNamed: {word: "operator", logs: serviceLog, told: true, about: anOperator, log: always, holds: hasNoWords,
		sentence: "{by} with key {with} was named as the operator at {at}, of {size}"},
	LogRestored: {word: "restore", told: true, about: aRestore, log: optional, holds: (*LogStatement).restores, say: sayRestored},
	Erased:      {word: "erasure", told: true, log: always, holds: (*LogStatement).erases, say: sayErased},
	OperatorChanged: {word: "operator_changed", logs: serviceLog, told: true, about: anOperator, log: always,
		holds: func(s *LogStatement) bool {
			id, fingerprint := s.NewOperator()
			_, is := terms.ParseID(string(id))
			return len(s.Found) == 2 && is && isFingerprint(fingerprint) && fingerprint != s.KeyFingerprint
		},
		sentence: "{operator} with key {newkey} was named as the operator at {at} by the operator before, {by} with key {with}, of {size}"},
	OperatorReplaced: {word: "operator_replaced", logs: serviceLog, told: true, about: anOperator, log: always,
		holds: func(s *LogStatement) bool {
			return len(s.Found) == 1 && isFingerprint(s.Found[0]) && s.Found[0] != s.KeyFingerprint
		},
		sentence: "{by} with key {with} took the place of the operator with the lost key {words} at {at}, of {size}; " +
			"only the log's key vouches for it"},
	ServiceAccepted: {word: "service", logs: consoleLog, log: optional, say: sayService,
		holds: func(s *LogStatement) bool {
			_, ok := s.ServiceChange()
			return ok
		}},
	ServiceNamed: {word: "service_named", logs: consoleLog, log: always,
		holds:    func(s *LogStatement) bool { return len(s.Found) == 1 && OfService(s.Found[0]) },
		sentence: "service named at {at} by {by} with key {with}, of {size}: {words}"},
}

func hasWords(s *LogStatement) bool   { return len(s.Found) > 0 }
func hasNoWords(s *LogStatement) bool { return len(s.Found) == 0 }

func (s *LogStatement) erases() bool {
	e, ok := ErasureOf(s.Found)
	return ok && slices.Equal(e.Words(), s.Found)
}

// fill puts what the statement says in the places of the names of a sentence.
func (s *LogStatement) fill(sentence string) string {
	operator, key := s.NewOperator()
	return strings.NewReplacer("{at}", s.At.String(), "{by}", string(s.By), "{with}", s.KeyFingerprint, "{size}", Count(s.Size),
		"{words}", strings.Join(s.Found, ", "), "{key}", s.Key.PublicKey, "{operator}", string(operator), "{newkey}", key).Replace(sentence)
}

func sayErased(s *LogStatement) string {
	e, _ := ErasureOf(s.Found)
	where, of := "", ", of {size}"
	if s.ofService() {
		where, of = " at the service", ""
	}
	return fmt.Sprintf("%s erased%s%s: %s", e, where, s.fill(" at {at} by {by} with key {with}"+of), e.Reason)
}

func sayService(s *LogStatement) string {
	c, _ := s.ServiceChange()
	return fmt.Sprintf("%s: its log %s of size %d in the place of %s of size %d",
		s.fill("service accepted at {at} by {by} with key {with}, of {size}"), c.Shown.Origin, c.Shown.Size, c.Known.Origin, c.Known.Size)
}

func sayRevoked(s *LogStatement) string {
	by := "with key {with}"
	switch {
	case s.ofService() && s.byOperator():
		by = "by the service's operator with key {with}"
	case s.ofService():
		by = "by the service"
	}
	return s.fill("the key {key} of {by} was revoked "+by+" at {at}, from ") + fmt.Sprintf("entry %d on, of %s", s.Key.From, Count(s.Size))
}

func sayRestored(s *LogStatement) string {
	text := s.fill("restored at {at} by {by} with key {with} from {size} of ") + fmt.Sprintf("%s (%s)", s.Origin, s.Restore.Reason)
	if len(s.Found) > 0 {
		text += "; found then: " + strings.Join(s.Found, ", ")
	}
	switch lost := s.Lost(); lost {
	case 0:
		return text + "; it is not known to have had more"
	case 1:
		return text + "; 1 entry that it is known to have had after them was not restored"
	default:
		return fmt.Sprintf("%s; %d entries that it is known to have had after them were not restored", text, lost)
	}
}

func (s *LogStatement) kind() *statementKind { return &statementKinds[s.Kind] }

func (s *LogStatement) ofService() bool { return OfService(s.Origin) }

func (s *LogStatement) byOperator() bool { return slices.Equal(s.Found, []string{byOperator}) }

// whole reports whether the statement says all of its kind, and stands in the log of one who may.
func (s *LogStatement) whole() bool {
	kind := s.kind()
	return kind.word != "" && (kind.logs == anyLog || (kind.logs == serviceLog) == s.ofService()) && kind.holds(s) &&
		(kind.about != aKey || s.Key.whole(s))
}

// Sentence says in one clause what was stated, by whom and about which log.
func (s *LogStatement) Sentence() string {
	if kind := s.kind(); kind.say != nil {
		return kind.say(s)
	}
	return s.fill(s.kind().sentence)
}

// AboutKey reports whether the statement is about a reviewer's key.
func (s *LogStatement) AboutKey() bool { return s.kind().about == aKey }

// AboutOperator reports whether the statement names the operator of a service.
func (s *LogStatement) AboutOperator() bool { return s.kind().about == anOperator }

// OfServiceToConsoles reports whether consoles keep the statement of a service's own log: its
// operator, a restore, a key that it registered or revoked, or what its operator erased.
func (s *LogStatement) OfServiceToConsoles() bool { return s.kind().told && s.ofService() }

// LogSigns reports whether the log's key must sign the statement; it or the person's key must.
func (s *LogStatement) LogSigns() bool {
	log := s.kind().log
	return log >= always || log == atService && s.ofService()
}

// LogMaySign reports whether the log's signature is optional.
func (s *LogStatement) LogMaySign() bool { return s.kind().log == optional }

// PersonSigns reports whether the key that the statement names must sign it.
func (s *LogStatement) PersonSigns() bool {
	log := s.kind().log
	return log != alone && !(log == atService && s.ofService() && !s.byOperator())
}

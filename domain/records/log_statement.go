package records

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/domain/terms"
)

// LogStatementNamespace is the SSHSIG namespace of statements about a log, apart from records.
const LogStatementNamespace = "docket-log-statement"

// A LogStatementKind is what a person states about a log (this project's choice).
type LogStatementKind = terms.Term[logStatementKindList]

type logStatementKindList struct{}

// WordList returns the kinds.
func (logStatementKindList) WordList() *terms.WordList { return logStatementKindWords }

var logStatementKindWords = terms.NewWordList("kind of a statement about a log", "anchor", "clock",
	"key_endorsed", "key_replaced", "key_revoked", "key_registered", "operator", "restore", "erasure",
	"operator_changed", "operator_replaced", "service", "service_named")

// The kinds. LogSigns and LogMaySign tell where the log's key signs, too.
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

// A LogStatement says of a log what no check can decide. It is signed in the LogStatementNamespace,
// kept append-only beside the log, exported with it and named by every check.
type LogStatement struct {
	Kind           LogStatementKind
	Origin         string     // of the log
	Size           int64      // of the log when it was stated
	Root           terms.Hash // the same
	At             terms.Instant
	By             terms.ID // the person
	KeyFingerprint string   // of the key that signs the statement
	// Found lists codes of findings, one word each, or, for a clock, the time of the newest record.
	// A statement that accepts something has at least one.
	Found   []string
	Key     KeyChange // of a statement about a key; else zero
	Restore Restore   // zero but of a restore
}

// Sentence says in one clause what was stated, by whom and about which log.
func (s *LogStatement) Sentence() string {
	if s.AboutKey() {
		return s.Key.sentence(s)
	}
	if e, is := s.Erasure(); is {
		if OfService(s.Origin) {
			return fmt.Sprintf("%s erased at the service at %s by %s with key %s: %s", e, s.At, s.By, s.KeyFingerprint, e.Reason)
		}
		return fmt.Sprintf("%s erased at %s by %s with key %s, of %s: %s", e, s.At, s.By, s.KeyFingerprint, Count(s.Size), e.Reason)
	}
	switch s.Kind {
	case OperatorChanged:
		id, fingerprint := s.NewOperator()
		return fmt.Sprintf(
			"%s with key %s was named as the operator at %s by the operator before, %s with key %s, of %s",
			id, fingerprint, s.At, s.By, s.KeyFingerprint, Count(s.Size))
	case OperatorReplaced:
		return fmt.Sprintf("%s with key %s took the place of the operator with the lost key %s at %s, of %s; only the log's key vouches for it",
			s.By, s.KeyFingerprint, s.Found[0], s.At, Count(s.Size))
	case OperatorNamed:
		return fmt.Sprintf("%s with key %s was named as the operator at %s, of %s", s.By, s.KeyFingerprint, s.At, Count(s.Size))
	case ServiceAccepted:
		return s.acceptedService()
	case ServiceNamed:
		return fmt.Sprintf("service named at %s by %s with key %s, of %s: %s", s.At, s.By, s.KeyFingerprint, Count(s.Size), s.Found[0])
	case LogRestored:
		return s.Restore.sentence(s)
	}
	return fmt.Sprintf("%s accepted at %s by %s with key %s, of %s: %s", s.Kind, s.At, s.By,
		s.KeyFingerprint, Count(s.Size), strings.Join(s.Found, ", "))
}

// OfServiceToConsoles reports whether consoles keep the statement of a service's own log: its
// operator, a restore, a key that it registered or revoked, or what its operator erased.
func (s *LogStatement) OfServiceToConsoles() bool {
	if !OfService(s.Origin) {
		return false
	}
	return s.AboutOperator() || s.Kind == LogRestored || s.Kind == KeyRegistered || s.Kind == KeyRevoked || s.Kind == Erased
}

// AboutOperator reports whether the statement names the operator of a service.
func (s *LogStatement) AboutOperator() bool {
	return s.Kind == OperatorNamed || s.Kind == OperatorChanged || s.Kind == OperatorReplaced
}

// NewOperator returns the operator that the statement names, with the fingerprint of the key.
func (s *LogStatement) NewOperator() (id terms.ID, fingerprint string) {
	if s.Kind == OperatorChanged && len(s.Found) == 2 {
		return terms.ID(s.Found[0]), s.Found[1]
	}
	return s.By, s.KeyFingerprint
}

// Count is a number of entries in words: "1 entry", "2 entries".
func Count(n int64) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// ErrLogStatement says that a text is not a statement about a log.
var ErrLogStatement = errors.New("it is not a statement about a log")

const (
	logStatementHead  = "docket-log-statement/v1"
	logStatementLines = 9
)

// Text is the statement that is signed, nine lines:
//
//	docket-log-statement/v1
//	<kind>
//	<origin of the log>
//	<size of the log>
//	<root of the log>
//	<time>
//	<id of the person>
//	<fingerprint of the person's key>
//	<what was found, words with one space between>
//
// A statement about a key has three more:
//
//	<public key in the form of authorized_keys, without a comment>
//	<size of the log from which on a revoked key does not count, or ->
//	<digest of the statement before, or ->
//
// A restore has more of them, too:
//
//	<reason>
//	<verifier key of the log that ends>
//	<verifier key of the log that begins>
//	<where a head is known from> <size> <root>	(as often as there are heads)
func (s *LogStatement) Text() string {
	lines := []string{logStatementHead, s.Kind.String(), s.Origin, strconv.FormatInt(s.Size, 10), s.Root.String(),
		s.At.String(), string(s.By), s.KeyFingerprint, strings.Join(s.Found, " ")}
	if s.AboutKey() {
		lines = append(lines, s.Key.lines(s.Kind)...)
	}
	if s.Kind == LogRestored {
		lines = append(lines, s.Restore.lines()...)
	}
	return strings.Join(lines, "\n") + "\n"
}

// ReadLogStatement reads what Text wrote, byte for byte. It does not verify a signature. The error
// wraps ErrLogStatement.
func ReadLogStatement(text string) (LogStatement, error) {
	body, ended := strings.CutSuffix(text, "\n")
	lines := strings.Split(body, "\n")
	if !ended || len(lines) < logStatementLines || lines[0] != logStatementHead {
		return LogStatement{}, ErrLogStatement
	}
	kind, err := LogStatementKinds.Parse(lines[1])
	if err != nil {
		return LogStatement{}, fmt.Errorf("%w: %w", ErrLogStatement, err)
	}
	s := LogStatement{Kind: kind, Origin: lines[2], KeyFingerprint: lines[7], Found: strings.Fields(lines[8])}
	size, err := strconv.ParseInt(lines[3], 10, 64)
	if err != nil || size < 0 {
		return LogStatement{}, ErrLogStatement
	}
	s.Size = size
	var root, at, by bool
	s.Root, root = terms.ParseHash(lines[4])
	s.At, at = terms.ParseInstant(lines[5])
	s.By, by = terms.ParseID(lines[6])
	if s.AboutKey() {
		if s.Key, err = readKeyChange(lines[logStatementLines:]); err != nil {
			return LogStatement{}, err
		}
	}
	if kind == LogRestored {
		if s.Restore, err = readRestore(lines[logStatementLines:]); err != nil {
			return LogStatement{}, err
		}
	}
	if !root || !at || !by || s.Origin == "" || s.KeyFingerprint == "" || !s.whole() || s.Text() != text {
		return LogStatement{}, ErrLogStatement
	}
	return s, nil
}

func (s *LogStatement) whole() bool {
	switch s.Kind {
	case AnchorAccepted, ClockAccepted:
		return len(s.Found) > 0
	case KeyEndorsed, KeyReplaced, KeyRegistered:
		return len(s.Found) == 0 && s.Key.whole(s)
	case KeyRevoked:
		return (len(s.Found) == 0 || OfService(s.Origin) && slices.Equal(s.Found, []string{byOperator})) && s.Key.whole(s)
	case OperatorNamed:
		return OfService(s.Origin) && len(s.Found) == 0
	case OperatorChanged:
		if len(s.Found) != 2 || !isFingerprint(s.Found[1]) || s.Found[1] == s.KeyFingerprint {
			return false
		}
		_, is := terms.ParseID(s.Found[0])
		return is && OfService(s.Origin)
	case OperatorReplaced:
		return OfService(s.Origin) && len(s.Found) == 1 && isFingerprint(s.Found[0]) && s.Found[0] != s.KeyFingerprint
	case LogRestored:
		return s.Restore.whole(s)
	case ServiceAccepted:
		_, ok := s.ServiceChange()
		return ok && !OfService(s.Origin)
	case ServiceNamed:
		return len(s.Found) == 1 && OfService(s.Found[0]) && !OfService(s.Origin)
	case Erased:
		e, ok := ErasureOf(s.Found)
		return ok && slices.Equal(e.Words(), s.Found)
	}
	return false
}

func isFingerprint(word string) bool {
	hash, found := strings.CutPrefix(word, "SHA256:")
	raw, err := base64.RawStdEncoding.Strict().DecodeString(hash)
	return found && err == nil && len(raw) == sha256.Size
}

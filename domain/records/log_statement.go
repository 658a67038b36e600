package records

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"docket/domain/terms"
)

// LogStatementNamespace is the SSHSIG namespace of statements about a log, apart from records.
const LogStatementNamespace = "docket-log-statement"

// A LogStatement says of a log what no check can decide. It is signed in the LogStatementNamespace,
// an entry of the log, and named by every check.
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
// A statement about a key has two more:
//
//	<public key in the form of authorized_keys, without a comment>
//	<size of the log from which on a revoked key does not count, or ->
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
	if s.kind().about == aRestore {
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
	if s.kind().about == aRestore {
		if s.Restore, err = readRestore(lines[logStatementLines:]); err != nil {
			return LogStatement{}, err
		}
	}
	if !root || !at || !by || s.Origin == "" || s.KeyFingerprint == "" || !s.whole() || s.Text() != text {
		return LogStatement{}, ErrLogStatement
	}
	return s, nil
}

func isFingerprint(word string) bool {
	hash, found := strings.CutPrefix(word, "SHA256:")
	raw, err := base64.RawStdEncoding.Strict().DecodeString(hash)
	return found && err == nil && len(raw) == sha256.Size
}

package domain

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// LogStatementNamespace is the SSHSIG namespace of statements about a log, so that no signature of one is taken for that of
// a record.
const LogStatementNamespace = "docket-log-statement"

// A LogStatementKind is what a person accepted of a log (this project's choice).
type LogStatementKind = Word[logStatementKindList]

type logStatementKindList struct{}

// WordList returns the kinds.
func (logStatementKindList) WordList() *WordList { return logStatementKindWords }

var logStatementKindWords = NewWordList("kind of a statement about a log", "anchor", "clock")

// The kinds.
const (
	AnchorAccepted LogStatementKind = iota + 1 // the log as it is, where no usable checkpoint was kept outside the store
	ClockAccepted                              // a clock that stands before the newest record
)

// LogStatementKinds is the vocabulary, for parsing and listing.
var LogStatementKinds Vocabulary[logStatementKindList]

// A LogStatement says that a person accepted something about a log that no check can decide. It is signed with the person's
// key in the LogStatementNamespace, kept append-only beside the log, exported with it and named by every check.
type LogStatement struct {
	Kind           LogStatementKind
	Origin         string // of the log
	Size           int64  // of the log when it was accepted
	Root           Hash   // likewise
	At             Instant
	By             ID     // the reviewer
	KeyFingerprint string // of the key that signs the statement
	// Found is what was found: codes of findings, or for a clock the time of the newest record. Each is a word.
	Found []string
}

// ErrLogStatement says that a text is not a statement about a log.
var ErrLogStatement = errors.New("it is not a statement about a log")

const logStatementHead = "docket-log-statement/v1"

// Text is the statement that is signed, nine lines:
//
//	docket-log-statement/v1
//	<kind>
//	<origin of the log>
//	<size of the log>
//	<root of the log>
//	<time>
//	<id of the reviewer>
//	<fingerprint of the reviewer's key>
//	<what was found, words with one space between>
func (s *LogStatement) Text() string {
	return strings.Join([]string{logStatementHead, s.Kind.String(), s.Origin, strconv.FormatInt(s.Size, 10), s.Root.String(),
		s.At.String(), string(s.By), s.KeyFingerprint, strings.Join(s.Found, " "), ""}, "\n")
}

// ReadLogStatement reads a statement, of which every byte counts. Whether it is signed is for the caller to find. The error
// wraps ErrLogStatement.
func ReadLogStatement(text string) (LogStatement, error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 10 || lines[0] != logStatementHead {
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
	s.Root, root = ParseHash(lines[4])
	s.At, at = ParseInstant(lines[5])
	s.By, by = ParseID(lines[6])
	if !root || !at || !by || s.Origin == "" || s.KeyFingerprint == "" || len(s.Found) == 0 || s.Text() != text {
		return LogStatement{}, ErrLogStatement
	}
	return s, nil
}

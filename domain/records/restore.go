package records

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/domain/terms"
)

// A RestoreReason is why a log was restored (this project's choice).
type RestoreReason = terms.Term[restoreReasonList]

type restoreReasonList struct{}

// WordList returns the reasons.
func (restoreReasonList) WordList() *terms.WordList { return restoreReasonWords }

var restoreReasonWords = terms.NewWordList("reason of a restore", "store_lost", "store_damaged", "key_lost", "key_exposed", "planned")

// The reasons.
const (
	StoreLost    RestoreReason = iota + 1 // the file is gone
	StoreDamaged                          // the file does not verify or cannot be read
	KeyLost                               // the log's key is gone
	KeyExposed                            // the log's key may be in other hands
	KeyChanged                            // nothing is lost: another key signs, as planned
)

// RestoreReasons is the vocabulary, for parsing and listing.
var RestoreReasons terms.Terms[restoreReasonList]

// A KnownFrom is the source of a head that a restore was compared with (this project's choice).
type KnownFrom = terms.Term[knownFromList]

type knownFromList struct{}

// WordList returns the sources.
func (knownFromList) WordList() *terms.WordList { return knownFromWords }

var knownFromWords = terms.NewWordList("source of a head of a log", "anchor", "checkpoint", "receipt")

// The sources.
const (
	KnownFromAnchor     KnownFrom = iota + 1 // the checkpoint that the machine kept outside the store
	KnownFromCheckpoint                      // a checkpoint that somebody kept, signed by the log
	KnownFromReceipt                         // a receipt of a record, which the log does not sign
)

// KnownFroms is the vocabulary, for parsing and listing.
var KnownFroms terms.Terms[knownFromList]

// A KnownHead is a head of a log that was known when the log was restored.
type KnownHead struct {
	From KnownFrom
	Size int64
	Root terms.Hash
}

// A Restore holds the additional lines of a LogRestored statement, whose origin, size and root are
// of the restored part of the log that ends, a prefix of the log that begins.
type Restore struct {
	OldKey string // of the log that ends: its verifier key, "<origin>+<hash>+<base64>"
	NewKey string // of the log that begins
	Reason RestoreReason
	Known  []KnownHead // what was known of the log that ends, at most MostKnown
}

// MostKnown is how many heads a restore states at most.
const MostKnown = 16

// NewOrigin is the origin of the log that begins, which is the name of its key.
func (r *Restore) NewOrigin() string {
	origin, _, _ := strings.Cut(r.NewKey, "+")
	return origin
}

// Lost is how many entries the log is known to have had after those that were restored.
func (s *LogStatement) Lost() int64 {
	newest := s.Size
	for _, head := range s.Restore.Known {
		newest = max(newest, head.Size)
	}
	return newest - s.Size
}

func (r *Restore) lines() []string {
	lines := []string{r.Reason.String(), r.OldKey, r.NewKey}
	for _, head := range r.Known {
		lines = append(lines, fmt.Sprintf("%s %d %s", head.From, head.Size, head.Root))
	}
	return lines
}

// whole reports whether the statement's log ends and one of the same kind begins.
func (s *LogStatement) restores() bool {
	r := &s.Restore
	old, _, keyed := strings.Cut(r.OldKey, "+")
	begins := r.NewOrigin()
	return keyed && old == s.Origin && begins != s.Origin &&
		OfService(begins) == OfService(s.Origin) && strings.HasPrefix(begins, OriginPrefix)
}

func readRestore(lines []string) (r Restore, err error) {
	if len(lines) < 3 || len(lines) > 3+MostKnown || slices.Contains(lines, "") {
		return Restore{}, ErrLogStatement
	}
	if r.Reason, err = RestoreReasons.Parse(lines[0]); err != nil {
		return Restore{}, fmt.Errorf("%w: %w", ErrLogStatement, err)
	}
	r.OldKey, r.NewKey = lines[1], lines[2]
	for _, line := range lines[3:] {
		parts := strings.Split(line, " ")
		if len(parts) != 3 {
			return Restore{}, ErrLogStatement
		}
		var head KnownHead
		var hashed bool
		head.From, err = KnownFroms.Parse(parts[0])
		if err == nil {
			head.Size, err = strconv.ParseInt(parts[1], 10, 64)
		}
		head.Root, hashed = terms.ParseHash(parts[2])
		if err != nil || !hashed || head.Size < 0 {
			return Restore{}, ErrLogStatement
		}
		r.Known = append(r.Known, head)
	}
	return r, nil
}

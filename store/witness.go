package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/merkle"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A CheckpointSubmission is a checkpoint of a console's log that a principal submits to a service to be cosigned.
type CheckpointSubmission struct {
	Principal  terms.ID
	Checkpoint []byte       // signed by the log alone
	Key        string       // of the log, in the form of golang.org/x/mod/sumdb/note
	OldSize    int64        // what the service last saw
	Proof      []terms.Hash // RFC 6962 consistency proof from there; none from 0
}

// A Cosigned is a service's cosignature of a checkpoint.
type Cosigned struct {
	Size        int64
	Cosignature string // one signature line of C2SP tlog-cosignature, with its end
	Key         string // by which it is verified
}

// A WitnessFault is why a checkpoint is not cosigned. There is no zero fault.
type WitnessFault uint8

// The faults.
const (
	WitnessUnreadable WitnessFault = iota + 1 // it is not a checkpoint that the log's key signed, or the proof cannot be one
	WitnessForked                             // it does not extend what the service last saw
	WitnessShorter                            // the log is shorter than what the service last saw, or what it saw is not where the proof begins
)

var witnessFaults = [...]struct{ word, meaning string }{
	WitnessUnreadable: {"unreadable", "it is not a checkpoint that the log's key signed"},
	WitnessForked:     {"forked", "it does not extend what was last seen of the log"},
	WitnessShorter:    {"shorter", "more was seen of the log, or less, than it begins with"},
}

// String returns the fault's word.
func (f WitnessFault) String() string { return witnessFaults[f].word }

// A WitnessError says why a checkpoint is not cosigned.
type WitnessError struct {
	Fault WitnessFault
	Size  int64 // that the service last saw of the log; 0 for nothing
}

// Error says what the fault is.
func (e *WitnessError) Error() string {
	return fmt.Sprintf("the checkpoint is not cosigned: %s (%d records)", witnessFaults[e.Fault].meaning, e.Size)
}

// A verifiedSubmission is a submission whose signature verified.
type verifiedSubmission struct {
	*CheckpointSubmission
	origin, text string
	merkle.Checkpoint
}

// mostProof is how many hashes a consistency proof has at most.
const mostProof = 64

// read verifies that the checkpoint is what the log of the key signed, and that the log is a console's.
func (l *CheckpointSubmission) read() (verifiedSubmission, error) {
	unreadable := &WitnessError{Fault: WitnessUnreadable}
	verifier, err := note.NewVerifier(l.Key)
	if err != nil || len(l.Proof) > mostProof || l.OldSize < 0 || l.OldSize == 0 && len(l.Proof) > 0 {
		return verifiedSubmission{}, unreadable
	}
	origin := verifier.Name()
	opened, err := note.Open(l.Checkpoint, note.VerifierList(verifier))
	if err != nil || len(opened.Sigs) != 1 || len(opened.UnverifiedSigs) > 0 || !ofConsole(origin) {
		return verifiedSubmission{}, unreadable
	}
	signature := opened.Sigs[0]
	if string(l.Checkpoint) != opened.Text+"\n— "+signature.Name+" "+signature.Base64+"\n" {
		return verifiedSubmission{}, unreadable // written in another way than logs write it
	}
	var parsed log.Checkpoint
	if _, err := parsed.Unmarshal([]byte(opened.Text)); err != nil || parsed.Origin != origin || len(parsed.Hash) != tlog.HashSize ||
		parsed.Size > math.MaxInt64 || string(parsed.Marshal()) != opened.Text {
		return verifiedSubmission{}, unreadable
	}
	c := merkle.Checkpoint{Size: int64(parsed.Size), Root: tlog.Hash(parsed.Hash), Note: l.Checkpoint}
	if empty, err := tlog.TreeHash(0, nil); err != nil || c.Size == 0 && c.Root != empty || c.Size >= merkle.MostRecords {
		return verifiedSubmission{}, unreadable
	}
	return verifiedSubmission{l, origin, opened.Text, c}, nil
}

// mostDigits is more than the origin of any console's log has.
const mostDigits = 64

// ofConsole reports whether an origin is one of a console's log: records.OriginPrefix and hex digits.
func ofConsole(origin string) bool {
	digits, found := strings.CutPrefix(origin, records.OriginPrefix)
	return found && digits != "" && len(digits) <= mostDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

// Cosign verifies that the checkpoint is one of its log, and that it extends what the service last saw of that log,
// remembers it for good and cosigns it. A checkpoint that is submitted again is cosigned again. A log
// is identified by its key: only the holder of the key can have signed a checkpoint. The error is a *WitnessError if the checkpoint is
// at fault; a fork and a shortening are remembered, too: see Disputed.
func (s *Store) Cosign(ctx context.Context, l CheckpointSubmission) (cosigned Cosigned, err error) {
	read, err := l.read()
	if err != nil {
		return Cosigned{}, err
	}
	var fault *WitnessError
	err = s.serving(ctx, "remember the checkpoint", func(ctx context.Context, tx *sql.Tx) (err error) {
		if fault, err = s.witness(ctx, tx, &read); err != nil || fault != nil {
			return err
		}
		cosigned = Cosigned{Size: read.Size, Key: s.key.Cosigner.Encoded}
		cosigned.Cosignature, err = s.key.Cosigner.Cosign(read.text)
		return err
	})
	switch {
	case err != nil:
		return Cosigned{}, err
	case fault != nil:
		return Cosigned{}, fault
	}
	return cosigned, nil
}

// witness compares a checkpoint with the newest one of its log, and keeps it, or its fault.
func (s *Store) witness(ctx context.Context, tx *sql.Tx, l *verifiedSubmission) (*WitnessError, error) {
	at := terms.InstantOf(s.now()).String()
	last, err := lastSeen(ctx, tx, l.Key)
	if err != nil {
		return nil, err
	}
	fault, dispute := l.faultAfter(last)
	switch {
	case fault == 0 && (last == nil || last.size < l.Size):
		const statement = "INSERT INTO main." + witnessedTable +
			" (origin, size, principal, key, checkpoint, witnessedAt) VALUES (?, ?, ?, ?, ?, ?)"
		return nil, changeOne(ctx, tx, statement, l.origin, l.Size, string(l.Principal), l.Key, string(l.Note), at)
	case fault == 0:
		return nil, nil
	}
	held := int64(0)
	if last != nil {
		held = last.size
	}
	if dispute {
		err = l.remember(ctx, tx, fault, held, at)
	}
	return &WitnessError{fault, held}, err
}

// faultAfter returns the fault of the checkpoint, given the newest one that was seen; 0 for none. dispute reports that the fault is
// the log's and not the submission's.
func (l *verifiedSubmission) faultAfter(last *seenLog) (fault WitnessFault, dispute bool) {
	switch {
	case last == nil && l.OldSize == 0:
		return 0, false
	case last == nil:
		return WitnessShorter, false
	case l.Size < last.size:
		return WitnessShorter, true
	case l.Size == last.size && l.Root != last.root:
		return WitnessForked, true
	case l.Size == last.size:
		return 0, false
	case l.OldSize != last.size:
		return WitnessShorter, false
	case last.size == 0:
		return 0, false
	}
	proof := make(tlog.TreeProof, len(l.Proof))
	for i, hash := range l.Proof {
		proof[i] = merkle.ToTree(hash)
	}
	if tlog.CheckTree(proof, l.Size, l.Root, last.size, last.root) != nil {
		return WitnessForked, true
	}
	return 0, false
}

// A seenLog is what was last seen of a log.
type seenLog struct {
	size int64
	root tlog.Hash
}

// lastSeen returns nil where nothing was seen of the log.
func lastSeen(ctx context.Context, tx *sql.Tx, key string) (*seenLog, error) {
	const query = "SELECT size, checkpoint FROM main." + witnessedTable + " WHERE key = ? ORDER BY size DESC LIMIT 1"
	var l seenLog
	var signed []byte
	err := tx.QueryRowContext(ctx, query, key).Scan(&l.size, &signed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	again := CheckpointSubmission{Checkpoint: signed, Key: key}
	read, err := again.read()
	if err != nil || read.Size != l.size {
		return nil, fmt.Errorf("the checkpoint of a log that was last seen: %w", ErrDamaged)
	}
	l.root = read.Root
	return &l, nil
}

// A Witnessed is what a service last saw of a console's log.
type Witnessed struct {
	Origin     string
	Principal  terms.ID // who submitted it
	Key        string
	Size       int64
	Checkpoint []byte // as it was signed
	At         terms.Instant
}

// Witnessed lists the newest checkpoint of each log, in the order of their origins.
func (s *Store) Witnessed(ctx context.Context) (logs []Witnessed, err error) {
	const query = "SELECT origin, principal, key, max(size), checkpoint, witnessedAt FROM main." + witnessedTable +
		" GROUP BY key ORDER BY origin, key"
	err = s.reading(ctx, "read the checkpoints that were submitted", func(ctx context.Context, tx *sql.Tx) error {
		return eachRow(ctx, tx, query, func(scan func(...any) error) error {
			var w Witnessed
			var at string
			err := scan(&w.Origin, &w.Principal, &w.Key, &w.Size, &w.Checkpoint, &at)
			w.At, _ = terms.ParseInstant(at)
			logs = append(logs, w)
			return err
		})
	})
	return logs, err
}

// A Disputed is a checkpoint, signed by its log, that does not extend what the service had seen of the log: a proof that
// the log has two histories.
type Disputed struct {
	Origin     string
	Principal  terms.ID
	Fault      string // a WitnessFault's word: forked or shorter
	HeldSize   int64  // what had been seen of the log
	Checkpoint []byte // as it was signed
	At         terms.Instant
}

// mostDisputed is how many are kept of one log.
const mostDisputed = 100

// remember keeps a checkpoint that does not extend what was seen, once.
func (l *verifiedSubmission) remember(ctx context.Context, tx *sql.Tx, fault WitnessFault, held int64, at string) error {
	var there bool
	var count int
	const query = "SELECT EXISTS (SELECT 1 FROM main." + disputedTable + " WHERE key = ?1 AND checkpoint = ?2)," +
		" (SELECT count(*) FROM main." + disputedTable + " WHERE key = ?1)"
	err := tx.QueryRowContext(ctx, query, l.Key, string(l.Note)).Scan(&there, &count)
	if err != nil || there || count >= mostDisputed {
		return err
	}
	const statement = "INSERT INTO main." + disputedTable +
		" (origin, key, principal, checkpoint, fault, heldSize, disputedAt) VALUES (?, ?, ?, ?, ?, ?, ?)"
	return changeOne(ctx, tx, statement, l.origin, l.Key, string(l.Principal), string(l.Note), fault.String(), held, at)
}

// Disputed lists the checkpoints that were refused as forks or shortenings, in the order in which they came; at most a
// hundred of each log are kept.
func (s *Store) Disputed(ctx context.Context) (list []Disputed, err error) {
	const query = "SELECT origin, principal, fault, heldSize, checkpoint, disputedAt FROM main." + disputedTable + " ORDER BY rowid"
	err = s.reading(ctx, "read the checkpoints that were refused", func(ctx context.Context, tx *sql.Tx) error {
		return eachRow(ctx, tx, query, func(scan func(...any) error) error {
			var d Disputed
			var at string
			if err := scan(&d.Origin, &d.Principal, &d.Fault, &d.HeldSize, &d.Checkpoint, &at); err != nil {
				return fmt.Errorf("a refused checkpoint: %w", err)
			}
			d.At, _ = terms.ParseInstant(at)
			list = append(list, d)
			return nil
		})
	})
	return list, err
}

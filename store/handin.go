package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store/engine"

	"golang.org/x/mod/sumdb/tlog"
)

// ErrEarly says that a record is ahead of this machine's clock, so that it cannot be taken yet.
var ErrEarly = errors.New("the record is from the future of this machine's clock")

// clockLeeway is how far the clock of a reviewer's machine may be ahead of this one.
const clockLeeway = time.Minute

// An Acceptance is what a service gives for a record that is in its log.
type Acceptance struct {
	Acknowledgment
	ReceivedAt terms.Instant // when the record came in
	Again      bool          // it was in the log before, and all else is that of the first time
}

// HandIn adds a record that a reviewer made at a console to a service's log. While it holds the
// write lock, it evaluates the packets again, first as they were when the record was made, then as
// they are now, as Append does. When it returns nil, the record is durable.
//
// The log that the reviewer saw is a console's, and not checked. There is no private note: it stays
// where it was written. The caller checks what the token is for. That the token and the key are the
// reviewer's, and were not revoked, is checked while the lock is held: once a revocation has
// returned, no waiting record is taken.
//
// The error is ErrTokenInvalid if the token is not valid any more. It wraps ErrNotFound if the case
// or amendment, or the policy that the record names, is not held; it wraps records.ErrRefused
// whenever the record is at fault: ErrSignature, ErrRecordConflict, a *records.DiffersError if it
// does not follow from its packets, a *records.StaleError if it did once and does not now,
// otherwise a *records.Refusal, such as ErrKeyRevoked. After ErrKeyUnknown, ErrEarly, ErrPacketSalt
// and ErrRulesUnknown the same record can be taken later. Other errors are those of Append.
func (s *Store) HandIn(ctx context.Context, sub Submission) (Acceptance, error) {
	signature, err := sub.check(true)
	if err != nil {
		return Acceptance{}, err
	}
	a := appending{Submission: sub, signature: signature, handedIn: true}
	if err := s.commitRecord(ctx, &a); err != nil {
		return Acceptance{}, err
	}
	return Acceptance{Acknowledgment{a.receipt, a.proof, a.own.Note}, a.received, a.known}, a.anchored
}

// recheckHandedIn replays a record first: one that never followed is told before a change since.
func (b *batch) recheckHandedIn(ctx context.Context, tx engine.Tx, sub *Submission) error {
	s, m := b.store, sub.Record.Members()
	if sub.Acknowledged != nil {
		ended, err := s.acknowledgedBefore(ctx, tx, sub)
		if err != nil {
			return err
		}
		if ended {
			return s.retake(ctx, tx, sub)
		}
	}
	at, early := momentOf(m, s.now())
	d, err := s.look(ctx, tx, terms.RecordTable(m.Area), m.Key, terms.InstantOf(at))
	if err != nil {
		return err
	}
	if packet := d.View.Record(); packet.Erased() {
		// Its digest is over texts that are gone here; with the salt they could be guessed.
		sub.PacketSalt = ""
	}
	replayed, err := replay(sub, &d.View)
	if err != nil {
		return err
	}
	changed := sub.Record.Recheck(&d.View, d.InForce)
	if err := replayed(); err != nil {
		return err
	}
	if early {
		return earlyOrNever(m, s.now())
	}
	if changed != nil {
		return changed
	}
	return b.checkOriginOrder(ctx, tx, m)
}

// ErrSetback says that a record which the service acknowledged before it was restored cannot be
// taken yet: the record that it supersedes is not here, or another took its place. It is not
// rejected for that.
var ErrSetback = errors.New("the record was acknowledged before the service was restored, and cannot be taken yet")

// acknowledgedBefore reports whether the receipt proves that a log before this one had the record
// and that the restore lost it; a receipt that proves nothing is an ErrSetback, because a
// *records.Refusal would reject the record for good.
func (s *Store) acknowledgedBefore(ctx context.Context, tx engine.Tx, sub *Submission) (bool, error) {
	keys, err := readKeys(ctx, tx, s.key)
	if err != nil {
		return false, err
	}
	given := sub.Acknowledged
	origin, _, _ := strings.Cut(string(given.Checkpoint), "\n")
	place := keys.Lineage.Find(origin)
	if place == len(keys.Lineage)-1 {
		return false, nil
	}
	if place < 0 {
		return false, fmt.Errorf("%w: the receipt is of another log", ErrSetback)
	}
	opened, err := keys.at(place).Open(given.Checkpoint)
	receipt := given.Receipt
	leaf := signed.LeafHash(records.RecordEntry, receipt.At, sub.Record.Document())
	switch {
	case err != nil || opened.Size != receipt.TreeSize || signed.FromTree(opened.Root) != receipt.Root,
		receipt.RecordID != sub.Record.Members().RecordID || receipt.LeafHash != signed.FromTree(leaf),
		!signed.IsLast(receipt, given.Proof):
		return false, fmt.Errorf("%w: the receipt does not prove that the service had the record", ErrSetback)
	case receipt.TreeSize <= keys.Lineage.Holds(place):
		return false, fmt.Errorf("%w: the receipt is of a place in the log that has another record", ErrSetback)
	}
	return true, nil
}

// retake evaluates a record that the service acknowledged before it was restored for the time of
// its making, so that the deadline, a newer revision and the clock do not count; it takes its place
// in the chain of its revision, or waits.
func (s *Store) retake(ctx context.Context, tx engine.Tx, sub *Submission) error {
	m := sub.Record.Members()
	d, err := s.look(ctx, tx, terms.RecordTable(m.Area), m.Key, terms.InstantOf(s.now()))
	if err != nil {
		return err
	}
	if packet := d.View.Record(); packet.Erased() {
		sub.PacketSalt = ""
		if m.Gate == terms.Pass {
			return fmt.Errorf("%w: it passes a revision whose texts were erased since; supersede it with a record that blocks", ErrSetback)
		}
	}
	replayed, err := replay(sub, &d.View)
	if err != nil {
		return err
	}
	if err := replayed(); errors.Is(err, records.ErrRefused) {
		return fmt.Errorf("%w: judged from the packets that are here it comes to something else (%w)", ErrSetback, stripped{err})
	} else if err != nil {
		return err
	}
	if d.InForce != m.Supersedes {
		return fmt.Errorf("%w: it supersedes %q, and %q is in force here", ErrSetback, m.Supersedes, d.InForce)
	}
	carried := terms.SetOf(m.CarriedBlockers...)
	if stands := d.View.Carried(); !stands.Minus(carried).Empty() || !carried.Minus(stands).Empty() {
		return fmt.Errorf("%w: it carries other blockers than stand here", ErrSetback)
	}
	stated, _, err := erasedIn(ctx, tx, s.key)
	if _, erased := stated[records.Erasure{What: records.ErasableStatement, Record: m.RecordID}]; erased {
		sub.Statement = records.Statement{} // a restore applied its erasure again
	}
	return err
}

type stripped struct{ error }

func (stripped) Unwrap() error { return nil }

// momentOf is when a record is evaluated for: now, or when it was made, if a little later.
func momentOf(m *records.Members, now time.Time) (at time.Time, early bool) {
	made := m.RecordedAt.Time()
	switch {
	case made.After(now.Add(clockLeeway)):
		return now, true
	case made.After(now):
		return made, false
	}
	return now, false
}

// mostEarly is how far ahead of this machine's clock a record may be to be taken later.
const mostEarly = 24 * time.Hour

// earlyOrNever returns ErrEarly, but refuses for good what would hold up later ones for over a day.
func earlyOrNever(m *records.Members, now time.Time) error {
	if m.RecordedAt.Time().Sub(now) <= mostEarly {
		return ErrEarly
	}
	return &records.Refusal{Reason: fmt.Sprintf(
		"it was recorded more than %d hours ahead of the service's clock; check the clock of that machine",
		int(mostEarly.Hours()))}
}

// ErrRulesUnknown says that this program lacks the record's rule book and cannot evaluate it.
var ErrRulesUnknown = errors.New("the record names rules that this version of docket does not have")

// ErrPacketSalt says that the salt that was handed in with a record is not the one of its
// packetDigest, while the rest of the record follows from its packets. The salt is not signed and
// may have been changed on the way, so that it says nothing about the record.
var ErrPacketSalt = errors.New("the packetDigest of the record is not that of its packet with the salt that came with it")

// replay evaluates the packets of a record, those in view, in a goroutine as they were when it was
// made; unless the error wraps ErrNotFound because the policy is not held, replayed has to be
// called and returns nil, a *records.DiffersError if the evaluation differs, or a *records.Refusal.
func replay(sub *Submission, view *views.View) (replayed func() error, err error) {
	packet, policy := view.Record(), view.Policy()
	switch named := sub.Record.Members().Policy; {
	case named == packets.Key{}:
		policy = packets.Packet{}
	case named != policy.Key() && policy.Table() == 0:
		return nil, notFound(terms.PolicyTable(sub.Record.Members().Area), named)
	}
	record, salt := sub.Record, sub.PacketSalt
	return concurrently(func() error {
		found := record.Replay(policy, packet, salt)
		return verdictOn(record.Members(), &found)
	}), nil
}

// notTaken lists the findings for which a record is refused although its evaluation is right.
var notTaken = [...]bool{
	records.ReplayOwnDecision: true,
	records.ReplayRecused:     true,
	records.ReplayParty:       true,
	records.ReplayNotAssigned: true,
	records.ReplayChoice:      true,
	records.ReplayReasons:     true,
	records.ReplayTime:        true,
}

func verdictOn(m *records.Members, replayed *records.Replayed) error {
	switch {
	case len(replayed.Findings) == 0:
		return nil
	case replayed.Has(records.ReplayRules):
		return ErrRulesUnknown
	case len(replayed.Findings) == 1 && replayed.Has(records.ReplayView):
		return ErrPacketSalt
	}
	differs := records.DiffersError{Stated: m.ComputedBlockers, Found: replayed.Blockers}
	follows := true
	for _, finding := range replayed.Findings {
		differs.Faults = append(differs.Faults, finding.Detail)
		follows = follows && int(finding.Fault) < len(notTaken) && notTaken[finding.Fault]
	}
	if follows {
		return &records.Refusal{Reason: replayed.Findings[0].Detail}
	}
	return &differs
}

// checkOriginOrder refuses a record whose time is too long before that of a record that precedes it
// in its console's log, as the size of the log that the reviewer saw tells; the order of handing in
// does not, because a record may have waited, and records of different consoles have no order.
func (b *batch) checkOriginOrder(ctx context.Context, tx engine.Tx, m *records.Members) (err error) {
	// From this id on, records were recorded too long after this one to precede it.
	from := records.NewRecordID(terms.InstantOf(m.RecordID.At().Time().Add(records.OrderLeeway+time.Millisecond)), [10]byte{})
	outOfOrder := slices.ContainsFunc(b.added, func(before *appending) bool {
		o := before.Record.Members()
		return o.LogHead.Origin == m.LogHead.Origin && o.RecordID >= from && o.LogHead.Size < m.LogHead.Size
	})
	if !outOfOrder {
		outOfOrder, err = tx.Service().ReceivedFrom(ctx, m.LogHead.Origin, from, m.LogHead.Size)
	}
	if err == nil && outOfOrder {
		return &records.Refusal{Reason: fmt.Sprintf(
			"it was recorded more than %d minutes before a record that the log of the same console has before it; "+
				"check the clock of that machine", int(records.OrderLeeway.Minutes()))}
	}
	return err
}

// proofOfLast returns the audit path from the last record of a tree to its root.
func proofOfLast(size int64, hashes tlog.HashReader) ([]terms.Hash, error) {
	path, err := tlog.ProveRecord(size, size-1, hashes)
	return hashesIn(path), err
}

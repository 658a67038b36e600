package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/turn"

	"github.com/hiddeco/sshsig"
)

// Append adds a record to the log if it may still be recorded at this moment: it reads and
// evaluates the packet again and checks every condition for the record while it holds the write
// lock. When it returns a receipt, the record is durable.
//
// The error is the one of records.Enforcement.Recheck, unchanged, if that refuses; it wraps
// records.ErrRefused whenever the record itself is at fault, and then nothing was written. A record
// that is in the log already is not appended twice: the receipt is the first one. ErrUnknownOutcome
// is the only error after which the record may have been written; the same Submission can be handed
// in again after any error. An *AnchorError comes with the receipt: the record is in the log and
// durable, only the checkpoint outside the store is not up to date.
func (s *Store) Append(ctx context.Context, sub Submission) (records.Receipt, error) {
	signature, err := sub.check(false)
	if err != nil {
		return records.Receipt{}, err
	}
	a := appending{Submission: sub, signature: signature}
	if err := s.commitRecord(ctx, &a); err != nil {
		return records.Receipt{}, err
	}
	return a.receipt, a.anchored
}

// commitRecord appends a record whose signature has been read, in one transaction with those of
// other callers that wait for the lock, and again if it failed for a temporary reason.
func (s *Store) commitRecord(ctx context.Context, a *appending) (err error) {
	a.verdict = concurrently(func() error {
		if err := signed.Verify(records.SignatureNamespace, a.Record.Document(), a.signature); err != nil {
			return fmt.Errorf("%w: %w", ErrSignature, err)
		}
		return nil
	})
	return repeated(ctx, s.db, func() error { return s.commitOnce(ctx, a) })
}

func (s *Store) commitOnce(ctx context.Context, a *appending) (err error) {
	err = s.appends.Do(ctx, a, func(t *turn.Turn[*appending]) []error { return s.appendTogether(ctx, t) })
	if forged := a.verdict(); forged != nil {
		return forged
	}
	if err == nil || !s.db.Broken(err) {
		return err
	}
	if err = s.resolveCommit(ctx, a, err); err == nil {
		a.anchored = s.keepAnchor(ctx, a.newest)
	}
	return err
}

// appendTogether appends the records that wait for the lock once it is held, acknowledges none
// before the transaction is durable, and returns an error for each; after an error that is not
// about the record the others are appended in the next turn, and after a commit whose outcome is
// unknown each caller looks its own record up.
func (s *Store) appendTogether(ctx context.Context, t *turn.Turn[*appending]) (errs []error) {
	var list []*appending
	failed := -1 // the one that ended the transaction
	err := s.writingRecord(ctx, appendDoing, func(ctx context.Context, tx engine.Tx) (err error) {
		if list == nil {
			list = t.Take()
		}
		errs = make([]error, len(list))
		failed, err = s.appendAll(ctx, tx, list, errs)
		return err
	})
	switch {
	case list == nil:
		return []error{err}
	case failed >= 0:
		errs = slices.Repeat([]error{turn.ErrAgain}, len(list))
		errs[failed] = err
		return errs
	}
	t.Pass()
	newest := merkle.Checkpoint{Size: -1}
	for i, a := range list {
		if errs[i] == nil {
			errs[i] = err
		}
		if errs[i] == nil && a.newest.Size > newest.Size {
			newest = a.newest
		}
	}
	if newest.Size >= 0 {
		anchored := s.keepAnchor(ctx, newest)
		if anchored == nil {
			s.size.Store(newest.Size)
		}
		for _, a := range list {
			a.anchored = anchored
		}
	}
	return errs
}

// appendAll ends the transaction at the first error that is not a refusal.
func (s *Store) appendAll(ctx context.Context, tx engine.Tx, list []*appending, errs []error) (failed int, err error) {
	together := batch{store: s}
	for i, a := range list {
		one := func() error { return recovering(func() error { return together.append(ctx, tx, a) }) }
		if len(list) == 1 {
			return -1, one()
		}
		// The outcome of verifying a signature is known before anything is written.
		if errs[i] = a.verdict(); errs[i] == nil {
			errs[i] = one()
		}
		if errs[i] != nil && (together.writing || !isAnswer(errs[i])) {
			return i, errs[i]
		}
		if errs[i] == nil {
			together.added = append(together.added, a)
		}
		errs[i] = s.explain(appendDoing, errs[i])
	}
	return -1, nil
}

const appendDoing = "append the record"

type batch struct {
	store    *Store
	log      *merkle.Log // with the records so far; nil if it has to be read
	verified bool        // the log extends the anchor
	anchor   error       // what verifying that came to
	added    []*appending
	writing  bool // the record that is being appended is being written
}

// appending is one call of Append or HandIn.
type appending struct {
	Submission
	handedIn  bool // by HandIn, at a service
	signature *sshsig.Signature
	verdict   func() error // waits until the signature is verified; before that nothing is committed
	receipt   records.Receipt
	anchored  error             // *AnchorError if the checkpoint outside the store is behind
	newest    merkle.Checkpoint // of the log with the record, or of a longer one
	own       merkle.Checkpoint // of exactly the receipt's tree; for HandIn only, as these two
	proof     []terms.Hash      // from the record to the root of that tree
	received  terms.Instant
	known     bool // it was in the log before
}

// append adds a record that still may be recorded; after an error nothing that it wrote counts.
func (b *batch) append(ctx context.Context, tx engine.Tx, a *appending) (err error) {
	s := b.store
	if err := s.checkKind(a.handedIn); err != nil {
		return err
	}
	m := a.Record.Members()
	if err := s.checkToken(ctx, tx, a); err != nil {
		return err
	}
	end, err := b.ending(ctx, tx, m)
	if err != nil {
		return err
	}
	if end.Known {
		a.known, err = a.appended(ctx, tx, s.key)
		return err
	}
	if err := s.checkSigner(ctx, tx, a, &end); err != nil {
		return err
	}
	if !b.verified { // once: the records of this transaction only extend the log further
		b.anchor, b.verified = s.verifyAgain(ctx, tx), true
	}
	if b.anchor != nil {
		return b.anchor
	}
	log, err := b.logTo(ctx, tx, end.Last)
	if err != nil {
		return err
	}
	if err := s.checkOrder(ctx, tx, a, end.Newest); err != nil {
		return err
	}
	if err := b.recheck(ctx, tx, a, log); err != nil {
		return err
	}
	at, err := s.timeOfNext(ctx, tx)
	if err != nil {
		return err
	}
	b.log, b.writing = nil, true // until the record is whole
	if a.receipt, err = addRecord(ctx, tx, log, a.Record, sshsig.Armor(a.signature), at); err != nil {
		return err
	}
	signed := concurrently(func() (err error) {
		a.newest, err = s.key.Sign(a.receipt.TreeSize, signed.ToTree(a.receipt.Root))
		return err
	})
	if err := errors.Join(a.add(ctx, tx, end.Listed), signed()); err != nil {
		return err
	}
	if a.handedIn {
		a.received, _ = records.ParseLogTime(at)
		received := engine.Received{Sequence: a.receipt.Sequence, Head: m.LogHead, RecordID: m.RecordID}
		if err := tx.Service().Receive(ctx, received); err != nil {
			return err
		}
		if a.proof, err = proofOfLast(a.receipt.TreeSize, log.Hashes); err != nil {
			return err
		}
	}
	if err := a.verdict(); err != nil {
		return err
	}
	a.own = a.newest
	if !a.handedIn { // a service has no drafts
		if err := s.dropDrafts(ctx, tx, engine.Own{Reviewer: m.Reviewer.ID, Table: terms.RecordTable(m.Area), Key: m.Key}); err != nil {
			return err
		}
	}
	if err := tx.Log().AddCheckpoint(ctx, engine.Checkpoint{Size: a.newest.Size, Note: a.newest.Note}); err != nil {
		return err
	}
	b.log, b.writing = log, false
	return nil
}

// ending adds the batch's records to the log's end, which may have been read before them.
func (b *batch) ending(ctx context.Context, tx engine.Tx, m *records.Members) (engine.Ending, error) {
	end, err := tx.Records().Ending(ctx, m.RecordID, m.Reviewer)
	if err != nil {
		return end, err
	}
	for _, before := range b.added {
		o := before.Record.Members()
		end.Last, end.Newest = max(end.Last, before.receipt.Sequence), max(end.Newest, o.RecordID)
		end.Known = end.Known || o.RecordID == m.RecordID
		if o.Reviewer.ID == m.Reviewer.ID {
			same := o.Reviewer.KeyFingerprint == m.Reviewer.KeyFingerprint
			end.Listed, end.Other = end.Listed || same, end.Other || !same
		}
	}
	return end, nil
}

func (b *batch) logTo(ctx context.Context, tx engine.Tx, last int64) (*merkle.Log, error) {
	size, err := merkle.SizeOf(last)
	if err != nil {
		return nil, err
	}
	if b.log == nil || b.log.Size != size {
		b.log = merkle.NewLog(size, hashTable(ctx, tx))
		err = b.log.Hashes.Preload([]int64{size})
	}
	return b.log, err
}

// recheck evaluates again and compares the result with the record.
func (b *batch) recheck(ctx context.Context, tx engine.Tx, a *appending, log *merkle.Log) error {
	s, m := b.store, a.Record.Members()
	if a.handedIn {
		return b.recheckHandedIn(ctx, tx, &a.Submission)
	}
	d, err := s.look(ctx, tx, terms.RecordTable(m.Area), m.Key, terms.InstantOf(s.now()))
	if err != nil {
		return err
	}
	if came := d.Arrival(); m.OpenedAt.Before(came) {
		statements, err := openedStatements(ctx, tx, s.key)
		if err == nil && m.OpenedAt.Before(arrivalBy(statements, log.Size, came)) {
			err = &records.Refusal{Reason: "openedAt is before the packet came in; open it again"}
		}
		if err != nil {
			return err
		}
	}
	if d.Reassigned > 0 {
		return &records.Refusal{Reason: "the service gave it to somebody else meanwhile"}
	}
	if err := a.Record.Recheck(&d.View, d.InForce); err != nil {
		return err
	}
	replayed, err := replay(&a.Submission, &d.View)
	if err == nil {
		err = replayed()
	}
	if err != nil {
		return err
	}
	if m.LogHead.Origin != s.key.Origin {
		return &records.Refusal{Reason: "the record was made on top of another log"}
	}
	extends, err := log.Extends(m.LogHead)
	if err == nil && !extends {
		err = fmt.Errorf("%w: %w, which was %s; verify the store", records.ErrRefused, ErrForked, records.Count(m.LogHead.Size))
	}
	return err
}

// add writes the record and what is stored with it; listed says that its key is known.
func (a *appending) add(ctx context.Context, tx engine.Tx, listed bool) error {
	err := tx.Records().Add(ctx, &engine.Record{Sequence: a.receipt.Sequence, Table: a.Record.Table(), Document: a.Record.Document(),
		PacketSalt: a.PacketSalt, Statement: a.Statement, Note: a.Note})
	if err != nil || listed {
		return err
	}
	m := a.Record.Members() // the reviewer's key is used for the first time
	return tx.Keys().AddSigner(ctx, engine.Signer{Reviewer: m.Reviewer.ID, Fingerprint: m.Reviewer.KeyFingerprint,
		PublicKey: signed.AuthorizedKey(a.signature.PublicKey), Since: m.RecordedAt.String()})
}

// appended notes the answer if the log has the record, and refuses another one of its id.
func (a *appending) appended(ctx context.Context, tx engine.Tx, key *merkle.Key) (bool, error) {
	leaf, document, err := loggedAs(ctx, tx, a.Record.Members().RecordID)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if leaf.table != a.Record.Table() || !bytes.Equal(document, a.Record.Document()) {
		return false, ErrRecordConflict
	}
	signed, err := newestCheckpoint(ctx, tx)
	if err != nil {
		return false, err
	}
	if a.newest, err = key.Open(signed); err != nil {
		return false, fmt.Errorf("the newest checkpoint of the log: %w: %w", err, ErrDamaged)
	}
	if a.receipt, err = merkle.NewLog(0, hashTable(ctx, tx)).Receipt(leaf.id, leaf.sequence, leaf.at, leaf.hash); err != nil {
		return false, err
	}
	if !a.handedIn {
		return true, nil
	}
	if a.own, err = checkpointOf(ctx, tx, key, a.receipt.TreeSize); err != nil {
		return false, err
	}
	a.received, _ = records.ParseLogTime(leaf.at)
	a.proof, err = proofOfLast(a.receipt.TreeSize, merkle.NewHashes(hashTable(ctx, tx)))
	return err == nil, err
}

// ErrRecordConflict, a *records.Refusal, says that the log holds another record under the id.
var ErrRecordConflict error = &records.Refusal{Reason: "the log holds another record under this id"}

// resolveCommit returns nil if a record is in the log, and durable, after a commit whose outcome is
// unknown: the connections are closed by then, so that it is read from the file.
func (s *Store) resolveCommit(ctx context.Context, a *appending, failure error) error {
	known := false
	ctx = context.WithoutCancel(ctx)
	err := s.reading(ctx, "look the record up", func(ctx context.Context, tx engine.Tx) (err error) {
		known, err = a.appended(ctx, tx, s.key)
		return err
	})
	if known && err == nil {
		err = s.fold(ctx)
	}
	switch {
	case err != nil:
		return &Problem{Path: s.path, Kind: ErrUnknownOutcome, Cause: errors.Join(failure, err),
			Advice: fmt.Sprintf("check the disk, then look up record %s", a.Record.Members().RecordID)}
	case known:
		return nil
	}
	return failure
}

// A Submission is a record with its signature and what is stored with it.
type Submission struct {
	Record    records.Enforcement
	Signature []byte       // armored SSHSIG in records.SignatureNamespace by the reviewer's key
	Note      records.Note // the private note whose digest the record holds; it stays in this file

	PacketSalt packets.Salt      // of the record's packetDigest
	Statement  records.Statement // the statement of reasons whose digest the record holds

	// Token is the id of the token with which the record is handed in: valid, and the reviewer's.
	Token string
	// Acknowledged is the receipt from before a restore of the service lost the record, or nil.
	Acknowledged *Acknowledgment
}

// check checks what needs no lock; a record that is handed in comes without its note.
func (sub *Submission) check(handedIn bool) (*sshsig.Signature, error) {
	m, reason := sub.Record.Members(), ""
	switch {
	case !m.RecordID.Valid():
		reason = "there is no record"
	case handedIn && sub.Note != (records.Note{}):
		reason = "a private note stays where it was written"
	case !handedIn && sub.Note.Digest() != m.NoteDigest:
		reason = "the private note is not the one that the record vouches for"
	case !sub.PacketSalt.Valid():
		reason = "the salt of the packet digest is missing"
	case sub.Statement.Digest() != m.StatementDigest:
		reason = "the statement of reasons is not the one that the record vouches for"
	}
	if reason != "" {
		return nil, &records.Refusal{Reason: reason}
	}
	if err := errors.Join(sub.Note.Check(), sub.Statement.Check()); err != nil {
		return nil, err
	}
	signature, err := readSignature(sub.Record, sub.Signature)
	if err != nil && handedIn {
		err = fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return signature, err
}

// concurrently runs do in a goroutine; wait must be called and returns its error, or its panic.
func concurrently(do func() error) (wait func() error) {
	var result error
	done := make(chan struct{})
	go func() {
		defer close(done)
		result = recovering(do)
	}()
	return func() error { <-done; return result }
}

// recovering returns a panic of do as an error, without its text, which may hold packet values.
func recovering(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a panic: %T", r)
		}
	}()
	return do()
}

package store

import (
	"cmp"
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
	"docket/store/verify"

	"golang.org/x/crypto/ssh"
)

// A Snapshot is a store as it was at one moment, as a verify.Source. Because a store only grows,
// numbers tell later rows apart: it holds no lock, keeps no transaction open and needs no closing.
type Snapshot struct {
	store      *Store
	db         *engine.Readers       // what it reads through; nil: what the store reads through
	tx         engine.Tx             // in which it reads, if it is of no use after that; nil otherwise
	origin     string                // "" if the store has none
	verifier   string                // key of the checkpoints; likewise
	size       int64                 // of the log
	last       map[terms.Table]int64 // position of the newest packet of a table
	checkpoint []byte
	anchor     *verify.Anchor    // nil: the log is not held to one
	tables     *merkle.TableHead // that is kept outside the store; nil: likewise
	signers    []engine.Signer
	first      int64 // the position of the first record; -1 for none
	statements []signed.Statement
	// recordsOnly: Entries leaves out the entries that are no records.
	recordsOnly bool

	service boundService
	setback records.Setback // of the service

	lastRejection, lastServiceRecord, lastCosignature int64 // positions; -1 for none
}

// Snapshot returns the store as it is at this moment.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	v := &Snapshot{store: s}
	if err := v.reading(ctx, "read the log", v.take); err != nil {
		return nil, err
	}
	return v, nil
}

// takeAt takes the snapshot in a transaction and reads on through it, however large the log is.
func (v *Snapshot) takeAt(ctx context.Context, tx engine.Tx) (err error) {
	v.tx = tx
	v.size, err = logSize(ctx, tx)
	if err != nil && !errors.Is(err, ErrDamaged) { // VerifyHead finds that
		return err
	}
	return v.takeFacts(ctx, tx)
}

func (v *Snapshot) take(ctx context.Context, tx engine.Tx) (err error) {
	if v.size, err = tx.Structure().Extent(ctx); err != nil {
		return err
	}
	return v.takeFacts(ctx, tx)
}

func (v *Snapshot) takeFacts(ctx context.Context, tx engine.Tx) error {
	var unusable *merkle.KeyError
	name, err := currentLog(ctx, tx)
	if err != nil && !errors.As(err, &unusable) {
		return err
	}
	v.origin, v.verifier = name.origin, name.verifier
	v.last = map[terms.Table]int64{}
	for _, table := range terms.PacketTables.Terms() {
		if v.last[table], err = tx.Packets().Last(ctx, table); err != nil {
			return err
		}
	}
	if v.checkpoint, err = newestCheckpoint(ctx, tx); unlessNoRow(err) != nil {
		return err
	}
	return cmp.Or(into(&v.statements)(statementsOf(ctx, tx)), into(&v.signers)(signersOf(ctx, tx)),
		into(&v.first)(tx.Log().FirstRecord(ctx)), into(&v.service)(boundServiceOf(ctx, tx)),
		into(&v.setback)(openSetback(ctx, tx)), into(&v.lastRejection)(tx.Answers().LastRejection(ctx)),
		into(&v.lastServiceRecord)(tx.Answers().LastServiceRecord(ctx)), into(&v.lastCosignature)(tx.Cosignatures().Last(ctx)))
}

// Head implements verify.Source, without signers of unreadable keys: their records are then found.
func (v *Snapshot) Head(context.Context) (verify.Head, error) {
	head := verify.Head{Origin: v.origin, Size: v.size, Checkpoint: v.checkpoint, ServiceKey: v.service.newest(), Setback: v.setback,
		EarlierServiceKeys: v.service[:max(0, len(v.service)-1)], Statements: v.statements, FirstRecord: v.first,
		Anchor: v.anchor, Reviewer: v.store.options.Reviewer, KeepsNotes: true}
	if v.verifier != "" {
		head.VerifierKeys = []string{v.verifier}
	}
	for _, signer := range v.signers {
		if key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(signer.PublicKey)); err == nil {
			since, _ := terms.ParseInstant(signer.Since)
			head.Signers = append(head.Signers, verify.Signer{ID: signer.Reviewer, Key: key, Since: since})
		}
	}
	return head, nil
}

// StoredRoot implements verify.TreeKeeper.
func (v *Snapshot) StoredRoot(ctx context.Context, size int64) (terms.Hash, error) {
	return ask(ctx, v, "read the tree", func(ctx context.Context, tx engine.Tx) (terms.Hash, error) {
		stored, err := rootOf(ctx, tx, size)
		if errors.Is(err, ErrDamaged) {
			return terms.Hash{}, nil
		}
		return signed.FromTree(stored), err
	})
}

// SignManifest signs the manifest of an export with the log's key. Without the private half of the
// key the error is a *Problem that names its file.
func (v *Snapshot) SignManifest(ctx context.Context, m signed.Manifest) ([]byte, error) {
	v.store.handles.RLock()
	defer v.store.handles.RUnlock()
	key := v.store.key
	if key == nil || m.Origin != key.Origin {
		return nil, fmt.Errorf("the manifest is not one of this log: %w", merkle.ErrNoKey)
	}
	if !key.CanSign() {
		probe := *key
		if err := v.store.unlock(ctx, &probe); err != nil {
			return nil, err
		}
		key = &probe
	}
	return key.SignNote(m.Text())
}

const entriesAtOnce = 128

// Records returns the snapshot without the entries that are no records: it cannot be checked whole.
func (v *Snapshot) Records() *Snapshot {
	only := *v
	only.recordsOnly = true
	return &only
}

// Entries yields the entries from a sequence on in order, one for each number below the snapshot's
// size, even if rows are missing. It stops with the error that yield returns, unchanged. yield may
// keep what an Entry points to. No transaction is open while yield runs.
func (v *Snapshot) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	read := func(ctx context.Context, tx engine.Tx, last int64, add func(int64, verify.Entry)) error {
		if last+1 >= v.size {
			return nil
		}
		take := func(stored *engine.Entry) error {
			add(stored.Sequence, entryOf(stored))
			return nil
		}
		stored := tx.Whole().Records()
		if v.recordsOnly {
			return stored.RecordsBetween(ctx, last+1, v.size, entriesAtOnce, take)
		}
		return stored.Entries(ctx, last+1, min(last+1+entriesAtOnce, v.size), take)
	}
	return inPortions(ctx, v, "read the log", max(from, 0)-1, entriesAtOnce, read, yield)
}

func entriesOf(ctx context.Context, tx engine.Tx, from, to int64) ([]verify.Entry, error) {
	entries := make([]verify.Entry, 0, to-from)
	err := tx.Records().Entries(ctx, from, to, func(stored *engine.Entry) error {
		entries = append(entries, entryOf(stored))
		return nil
	})
	return entries, err
}

func entryOf(stored *engine.Entry) verify.Entry {
	e := verify.Entry{Sequence: stored.Sequence, At: stored.At, Document: stored.Document, LeafHash: stored.LeafHash}
	e.Kind, _ = records.EntryKinds.Parse(stored.Kind)
	e.Table, _ = terms.Tables.Parse(stored.Table)
	stated := e.Kind == records.StatementEntry
	if stated && stored.Table != "" || !stated && stored.Body != "" || e.Kind == records.PacketEntry && stored.Signature != nil {
		e.LeafHash = []byte{} // the row says more than an entry of its kind, and is that of none
	}
	if e.Kind == records.PacketEntry {
		e.Key, _ = records.ParsePacketSubject(stored.Subject)
		e.Texts = stored.Texts
		return e
	}
	if stated {
		e.Document = []byte(stored.Body)
		e.Stated, _ = records.LogStatementKinds.Parse(stored.Subject)
		return e
	}
	if e.Table == 0 && e.Document == nil {
		e.Document = stored.Elsewhere
	}
	e.RecordID, e.Signature, e.PacketSalt = records.RecordID(stored.Subject), stored.Signature, stored.PacketSalt
	e.Statement, e.Acceptance = stored.Statement, stored.Acceptance
	e.NoteDigest, e.NoteRefused = stored.Note.Digest(), stored.Note.Check() != nil
	return e
}

// Packets returns the stored documents under many names, in their order, by an index and
// unverified; nil where there is none.
func (v *Snapshot) Packets(ctx context.Context, names []verify.Ref) ([][]byte, error) {
	places := map[terms.Table][]int{}
	for i := range names {
		places[names[i].Table] = append(places[names[i].Table], i)
	}
	return ask(ctx, v, "read packets", func(ctx context.Context, tx engine.Tx) ([][]byte, error) {
		documents := make([][]byte, len(names))
		for table, wanted := range places {
			if !terms.PacketTables.Has(table) {
				continue
			}
			for some := range slices.Chunk(wanted, mostNames) {
				keys := make([]packets.Key, len(some))
				for i, place := range some {
					keys[i] = names[place].Key
				}
				found, err := tx.Whole().Packets().Documents(ctx, table, keys, v.last[table])
				if err != nil {
					return nil, err
				}
				for i, place := range some {
					documents[place] = found[i]
				}
			}
		}
		return documents, nil
	})
}

// mostNames is how many packets one query reads.
const mostNames = 64

// Rejections yields the rejections in the order of keeping. It stops with the error that yield
// returns, unchanged. No transaction is open while yield runs.
func (v *Snapshot) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	return inPortions(ctx, v, "read the rejections", -1, entriesAtOnce, func(ctx context.Context,
		tx engine.Tx, last int64, add func(int64, verify.Rejection)) error {
		return tx.Answers().Rejections(ctx, last, v.lastRejection, entriesAtOnce, func(r *engine.Rejection) error {
			add(r.Position, verify.Rejection{RecordID: r.RecordID, Signed: []byte(r.Signed)})
			return nil
		})
	}, yield)
}

// ServiceRecords yields the kept records of the service's log in the order of keeping. It stops
// with the error that yield returns, unchanged. No transaction is open while yield runs.
func (v *Snapshot) ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error {
	return inPortions(ctx, v, "read the records of the service's log", -1, entriesAtOnce,
		func(ctx context.Context, tx engine.Tx, last int64, add func(int64, signed.ServiceRecord)) error {
			return tx.Answers().ServiceRecords(ctx, last, v.lastServiceRecord, entriesAtOnce, func(r *engine.ServiceRecord) error {
				add(r.Position, r.ServiceRecord)
				return nil
			})
		}, yield)
}

// inPortions yields rows that read adds with their positions, a transaction for each portion.
func inPortions[Row any](ctx context.Context, v *Snapshot, doing string, last int64, most int,
	read func(ctx context.Context, tx engine.Tx, last int64, add func(int64, Row)) error, yield func(Row) error) error {
	for more := true; more; {
		var some []Row
		err := v.reading(ctx, doing, func(ctx context.Context, tx engine.Tx) error {
			return read(ctx, tx, last, func(position int64, row Row) { last, some = position, append(some, row) })
		})
		if err != nil {
			return err
		}
		for i := range some {
			if err := yield(some[i]); err != nil {
				return err
			}
		}
		more = len(some) == most
	}
	return nil
}

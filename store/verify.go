package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// connectionsOfVerify is one for the records, and one for each core that reads packets.
const connectionsOfVerify = 3

// Verify checks the whole log and all that the store keeps beside it, as deep as the options say.
// It adds what it finds to Findings; from then on the store takes no records, unless the findings
// are harmless. Records appended while it runs are left out, and it blocks no reader or writer. An
// error means that the store could not be read to its end.
//
// Only the anchor, receipts and exports tell whether an equally consistent store replaced it.
func (s *Store) Verify(ctx context.Context, o verify.Options) (report verify.Report, err error) {
	db, err := s.db.OpenReaders(ctx, connectionsOfVerify)
	if err != nil {
		return verify.Report{}, s.explain("open the store once more", err)
	}
	defer func() {
		err = s.explain("verify the log", errors.Join(err, db.Close()))
		if o.Depth != verify.HeadOnly && err != nil && !Passes(err) {
			s.findings.addFirst(found(verify.StructureDamaged, "the check of the log could not be finished"))
		}
	}()
	v := &Snapshot{store: s, db: db}
	s.handles.RLock()
	anchor := s.anchor
	s.handles.RUnlock()
	if err := v.readAnchor(ctx, anchor); err != nil {
		return verify.Report{}, err
	}
	if err := v.reading(ctx, "read the log", v.take); err != nil {
		return verify.Report{}, err
	}
	o.Known = append(s.Findings(), o.Known...)
	tell := o.Found
	o.Found = func(f verify.Finding) {
		s.findings.add(f)
		if tell != nil {
			tell(f)
		}
	}
	o.Damaged = s.damaged
	return verify.Check(ctx, v, o)
}

// damaged returns the finding of an error of reading that says that what is stored is damaged.
func (s *Store) damaged(err error) (verify.Finding, bool) {
	if err = s.explain("verify the log", err); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotAStore) || Passes(err) {
		return verify.Finding{}, false
	}
	met := func(f verify.Finding) bool { return f.Code == verify.StructureDamaged }
	list := s.findings.all()
	if i := slices.IndexFunc(list, met); i >= 0 {
		return list[i], true
	}
	return found(verify.StructureDamaged, "part of it cannot be read"), true
}

func (v *Snapshot) reading(ctx context.Context, doing string, do engine.Work) error {
	switch {
	case v.tx != (engine.Tx{}):
		return v.store.explain(doing, do(ctx, v.tx))
	case v.db == nil:
		return v.store.reading(ctx, doing, do)
	}
	return v.store.explain(doing, v.db.View(ctx, do))
}

// VerifyRecords checks each record from one sequence up to but not including another: that it is
// the logged one, its signature, and what is kept beside it. It adds what it finds to Findings. The
// time it takes does not depend on the size of the log.
func (s *Store) VerifyRecords(ctx context.Context, from, to int64) (list []verify.Finding, err error) {
	err = s.reading(ctx, "verify the records", func(ctx context.Context, tx engine.Tx) error {
		v := &Snapshot{store: s, recordsOnly: true}
		if err := v.takeAt(ctx, tx); err != nil {
			return err
		}
		list, err = verify.Entries(ctx, v, from, to, verify.Storage)
		return err
	})
	s.findings.add(list...)
	return list, err
}

func found(code verify.Code, detail string, args ...any) verify.Finding {
	return code.OfLog(fmt.Sprintf(detail, args...))
}

// mostFindings is how many findings are kept; more would say nothing new about the store.
const mostFindings = 100

type findings struct {
	mutex sync.Mutex
	list  []verify.Finding
}

// add keeps new findings that stop the store from taking records.
func (l *findings) add(more ...verify.Finding) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, f := range more {
		if f.Code.Stops() && len(l.list) < mostFindings && !slices.Contains(l.list, f) {
			l.list = append(l.list, f)
		}
	}
}

// met keeps an error of reading as a finding if it tells of damage: nothing is recorded after it.
func (s *Store) met(doing string, err error) {
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNotAStore) && s.key != nil {
		s.findings.addFirst(found(verify.StructureDamaged, "met when asked to %s", doing))
	}
}

func (s *Store) metPacket(table terms.Table, key packets.Key, _ error) {
	s.findings.add(found(verify.PacketAltered, "%s %s %d", table, key.ID, key.Number))
}

func (s *Store) metRecords(lists ...[]records.LoggedRecord) {
	for _, list := range lists {
		for i := range list {
			if list[i].Unreadable != "" {
				s.findings.add(verify.RecordAltered.OfRecord(list[i].Receipt.Sequence, list[i].Receipt.RecordID,
					"its bytes are not those that were logged"))
			}
		}
	}
}

// Passes reports whether an error says nothing about what is stored, so that the same can be tried
// again: it was cancelled, or something is busy, locked or full.
func Passes(err error) bool {
	for _, one := range []error{context.Canceled, context.DeadlineExceeded, ErrClosed, ErrLocked, ErrCrowded, ErrAnchorLocked, ErrDiskFull,
		ErrReadOnly, ErrNoAccess} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

// addFirst keeps a finding unless there is one of its code: more of them have the same cause.
func (l *findings) addFirst(f verify.Finding) {
	if !slices.ContainsFunc(l.all(), func(other verify.Finding) bool { return other.Code == f.Code }) {
		l.add(f)
	}
}

func (l *findings) all() []verify.Finding {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.Clone(l.list)
}

// Findings lists what is known to be wrong with the store: what was found when it was opened and
// since, at most a hundred. With any, the store is ReadOnly.
func (s *Store) Findings() []verify.Finding { return s.findings.all() }

func (s *Store) checkNoFindings() error {
	if list := s.findings.all(); len(list) > 0 {
		return &Problem{Path: s.path, Kind: ErrTampered, Advice: fmt.Sprintf("verify the store: %s", list[0].Sentence())}
	}
	return nil
}

// verifyHead is the check of an opening, in a time that does not depend on the size of the log.
func (s *Store) verifyHead(ctx context.Context) (newest merkle.Anchored, err error) {
	err = s.db.View(ctx, func(ctx context.Context, tx engine.Tx) (err error) {
		if s.key, err = s.loadKey(ctx, tx); s.options.ReadOnly || err != nil {
			return err
		}
		err = s.checkMoved(ctx, tx)
		if s.moved = nil; errors.Is(err, ErrMoved) {
			s.moved, err = err, nil
		}
		return err
	})
	var unusable *merkle.KeyError
	if errors.As(err, &unusable) { // VerifyHead finds that
		s.key, err = nil, nil
	}
	if err == nil && s.options.Service && s.key != nil {
		err = s.checkKind(true)
	}
	if err != nil {
		return newest, s.unreadable(ctx, err)
	}
	if s.key != nil && !s.key.CanSign() && !s.options.ReadOnly && s.obstacle() == nil {
		s.locked = s.unlock(ctx, s.key)
	}
	if s.key != nil && s.anchor == nil && s.options.AnchorFolder != "" {
		s.anchor = merkle.NewAnchor(s.options.AnchorFolder, s.key, s.busyTimeout())
	}
	v := &Snapshot{store: s}
	if err = v.readAnchor(ctx, s.anchor); err != nil {
		return newest, err
	}
	if v.tables != nil {
		s.covered.Store(v.tables)
	}
	err = s.db.View(ctx, func(ctx context.Context, tx engine.Tx) error {
		if err := v.takeAt(ctx, tx); err != nil {
			return s.unreadable(ctx, err)
		}
		report, err := verify.Check(ctx, v, verify.Options{Depth: verify.HeadOnly})
		if err != nil {
			return err
		}
		s.findings.add(report.Findings...)
		s.anchored.Store(report.Anchored)
		s.anchorLocked.Store(v.anchor != nil && v.anchor.Locked)
		if report.OK() {
			newest, err = s.newestOf(ctx, tx, v.tables)
		}
		return err
	})
	return newest, err
}

// unreadable returns disk.ErrAltered if the schema is why the store cannot be read.
func (s *Store) unreadable(ctx context.Context, err error) error {
	altered := s.db.View(ctx, func(ctx context.Context, tx engine.Tx) error {
		_, err := tx.Structure().Altered(ctx)
		return err
	})
	if errors.Is(altered, ErrAltered) {
		return altered
	}
	return err
}

// readAnchor reads what is kept outside the store, before the log, because writers write the log
// first and it is then never shorter than the anchor; one that another program keeps locked is not
// a finding, but a note: nothing is recorded until it is free.
func (v *Snapshot) readAnchor(ctx context.Context, anchor *merkle.Anchor) error {
	if anchor == nil {
		return nil
	}
	held, err := anchor.Read(ctx)
	return v.holdTo(&held, err)
}

func (v *Snapshot) holdTo(held *merkle.Anchored, failed error) error {
	var unreadable *merkle.UnreadableAnchor
	switch {
	case failed == nil:
		v.anchor, v.tables = &verify.Anchor{Signed: held.Note, Older: held.Older}, &held.Tables
	case errors.Is(failed, merkle.ErrOtherOrigin):
		v.anchor = &verify.Anchor{Code: verify.CheckpointUnusable, Detail: "the one that is kept outside the store belongs to another log"}
	case errors.As(failed, &unreadable):
		v.anchor = &verify.Anchor{Code: verify.AnchorUnreadable, Detail: unreadable.Cause.Error()}
	case errors.Is(failed, merkle.ErrNoAnchor):
		v.anchor = &verify.Anchor{Code: verify.AnchorMissing}
	case errors.Is(failed, disk.ErrHeld):
		v.anchor = &verify.Anchor{Locked: true}
	default:
		return failed
	}
	return nil
}

// newestOf returns the newest checkpoint and the newest head of the tables for an anchor; that
// head extends the kept one, and needs the private half of the key.
func (s *Store) newestOf(ctx context.Context, tx engine.Tx, kept *merkle.TableHead) (newest merkle.Anchored, err error) {
	signed, err := newestCheckpoint(ctx, tx)
	if err == nil {
		newest.Checkpoint, err = s.key.Open(signed)
	}
	if kept == nil {
		kept = &merkle.TableHead{}
	}
	if err == nil && s.key.CanSign() {
		newest.Tables, err = coverTables(ctx, tx, s.key, kept)
	}
	if err != nil {
		return merkle.Anchored{}, err
	}
	if newest.Tables.Note == nil {
		newest.Tables = *kept
	}
	return newest, nil
}

// VerifyHead implements verify.StorageVerifier: it checks the schema, the key and the facts of the
// store, and the ends of the tables of the log.
func (v *Snapshot) VerifyHead(ctx context.Context, tell func(verify.Finding)) error {
	return v.reading(ctx, "verify the store", func(ctx context.Context, tx engine.Tx) error {
		altered, err := tx.Structure().Altered(ctx)
		if err != nil {
			return err
		}
		for _, name := range altered {
			tell(found(verify.SchemaAltered, "%s", name))
		}
		var unusable *merkle.KeyError
		if _, err := loadLogKey(ctx, tx); errors.As(err, &unusable) {
			tell(found(verify.KeyUnusable, "%v", unusable.Cause))
		} else if err != nil {
			return err
		}
		covered := func(ctx context.Context, tx engine.Tx) ([]verify.Finding, error) {
			return verifyCovered(ctx, tx, v.tables, false)
		}
		var list []verify.Finding
		for _, step := range []func(context.Context, engine.Tx) ([]verify.Finding, error){
			v.store.verifyMeta, covered, verifyRows, verifyEnds} {
			more, err := step(ctx, tx)
			if err != nil {
				return err
			}
			list = append(list, more...)
		}
		for _, f := range list {
			tell(f)
		}
		return nil
	})
}

func verifyEnds(ctx context.Context, tx engine.Tx) ([]verify.Finding, error) {
	size, err := logSize(ctx, tx)
	if errors.Is(err, ErrDamaged) {
		return []verify.Finding{found(verify.DerivedDiffers, "%v", err)}, nil
	}
	if err != nil {
		return nil, err
	}
	list, err := verifyTails(ctx, tx, size)
	if err != nil {
		return nil, err
	}
	before, err := tx.Structure().BelowZero(ctx)
	for _, table := range before {
		code := verify.RowUnexpected
		if of, err := terms.Tables.Parse(table); err == nil && terms.PacketTables.Has(of) {
			code = verify.PacketAltered
		}
		list = append(list, found(code, "%s", table))
	}
	return list, err
}

// verifyTails checks that the tables end where the log ends; finding gaps would take ever longer.
func verifyTails(ctx context.Context, tx engine.Tx, size int64) (list []verify.Finding, err error) {
	ends, err := tx.Structure().Ends(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range []struct {
		name       string
		last, want int64
	}{
		{"the table of records", ends.Records, ends.RecordEntries},
		{"the table of hashes", ends.Hashes, tlog.StoredHashCount(size) - 1},
	} {
		if e.last != e.want {
			list = append(list, found(verify.DerivedDiffers, "%s ends at number %d where the log asks for %d", e.name, e.last, e.want))
		}
	}
	newest, err := tx.Log().NewestCheckpoint(ctx)
	if err == nil && newest.Size > size {
		list = append(list, found(verify.DerivedDiffers,
			"the table of checkpoints ends at number %d where the log asks for %d", newest.Size, size))
	}
	return list, unlessNoRow(err) // a missing one is found by its absence
}

// verifyAgain checks that the log extends the present anchor, while no other process can write, so
// that an anchor beyond the log is not one whose records are still being committed.
func (s *Store) verifyAgain(ctx context.Context, tx engine.Tx) (err error) {
	if s.anchor == nil {
		return nil
	}
	held, failed := s.anchor.Read(ctx)
	if errors.Is(failed, disk.ErrHeld) {
		return &Problem{Path: s.anchor.Path, Kind: ErrAnchorLocked, Cause: failed,
			Advice: "nothing is written until that program releases it"}
	}
	if failed == nil && s.anchor.Knows(held) {
		if s.options.Database == nil {
			// An open file stays the same file; behind a connection a server may be restored or replaced.
			return nil
		}
		note, err := tx.Log().Checkpoint(ctx, held.Size)
		if unlessNoRow(err) != nil || err == nil && string(note) == string(held.Note) {
			return err
		}
	}
	return s.verifyHeld(ctx, tx, &held, failed)
}

// verifyHeld compares the log with what was read of the anchor before the transaction began.
func (s *Store) verifyHeld(ctx context.Context, tx engine.Tx, held *merkle.Anchored, failed error) (err error) {
	v := &Snapshot{store: s}
	if err = v.holdTo(held, failed); err != nil {
		return err
	}
	if err := v.takeAt(ctx, tx); err != nil {
		return err
	}
	list, err := verify.Extends(ctx, v, v)
	if err != nil {
		return err
	}
	covered, err := verifyCovered(ctx, tx, v.tables, false)
	if err != nil {
		return err
	}
	s.findings.add(slices.Concat(list, covered)...)
	return s.checkNoFindings()
}

// readingHead is reading for a log that is shown to others: it compares the head with the newest
// that this process knows, because behind a connection a server may be restored or replaced.
func (s *Store) readingHead(ctx context.Context, doing string, do engine.Work) error {
	release, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	anchor := s.anchor
	release()
	if s.options.Database == nil || anchor == nil {
		return s.reading(ctx, doing, do)
	}
	held, failed := anchor.Read(ctx) // before the snapshot: it is never about to be right
	if errors.Is(failed, disk.ErrHeld) {
		return s.reading(ctx, doing, do)
	}
	newest := merkle.Checkpoint{Size: -1}
	err = s.reading(ctx, doing, func(ctx context.Context, tx engine.Tx) error {
		note, err := newestCheckpoint(ctx, tx)
		if err != nil {
			return err
		}
		if failed != nil || string(note) != string(held.Note) {
			if err := s.verifyHeld(ctx, tx, &held, failed); err != nil {
				return err
			}
			if newest, err = s.key.Open(note); err != nil {
				return fmt.Errorf("the newest checkpoint of the log: %w: %w", err, ErrDamaged)
			}
		}
		return do(ctx, tx)
	})
	if err == nil && newest.Size >= 0 {
		_ = s.keepAnchor(ctx, newest) // the next reading tries again
	}
	return err
}

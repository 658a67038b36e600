package store

import (
	"context"
	"errors"
	"fmt"
	"math"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/verify"
)

// A console keeps each checkpoint that its service showed and that extends what was known of the service's log. Where
// one did not, it keeps both, the known one and the shown one. The newest row says whether the service is in order.

// KnownOfService holds what a console knows of the log of its service. Each checkpoint that the service shows has to
// extend it.
type KnownOfService struct {
	Keys        []string // of the logs that the service had, oldest first; none if the store is bound to no service
	Checkpoints []KnownCheckpoint
	// Restored are the beginnings of the log that statements of restores name.
	Restored []records.LogHead
}

// A KnownCheckpoint is a checkpoint of the service's log that a console keeps.
type KnownCheckpoint struct {
	Note string
	Key  string // the verifier key that signed it
	records.LogHead
}

// KnownOfService returns what is known of the service's log: of each log that it had, the newest checkpoint that was shown, and those with
// receipts of later records. Records that a restore lost according to its statement are left out.
func (s *Store) KnownOfService(ctx context.Context) (known KnownOfService, err error) {
	err = s.reading(ctx, "read what is known of the service", func(ctx context.Context, tx engine.Tx) error {
		bound, err := boundServiceOf(ctx, tx)
		if err != nil || bound.newest == "" {
			return err
		}
		for i := range bound.lineage {
			known.Keys = append(known.Keys, bound.lineage[i].Key)
		}
		newest, err := newestShown(ctx, tx, bound.lineage)
		for place := 0; place < len(bound.lineage) && err == nil; place++ {
			err = known.add(ctx, tx, bound.lineage, place, newest[bound.lineage[place].Key])
		}
		return err
	})
	if err != nil {
		return KnownOfService{}, err
	}
	return known, nil
}

// newestShown returns, for each log of a lineage by its key, the largest checkpoint that was shown and whose records
// are all in the newest log.
func newestShown(ctx context.Context, tx engine.Tx, lineage verify.Lineage) (map[string]KnownCheckpoint, error) {
	newest := map[string]KnownCheckpoint{}
	keys := map[string]signed.Key{}
	held := map[string]int64{}
	for place, g := range lineage {
		key, err := signed.ParseKey(g.Key)
		if err != nil {
			return nil, fmt.Errorf("the key of the service: %w: %w", ErrDamaged, err)
		}
		keys[g.Key], held[g.Key] = key, lineage.Holds(place)
	}
	err := tx.Answers().Shown(ctx, func(c *engine.ShownCheckpoint) error {
		key, ours := keys[c.Key]
		if c.Setback.Kind != "" || !ours {
			return nil
		}
		head, err := key.OpenCheckpoint(c.Checkpoint)
		if err != nil {
			return fmt.Errorf("a checkpoint of the service: %w: %w", ErrDamaged, err)
		}
		head.Origin = key.Origin()
		if before, there := newest[c.Key]; head.Size <= held[c.Key] && (!there || before.Size < head.Size) {
			newest[c.Key] = KnownCheckpoint{c.Checkpoint, c.Key, head}
		}
		return nil
	})
	return newest, err
}

// add adds what is known of the log at a place of the lineage.
func (k *KnownOfService) add(ctx context.Context, tx engine.Tx, lineage verify.Lineage, place int, newest KnownCheckpoint) error {
	g := &lineage[place]
	if newest.Note != "" {
		k.Checkpoints = append(k.Checkpoints, newest)
	}
	if place < len(lineage)-1 && g.Ended.Size == lineage.Holds(place) {
		k.Restored = append(k.Restored, records.LogHead{Origin: g.Origin, Size: g.Ended.Size, Root: g.Ended.Root})
	}
	key, err := signed.ParseKey(g.Key)
	if err != nil {
		return err
	}
	return tx.Answers().AcceptedAbove(ctx, g.Origin, newest.Size, func(a *engine.Acceptance) error {
		if a.TreeSize > lineage.Holds(place) {
			return nil
		}
		head, err := key.OpenCheckpoint(a.Checkpoint)
		if err != nil {
			return fmt.Errorf("a receipt of the service: %w: %w", ErrDamaged, err)
		}
		head.Origin = g.Origin
		k.Checkpoints = append(k.Checkpoints, KnownCheckpoint{a.Checkpoint, g.Key, head})
		return nil
	})
}

// KeepShown keeps a checkpoint that the service showed and that was found to extend all that KnownOfService returned.
// One that is not newer changes nothing, unless it puts the service in order again. The error wraps ErrNotBound in a
// store that is bound to no service, and signed.ErrCheckpoint if the service did not sign it.
func (s *Store) KeepShown(ctx context.Context, checkpoint string) error {
	return s.writing(ctx, "keep the service's checkpoint", func(ctx context.Context, tx engine.Tx) error {
		key, err := serviceKey(ctx, tx)
		if err != nil {
			return err
		}
		head, err := key.OpenCheckpoint(checkpoint)
		if err != nil {
			return err
		}
		last, err := tx.Answers().NewestShown(ctx)
		if err != nil && !errors.Is(err, engine.ErrNoRow) {
			return err
		}
		if err == nil && last.Setback.Kind == "" && last.Key == key.String() {
			before, err := key.OpenCheckpoint(last.Checkpoint)
			if err == nil && before.Size >= head.Size {
				return nil // the same, or another process met the service meanwhile
			}
		}
		return tx.Answers().Show(ctx, engine.ShownCheckpoint{Checkpoint: checkpoint, Key: key.String()}, terms.InstantOf(s.now()))
	})
}

// KeepSetback keeps that the service showed a checkpoint which does not extend one that was known. Keeping the same as the last time
// changes nothing. The error wraps ErrNotBound in a store that is bound to no service, and signed.ErrSetback if the checkpoints do not show it.
func (s *Store) KeepSetback(ctx context.Context, setback signed.Setback) error {
	return s.writing(ctx, "keep the setback of the service", func(ctx context.Context, tx engine.Tx) error {
		bound, err := boundServiceOf(ctx, tx)
		switch {
		case err != nil:
			return err
		case bound.first == "":
			return ErrNotBound
		}
		now := terms.InstantOf(s.now())
		setback.At, setback.Settled, setback.SettledKey = now.String(), "", ""
		if _, err := setback.Open(); err != nil {
			return err
		}
		if !verify.OfService(&setback, bound.keys()) {
			return signed.ErrSetback
		}
		last, err := tx.Answers().NewestShown(ctx)
		if err == nil && last.Checkpoint == setback.Shown && last.Setback.Kind == setback.Kind && last.Setback.Known == setback.Known {
			return nil
		}
		if err != nil && !errors.Is(err, engine.ErrNoRow) {
			return err
		}
		return tx.Answers().Show(ctx, engine.ShownCheckpoint{Checkpoint: setback.Shown, Key: setback.ShownKey, Setback: setback}, now)
	})
}

// openSetback returns the setback that the service showed last; zero if it was in order. It is not verified here; the
// checks do that.
func openSetback(ctx context.Context, tx engine.Tx) (records.Setback, error) {
	last, err := tx.Answers().NewestShown(ctx)
	if errors.Is(err, engine.ErrNoRow) || err == nil && last.Setback.Kind == "" {
		return records.Setback{}, nil
	}
	kept := last.Setback
	kept.Shown, kept.ShownKey = last.Checkpoint, last.Key
	setback, _ := kept.Open()
	return setback, err
}

// verifyShown compares the checkpoints that the service showed with its keys and with each other. Its setbacks are
// checked with the records.
func (c *storageCheck) verifyShown(ctx context.Context, tx engine.Tx, bound *boundService) error {
	last := map[string]records.LogHead{}
	return tx.Answers().Shown(ctx, func(shown *engine.ShownCheckpoint) error {
		if shown.Setback.Kind != "" {
			return nil
		}
		key, _ := bound.keyOf(shown.Checkpoint)
		head, err := key.OpenCheckpoint(shown.Checkpoint)
		before := last[key.Origin()]
		if _, timed := terms.ParseInstant(shown.Setback.At); err != nil || !timed || key.String() != shown.Key || shown.Setback.Known != "" || shown.Setback.KnownKey != "" ||
			shown.Setback.Proof != "" || head.Size < before.Size || head.Size == before.Size && before.Root.Present() && head.Root != before.Root {
			c.add(found(verify.AnswerAltered, "checkpoint %d of the service", shown.Position))
		}
		last[key.Origin()] = head
		return nil
	})
}

// KeepServiceRecords keeps records of the service's log that other consoles handed in, each of which is in force there
// on its revision: from then on a decision on the revision supersedes it. It returns those that it kept. It skips a
// record of this log, one that is kept already, one that a record of this log supersedes, and one that precedes another
// known record in the service's log. The error wraps signed.ErrServiceRecord if the service or the reviewer did not
// sign one of them, and is ErrNotBound in a store that is bound to no service.
func (s *Store) KeepServiceRecords(ctx context.Context, list []signed.ServiceRecord) (kept []records.Enforcement, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	err = s.writing(ctx, "keep records of the service's log", func(ctx context.Context, tx engine.Tx) error {
		kept = nil
		ours, err := logSize(ctx, tx)
		if err != nil {
			return err
		}
		rejected, err := tx.Answers().LastRejection(ctx)
		if err != nil {
			return err
		}
		bound, err := boundServiceOf(ctx, tx)
		if err == nil && bound.first == "" {
			err = ErrNotBound
		}
		reader := &packets.Reader{}
		for i := 0; i < len(list) && err == nil; i++ {
			key, _ := bound.keyOf(list[i].Checkpoint) // the zero key opens nothing
			var record records.Enforcement
			if record, err = key.OpenServiceRecord(reader, &list[i]); err != nil {
				break
			}
			m := record.Members()
			row := engine.ServiceRecord{ServiceRecord: list[i], Table: terms.RecordTable(m.Area), Key: m.Key, RecordID: m.RecordID, Supersedes: m.Supersedes, Origin: key.Origin(),
				AfterRecords: ours, AfterRejections: rejected + 1}
			var newer bool
			if newer, err = isNewer(ctx, tx, reader, &row); err != nil || !newer {
				continue
			}
			if err = tx.Answers().AddServiceRecord(ctx, &row, terms.InstantOf(s.now())); err == nil {
				kept = append(kept, record)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return kept, nil
}

// isNewer reports whether a record of the service's log comes after every known record on its revision.
func isNewer(ctx context.Context, tx engine.Tx, reader *packets.Reader, r *engine.ServiceRecord) (bool, error) {
	if _, err := leafOf(ctx, tx, r.RecordID); !errors.Is(err, ErrNotFound) {
		return false, err
	}
	theirs, err := tx.Answers().ServiceRecordsOn(ctx, r.Table, r.Key)
	if err != nil {
		return false, err
	}
	for i := range theirs {
		if !theirs[i].Lost && theirs[i].Sequence >= r.Sequence {
			return false, nil
		}
	}
	ours := loggedList{reader: reader}
	if err := tx.Records().LoggedOn(ctx, terms.EnforcementTable(terms.AreaOf(r.Table)), r.Key, false, ours.add); err != nil {
		return false, err
	}
	for i := range ours.records {
		l := &ours.records[i]
		if l.Void() || l.Unreadable != "" {
			continue
		}
		if l.Record.Members().Supersedes == r.RecordID || l.HandIn.State == records.Accepted && l.HandIn.Receipt.Sequence > r.Sequence {
			return false, nil
		}
	}
	return true, nil
}

// serviceRecordsOn returns the kept records of the service's log on a revision, in their order. It leaves out one that
// cannot be read, which every check finds.
func serviceRecordsOn(ctx context.Context, tx engine.Tx, reader *packets.Reader, table terms.Table, key packets.Key) (list []records.Enforcement, err error) {
	theirs, err := tx.Answers().ServiceRecordsOn(ctx, table, key)
	for i := range theirs {
		if record, failed := theirs[i].Unproven(reader); failed == nil && !theirs[i].Lost {
			list = append(list, record)
		}
	}
	return list, err
}

// verifyServiceRecords compares the columns of each record of the service's log with the record, and checks the order
// of those on one revision. The record itself is checked with the records.
func (c *storageCheck) verifyServiceRecords(ctx context.Context, tx engine.Tx, bound *boundService) error {
	reader := &packets.Reader{}
	after := engine.ServiceRecord{}
	newest := map[verify.Ref]engine.ServiceRecord{}
	return tx.Answers().ServiceRecords(ctx, math.MinInt64, math.MaxInt64, math.MaxInt, func(kept *engine.ServiceRecord) error {
		record, err := kept.Unproven(reader)
		if err != nil {
			return nil // found with the records
		}
		m := record.Members()
		key, _ := bound.keyOf(kept.Checkpoint)
		on := verify.Ref{Table: terms.RecordTable(m.Area), Key: m.Key}
		before, there := newest[on]
		if kept.Table != on.Table || kept.Key != on.Key || kept.RecordID != m.RecordID || kept.Supersedes != m.Supersedes || kept.Origin != key.Origin() ||
			kept.AfterRecords < after.AfterRecords || kept.AfterRejections < after.AfterRejections ||
			there && before.Origin == kept.Origin && before.Sequence >= kept.Sequence {
			c.add(found(verify.ServiceRecordAltered, "row %d", kept.Position))
		}
		after, newest[on] = *kept, *kept
		return nil
	})
}

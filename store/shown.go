package store

import (
	"cmp"
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

// A console keeps the newest checkpoint that its service showed and that extends what was known of
// its log. Where one did not, it keeps that, too, and stops until a person accepts it. The newest
// row says whether the service is in order.

// KnownOfService is what a console knows of its service's log, which later checkpoints must extend.
type KnownOfService struct {
	Keys        []string // of its log, the present one last; none if the store is bound to no service
	Checkpoints []KnownCheckpoint
	// Setback is what the service showed last, if that does not extend what was known; else zero.
	Setback records.Setback
}

// A KnownCheckpoint is a checkpoint of the service's log that a console keeps.
type KnownCheckpoint struct {
	Note string
	Key  string // the verifier key that signed it
	records.LogHead
}

// KnownOfService returns the newest shown checkpoint, and those with receipts of later records.
func (s *Store) KnownOfService(ctx context.Context) (KnownOfService, error) {
	return ask(ctx, s, "read what is known of the service", knownOfService)
}

func knownOfService(ctx context.Context, tx engine.Tx) (known KnownOfService, err error) {
	bound, err := boundServiceOf(ctx, tx)
	if err != nil || len(bound) == 0 {
		return known, err
	}
	known.Keys = bound
	key, err := signed.ParseKey(bound.newest())
	if err != nil {
		return known, fmt.Errorf("the key of the service: %w: %w", ErrDamaged, err)
	}
	size := int64(0)
	newest, err := tx.Answers().NewestKnown(ctx)
	switch {
	case errors.Is(err, engine.ErrNoRow):
	case err != nil:
		return known, err
	default:
		head, err := openCheckpoint(newest.Key, newest.Checkpoint)
		if err != nil {
			return known, fmt.Errorf("a checkpoint of the service: %w: %w", ErrDamaged, err)
		}
		size = head.Size
		known.Checkpoints = append(known.Checkpoints, KnownCheckpoint{newest.Checkpoint, newest.Key, head})
	}
	err = tx.Answers().AcceptedAbove(ctx, key.Origin(), size, func(a *engine.Acceptance) error {
		head, err := openCheckpoint(bound.newest(), a.Checkpoint)
		if err != nil {
			return fmt.Errorf("a receipt of the service: %w: %w", ErrDamaged, err)
		}
		known.Checkpoints = append(known.Checkpoints, KnownCheckpoint{a.Checkpoint, bound.newest(), head})
		return nil
	})
	if err == nil {
		known.Setback, err = openSetback(ctx, tx)
	}
	return known, err
}

// openCheckpoint's error wraps signed.ErrKey or signed.ErrCheckpoint.
func openCheckpoint(encoded, checkpoint string) (records.LogHead, error) {
	key, err := signed.ParseKey(encoded)
	if err != nil {
		return records.LogHead{}, err
	}
	head, err := key.OpenCheckpoint(checkpoint)
	head.Origin = key.Origin()
	return head, err
}

// KeepShown keeps a checkpoint that the service showed and that was found to extend all that
// KnownOfService returned. One that is not newer changes nothing. The error wraps ErrNotBound in a
// store that is bound to no service, signed.ErrCheckpoint if the service did not sign it, and
// ErrOtherService once the service showed another log.
func (s *Store) KeepShown(ctx context.Context, checkpoint string) error {
	return s.writing(ctx, "keep the service's checkpoint", func(ctx context.Context, tx engine.Tx) error {
		key, err := serviceKeyOf(ctx, tx, "")
		if err != nil {
			return err
		}
		head, err := key.OpenCheckpoint(checkpoint)
		if err != nil {
			return err
		}
		known, err := knownOfService(ctx, tx)
		switch {
		case err != nil:
			return err
		case known.Setback.Kind.Present():
			return fmt.Errorf("%w: %s", ErrOtherService, known.Setback.Sentence())
		case len(known.Checkpoints) > 0 && known.Checkpoints[0].Size >= head.Size:
			return nil // the same, or another process met the service meanwhile
		}
		return tx.Answers().Show(ctx, engine.ShownCheckpoint{Checkpoint: checkpoint, Key: key.String(),
			At: terms.InstantOf(s.now()).String()})
	})
}

// KeepSetback keeps that the service showed a checkpoint, signed with the verifier key, that does
// not extend the known one. While a setback stands, another changes nothing. The error wraps
// ErrNotBound in a store that is bound to no service or knows no checkpoint of it, and
// signed.ErrCheckpoint if the key did not sign it.
func (s *Store) KeepSetback(ctx context.Context, kind records.SetbackKind, shown, key string) error {
	return s.writing(ctx, "keep the setback of the service", func(ctx context.Context, tx engine.Tx) error {
		if _, err := openCheckpoint(key, shown); err != nil {
			return err
		}
		known, err := knownOfService(ctx, tx)
		switch {
		case err != nil || known.Setback.Kind.Present():
			return err
		case len(known.Checkpoints) == 0:
			return ErrNotBound
		}
		// A receipt may be newer than the newest checkpoint that was shown.
		last := known.Checkpoints[len(known.Checkpoints)-1]
		now := terms.InstantOf(s.now()).String()
		newest, err := tx.Answers().NewestKnown(ctx)
		if err != nil && !errors.Is(err, engine.ErrNoRow) {
			return err
		}
		if newest.Checkpoint != last.Note {
			if err := tx.Answers().Show(ctx, engine.ShownCheckpoint{Checkpoint: last.Note, Key: last.Key, At: now}); err != nil {
				return err
			}
		}
		return tx.Answers().Show(ctx, engine.ShownCheckpoint{Checkpoint: shown, Key: key, Setback: kind.String(), At: now})
	})
}

// openSetback returns an unverified setback; zero if the service's log extends what was known.
func openSetback(ctx context.Context, tx engine.Tx) (setback records.Setback, err error) {
	last, err := tx.Answers().NewestShown(ctx)
	if errors.Is(err, engine.ErrNoRow) || err == nil && last.Setback == "" {
		return setback, nil
	}
	if err != nil {
		return setback, err
	}
	if setback.Kind, err = records.SetbackKinds.Parse(last.Setback); err != nil {
		setback.Kind = records.LogUnproven // edited: the checks find that
	}
	setback.At, _ = terms.ParseInstant(last.At)
	setback.ShownKey = last.Key
	setback.Shown, _ = openCheckpoint(last.Key, last.Checkpoint)
	known, err := tx.Answers().NewestKnown(ctx)
	setback.KnownKey = known.Key
	setback.Known, _ = openCheckpoint(known.Key, known.Checkpoint)
	return setback, unlessNoRow(err)
}

// verifyShown compares the service's checkpoints with its keys, and each with the one before.
func (c *storageCheck) verifyShown(ctx context.Context, tx engine.Tx, bound boundService) error {
	place := 0
	var last engine.ShownCheckpoint
	var before records.LogHead
	return tx.Answers().Shown(ctx, func(shown *engine.ShownCheckpoint) error {
		head, err := openCheckpoint(shown.Key, shown.Checkpoint)
		_, timed := terms.ParseInstant(shown.At)
		sound := err == nil && timed
		switch {
		case shown.Setback != "":
			_, err := records.SetbackKinds.Parse(shown.Setback)
			sound = sound && err == nil && last.Setback == "" && last.Checkpoint != ""
		case last.Setback != "":
			place++
			sound = sound && place < len(bound) && shown.Key == bound[place]
			before = head
		default:
			sound = sound && place < len(bound) && shown.Key == bound[place] && head.Size >= before.Size &&
				(head.Size > before.Size || !before.Root.Present() || head.Root == before.Root)
			before = head
		}
		if !sound {
			c.add(found(verify.EvidenceAltered, "checkpoint %d of the service", shown.Position))
		}
		last = *shown
		return nil
	})
}

// KeepServiceRecords keeps records of the service's log that other consoles handed in, each of
// which is in force there on its revision: from then on a decision on the revision supersedes it.
// It returns those that it kept. It skips a record of this log, one that is kept already, one that
// a record of this log supersedes, and one that precedes another known record in the service's log.
// The error wraps signed.ErrServiceRecord if the service or the reviewer did not sign one of them,
// and is ErrNotBound in a store that is bound to no service.
func (s *Store) KeepServiceRecords(ctx context.Context, list []signed.ServiceRecord) (kept []records.Enforcement, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	err = s.writing(ctx, "keep records of the service's log", func(ctx context.Context, tx engine.Tx) error {
		kept = nil
		var ours, rejected int64
		var bound boundService
		err := cmp.Or(into(&ours)(logSize(ctx, tx)), into(&rejected)(tx.Answers().LastRejection(ctx)), into(&bound)(boundServiceOf(ctx, tx)))
		if err == nil && len(bound) == 0 {
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
			row := engine.ServiceRecord{ServiceRecord: list[i], Table: terms.RecordTable(m.Area), Key: m.Key,
				RecordID: m.RecordID, Supersedes: m.Supersedes, Origin: key.Origin(),
				AfterRecords: ours, AfterRejections: rejected + 1}
			var newer bool
			if newer, err = s.isNewer(ctx, tx, reader, &row); err != nil || !newer {
				continue
			}
			if err = tx.Answers().AddServiceRecord(ctx, &row, terms.InstantOf(s.now())); err == nil {
				kept = append(kept, record)
			}
		}
		return err
	})
	return kept, err
}

// isNewer reports whether a record of the service's log comes after all known ones on its revision.
func (s *Store) isNewer(ctx context.Context, tx engine.Tx, reader *packets.Reader, r *engine.ServiceRecord) (bool, error) {
	if _, err := leafOf(ctx, tx, r.RecordID); !errors.Is(err, ErrNotFound) {
		return false, err
	}
	theirs, err := tx.Answers().ServiceRecordsOn(ctx, r.Table, r.Key)
	if err != nil {
		return false, err
	}
	for i := range theirs {
		if !theirs[i].Earlier && theirs[i].Sequence >= r.Sequence {
			return false, nil
		}
	}
	ours := loggedList{store: s, reader: reader}
	err = tx.Records().LoggedOn(ctx, terms.EnforcementTable(terms.AreaOf(r.Table)), r.Key, false, ours.add)
	if err = cmp.Or(err, ours.settle(ctx, tx)); err != nil {
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

// serviceRecordsOn returns the service's readable records on a revision, in order.
func serviceRecordsOn(ctx context.Context, tx engine.Tx, reader *packets.Reader, table terms.Table,
	key packets.Key) (list []records.Enforcement, err error) {
	theirs, err := tx.Answers().ServiceRecordsOn(ctx, table, key)
	for i := range theirs {
		if record, failed := theirs[i].Unproven(reader); failed == nil && !theirs[i].Earlier {
			list = append(list, record)
		}
	}
	return list, err
}

// verifyServiceRecords compares columns and order of the service's records, not the records.
func (c *storageCheck) verifyServiceRecords(ctx context.Context, tx engine.Tx, bound boundService) error {
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
		if kept.Table != on.Table || kept.Key != on.Key || kept.RecordID != m.RecordID ||
			kept.Supersedes != m.Supersedes || kept.Origin != key.Origin() ||
			kept.AfterRecords < after.AfterRecords || kept.AfterRejections < after.AfterRejections ||
			there && before.Origin == kept.Origin && before.Sequence >= kept.Sequence {
			c.add(found(verify.EvidenceAltered, "record %d of the service's log", kept.Position))
		}
		after, newest[on] = *kept, *kept
		return nil
	})
}

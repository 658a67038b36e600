package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/parsed"
	"docket/store/verify"
)

// Erasing is the one exception to append-only. The texts of packets, statements of reasons and
// notes lie in separate tables, each row with a random salt; documents and records hold digests
// over both. A trigger lets a row of theirs be deleted only if the signed statement about it is
// there. Every check accepts a missing row only with its statement, and lists it.

// PlanErasure returns what erasing would do for the person by. The error wraps ErrNotFound if the
// store holds no such thing, and records.ErrRefused if the person may not erase here.
func (s *Store) PlanErasure(ctx context.Context, e records.Erasure, by records.Reviewer) (records.ErasurePlan, error) {
	return ask(ctx, s, "look at what is erased", func(ctx context.Context, tx engine.Tx) (records.ErasurePlan, error) {
		return s.planErasure(ctx, tx, e, by)
	})
}

func (s *Store) planErasure(ctx context.Context, tx engine.Tx, e records.Erasure,
	by records.Reviewer) (plan records.ErasurePlan, err error) {
	plan.Erasure = e
	if s.key == nil {
		return plan, s.checkNoFindings()
	}
	l, err := statedIn(ctx, tx, s.key)
	if err != nil {
		return plan, err
	}
	if err := s.mayErase(ctx, tx, l, e, by); err != nil {
		return plan, err
	}
	stated := verify.ErasuresOf(l.opened, false)
	local := e.What == records.ErasableDraft || e.What == records.ErasableSkip
	if before, is := stated[e.Object()]; is && !local {
		plan.Before = &before
		return plan, nil
	}
	own, salts, err := tx.Records().Erasable(ctx, e, by.ID, math.MaxInt64)
	if err != nil {
		return plan, err
	}
	if own == 0 {
		before, is := stated[e.Object()]
		if !is {
			before, is = verify.ErasuresOf(l.opened, true)[e.Object()]
		}
		if is {
			plan.Before = &before
			return plan, nil
		}
	}
	plan.Rows = own + salts
	if plan.Rows == 0 || e.What == records.ErasableTexts {
		there, err := s.erasable(ctx, tx, e)
		if err != nil {
			return plan, err
		}
		if !there {
			return plan, fmt.Errorf("%s: %w", e, ErrNotFound)
		}
	}
	if e.What == records.ErasableTexts {
		document, err := documentOf(ctx, tx, e.Table, e.Key)
		if err != nil {
			return plan, err
		}
		e.Rest = terms.HashOf(packets.Rest(document))
	}
	plan.Due, err = s.due(ctx, tx, records.Erased, e.Words()...)
	return plan, err
}

// erasable reports whether the record or the packet says that it has what is to be erased.
func (s *Store) erasable(ctx context.Context, tx engine.Tx, e records.Erasure) (bool, error) {
	switch e.What {
	case records.ErasableNote, records.ErasableStatement:
		record, err := recordOf(ctx, tx, &packets.Reader{}, e.Record)
		if errors.Is(err, ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if e.What == records.ErasableNote {
			return record.Members().NoteDigest.Present() && !s.key.OfService(), nil
		}
		return record.Members().StatementDigest.Present(), nil
	case records.ErasableTexts:
		document, err := documentOf(ctx, tx, e.Table, e.Key)
		if err != nil {
			return false, unlessNoRow(err)
		}
		packet, err := parsed.Read(&packets.Reader{}, document, e.Table, e.Key)
		return packet.HasTexts() || packet.Erased(), err
	}
	return false, nil
}

// mayErase refuses all but the operator at a service, and all but its reviewer for a record here.
func (s *Store) mayErase(ctx context.Context, tx engine.Tx, l *statedLog, e records.Erasure, by records.Reviewer) error {
	if s.key.OfService() {
		switch operator := l.operator(); {
		case operator == "":
			return errNoOperator
		case operator != by.KeyFingerprint:
			return fmt.Errorf("%w: only the operator of this service erases here, with the key %s", records.ErrRefused, operator)
		}
		return nil
	}
	if e.What == records.ErasableDraft {
		return nil
	}
	if err := l.mayState(by); err != nil || e.What == records.ErasableTexts {
		return err
	}
	record, err := recordOf(ctx, tx, &packets.Reader{}, e.Record)
	if errors.Is(err, ErrNotFound) || err == nil && record.Members().Reviewer.ID == by.ID {
		return nil
	}
	if _, there := verify.ErasuresOf(l.opened, true)[e.Object()]; there {
		return nil // the reviewer takes over what the operator of the service erased
	}
	if err == nil {
		err = &records.Refusal{Reason: fmt.Sprintf(
			"the record is of %s, who alone erases what they wrote", string(record.Members().Reviewer.ID))}
	}
	return err
}

// erasures are statements by what was erased.
type erasures = map[records.Erasure]records.LogStatement

// recordOf returns an error that wraps ErrNotFound if there is no such record.
func recordOf(ctx context.Context, tx engine.Tx, reader *packets.Reader, id records.RecordID) (records.Enforcement, error) {
	leaf, document, err := loggedAs(ctx, tx, id)
	if err != nil {
		return records.Enforcement{}, err
	}
	return records.ReadEnforcement(reader, terms.AreaOf(leaf.table), document)
}

// erasedIn returns the statements about erasures in a log and, for a console, at its service.
func erasedIn(ctx context.Context, tx engine.Tx, key *merkle.Key) (here, atService erasures, err error) {
	l, err := statedIn(ctx, tx, key)
	if err != nil {
		return nil, nil, err
	}
	return verify.ErasuresOf(l.opened, false), verify.ErasuresOf(l.opened, true), nil
}

// KeepErasures keeps the statements about erasures of the operator of the service to which the
// store is bound: from then on a packet may come without the erased texts. The texts in this store
// stay until they are erased here, too. Keeping the same again changes nothing. The error wraps
// records.ErrLogStatement if the service did not sign one.
func (s *Store) KeepErasures(ctx context.Context, list []signed.Statement) error {
	_, err := s.keepOfService(ctx, list, records.Erased)
	return err
}

// ErasedElsewhere lists, in their order, the statements on what the service's operator erased and
// this store still holds.
func (s *Store) ErasedElsewhere(ctx context.Context) ([]records.LogStatement, error) {
	return ask(ctx, s, "look at what the service erased", func(ctx context.Context, tx engine.Tx) (
		list []records.LogStatement, err error) {
		if s.key == nil || s.key.OfService() {
			return nil, nil
		}
		_, stated, err := erasedIn(ctx, tx, s.key)
		for e, statement := range stated {
			rows, _, err := tx.Records().Erasable(ctx, e, "", 0)
			if err != nil {
				return nil, err
			}
			if rows > 0 {
				list = append(list, statement)
			}
		}
		json.Sort(list, func(a, b records.LogStatement) int {
			return cmp.Or(a.At.Time().Compare(b.At.Time()), strings.Compare(a.Text(), b.Text()))
		})
		return list, err
	})
}

// Erase keeps the signed statement, which the log's key signs, too, and deletes the rows that it is
// about, in one transaction. The statement has to be that of PlanErasure, with time, person and
// key. With an error that wraps records.ErrErased the rows are deleted. Scrub has to follow, or the
// next opening scrubs.
func (s *Store) Erase(ctx context.Context, stated signed.Statement) error {
	statement, err := records.ReadLogStatement(stated.Text)
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	e, is := statement.Erasure()
	if !is {
		return fmt.Errorf("%w: it is no statement about an erasure", records.ErrRefused)
	}
	err = s.writingOnce(ctx, "erase", isStated(stated.Text), func(ctx context.Context, tx engine.Tx) error {
		plan, err := s.planErasure(ctx, tx, e, records.Reviewer{ID: statement.By, KeyFingerprint: statement.KeyFingerprint})
		if err != nil {
			return err
		}
		if plan.Before != nil || !isDue(plan.Due, &statement) {
			return fmt.Errorf("%w: the store is not as it was when the erasure was stated; state it again", records.ErrRefused)
		}
		if err := s.addStatement(ctx, tx, stated); err != nil {
			return err
		}
		if err := s.db.Erasing(); err != nil {
			return err
		}
		_, err = tx.Records().Erase(ctx, e, statement.By, math.MaxInt64)
		return err
	})
	if err != nil {
		return err
	}
	return s.keepErased(ctx)
}

// keepErased keeps the erasures beside the anchor: a restore of an earlier backup repeats them.
func (s *Store) keepErased(ctx context.Context) error {
	if s.options.AnchorFolder == "" {
		return nil
	}
	stated, err := ask(ctx, s, "read what was erased", func(ctx context.Context, tx engine.Tx) (*statedLog, error) {
		return statedIn(ctx, tx, s.key)
	})
	if err != nil {
		return err
	}
	for i := range stated.opened {
		if statement := &stated.opened[i].Statement; !stated.opened[i].Counts ||
			statement.Kind != records.Erased || statement.Origin != s.key.Origin {
			continue
		}
		if err := merkle.KeepErasure(s.options.AnchorFolder, s.key.Origin, stated.list[i]); err != nil {
			return fmt.Errorf("%w that could not be kept outside the store, so that a restore of an older backup would bring it back: %w",
				records.ErrErased, disk.FileError(s.options.AnchorFolder, err))
		}
	}
	return nil
}

// EraseAgain deletes what the statements in the store say was erased, as far as it is there, and
// returns how many had something to delete. It is for a store that was restored from an earlier
// backup and then got the statements. Scrub has to follow.
func (s *Store) EraseAgain(ctx context.Context) (erased int, err error) {
	err = s.writing(ctx, "erase again", func(ctx context.Context, tx engine.Tx) error {
		count := 0
		stated, _, err := erasedIn(ctx, tx, s.key)
		if err != nil {
			return err
		}
		if err := s.db.Erasing(); err != nil {
			return err
		}
		for e, statement := range stated {
			if e.What == records.ErasableDraft || e.What == records.ErasableSkip {
				continue // what is there now may have been written since
			}
			// Records that were made since are not over what was erased.
			found, err := tx.Records().Erase(ctx, e, statement.By, statement.Size)
			if err != nil {
				return err
			}
			if found > 0 {
				count++
			}
		}
		erased = max(erased, count) // of a try before that may have been committed
		return nil
	})
	return erased, err
}

// Scrub rewrites the store's file and empties its write-ahead log, so that no erased byte is left
// in either: a page may hold a stale copy of a row that SQLite moved. The error is ErrLocked while
// other programs read the store; then bytes may be left until Scrub is called again, or until the
// store is opened for writing by the only program that has it open.
func (s *Store) Scrub(ctx context.Context) error {
	release, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	return s.db.Scrub(ctx)
}

// noteErased puts time and reason of its erasure in the place of each erased text, unverified.
func noteErased(ctx context.Context, tx engine.Tx, packet packets.Packet) (packets.Packet, error) {
	statements, err := statementsOf(ctx, tx)
	if err != nil {
		return packet, err
	}
	note := "erased; no statement says when or why"
	for _, kept := range statements {
		statement, err := records.ReadLogStatement(kept.Text)
		if err != nil {
			continue
		}
		e, is := statement.Erasure()
		if is && e.What == records.ErasableTexts && e.Table == packet.Table() && e.Key == packet.Key() {
			note = fmt.Sprintf("erased on %s, %s", statement.At.Time().Format("2006-01-02"), e.Reason.Label())
			break
		}
	}
	return packet.ErasedWith(note), nil
}

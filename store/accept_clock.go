package store

import (
	"context"
	"database/sql"
	"fmt"

	"docket/domain"
	"docket/domain/signed"
)

// A clockMark is the time from which the records of a console's log are held in order.
type clockMark struct {
	from   int64          // the sequence of the first record that counts
	newest domain.Instant // of the records that count, or what was accepted for them; absent without any
}

// clockMarkOf is that of a log. Where a person accepted this machine's clock, the records before do not count any more.
func clockMarkOf(ctx context.Context, q querier, origin string) (mark clockMark, err error) {
	statements, err := statementsOf(ctx, q)
	if err != nil {
		return mark, err
	}
	for _, kept := range statements {
		statement, err := kept.Open()
		if err == nil && statement.Kind == domain.ClockAccepted && statement.Origin == origin {
			mark = clockMark{statement.Size, statement.At}
		}
	}
	var id domain.RecordID
	const query = "SELECT coalesce(max(recordId), '') FROM main." + logTable + " WHERE sequence >= ?"
	if err := q.QueryRowContext(ctx, query, mark.from).Scan(&id); err != nil {
		return clockMark{}, err
	}
	if newest := id.At(); newest.Present() && (!mark.newest.Present() || mark.newest.Before(newest)) {
		mark.newest = newest
	}
	return mark, nil
}

// after tells whether the newest record is further ahead of a time than the order allows.
func (m clockMark) after(now domain.Instant) bool {
	return m.newest.Present() && m.newest.Sub(now) > domain.OrderLeeway
}

// refusal says that a time stands before the newest record.
func (m clockMark) refusal(now domain.Instant) *domain.Refusal {
	return &domain.Refusal{Reason: fmt.Sprintf("this machine's clock says %s; the newest record in this log was made at %s: "+
		"recording waits until the clock is right, or until `docket accept clock`", now, m.newest)}
}

// waitsFor is why nothing can be recorded by a clock that says now; "" if it does not stand before the newest record. A service's
// log has no such order.
func (s *Store) waitsFor(ctx context.Context, tx *sql.Tx, now domain.Instant) (string, error) {
	if s.key == nil || s.key.OfService() {
		return "", nil
	}
	mark, err := clockMarkOf(ctx, tx, s.key.Origin)
	if err != nil || !mark.after(now) {
		return "", err
	}
	return mark.refusal(now).Reason, nil
}

// ClockToAccept says what a person would accept who goes on with this machine's clock as it is, although it stands before the
// newest record: the statement without person and key. The error wraps domain.ErrRefused where there is nothing to accept.
func (s *Store) ClockToAccept(ctx context.Context) (due domain.LogStatement, err error) {
	err = s.reading(ctx, "read the log", func(ctx context.Context, tx *sql.Tx) error {
		if err := s.checkUntouched(); err != nil {
			return err
		}
		if err := s.ofKind(false); err != nil {
			return err
		}
		due, err = s.clockToAccept(ctx, tx, domain.InstantOf(s.now()))
		return err
	})
	return due, err
}

func (s *Store) clockToAccept(ctx context.Context, q querier, now domain.Instant) (domain.LogStatement, error) {
	mark, err := clockMarkOf(ctx, q, s.key.Origin)
	if err != nil {
		return domain.LogStatement{}, err
	}
	if !mark.after(now) {
		return domain.LogStatement{}, fmt.Errorf("%w: there is nothing to accept; this machine's clock does not stand before the newest record", domain.ErrRefused)
	}
	head, err := headOf(ctx, q)
	if err != nil {
		return domain.LogStatement{}, err
	}
	return domain.LogStatement{Kind: domain.ClockAccepted, Origin: s.key.Origin, Size: head.Size, Root: head.Root, At: now,
		Found: []string{mark.newest.String()}}, nil
}

// AcceptClock keeps the signed statement of a person who goes on with this machine's clock as it is. From then on records are held in
// order among themselves and not with those before. The statement has to be the one of ClockToAccept, with person and key.
func (s *Store) AcceptClock(ctx context.Context, accepted signed.Statement) error {
	statement, err := accepted.Open()
	if err != nil {
		return fmt.Errorf("%w: %w", domain.ErrRefused, err)
	}
	return s.writing(ctx, "keep the statement", func(ctx context.Context, tx *sql.Tx) error {
		if err := s.ofKind(false); err != nil {
			return err
		}
		if err := s.proveAgain(ctx, tx); err != nil {
			return err
		}
		due, err := s.clockToAccept(ctx, tx, statement.At)
		if err != nil {
			return err
		}
		due.By, due.KeyFingerprint = statement.By, statement.KeyFingerprint
		if due.Text() != accepted.Text || domain.InstantOf(s.now()).Before(statement.At) {
			return fmt.Errorf("%w: the log or the clock is not the one that was accepted; look at it again", domain.ErrRefused)
		}
		return addStatement(ctx, tx, s.key, accepted)
	})
}

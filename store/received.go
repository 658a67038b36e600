package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"docket/domain"
)

// receive keeps when a record that was handed in came, and where it stands in its console's log.
func (a *appending) receive(ctx context.Context, tx *sql.Tx, now time.Time) error {
	m := a.Record.Members()
	const add = "INSERT INTO main." + receivedTable + " (sequence, receivedAt, origin, recordId, size) VALUES (?, ?, ?, ?, ?)"
	return changeOne(ctx, tx, add, a.receipt.Sequence, domain.InstantOf(now).String(), m.LogHead.Origin, string(m.RecordID), m.LogHead.Size)
}

// checkOriginOrder refuses a record that was recorded too long before one that its console's log has before it. Only the size of
// the log that the reviewer saw says what is before it: which of two records is handed in first says nothing, as one may have
// waited, and records of different consoles have no order.
func checkOriginOrder(ctx context.Context, tx *sql.Tx, m *domain.EnforcementMembers) error {
	const query = "SELECT EXISTS (SELECT 1 FROM main." + receivedTable + " WHERE origin = ? AND recordId >= ? AND size < ?)"
	from := domain.NewRecordID(domain.InstantOf(m.RecordID.At().Time().Add(domain.OrderLeeway+time.Millisecond)), [10]byte{})
	var outOfOrder bool
	err := tx.QueryRowContext(ctx, query, m.LogHead.Origin, string(from), m.LogHead.Size).Scan(&outOfOrder)
	if err == nil && outOfOrder {
		return &domain.Refusal{Reason: fmt.Sprintf("it was recorded more than %d minutes before a record that the log of the same console has before it; "+
			"check the clock of that machine", int(domain.OrderLeeway.Minutes()))}
	}
	return err
}

// ReceivedAt is when a record came in that is in a service's log. The error wraps ErrNotFound if it is not.
func (s *Store) ReceivedAt(ctx context.Context, id domain.RecordID) (at domain.Instant, err error) {
	err = s.reading(ctx, "look up when a record came in", func(ctx context.Context, tx *sql.Tx) error {
		const query = "SELECT received.receivedAt FROM main." + logTable + " AS log JOIN main." + receivedTable +
			" AS received ON received.sequence = log.sequence WHERE log.recordId = ?"
		var text string
		err := tx.QueryRowContext(ctx, query, string(id)).Scan(&text)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("record %s: %w", id, ErrNotFound)
		}
		if err != nil {
			return err
		}
		var ok bool
		if at, ok = domain.ParseInstant(text); !ok {
			return fmt.Errorf("when record %s came in: %w", id, ErrDamaged)
		}
		return nil
	})
	return at, err
}

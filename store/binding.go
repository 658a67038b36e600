package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
	"docket/domain/signed"
)

// ErrOtherService says that the store is bound to another service than the one that answered.
var ErrOtherService = errors.New("the store is bound to another service")

// ErrNotBound says that the store has not met a service yet.
var ErrNotBound = errors.New("the store is not bound to a service; the first pull or push binds it")

// Service returns the verifier key of the log of the service that the store is bound to; the error wraps ErrNotFound if it
// is bound to none.
func (s *Store) Service(ctx context.Context) (key string, err error) {
	err = s.reading(ctx, "read which service the store is bound to", func(ctx context.Context, tx *sql.Tx) error {
		if key, err = boundTo(ctx, tx); err == nil && key == "" {
			err = fmt.Errorf("a service: %w", ErrNotFound)
		}
		return err
	})
	return key, err
}

// boundTo is the service's verifier key as it was kept; "" for none.
func boundTo(ctx context.Context, q querier) (key string, err error) {
	err = q.QueryRowContext(ctx, "SELECT key FROM main."+boundTable+" ORDER BY rowid LIMIT 1").Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return key, err
}

// serviceKey is the key with which the service's answers are verified; the error wraps ErrNotBound if there is none.
func serviceKey(ctx context.Context, q querier) (signed.Key, error) {
	encoded, err := boundTo(ctx, q)
	if err != nil {
		return signed.Key{}, err
	}
	if encoded == "" {
		return signed.Key{}, ErrNotBound
	}
	key, err := signed.ParseKey(encoded)
	if err != nil {
		return signed.Key{}, fmt.Errorf("the key of the service: %w: %w", ErrDamaged, err)
	}
	return key, nil
}

// BindService binds the store to the service with this verifier key, for good. Doing it again changes nothing; the error
// wraps ErrOtherService if it is bound to another one, signed.ErrKey if that is no service's key, and ErrKind in the store of a service.
func (s *Store) BindService(ctx context.Context, key string) error {
	if _, err := signed.ParseKey(key); err != nil {
		return err
	}
	bound, err := s.Service(ctx)
	if errors.Is(err, ErrNotFound) {
		err = s.writing(ctx, "bind the store to the service", func(ctx context.Context, tx *sql.Tx) error {
			if err := s.checkKind(false); err != nil {
				return err
			}
			if bound, err = boundTo(ctx, tx); err != nil || bound != "" {
				return err
			}
			bound = key
			return changeOne(ctx, tx, "INSERT INTO main."+boundTable+" (key, boundAt) VALUES (?, ?)", key, s.stamp())
		})
	}
	if err != nil {
		return err
	}
	if bound != key {
		return fmt.Errorf("%w: to %s, not to %s; use another store for that one", ErrOtherService, bound, key)
	}
	return nil
}

// stamp is the time now, as it is kept beside what comes in.
func (s *Store) stamp() string { return domain.InstantOf(s.now()).String() }

// PullCursor returns where pulling goes on, and when packets were last pulled to the end; absent for never.
func (s *Store) PullCursor(ctx context.Context) (cursor string, completed domain.Instant, err error) {
	err = s.reading(ctx, "read where pulling goes on", func(ctx context.Context, tx *sql.Tx) error {
		cursor, completed, err = pulled(ctx, tx)
		return err
	})
	return cursor, completed, err
}

func pulled(ctx context.Context, q querier) (cursor string, completed domain.Instant, err error) {
	var at string
	err = q.QueryRowContext(ctx, "SELECT cursor, completedAt FROM main."+pullTable+" WHERE id = 0").Scan(&cursor, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return "", domain.Instant{}, nil
	}
	completed, _ = domain.ParseInstant(at) // this machine's own word; an absent time shows as never
	return cursor, completed, err
}

// SavePull keeps where pulling goes on, once the packets before that are durable; complete tells that there were no more.
// The error wraps ErrNotBound in a store that is bound to no service.
func (s *Store) SavePull(ctx context.Context, cursor string, complete bool) error {
	at := ""
	if complete {
		at = s.stamp()
	}
	return s.writing(ctx, "keep where pulling goes on", func(ctx context.Context, tx *sql.Tx) error {
		if _, err := serviceKey(ctx, tx); err != nil {
			return err
		}
		return changeOne(ctx, tx, "INSERT INTO main."+pullTable+" (id, cursor, completedAt) VALUES (0, ?, ?) ON CONFLICT DO UPDATE "+
			"SET cursor = excluded.cursor, completedAt = CASE excluded.completedAt WHEN '' THEN completedAt ELSE excluded.completedAt END",
			cursor, at)
	})
}

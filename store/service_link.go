package store

import (
	"context"
	"errors"

	"docket/domain"
)

// ErrOtherService says that the store is bound to another service than the one that answered.
var ErrOtherService = errors.New("the store is bound to another service")

// ErrNotBound says that the store has not met a service yet.
var ErrNotBound = errors.New("the store is not bound to a service")

// Service returns the verifier key of the log of the service that the store is bound to; the error wraps ErrNotFound if it
// is bound to none.
func (s *Store) Service(context.Context) (key string, err error) { return "", ErrNotFound }

// BindService binds the store to the service with this verifier key, for good. Doing it again changes nothing; the error
// wraps ErrOtherService if it is bound to another one.
func (s *Store) BindService(context.Context, string) error { return ErrReadOnly }

// PullCursor returns where pulling goes on, and when packets were last pulled to the end; absent for never.
func (s *Store) PullCursor(context.Context) (cursor string, completed domain.Instant, err error) {
	return "", domain.Instant{}, nil
}

// SavePull keeps where pulling goes on, once the packets before that are durable; complete tells that there were no more.
func (s *Store) SavePull(context.Context, string, bool) error { return ErrNotBound }

package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
)

// ErrOtherService says that the store is bound to another service than the one that answered.
var ErrOtherService = errors.New("the store is bound to another service")

// ErrNotBound says that the store is bound to no service.
var ErrNotBound = errors.New("the store is not bound to a service; the first pull or push binds it")

// Service returns the verifier key of the log of the service that the store is bound to; the error
// wraps ErrNotFound if it is bound to none.
func (s *Store) Service(ctx context.Context) (string, error) {
	return ask(ctx, s, "read which service the store is bound to", func(ctx context.Context, tx engine.Tx) (string, error) {
		key, err := boundTo(ctx, tx)
		if err == nil && key == "" {
			err = fmt.Errorf("a service: %w", ErrNotFound)
		}
		return key, err
	})
}

// boundTo returns the service's verifier key that a person accepted last; "" for none.
func boundTo(ctx context.Context, tx engine.Tx) (key string, err error) {
	bound, err := boundServiceOf(ctx, tx)
	return bound.newest(), err
}

// A boundService holds the verifier key of the service that a person named, and each that a person
// accepted in the place of the one before.
type boundService []string

func boundServiceOf(ctx context.Context, tx engine.Tx) (boundService, error) {
	keys, err := tx.Answers().Bound(ctx)
	return boundService(keys), err
}

func (b boundService) newest() string {
	if len(b) == 0 {
		return ""
	}
	return b[len(b)-1]
}

// keyOf returns the key of the service's log that signed a note; the newest if the note names none.
func (b boundService) keyOf(note string) (signed.Key, error) {
	encoded := b.newest()
	for _, key := range b {
		if origin, _, _ := strings.Cut(key, "+"); strings.Contains(note, "\n\n— "+origin+" ") {
			encoded = key
		}
	}
	key, err := signed.ParseKey(encoded)
	if err != nil {
		return signed.Key{}, fmt.Errorf("the key of the service: %w: %w", ErrDamaged, err)
	}
	return key, nil
}

// serviceKeyOf is keyOf for the bound service; the error is ErrNotBound if there is none.
func serviceKeyOf(ctx context.Context, tx engine.Tx, note string) (signed.Key, error) {
	bound, err := boundServiceOf(ctx, tx)
	if err == nil && len(bound) == 0 {
		err = ErrNotBound
	}
	if err != nil {
		return signed.Key{}, err
	}
	return bound.keyOf(note)
}

// ServiceToAccept returns the statement by which a person accepts the log that the service shows in
// place of the known one, without time, person and key: key is the verifier key of that log, and
// checkpoint what it signed. The error wraps ErrNotBound in a store that is bound to no service,
// signed.ErrCheckpoint if the key did not sign it, and records.ErrRefused if there is nothing to
// accept.
func (s *Store) ServiceToAccept(ctx context.Context, key, checkpoint string) (records.LogStatement, error) {
	return askKind(ctx, s, false, "read what is known of the service",
		func(ctx context.Context, tx engine.Tx) (records.LogStatement, error) {
			return s.serviceToAccept(ctx, tx, key, checkpoint)
		})
}

func (s *Store) serviceToAccept(ctx context.Context, tx engine.Tx, key, checkpoint string) (due records.LogStatement, err error) {
	bound, err := boundServiceOf(ctx, tx)
	if err != nil || len(bound) == 0 {
		return due, cmp.Or(err, ErrNotBound)
	}
	shown, err := openCheckpoint(key, checkpoint)
	if err != nil {
		return due, err
	}
	setback, err := openSetback(ctx, tx)
	if err != nil {
		return due, err
	}
	if !setback.Kind.Present() {
		return due, fmt.Errorf("%w: there is nothing to accept; the service's log extends what was known of it", records.ErrRefused)
	}
	change := records.ServiceChange{Known: setback.Known, KnownKey: setback.KnownKey, Shown: shown, ShownKey: key}
	return s.due(ctx, tx, records.ServiceAccepted, change.Words()...)
}

// AcceptService keeps the signed statement of a person who accepts the log of a service whose
// checkpoint it is, and binds the store to that log's key. What the service answered before is
// asked for again: each record is handed in with its receipt, and what other consoles decided comes
// with the next pull. The statement has to be that of ServiceToAccept, with time, person and key.
func (s *Store) AcceptService(ctx context.Context, accepted signed.Statement, checkpoint string) error {
	statement, err := accepted.Open()
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	change, _ := statement.ServiceChange()
	return s.writing(ctx, "keep the statement", func(ctx context.Context, tx engine.Tx) error {
		due, err := s.serviceToAccept(ctx, tx, change.ShownKey, checkpoint)
		if err != nil {
			return err
		}
		if !isDue(due, &statement) {
			return fmt.Errorf("%w: the log or the service is not the one that was accepted; look at it again", records.ErrRefused)
		}
		now := terms.InstantOf(s.now())
		return errors.Join(s.addStatement(ctx, tx, accepted), tx.Answers().Bind(ctx, change.ShownKey, now),
			tx.Answers().Show(ctx, engine.ShownCheckpoint{Checkpoint: checkpoint, Key: change.ShownKey, At: now.String()}),
			setPull(ctx, tx, "", terms.Instant{}))
	})
}

// ServiceToName returns the statement by which a person names the service with this verifier key as
// the one that the store works with, without time, person and key; the zero statement if the store
// is bound to it already. The error wraps ErrOtherService if the store is bound to another service,
// signed.ErrKey if the key is no service's, and ErrKind in the store of a service.
func (s *Store) ServiceToName(ctx context.Context, key string) (records.LogStatement, error) {
	return askKind(ctx, s, false, "read which service the store is bound to", func(ctx context.Context,
		tx engine.Tx) (records.LogStatement, error) {
		return s.serviceToName(ctx, tx, key)
	})
}

func (s *Store) serviceToName(ctx context.Context, tx engine.Tx, key string) (due records.LogStatement, err error) {
	if _, err := signed.ParseKey(key); err != nil {
		return due, err
	}
	bound, err := boundTo(ctx, tx)
	switch {
	case err != nil || bound == key:
		return due, err
	case bound != "":
		return due, fmt.Errorf("%w: to %s, not to %s; use another store for that one", ErrOtherService, bound, key)
	}
	return s.due(ctx, tx, records.ServiceNamed, key)
}

// BindService binds the store for good to the service that a person's signed statement names; the
// log's key signs it, too. It has to be that of ServiceToName, with time, person and key. The
// errors are those of ServiceToName, and records.ErrRefused.
func (s *Store) BindService(ctx context.Context, named signed.Statement) error {
	statement, err := records.ReadLogStatement(named.Text)
	if err != nil || statement.Kind != records.ServiceNamed {
		return fmt.Errorf("%w: it is no statement that names a service", records.ErrRefused)
	}
	key := statement.Found[0]
	return s.writing(ctx, "bind the store to the service", func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(false); err != nil {
			return err
		}
		due, err := s.serviceToName(ctx, tx, key)
		if err != nil || !due.Kind.Present() {
			return err
		}
		if !isDue(due, &statement) {
			return fmt.Errorf("%w: the log is not the one that was stated; name the service again", records.ErrRefused)
		}
		return errors.Join(s.addStatement(ctx, tx, named), tx.Answers().Bind(ctx, key, terms.InstantOf(s.now())))
	})
}

// PullCursor returns where the next pull begins, and when one last reached the end; absent for
// never.
func (s *Store) PullCursor(ctx context.Context) (cursor string, completed terms.Instant, err error) {
	err = s.reading(ctx, "read where pulling goes on", func(ctx context.Context, tx engine.Tx) error {
		cursor, completed, err = pulled(ctx, tx)
		return err
	})
	return cursor, completed, err
}

func pulled(ctx context.Context, tx engine.Tx) (cursor string, completed terms.Instant, err error) {
	cursor, at, err := tx.Local().Pull(ctx)
	completed, _ = terms.ParseInstant(at) // this machine's own word; an absent time shows as never
	return cursor, completed, unlessNoRow(err)
}

// SavePull keeps the cursor at which the next pull begins, once the packets before it are durable;
// complete says that there were no more. The error wraps ErrNotBound in a store that is bound to no
// service.
func (s *Store) SavePull(ctx context.Context, cursor string, complete bool) error {
	var at terms.Instant
	if complete {
		at = terms.InstantOf(s.now())
	}
	return s.writing(ctx, "keep where pulling goes on", func(ctx context.Context, tx engine.Tx) error {
		if _, err := serviceKeyOf(ctx, tx, ""); err != nil {
			return err
		}
		return setPull(ctx, tx, cursor, at)
	})
}

// setPull replaces the cursor; an absent time leaves the stored one.
func setPull(ctx context.Context, tx engine.Tx, cursor string, completed terms.Instant) error {
	_, before, err := pulled(ctx, tx)
	if err != nil {
		return err
	}
	if !completed.Present() {
		completed = before
	}
	return tx.Local().SetPull(ctx, cursor, completed)
}

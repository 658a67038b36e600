package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/verify"
)

// ErrOtherService says that the store is bound to another service than the one that answered.
var ErrOtherService = errors.New("the store is bound to another service")

// ErrOtherOperator says that the service has another operator than the console knows, and that only the service itself
// vouches for that operator.
var ErrOtherOperator = fmt.Errorf("%w: it has another operator", ErrOtherService)

// ErrNotBound says that the store is bound to no service.
var ErrNotBound = errors.New("the store is not bound to a service; the first pull or push binds it")

// Service returns the verifier key of the log of the service that the store is bound to; the error wraps ErrNotFound if it
// is bound to none.
func (s *Store) Service(ctx context.Context) (key string, err error) {
	err = s.reading(ctx, "read which service the store is bound to", func(ctx context.Context, tx engine.Tx) error {
		if key, err = boundTo(ctx, tx); err == nil && key == "" {
			err = fmt.Errorf("a service: %w", ErrNotFound)
		}
		return err
	})
	return key, err
}

// boundTo returns the service's verifier key as it was kept, after the restores that the console followed; "" for none.
func boundTo(ctx context.Context, tx engine.Tx) (key string, err error) {
	bound, err := boundServiceOf(ctx, tx)
	return bound.newest, err
}

// A boundService is the service that a console's store is bound to.
type boundService struct {
	first, newest string             // its verifier key at first contact, and now; "" for none
	statements    []signed.Statement // of its operator and its restores that the console kept
	lineage       verify.Lineage
	operator      string   // fingerprint of its operator's key; "" if none is known
	offices       []office // of its operators, oldest first
	whole         bool     // the statements lead from the first key to the newest
}

func boundServiceOf(ctx context.Context, tx engine.Tx) (b boundService, err error) {
	keys, err := tx.Answers().Bound(ctx)
	if err != nil || len(keys) == 0 || keys[0] == "" {
		return b, err
	}
	b.first, b.newest = keys[0], keys[0]
	followed, err := tx.Answers().Followed(ctx)
	for i := range followed {
		b.statements = append(b.statements, followed[i].Statement)
		if read, failed := records.ReadLogStatement(followed[i].Text); failed == nil && read.Kind == records.LogRestored {
			b.newest = read.Restore.NewKey
		}
	}
	b.readLineage()
	return b, err
}

// keys returns the verifier keys of the service, the newest first.
func (b *boundService) keys() []string {
	if b.newest == "" {
		return nil
	}
	all := []string{b.newest}
	for i := len(b.lineage) - 2; i >= 0; i-- {
		all = append(all, b.lineage[i].Key)
	}
	return all
}

func (b *boundService) readLineage() {
	origin, _, _ := strings.Cut(b.newest, "+")
	lineage, opened := verify.ReadLineage(origin, b.newest, nil, b.statements)
	b.offices = nil
	b.lineage, b.operator, b.whole = lineage, verify.OperatorOf(opened), b.placeOf(lineage, b.first) >= 0
	for i := range opened {
		b.whole = b.whole && opened[i].OK
		if stated := &opened[i].Statement; stated.AboutOperator() && opened[i].OK {
			_, operator := stated.NewOperator()
			b.offices = append(b.offices, office{operator, stated.At})
		}
	}
	for i := max(0, b.placeOf(lineage, b.first)); i < len(lineage)-1; i++ {
		b.whole = b.whole && (b.operator != "" || lineage[i].SignedByLog)
	}
}

// An office is a period from whose beginning on a key is that of a service's operator.
type office struct {
	operator string
	from     terms.Instant
}

// mayRevoke reports whether the service may have made the statement that revokes a key: once an operator is named, the
// operator at the time of the statement has to sign it.
func (b *boundService) mayRevoke(s *records.LogStatement) bool {
	if !s.PersonSigns() {
		return len(b.offices) == 0 || !b.offices[0].from.Before(s.At)
	}
	for i, o := range b.offices {
		ended := i+1 < len(b.offices) && b.offices[i+1].from.Before(s.At)
		if o.operator == s.KeyFingerprint && !s.At.Before(o.from) && !ended {
			return true
		}
	}
	return false
}

// placeOf returns the place of the log with the verifier key; -1 if it is none of the service's logs.
func (*boundService) placeOf(lineage verify.Lineage, key string) int {
	return slices.IndexFunc(lineage, func(g verify.Generation) bool { return g.Key == key })
}

// keyOf returns the key of the service's log that signed a note, a checkpoint or a rejection; the newest key if the
// note names none of them.
func (b *boundService) keyOf(note string) (signed.Key, error) {
	encoded := b.newest
	for _, g := range b.lineage {
		if strings.Contains(note, "\n\n— "+g.Origin+" ") {
			encoded = g.Key
		}
	}
	key, err := signed.ParseKey(encoded)
	if err != nil {
		return signed.Key{}, fmt.Errorf("the key of the service: %w: %w", ErrDamaged, err)
	}
	return key, nil
}

// serviceKey returns the key with which the service's answers are verified; the error wraps ErrNotBound if there is
// none.
func serviceKey(ctx context.Context, tx engine.Tx) (signed.Key, error) {
	return serviceKeyOf(ctx, tx, "")
}

// serviceKeyOf returns the key with which a note of the service is verified.
func serviceKeyOf(ctx context.Context, tx engine.Tx, note string) (signed.Key, error) {
	bound, err := boundServiceOf(ctx, tx)
	if err != nil {
		return signed.Key{}, err
	}
	if bound.first == "" {
		return signed.Key{}, ErrNotBound
	}
	return bound.keyOf(note)
}

// FollowService keeps the statements of a service with the verifier key about its log: its operator, and the restores
// that began new logs. A store that is bound to an earlier log is bound to the newest one from then on, and
// FollowService returns the statements of the restores in between. The error wraps ErrOtherService if the statements do
// not lead from the earlier log to the key. Each restore has to be signed by the operator that the console knows or, if
// it knows none, with the key of the log that ended.
//
// A new operator is followed if the one that the console knows named them. An operator who took the place of the former
// one is followed only if accepted is the fingerprint of their key, which a person has compared. Such statements are
// returned, too.
func (s *Store) FollowService(ctx context.Context, key string, stated []signed.Statement, accepted string) (followed []records.LogStatement, err error) {
	stated = slices.DeleteFunc(slices.Clone(stated), func(s signed.Statement) bool {
		read, err := records.ReadLogStatement(s.Text)
		return err != nil || !read.AboutOperator() && read.Kind != records.LogRestored
	})
	if newest, err := s.Service(ctx); err == nil && newest == key && len(stated) == 0 {
		return nil, nil
	}
	err = s.writing(ctx, "follow the service", func(ctx context.Context, tx engine.Tx) error {
		held, err := boundServiceOf(ctx, tx)
		if err != nil || held.first == "" {
			return errors.Join(err, ErrNotBound)
		}
		now := boundService{first: held.first, newest: key, statements: stated}
		now.readLineage()
		place := now.placeOf(now.lineage, held.newest)
		if !now.whole || place < 0 || len(stated) < len(held.statements) {
			return fmt.Errorf("%w: to %s, and no restore leads from there to %s", ErrOtherService, held.newest, key)
		}
		for i := range held.statements {
			if held.statements[i].Text != stated[i].Text {
				return fmt.Errorf("%w: the service states another history of its log than before", ErrOtherService)
			}
		}
		for _, kept := range stated[len(held.statements):] {
			read, err := records.ReadLogStatement(kept.Text)
			if err != nil || held.operator == "" || !read.AboutOperator() {
				continue
			}
			if read.Kind == records.OperatorReplaced && read.KeyFingerprint != accepted {
				return fmt.Errorf("%w: %s; compare the fingerprint with the one that the operator shows you, then run `docket pull --operator %s`",
					ErrOtherOperator, read.Sentence(), read.KeyFingerprint)
			}
			followed = append(followed, read)
		}
		for _, g := range now.lineage[place : len(now.lineage)-1] {
			if held.operator == "" && !g.SignedByLog {
				return fmt.Errorf("%w: %s was restored by a key that this console does not know, %s, and not signed with the log's key",
					ErrOtherService, g.Origin, g.Ended.KeyFingerprint)
			}
			followed = append(followed, g.Ended)
		}
		for _, kept := range stated[len(held.statements):] {
			if err := s.keepFollowed(ctx, tx, kept); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return followed, nil
}

// keepFollowed adds the row of a statement of the service. A statement that ends no log gets a size that no receipt
// reaches.
func (s *Store) keepFollowed(ctx context.Context, tx engine.Tx, kept signed.Statement) error {
	ended, size := followedColumns(kept.Text)
	return tx.Answers().Follow(ctx, engine.FollowedStatement{Statement: kept, Ended: ended, Size: size}, terms.InstantOf(s.now()))
}

// followedColumns are the log that a statement ended and how many records of it were restored.
func followedColumns(text string) (ended string, size int64) {
	read, err := records.ReadLogStatement(text)
	if err != nil || read.Kind != records.LogRestored {
		return "", math.MaxInt64
	}
	return read.Origin, read.Size
}

// BindService binds the store to the service with this verifier key, for good. Binding it again changes nothing. The
// error wraps ErrOtherService if the store is bound to another service, signed.ErrKey if the key is no service's, and
// ErrKind in the store of a service.
func (s *Store) BindService(ctx context.Context, key string) error {
	if _, err := signed.ParseKey(key); err != nil {
		return err
	}
	bound, err := s.Service(ctx)
	if errors.Is(err, ErrNotFound) {
		err = s.writing(ctx, "bind the store to the service", func(ctx context.Context, tx engine.Tx) error {
			if err := s.checkKind(false); err != nil {
				return err
			}
			if bound, err = boundTo(ctx, tx); err != nil || bound != "" {
				return err
			}
			bound = key
			return tx.Answers().Bind(ctx, key, terms.InstantOf(s.now()))
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

// PullCursor returns the cursor at which the next pull begins, and when packets were last pulled to the end; absent for
// never.
func (s *Store) PullCursor(ctx context.Context) (cursor string, completed terms.Instant, err error) {
	err = s.reading(ctx, "read where pulling goes on", func(ctx context.Context, tx engine.Tx) error {
		cursor, completed, err = pulled(ctx, tx)
		return err
	})
	return cursor, completed, err
}

func pulled(ctx context.Context, tx engine.Tx) (cursor string, completed terms.Instant, err error) {
	cursor, at, err := tx.Answers().Pull(ctx)
	if errors.Is(err, engine.ErrNoRow) {
		return "", terms.Instant{}, nil
	}
	completed, _ = terms.ParseInstant(at) // this machine's own word; an absent time shows as never
	return cursor, completed, err
}

// SavePull keeps the cursor at which the next pull begins, once the packets before it are durable; complete says that
// there were no more. The error wraps ErrNotBound in a store that is bound to no service.
func (s *Store) SavePull(ctx context.Context, cursor string, complete bool) error {
	var at terms.Instant
	if complete {
		at = terms.InstantOf(s.now())
	}
	return s.writing(ctx, "keep where pulling goes on", func(ctx context.Context, tx engine.Tx) error {
		if _, err := serviceKey(ctx, tx); err != nil {
			return err
		}
		return tx.Answers().SetPull(ctx, cursor, at)
	})
}

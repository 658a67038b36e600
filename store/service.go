package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"

	"golang.org/x/crypto/ssh"
)

// A store is a console's or a service's, as the origin of its log says. Either can be read and
// imports packets. Records are appended to a console's store only, and handed in to a service's
// only, which alone has tokens, keys, and checkpoints of other logs. With Options.Service only a
// service's store is opened.

// OfService reports whether the store is a service's; false if its key cannot be used.
func (s *Store) OfService(ctx context.Context) (bool, error) {
	release, err := s.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	return s.key != nil && s.key.OfService(), nil
}

// checkKind returns a Problem unless the store is of the kind.
func (s *Store) checkKind(service bool) error {
	switch {
	case s.key != nil && s.key.OfService() == service:
		return nil
	case service:
		return &Problem{Path: s.path, Kind: ErrKind,
			Advice: "it is a console's, not a service's; name another file, a service's store is made where there is none"}
	}
	return &Problem{Path: s.path, Kind: ErrKind,
		Advice: "it is a service's, where records are handed in; name your own store"}
}

// OfConsole returns nil if decisions can be recorded in the store, or says that it is a service's.
func (s *Store) OfConsole() error {
	s.handles.RLock()
	defer s.handles.RUnlock()
	return s.checkKind(false)
}

func (s *Store) serving(ctx context.Context, doing string, do engine.Work) error {
	return s.writing(ctx, doing, func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(true); err != nil {
			return err
		}
		return do(ctx, tx)
	})
}

// SignRejection signs the statement that a record is rejected with the key of the service's log,
// whose origin is filled in. It writes nothing. The error wraps records.ErrRejection if the
// statement is not whole.
func (s *Store) SignRejection(ctx context.Context, rejection records.Rejection) (signed string, err error) {
	release, err := s.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	if err := s.checkNoFindings(); err != nil {
		return "", err
	}
	if err := s.checkKind(true); err != nil {
		return "", err
	}
	rejection.Origin = s.key.Origin
	text := rejection.Text()
	if _, err := records.ReadRejection(text); err != nil {
		return "", err
	}
	written, err := s.key.SignNote(text)
	return string(written), err
}

// A PrincipalKey is a public key with which a principal of a service may sign records.
type PrincipalKey struct {
	Principal   terms.ID      `json:"principal"`
	Fingerprint string        `json:"fingerprint"` // OpenSSH's SHA256:… form
	publicKey   string        // in one line of the form of authorized_keys, without a comment
	Added       terms.Instant `json:"added"`
	Revoked     terms.Instant `json:"revoked"` // absent unless it was revoked
}

// AddKey registers an OpenSSH public key, in the form of authorized_keys, for a principal, keeps a
// statement about that, signed with the log's key, and returns its fingerprint. A key that is the
// principal's already changes nothing. The error wraps ErrTaken if the key is or was another
// principal's, or was revoked, and ErrKind in a console's store.
func (s *Store) AddKey(ctx context.Context, principal terms.ID, authorized string) (fingerprint string, err error) {
	if _, ok := terms.ParseID(string(principal)); !ok {
		return "", errors.New("a key needs the id of its principal")
	}
	key, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(authorized))
	if err != nil || len(rest) > 0 || len(options) > 0 {
		return "", errors.New("it is not one OpenSSH public key; give the line of a .pub file")
	}
	line := signed.AuthorizedKey(key)
	if _, err := signed.PublicKey(line); err != nil {
		return "", err
	}
	fingerprint = ssh.FingerprintSHA256(key)
	err = s.serving(ctx, "register the key", func(ctx context.Context, tx engine.Tx) error {
		return s.registerKey(ctx, tx, principal, fingerprint, line)
	})
	if err != nil {
		return "", err
	}
	return fingerprint, nil
}

// registerKey changes nothing for a key that is the principal's already.
func (s *Store) registerKey(ctx context.Context, tx engine.Tx, principal terms.ID, fingerprint, line string) error {
	held, err := s.registeredKeys(ctx, tx)
	if err != nil {
		return err
	}
	for _, known := range held {
		switch {
		case known.Fingerprint != fingerprint:
		case known.Principal == principal && !known.Revoked.Present():
			return nil
		case known.Principal == principal:
			return fmt.Errorf("key %s: %w, and was revoked; its holder takes another key with `docket identity rotate`", fingerprint, ErrTaken)
		default:
			return fmt.Errorf("key %s: %w", fingerprint, ErrTaken)
		}
	}
	due, err := s.keyStatement(ctx, tx, records.KeyRegistered, terms.InstantOf(s.now()))
	if err != nil {
		return err
	}
	due.By, due.KeyFingerprint, due.Key.PublicKey = principal, fingerprint, line
	return s.addStatement(ctx, tx, signed.Statement{Text: due.Text()})
}

// RevokeKey revokes a key of a principal for good, and keeps a statement about that, signed with
// the log's key; a second time changes nothing. Records that came in before stay. The error wraps
// ErrNotFound if the principal has no such key, and records.ErrRefused if the service names an
// operator, who has to sign it: see RevocationDue.
func (s *Store) RevokeKey(ctx context.Context, principal terms.ID, fingerprint string) error {
	return s.serving(ctx, "revoke the key", func(ctx context.Context, tx engine.Tx) error {
		due, err := s.revocationDue(ctx, tx, principal, fingerprint, terms.InstantOf(s.now()))
		switch {
		case err != nil || !due.Kind.Present():
			return err
		case due.PersonSigns():
			return &records.Refusal{Reason: fmt.Sprintf(
				"the operator of this service signs the revocation, with the key %s", due.KeyFingerprint)}
		}
		return s.addStatement(ctx, tx, signed.Statement{Text: due.Text()})
	})
}

// RevocationDue returns the statement by which a service revokes a key of a principal, zero if it
// was revoked before. If the operator has to sign it, PersonSigns says so and KeyFingerprint with
// which key; otherwise RevokeKey revokes the key. The error is that of RevokeKey.
func (s *Store) RevocationDue(ctx context.Context, principal terms.ID, fingerprint string) (records.LogStatement, error) {
	return askKind(ctx, s, true, "read the keys", func(ctx context.Context, tx engine.Tx) (records.LogStatement, error) {
		return s.revocationDue(ctx, tx, principal, fingerprint, terms.InstantOf(s.now()))
	})
}

func (s *Store) revocationDue(ctx context.Context, tx engine.Tx, principal terms.ID,
	fingerprint string, at terms.Instant) (due records.LogStatement, err error) {
	held, err := s.registeredKeys(ctx, tx)
	if err != nil {
		return due, err
	}
	place := slices.IndexFunc(held, func(k PrincipalKey) bool { return k.Fingerprint == fingerprint && k.Principal == principal })
	switch {
	case place < 0:
		return due, fmt.Errorf("key %s of %s: %w", fingerprint, principal, ErrNotFound)
	case held[place].Revoked.Present():
		return due, nil
	}
	if due, err = s.keyStatement(ctx, tx, records.KeyRevoked, at); err != nil {
		return records.LogStatement{}, err
	}
	due.By, due.KeyFingerprint, due.Key.PublicKey = principal, fingerprint, held[place].publicKey
	operator, err := s.operatorOf(ctx, tx)
	if operator != "" {
		due.SignedByOperator(operator)
	}
	return due, err
}

// RevokeKeyAs keeps the revocation of a key that the operator signed. It has to be that of
// RevocationDue; the error wraps ErrOvertaken if the log changed meanwhile, so that it has to be
// stated again.
func (s *Store) RevokeKeyAs(ctx context.Context, stated signed.Statement) error {
	statement, err := records.ReadLogStatement(stated.Text)
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	key, err := signed.PublicKey(statement.Key.PublicKey)
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	return s.serving(ctx, "revoke the key", func(ctx context.Context, tx engine.Tx) error {
		due, err := s.revocationDue(ctx, tx, statement.By, ssh.FingerprintSHA256(key), statement.At)
		if err != nil || !due.Kind.Present() {
			return err
		}
		if due.Text() != stated.Text {
			return fmt.Errorf("%w: the log changed while the revocation was signed", ErrOvertaken)
		}
		return s.addStatement(ctx, tx, stated)
	})
}

// Keys lists all keys in the order of adding, revoked ones included.
func (s *Store) Keys(ctx context.Context) ([]PrincipalKey, error) {
	return ask(ctx, s, "read the keys", s.registeredKeys)
}

// registeredKeys reads them from the statements that verify.
func (s *Store) registeredKeys(ctx context.Context, tx engine.Tx) (list []PrincipalKey, err error) {
	l, err := statedIn(ctx, tx, s.key)
	if err != nil {
		return nil, err
	}
	for i := range l.opened {
		statement := l.opened[i].Statement
		switch {
		case !l.opened[i].OK || l.opened[i].Foreign:
		case statement.Kind == records.KeyRegistered:
			list = append(list, PrincipalKey{statement.By, statement.KeyFingerprint, statement.Key.PublicKey, statement.At, terms.Instant{}})
		case statement.Kind == records.KeyRevoked:
			for i := range list {
				if list[i].Principal == statement.By && list[i].publicKey == statement.Key.PublicKey && !list[i].Revoked.Present() {
					list[i].Revoked = statement.At
				}
			}
		}
	}
	return list, nil
}

// KeyState returns the state of a principal's key, which HandIn checks again in its transaction.
func (s *Store) KeyState(ctx context.Context, principal terms.ID, fingerprint string) (keys.State, error) {
	return ask(ctx, s, "look the key up", func(ctx context.Context, tx engine.Tx) (state keys.State, err error) {
		l, err := s.registered(ctx, tx)
		if err == nil {
			state = l.ring.Now(keys.Holder{Reviewer: principal, Fingerprint: fingerprint}).State
		}
		return state, err
	})
}

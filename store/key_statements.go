package store

import (
	"context"
	"fmt"
	"slices"

	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/verify"

	"golang.org/x/crypto/ssh"
)

// Statements decide which keys of a reviewer count: the reviewer endorses, replaces and revokes
// keys, and a service registers them. Those about the operator of a service, whose key revokes
// others, stand below.

// keyStatement returns a statement about a key of the log as it is, without reviewer and key.
func (s *Store) keyStatement(ctx context.Context, tx engine.Tx, kind records.LogStatementKind,
	at terms.Instant) (records.LogStatement, error) {
	due, err := s.due(ctx, tx, kind)
	if due.At = at; kind == records.KeyRevoked {
		due.Key.From = due.Size
	}
	return due, err
}

// KeyStatementDue returns the statement by which the reviewer who signs it changes which keys
// count: the public key is endorsed by the signer's, replaces a lost one as the signer's own, or is
// revoked from a size of the log on; -1 is the present one. The error wraps records.ErrRefused if
// nothing is to change.
func (s *Store) KeyStatementDue(ctx context.Context, kind records.LogStatementKind, signer records.Reviewer, publicKey string,
	from int64) (records.LogStatement, error) {
	return askKind(ctx, s, false, "read the log", func(ctx context.Context, tx engine.Tx) (records.LogStatement, error) {
		due, err := s.keyStatement(ctx, tx, kind, terms.InstantOf(s.now()))
		if err != nil {
			return due, err
		}
		due.By, due.KeyFingerprint, due.Key.PublicKey = signer.ID, signer.KeyFingerprint, publicKey
		if kind == records.KeyRevoked && from >= 0 {
			due.Key.From = from
		}
		return due, s.checkKeyChange(ctx, tx, &due)
	})
}

// checkKeyChange refuses a statement that changes nothing, or that the key may not make.
func (s *Store) checkKeyChange(ctx context.Context, tx engine.Tx, due *records.LogStatement) error {
	key, err := signed.PublicKey(due.Key.PublicKey)
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	l, err := statedIn(ctx, tx, s.key)
	if err != nil {
		return err
	}
	ring := l.ring
	subject, signer := keys.Holder{Reviewer: due.By, Fingerprint: ssh.FingerprintSHA256(
		key)}, keys.Holder{Reviewer: due.By, Fingerprint: due.KeyFingerprint}
	state, by := ring.Now(subject).State, ring.Now(signer).State
	refuse := func(reason string) error { return &records.Refusal{Reason: reason} }
	switch {
	case due.Kind == records.KeyRevoked && due.Key.From > due.Size:
		return refuse("the log has fewer entries than the revocation says")
	case due.Kind == records.KeyRevoked && signer == subject:
	case due.Kind != records.KeyReplaced && by == keys.Unknown:
		return refuse(fmt.Sprintf("the key %s does not count in this log, so it states nothing about other keys", signer.Fingerprint))
	case due.Kind != records.KeyReplaced && by == keys.Revoked:
		return refuse(fmt.Sprintf("the key %s was revoked, so it states nothing about other keys", signer.Fingerprint))
	}
	switch {
	case due.Kind != records.KeyRevoked && state == keys.Counts:
		return refuse(fmt.Sprintf("the key %s counts already", subject.Fingerprint))
	case due.Kind != records.KeyRevoked && state == keys.Revoked:
		return refuse(fmt.Sprintf("the key %s was revoked; a revoked key never counts again: take another one", subject.Fingerprint))
	case due.Kind == records.KeyReplaced && !ring.Known(due.By):
		return refuse(fmt.Sprintf("no key has signed in this log as %s: the first key that does counts", string(due.By)))
	case due.Kind == records.KeyRevoked && slices.ContainsFunc(ring.Revocations(), func(r keys.Revocation) bool {
		return r.Holder == subject && r.From <= due.Key.From
	}):
		return refuse(fmt.Sprintf("the key %s was revoked before", subject.Fingerprint))
	}
	return nil
}

// A ReviewerKey is a key of a reviewer with its state in the log.
type ReviewerKey struct {
	keys.Key
	PublicKey string // a line of authorized_keys without comment; "" if not known
}

// KeysOf lists the keys of a reviewer that signed in this log, or that statements are about.
func (s *Store) KeysOf(ctx context.Context, reviewer terms.ID) ([]ReviewerKey, error) {
	return ask(ctx, s, "read the keys", func(ctx context.Context, tx engine.Tx) (list []ReviewerKey, err error) {
		if s.key == nil {
			return nil, nil
		}
		l, err := statedIn(ctx, tx, s.key)
		if err != nil {
			return nil, err
		}
		public := map[string]string{}
		for _, signer := range l.signers {
			public[signer.Fingerprint] = signer.PublicKey
		}
		for i := range l.opened {
			if line := l.opened[i].Statement.Key.PublicKey; line != "" {
				if key, err := signed.PublicKey(line); err == nil {
					public[ssh.FingerprintSHA256(key)] = line
				}
			}
		}
		for _, k := range l.ring.Keys(reviewer) {
			list = append(list, ReviewerKey{k, public[k.Fingerprint]})
		}
		for _, signer := range l.signers {
			listed := func(k ReviewerKey) bool { return k.Fingerprint == signer.Fingerprint }
			if signer.Reviewer == reviewer && !slices.ContainsFunc(list, listed) {
				holder := keys.Holder{Reviewer: reviewer, Fingerprint: signer.Fingerprint}
				list = append(list, ReviewerKey{keys.Key{Holder: holder}, signer.PublicKey})
			}
		}
		return list, nil
	})
}

// registeredAtService returns the reviewer's keys that the service registered and did not revoke.
func (s *Store) registeredAtService(ctx context.Context, reviewer terms.ID) ([]string, error) {
	return ask(ctx, s, "read the statements about the log", func(ctx context.Context, tx engine.Tx) (registered []string, err error) {
		if s.key == nil {
			return nil, nil
		}
		l, err := statedIn(ctx, tx, s.key)
		if err != nil {
			return nil, err
		}
		for i := range l.opened {
			o := &l.opened[i]
			key, err := signed.PublicKey(o.Statement.Key.PublicKey)
			if err != nil || !o.Foreign || !o.OK || o.Statement.By != reviewer {
				continue
			}
			fingerprint := ssh.FingerprintSHA256(key)
			registered = slices.DeleteFunc(registered, func(f string) bool { return f == fingerprint })
			if o.Statement.Kind == records.KeyRegistered {
				registered = append(registered, fingerprint)
			}
		}
		return registered, nil
	})
}

// KeepKeyStatement keeps a signed statement about a key. It has to be that of KeyStatementDue. A
// store whose only finding is a key that does not count takes it, because it may endorse or revoke
// that key; the store then has to be opened again before other writes.
func (s *Store) KeepKeyStatement(ctx context.Context, stated signed.Statement) error {
	for _, f := range s.findings.all() {
		if f.Code != verify.KeyNotEndorsed {
			return fmt.Errorf("%w: the log cannot be added to: %s", records.ErrRefused, f.Sentence())
		}
	}
	newest, err := s.keepThrough(ctx, s.covered.Load(), func(ctx context.Context, tx engine.Tx) error {
		statement, err := records.ReadLogStatement(stated.Text)
		if err != nil {
			return fmt.Errorf("%w: %w", records.ErrRefused, err)
		}
		due, err := s.keyStatement(ctx, tx, statement.Kind, statement.At)
		if err != nil {
			return err
		}
		due.Key.PublicKey, due.Key.From = statement.Key.PublicKey, statement.Key.From
		if !isDue(due, &statement) {
			return fmt.Errorf("%w: the log changed meanwhile; state it again", records.ErrRefused)
		}
		if err := s.checkKeyChange(ctx, tx, &statement); err != nil {
			return err
		}
		return s.addStatement(ctx, tx, stated)
	})
	if err == nil {
		s.keepCovered(ctx, newest)
	}
	return s.explain("keep the statement", err)
}

// KeepRegistrations keeps the statements about the reviewer's keys of the service to which the
// store is bound: keys that it registered count in this log, too, and keys that it revoked count
// for the records that it received before. Keeping the same again changes nothing. The error wraps
// records.ErrLogStatement if the service did not sign one, or its operator had to and did not.
func (s *Store) KeepRegistrations(ctx context.Context, list []signed.Statement) error {
	_, err := s.keepOfService(ctx, list, records.KeyRegistered, records.KeyRevoked)
	return err
}

// KeepOperators keeps the statements about the operator and the restores of the service to which
// the store is bound, and returns the new ones about the operator. The error wraps
// records.ErrLogStatement if the service did not sign one, or they contradict kept ones.
func (s *Store) KeepOperators(ctx context.Context, list []signed.Statement) ([]records.LogStatement, error) {
	added, err := s.keepOfService(ctx, list, records.OperatorNamed, records.OperatorChanged, records.OperatorReplaced, records.LogRestored)
	return slices.DeleteFunc(added, func(s records.LogStatement) bool { return !s.AboutOperator() }), err
}

// keepOfService keeps statements by the service about its own log, and returns the new.
func (s *Store) keepOfService(ctx context.Context, list []signed.Statement,
	kinds ...records.LogStatementKind) (added []records.LogStatement, err error) {
	kept, err := s.LogStatements(ctx)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(r signed.Statement) bool {
		return slices.ContainsFunc(kept, func(k signed.Statement) bool { return k.Text == r.Text })
	})
	if len(list) == 0 {
		return nil, nil
	}
	err = s.writing(ctx, "keep what the service states", func(ctx context.Context, tx engine.Tx) error {
		added = nil
		if err := s.checkKind(false); err != nil {
			return err
		}
		service, err := boundServiceOf(ctx, tx)
		if err != nil {
			return err
		}
		kept, err := statementsOf(ctx, tx)
		if err != nil {
			return err
		}
		all := append(kept, list...)
		_, opened := verify.ReadLineage(s.key.Origin, s.key.Encoded, service, all)
		stating := verify.RestoredKeys(service, all)
		for i, r := range list {
			statement, err := r.Open(stating...)
			if err != nil {
				return err
			}
			if !slices.Contains(kinds, statement.Kind) || !records.OfService(statement.Origin) {
				return fmt.Errorf("%w: one of %s is none of those that are due", records.ErrLogStatement, statement.Kind)
			}
			if !opened[len(kept)+i].OK {
				return fmt.Errorf("%w: the operator of the service did not sign the statement of %s", records.ErrLogStatement, statement.Kind)
			}
			added = append(added, statement)
		}
		return s.state(ctx, tx, list...)
	})
	if err != nil {
		return nil, err
	}
	return added, nil
}

// OperatorToName returns the statement that names a person as the operator of a service, without
// time, person and key. The error wraps records.ErrRefused if one is named already, and ErrKind in
// a console's store.
func (s *Store) OperatorToName(ctx context.Context) (due records.LogStatement, err error) {
	return s.operatorStatement(ctx, records.OperatorNamed)
}

// OperatorToChange returns the operator's statement naming another, without time, person and key.
func (s *Store) OperatorToChange(ctx context.Context, to terms.ID, fingerprint string) (records.LogStatement, error) {
	return s.operatorStatement(ctx, records.OperatorChanged, string(to), fingerprint)
}

// OperatorToReplace returns the statement by which a person takes the place of the operator whose
// key is lost, without time, person and key. Only the key of the log vouches for it: consoles that
// know the former operator do not follow it without a person's consent.
func (s *Store) OperatorToReplace(ctx context.Context) (records.LogStatement, error) {
	return s.operatorStatement(ctx, records.OperatorReplaced)
}

func (s *Store) operatorStatement(ctx context.Context, kind records.LogStatementKind, words ...string) (records.LogStatement, error) {
	return ask(ctx, s, "read the log", func(ctx context.Context, tx engine.Tx) (due records.LogStatement, err error) {
		if err := s.checkNoFindings(); err != nil {
			return due, err
		}
		if err := s.checkKind(true); err != nil {
			return due, err
		}
		return s.operatorDue(ctx, tx, kind, words)
	})
}

func (s *Store) operatorDue(ctx context.Context, tx engine.Tx, kind records.LogStatementKind,
	words []string) (due records.LogStatement, err error) {
	named, err := s.operatorOf(ctx, tx)
	if err != nil {
		return due, err
	}
	switch {
	case kind == records.OperatorNamed && named != "":
		return due, fmt.Errorf("%w: the operator of this service is the holder of the key %s", records.ErrRefused, named)
	case kind != records.OperatorNamed && named == "":
		return due, errNoOperator
	case kind == records.OperatorReplaced:
		words = []string{named}
	}
	return s.due(ctx, tx, kind, words...)
}

var errNoOperator = fmt.Errorf("%w: this service names no operator; name one first with `docket serve operator`", records.ErrRefused)

// NameOperator keeps the signed statement of a person about the operator of the service, signed
// with the log's key, too. From then on a restore needs a statement by the key that it names. It
// has to be that of OperatorToName, OperatorToChange or OperatorToReplace, with time, person and
// key; only the operator changes the operator.
func (s *Store) NameOperator(ctx context.Context, named signed.Statement) error {
	statement, err := records.ReadLogStatement(named.Text)
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	if !statement.AboutOperator() {
		return fmt.Errorf("%w: the statement names no operator", records.ErrRefused)
	}
	return s.writingOnce(ctx, "keep the statement", isStated(named.Text), func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(true); err != nil {
			return err
		}
		due, err := s.operatorDue(ctx, tx, statement.Kind, statement.Found)
		if err != nil {
			return err
		}
		if !isDue(due, &statement) {
			return fmt.Errorf("%w: the log is not the one that was stated; name the operator again", records.ErrRefused)
		}
		operator, err := s.operatorOf(ctx, tx)
		if err == nil && statement.Kind == records.OperatorChanged && operator != statement.KeyFingerprint {
			err = fmt.Errorf("%w: only the operator's key changes the operator, and this is %s", records.ErrRefused, statement.KeyFingerprint)
		}
		if err != nil {
			return err
		}
		return s.addStatement(ctx, tx, named)
	})
}

// operatorOf returns the fingerprint of the key of the service's operator; "" for none.
func (s *Store) operatorOf(ctx context.Context, tx engine.Tx) (string, error) {
	l, err := statedIn(ctx, tx, s.key)
	if err != nil {
		return "", err
	}
	return l.operator(), nil
}

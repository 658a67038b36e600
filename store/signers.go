package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// A statedLog is what the statements in a log come to, held to their signatures; it never changes.
type statedLog struct {
	list     []signed.Statement
	places   []int64                  // of the list, in the log
	opened   []verify.OpenedStatement // of the list
	signers  []engine.Signer
	ring     *keys.Ring         // of the keys that signed, and those that the statements are about
	service  []signed.Statement // about the operator, and about restores
	erasures []statedErasure
	bound    boundService // whose answers count; none unless persons named each
}

func statedIn(ctx context.Context, tx engine.Tx, key *merkle.Key) (*statedLog, error) {
	l, bound, first := &statedLog{ring: keys.New(key.OfService())}, boundService(nil), int64(0)
	stored, err := tx.Statements().All(ctx)
	for i := range stored {
		l.list, l.places = append(l.list, stored[i].Signed()), append(l.places, stored[i].Position)
	}
	if err := cmp.Or(err, into(&bound)(boundServiceOf(ctx, tx)),
		into(&l.signers)(signersOf(ctx, tx)), into(&first)(tx.Log().FirstRecord(ctx))); err != nil {
		return nil, err
	}
	_, l.opened = verify.ReadLineage(key.Origin, key.Encoded, bound, l.list)
	verify.Authorize(key.Origin, l.opened, usesOf(l.signers, first))
	if verify.UnnamedService(l.opened, bound) == "" {
		l.bound = bound
	}
	l.read()
	return l, nil
}

// openedStatements holds each statement to its signatures, and says which count by the signers.
func openedStatements(ctx context.Context, tx engine.Tx, key *merkle.Key) ([]verify.OpenedStatement, error) {
	l, err := statedIn(ctx, tx, key)
	if err != nil {
		return nil, err
	}
	return l.opened, nil
}

// usesOf returns the uses of the keys that signed records, in the order of their first ones, each
// from the first record of the log on.
func usesOf(signers []engine.Signer, first int64) (used []verify.Use) {
	for _, signer := range signers {
		used = append(used, verify.Use{Holder: keys.Holder{Reviewer: signer.Reviewer, Fingerprint: signer.Fingerprint}, Sequence: first})
	}
	return used
}

func signersOf(ctx context.Context, tx engine.Tx) ([]engine.Signer, error) {
	return tx.Keys().Signers(ctx)
}

func (l *statedLog) read() {
	for _, signer := range l.signers {
		l.ring.First(keys.Holder{Reviewer: signer.Reviewer, Fingerprint: signer.Fingerprint}, 0)
	}
	for i, kept := range l.list {
		statement, ok := &l.opened[i].Statement, l.opened[i].OK
		if ok {
			l.ring.State(statement)
		}
		if e, is := statement.Erasure(); is && ok {
			l.erasures = append(l.erasures, statedErasure{e, l.places[i], kept})
		}
		if read, err := records.ReadLogStatement(kept.Text); err == nil && (read.AboutOperator() || read.Kind == records.LogRestored) {
			l.service = append(l.service, kept)
		}
	}
	l.ring.Now(keys.Holder{}) // from now on it is only read
}

// end is the position after the last statement.
func (l *statedLog) end() int64 {
	if len(l.places) == 0 {
		return 0
	}
	return l.places[len(l.places)-1] + 1
}

// operator returns the fingerprint of the key of a service's operator; "" for none.
func (l *statedLog) operator() string { return verify.OperatorOf(l.opened) }

func (l *statedLog) aboutKeys(principal terms.ID) (list []signed.Statement) {
	for i := range l.opened {
		if o := &l.opened[i]; o.OK && o.Statement.AboutKey() && o.Statement.By == principal {
			list = append(list, l.list[i])
		}
	}
	return list
}

// A registry caches what is stated, until there are more statements or, at a console, signing keys.
type registry struct {
	mutex sync.Mutex
	last  *statedLog // nil before the first use
}

// registered is what is stated as of the beginning of the transaction, which adds no statement.
func (s *Store) registered(ctx context.Context, tx engine.Tx) (*statedLog, error) {
	if s.key == nil {
		// What is wrong with it has been found, and no statement can be held to it.
		return &statedLog{ring: keys.New(false)}, nil
	}
	end, err := tx.Statements().End(ctx)
	var signers []engine.Signer
	if err == nil && !s.key.OfService() { // whose keys count by statements alone
		signers, err = signersOf(ctx, tx)
	}
	if err != nil {
		return nil, err
	}
	s.registry.mutex.Lock()
	defer s.registry.mutex.Unlock()
	if l := s.registry.last; l != nil && l.end() == end && (s.key.OfService() || slices.Equal(l.signers, signers)) {
		return l, nil
	}
	l, err := statedIn(ctx, tx, s.key)
	if err == nil {
		s.registry.last = l
	}
	return l, err
}

// erasureOf returns the signed statement about an erasure, or an error that wraps ErrNotFound.
func (s *Store) erasureOf(ctx context.Context, tx engine.Tx, of records.Erasure) (signed.Statement, error) {
	if s.key == nil {
		return signed.Statement{}, ErrNotFound
	}
	l, err := s.registered(ctx, tx)
	if err != nil {
		return signed.Statement{}, err
	}
	for i := range l.erasures {
		if l.erasures[i].Object() == of {
			return l.erasures[i].kept, nil
		}
	}
	return signed.Statement{}, ErrNotFound
}

// Registrations lists the registrations and revocations of a principal's keys, in their order.
func (s *Store) Registrations(ctx context.Context, principal terms.ID) ([]signed.Statement, error) {
	return askKind(ctx, s, true, "look the keys up", func(ctx context.Context, tx engine.Tx) ([]signed.Statement, error) {
		l, err := s.registered(ctx, tx)
		if err != nil {
			return nil, err
		}
		return l.aboutKeys(principal), nil
	})
}

// ServiceStatements lists the statements about a service's operator and restores, in their order.
func (s *Store) ServiceStatements(ctx context.Context) ([]signed.Statement, error) {
	l, err := askKind(ctx, s, true, "look the keys up", s.registered)
	if err != nil {
		return nil, err
	}
	return l.service, nil
}

// The reasons why a key may not sign the next record wrap records.ErrRefused.
var (
	// ErrKeyUnknown says that the key does not count for the reviewer.
	ErrKeyUnknown error = &records.Refusal{
		Reason: "this key does not count for the reviewer in this log: another key signed the earlier records. " +
			"Endorse it with the earlier key (`docket identity rotate`), or, if that is lost, replace it (`docket identity replace`); a key that the service " +
			"registered counts after `docket pull`"}
	ErrKeyRevoked error = &records.Refusal{Reason: "this key was revoked, so that what it signs does not count; set up another key " +
		"(`docket identity rotate --key FILE`) or see `docket identity`"}
)

// checkSigner refuses, within the transaction that appends, a key that does not count.
func (s *Store) checkSigner(ctx context.Context, tx engine.Tx, a *appending, end *engine.Ending) error {
	m := a.Record.Members()
	holder := keys.Holder{Reviewer: m.Reviewer.ID, Fingerprint: m.Reviewer.KeyFingerprint}
	l, err := s.registered(ctx, tx)
	if err != nil {
		return err
	}
	state := l.ring.At(holder, end.Last+1, keys.NotReceived).State
	if state == keys.Unknown && !a.handedIn && !end.Other {
		return nil // it is the reviewer's first
	}
	return keyFault(state)
}

func keyFault(state keys.State) error {
	switch state {
	case keys.Counts:
		return nil
	case keys.Revoked:
		return ErrKeyRevoked
	}
	return ErrKeyUnknown
}

// readSignature reads an armored SSHSIG by the reviewer's key; commitRecord checks what it is over.
func readSignature(record records.Enforcement, armored []byte) (*sshsig.Signature, error) {
	signature, err := sshsig.Unarmor(armored)
	if err != nil {
		return nil, fmt.Errorf("%w: the signature is no SSH signature: %w", records.ErrRefused, err)
	}
	if ssh.FingerprintSHA256(signature.PublicKey) != record.Members().Reviewer.KeyFingerprint {
		return nil, fmt.Errorf("%w: the record is signed with another key than the reviewer's; check your key",
			records.ErrRefused)
	}
	return signature, nil
}

// ErrSignature, which wraps records.ErrRefused, says that a signature is not one of its record.
var ErrSignature = fmt.Errorf("%w: the signature is not one of this record", records.ErrRefused)

package store

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/verify"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// A signer is a key with which a reviewer has signed records of this store.
type signer struct {
	reviewer    terms.ID
	fingerprint string        // OpenSSH's SHA256:… form
	publicKey   string        // in one line of the form of authorized_keys, without a comment
	since       terms.Instant // recordedAt of the first record it signed
}

func signersOf(ctx context.Context, tx engine.Tx) (signers []signer, err error) {
	stored, err := tx.Keys().Signers(ctx)
	for _, s := range stored {
		since, _ := terms.ParseInstant(s.Since)
		signers = append(signers, signer{s.Reviewer, s.Fingerprint, s.PublicKey, since})
	}
	return signers, err
}

// keyring builds the ring of the log's keys: from the statements, each held to its signatures, and from the keys that
// signed. A statement that cannot be opened is left out; every opening of the store finds it.
func (s *Store) keyring(ctx context.Context, tx engine.Tx) (*keys.Ring, error) {
	ring := keys.New(s.key.OfService())
	signers, err := signersOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, signer := range signers {
		ring.First(keys.Holder{Reviewer: signer.reviewer, Fingerprint: signer.fingerprint}, 0)
	}
	service, err := boundServiceOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	opened, err := openedStatements(ctx, tx, s.key, service...)
	if err != nil {
		return nil, err
	}
	for i := range opened {
		if opened[i].OK {
			ring.State(&opened[i].Statement)
		}
	}
	return ring, nil
}

// A registry caches what the statements about a service's log come to, so that neither a record that comes in nor a page
// reads all of them. It is made again once there are more.
type registry struct {
	mutex sync.Mutex
	last  *registrations // nil before the first use
}

// registrations are not changed once they are made.
type registrations struct {
	count    int64 // of the statements
	ring     *keys.Ring
	stated   map[terms.ID][]signed.Statement // the registrations and revocations of keys, by principal
	service  []signed.Statement              // about the operator, and about restores
	erasures []statedErasure                 // those that are signed
}

// registrations returns the registry as of the beginning of the transaction.
func (s *Store) registrations(ctx context.Context, tx engine.Tx) (*registrations, error) {
	count, err := tx.Statements().Count(ctx)
	if err != nil {
		return nil, err
	}
	s.registry.mutex.Lock()
	defer s.registry.mutex.Unlock()
	if r := s.registry.last; r != nil && r.count == count {
		return r, nil
	}
	r := &registrations{count: count, stated: map[terms.ID][]signed.Statement{}}
	if r.ring, err = s.keyring(ctx, tx); err != nil {
		return nil, err
	}
	r.ring.Now(keys.Holder{}) // from now on it is only read
	statements, err := statementsOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	_, opened := verify.ReadLineage(s.key.Origin, s.key.Encoded, nil, statements)
	for i := range opened {
		r.add(&opened[i], int64(i), statements[i])
	}
	s.registry.last = r
	return r, nil
}

// add adds the statement at a position.
func (r *registrations) add(opened *verify.OpenedStatement, position int64, kept signed.Statement) {
	statement := &opened.Statement
	if opened.OK && statement.AboutKey() {
		r.stated[statement.By] = append(r.stated[statement.By], kept)
	}
	if e, is := statement.Erasure(); is && opened.OK {
		r.erasures = append(r.erasures, statedErasure{e, position, kept})
	}
	if read, err := records.ReadLogStatement(kept.Text); err == nil && (read.AboutOperator() || read.Kind == records.LogRestored) {
		r.service = append(r.service, kept)
	}
}

// Registrations lists the statements by which a service registered and revoked the keys of a principal, in their order.
func (s *Store) Registrations(ctx context.Context, principal terms.ID) ([]signed.Statement, error) {
	r, err := askKind(ctx, s, true, "look the keys up", s.registrations)
	if err != nil {
		return nil, err
	}
	return r.stated[principal], nil
}

// ServiceStatements lists the statements about the operator of a service and about its restores, in their order.
func (s *Store) ServiceStatements(ctx context.Context) ([]signed.Statement, error) {
	r, err := askKind(ctx, s, true, "look the keys up", s.registrations)
	if err != nil {
		return nil, err
	}
	return r.service, nil
}

// The reasons why a key may not sign the next record. Both wrap records.ErrRefused.
var (
	// ErrKeyUnknown says that the key does not count for the reviewer.
	ErrKeyUnknown error = &records.Refusal{Reason: "this key does not count for the reviewer in this log: another key signed the earlier records. " +
		"Endorse it with the earlier key (`docket identity rotate`), or, if that is lost, replace it (`docket identity replace`); a key that the service " +
		"registered counts after `docket pull`"}
	// ErrKeyRevoked says that the key was revoked.
	ErrKeyRevoked error = &records.Refusal{Reason: "this key was revoked, so that what it signs does not count; set up another key " +
		"(`docket identity rotate --key FILE`) or see `docket identity`"}
)

// checkSigner refuses a record by a key that does not count for its reviewer at the end of the log. It is called within
// the transaction that appends.
func (s *Store) checkSigner(ctx context.Context, tx engine.Tx, a *appending, end *engine.Ending) error {
	m := a.Record.Members()
	holder := keys.Holder{Reviewer: m.Reviewer.ID, Fingerprint: m.Reviewer.KeyFingerprint}
	var ring *keys.Ring
	var err error
	switch {
	case a.handedIn:
		var r *registrations
		if r, err = s.registrations(ctx, tx); err == nil {
			ring = r.ring
		}
	case !end.Revoked && (end.Listed || !end.Other):
		return nil // it signed before, or is the reviewer's first
	default:
		ring, err = s.keyring(ctx, tx)
	}
	if err != nil {
		return err
	}
	switch ring.At(holder, end.Last+1, keys.NotReceived).State {
	case keys.Counts:
		return nil
	case keys.Revoked:
		return ErrKeyRevoked
	}
	return ErrKeyUnknown
}

// keepRevoked updates the table of revoked keys from the statements in the transaction.
func (s *Store) keepRevoked(ctx context.Context, tx engine.Tx) error {
	ring, err := s.keyring(ctx, tx)
	if err != nil {
		return err
	}
	return tx.Keys().SetRevoked(ctx, ring.Revocations())
}

// verifyRevoked compares the table of revoked keys with the statements.
func (s *Store) verifyRevoked(ctx context.Context, tx engine.Tx) ([]verify.Finding, error) {
	if s.key == nil {
		return nil, nil // what is wrong with it has been found
	}
	ring, err := s.keyring(ctx, tx)
	if err != nil {
		return nil, err
	}
	held, err := tx.Keys().Revoked(ctx)
	if err != nil {
		return nil, err
	}
	due := ring.Revocations()
	if len(held) != len(due) || slices.ContainsFunc(due, func(r keys.Revocation) bool { return !slices.Contains(held, r) }) {
		return []verify.Finding{found(verify.SignerAltered, "the revoked keys")}, nil
	}
	return nil, nil
}

// readSignature reads an armored SSHSIG and checks that it is by the reviewer's own key. That it is over the
// record's bytes is checked by commitRecord.
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

// ErrSignature says that a signature is not one of its record. It wraps records.ErrRefused.
var ErrSignature = fmt.Errorf("%w: the signature is not one of this record", records.ErrRefused)

package store

import (
	"bytes"
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

// A Signer is a key with which a reviewer has signed records of this store.
type Signer struct {
	Reviewer    terms.ID
	Fingerprint string        // OpenSSH's SHA256:… form
	PublicKey   string        // in one line of the form of authorized_keys, without a comment
	Since       terms.Instant // recordedAt of the first record it signed
}

// Signers lists the keys in the order in which they were first used.
func (s *Store) Signers(ctx context.Context) ([]Signer, error) {
	var signers []Signer
	err := s.reading(ctx, "read the signers", func(ctx context.Context, tx engine.Tx) (err error) {
		signers, err = signersOf(ctx, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return signers, nil
}

func signersOf(ctx context.Context, tx engine.Tx) (signers []Signer, err error) {
	stored, err := tx.Keys().Signers(ctx)
	for _, s := range stored {
		since, _ := terms.ParseInstant(s.Since)
		signers = append(signers, Signer{s.Reviewer, s.Fingerprint, s.PublicKey, since})
	}
	return signers, err
}

// addSigner keeps the reviewer's key, which is used for the first time.
func addSigner(ctx context.Context, tx engine.Tx, m *records.Members, key ssh.PublicKey) error {
	return tx.Keys().AddSigner(ctx, engine.Signer{Reviewer: m.Reviewer.ID, Fingerprint: m.Reviewer.KeyFingerprint, PublicKey: signed.AuthorizedKey(key),
		Since: m.RecordedAt.String()})
}

// keyring builds the ring of the log's keys: from the statements, each held to its signatures, and from the keys that signed. A
// statement that cannot be opened is left out; every opening finds it.
func (s *Store) keyring(ctx context.Context, tx engine.Tx) (*keys.Ring, error) {
	ring := keys.New(s.key.OfService())
	signers, err := signersOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, signer := range signers {
		ring.First(keys.Holder{Reviewer: signer.Reviewer, Fingerprint: signer.Fingerprint}, 0)
	}
	statements, err := statementsOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	service, err := boundServiceOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	_, opened := verify.ReadLineage(s.key.Origin, s.key.Encoded, service.keys(), statements)
	for i := range opened {
		if opened[i].OK {
			ring.State(&opened[i].Statement)
		}
	}
	return ring, nil
}

// A registry is the ring of a service's keys as of some number of statements, so that not every record that comes in asks for all
// of them to be read.
type registry struct {
	mutex  sync.Mutex
	count  int64 // of the statements
	ring   *keys.Ring
	stated map[terms.ID][]signed.Statement // the registrations of keys, by principal
}

// registered returns the ring as of the transaction, before anything is added in it.
func (s *Store) registered(ctx context.Context, tx engine.Tx) (*keys.Ring, error) {
	count, err := tx.Statements().Count(ctx)
	if err != nil {
		return nil, err
	}
	s.registry.mutex.Lock()
	defer s.registry.mutex.Unlock()
	if s.registry.ring != nil && s.registry.count == count {
		return s.registry.ring, nil
	}
	ring, err := s.keyring(ctx, tx)
	if err != nil {
		return nil, err
	}
	ring.Now(keys.Holder{}) // from now on it is only read
	statements, err := statementsOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	stated := map[terms.ID][]signed.Statement{}
	_, opened := verify.ReadLineage(s.key.Origin, s.key.Encoded, nil, statements)
	for i := range opened {
		statement := &opened[i].Statement
		if opened[i].OK && statement.Kind == records.KeyRegistered &&
			ring.Now(keys.Holder{Reviewer: statement.By, Fingerprint: statement.KeyFingerprint}).State == keys.Counts {
			stated[statement.By] = append(stated[statement.By], statements[i])
		}
	}
	s.registry.count, s.registry.ring, s.registry.stated = count, ring, stated
	return ring, nil
}

// Registrations lists the statements by which a service registered the keys of a principal that were not revoked.
func (s *Store) Registrations(ctx context.Context, principal terms.ID) (list []signed.Statement, err error) {
	err = s.reading(ctx, "look the keys up", func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(true); err != nil {
			return err
		}
		_, err := s.registered(ctx, tx)
		if err == nil {
			s.registry.mutex.Lock()
			defer s.registry.mutex.Unlock()
			list = s.registry.stated[principal]
		}
		return err
	})
	return list, err
}

// KeepRegistrations keeps what the service, to which the store is bound, states of the reviewer's keys: they count in this log, too.
// Those that are kept already change nothing. The error wraps records.ErrLogStatement if the service did not sign one.
func (s *Store) KeepRegistrations(ctx context.Context, list []signed.Statement) error {
	return s.keepOfService(ctx, records.KeyRegistered, list)
}

// keepOfService keeps statements of one kind that the service made about its own log.
func (s *Store) keepOfService(ctx context.Context, kind records.LogStatementKind, list []signed.Statement) error {
	kept, err := s.LogStatements(ctx)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(r signed.Statement) bool {
		return slices.ContainsFunc(kept, func(k signed.Statement) bool { return k.Text == r.Text })
	})
	if len(list) == 0 {
		return nil
	}
	return s.writing(ctx, "keep what the service states", func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(false); err != nil {
			return err
		}
		service, err := boundServiceOf(ctx, tx)
		if err != nil {
			return err
		}
		for _, r := range list {
			statement, err := r.Open(service.keys()...)
			if err != nil {
				return err
			}
			if statement.Kind != kind {
				return fmt.Errorf("%w: it is one of %s where one of %s is due", records.ErrLogStatement, statement.Kind, kind)
			}
			if err := tx.Statements().Add(ctx, engine.StoredStatement{Statement: r}); err != nil {
				return err
			}
		}
		return s.keepRevoked(ctx, tx)
	})
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

// checkSigner refuses a record by a key that does not count for its reviewer at the end of the log. It is asked within the transaction
// that appends.
func (s *Store) checkSigner(ctx context.Context, tx engine.Tx, a *appending, end *engine.Ending) error {
	m := a.Record.Members()
	holder := keys.Holder{Reviewer: m.Reviewer.ID, Fingerprint: m.Reviewer.KeyFingerprint}
	var ring *keys.Ring
	var err error
	switch {
	case a.handedIn:
		ring, err = s.registered(ctx, tx)
	case !end.Revoked && (end.Listed || !end.Other):
		return nil // it signed before, or is the reviewer's first
	default:
		ring, err = s.keyring(ctx, tx)
	}
	if err != nil {
		return err
	}
	switch ring.At(holder, end.Last+1).State {
	case keys.Counts:
		return nil
	case keys.Revoked:
		return ErrKeyRevoked
	}
	return ErrKeyUnknown
}

// keyStatement returns a statement about a key of the log as it is in the transaction, without reviewer and key.
func (s *Store) keyStatement(ctx context.Context, tx engine.Tx, kind records.LogStatementKind, at terms.Instant) (records.LogStatement, error) {
	head, err := headOf(ctx, tx)
	if err != nil {
		return records.LogStatement{}, err
	}
	due := records.LogStatement{Kind: kind, Origin: s.key.Origin, Size: head.Size, Root: head.Root, At: at}
	if kind == records.KeyRevoked {
		due.Key.From = head.Size
	}
	statements, err := statementsOf(ctx, tx)
	for _, kept := range statements {
		earlier, err := records.ReadLogStatement(kept.Text)
		if foreign := err == nil && earlier.OfServiceToConsoles() && !s.key.OfService(); !foreign {
			due.Key.Previous = terms.HashOf([]byte(kept.Text))
		}
	}
	return due, err
}

// addKeyStatement has the log's key sign the statement if its kind asks for that, and adds it.
func (s *Store) addKeyStatement(ctx context.Context, tx engine.Tx, kept signed.Statement) error {
	statement, err := records.ReadLogStatement(kept.Text)
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	if statement.LogSigns() {
		note, err := s.key.SignNote(kept.Text)
		if err == nil {
			kept, err = kept.SignedByLog(note)
		}
		if err != nil {
			return err
		}
	}
	if err := addStatement(ctx, tx, s.key, kept); err != nil {
		return err
	}
	return s.keepRevoked(ctx, tx)
}

// KeyStatementDue returns the statement by which the reviewer who signs it changes what keys count: the public key is endorsed by the
// signer's, replaces a lost one as the signer's own, or is revoked from a size of the log on; -1 is the present one. The error wraps
// records.ErrRefused where there is nothing to change.
func (s *Store) KeyStatementDue(ctx context.Context, kind records.LogStatementKind, signer records.Reviewer, publicKey string,
	from int64) (due records.LogStatement, err error) {
	err = s.reading(ctx, "read the log", func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(false); err != nil {
			return err
		}
		if due, err = s.keyStatement(ctx, tx, kind, terms.InstantOf(s.now())); err != nil {
			return err
		}
		due.By, due.KeyFingerprint, due.Key.PublicKey = signer.ID, signer.KeyFingerprint, publicKey
		if kind == records.KeyRevoked && from >= 0 {
			due.Key.From = from
		}
		return s.checkKeyChange(ctx, tx, &due)
	})
	return due, err
}

// checkKeyChange refuses a statement that changes nothing, or that the key which signs it has no right to make.
func (s *Store) checkKeyChange(ctx context.Context, tx engine.Tx, due *records.LogStatement) error {
	key, err := signed.PublicKey(due.Key.PublicKey)
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	ring, err := s.keyring(ctx, tx)
	if err != nil {
		return err
	}
	subject, signer := keys.Holder{Reviewer: due.By, Fingerprint: ssh.FingerprintSHA256(key)}, keys.Holder{Reviewer: due.By, Fingerprint: due.KeyFingerprint}
	state, by := ring.Now(subject).State, ring.Now(signer).State
	refuse := func(reason string) error { return &records.Refusal{Reason: reason} }
	switch {
	case due.Kind == records.KeyRevoked && due.Key.From > due.Size:
		return refuse("the log has fewer records than the revocation says")
	case due.Kind == records.KeyRevoked && signer == subject:
	case due.Kind != records.KeyReplaced && by == keys.Unknown:
		return refuse("the key " + signer.Fingerprint + " does not count in this log, so it states nothing about other keys")
	case due.Kind != records.KeyReplaced && by == keys.Revoked:
		return refuse("the key " + signer.Fingerprint + " was revoked, so it states nothing about other keys")
	}
	switch {
	case due.Kind != records.KeyRevoked && state == keys.Counts:
		return refuse("the key " + subject.Fingerprint + " counts already")
	case due.Kind != records.KeyRevoked && state == keys.Revoked:
		return refuse("the key " + subject.Fingerprint + " was revoked; a revoked key never counts again: take another one")
	case due.Kind == records.KeyReplaced && !ring.Known(due.By):
		return refuse("nobody has signed in this log as " + string(due.By) + ": the first key that does counts")
	case due.Kind == records.KeyRevoked && slices.ContainsFunc(ring.Revocations(), func(r keys.Revocation) bool {
		return r.Holder == subject && r.From <= due.Key.From
	}):
		return refuse("the key " + subject.Fingerprint + " was revoked before")
	}
	return nil
}

// A ReviewerKey is a key of a reviewer with what makes it count in the log.
type ReviewerKey struct {
	keys.Key
	PublicKey string // in one line of the form of authorized_keys, without a comment; "" if it is not known
}

// KeysOf lists the keys of a reviewer that signed in this log, or that statements are about, and how they stand.
func (s *Store) KeysOf(ctx context.Context, reviewer terms.ID) (list []ReviewerKey, err error) {
	err = s.reading(ctx, "read the keys", func(ctx context.Context, tx engine.Tx) error {
		if s.key == nil {
			return nil
		}
		ring, err := s.keyring(ctx, tx)
		if err != nil {
			return err
		}
		signers, err := signersOf(ctx, tx)
		if err != nil {
			return err
		}
		public, err := publicKeys(ctx, tx, signers)
		if err != nil {
			return err
		}
		for _, k := range ring.Keys(reviewer) {
			list = append(list, ReviewerKey{k, public[k.Fingerprint]})
		}
		for _, signer := range signers {
			if signer.Reviewer == reviewer && !slices.ContainsFunc(list, func(k ReviewerKey) bool { return k.Fingerprint == signer.Fingerprint }) {
				list = append(list, ReviewerKey{keys.Key{Holder: keys.Holder{Reviewer: reviewer, Fingerprint: signer.Fingerprint}}, signer.PublicKey})
			}
		}
		return nil
	})
	return list, err
}

// publicKeys are those of the signers and of the statements, by their fingerprints.
func publicKeys(ctx context.Context, tx engine.Tx, signers []Signer) (map[string]string, error) {
	public := map[string]string{}
	for _, signer := range signers {
		public[signer.Fingerprint] = signer.PublicKey
	}
	statements, err := statementsOf(ctx, tx)
	for _, kept := range statements {
		if statement, err := records.ReadLogStatement(kept.Text); err == nil && statement.AboutKey() {
			if key, err := signed.PublicKey(statement.Key.PublicKey); err == nil {
				public[ssh.FingerprintSHA256(key)] = statement.Key.PublicKey
			}
		}
	}
	return public, err
}

// KeepKeyStatement keeps a signed statement about a key. It has to be the one of KeyStatementDue. A store of which nothing else was
// found than a key that does not count takes it, because it may be what lets the key count, or revokes it; it has to be opened again
// to be written otherwise.
func (s *Store) KeepKeyStatement(ctx context.Context, stated signed.Statement) error {
	for _, f := range s.findings.all() {
		if f.Code != verify.KeyNotEndorsed {
			return fmt.Errorf("%w: the log cannot be added to: %s", records.ErrRefused, f.Sentence())
		}
	}
	if !s.key.CanSign() {
		if err := s.unlock(s.key); err != nil {
			return err
		}
	}
	kept := s.covered.get()
	newest, err := s.keepThrough(ctx, &kept, func(ctx context.Context, tx engine.Tx) error {
		statement, err := records.ReadLogStatement(stated.Text)
		if err != nil {
			return fmt.Errorf("%w: %w", records.ErrRefused, err)
		}
		due, err := s.keyStatement(ctx, tx, statement.Kind, statement.At)
		if err != nil {
			return err
		}
		due.By, due.KeyFingerprint, due.Key.PublicKey, due.Key.From = statement.By, statement.KeyFingerprint, statement.Key.PublicKey, statement.Key.From
		if due.Text() != stated.Text {
			return fmt.Errorf("%w: the log changed meanwhile; state it again", records.ErrRefused)
		}
		if err := s.checkKeyChange(ctx, tx, &statement); err != nil {
			return err
		}
		return s.addKeyStatement(ctx, tx, stated)
	})
	if err == nil {
		s.keepTables(ctx, newest.Tables)
	}
	return s.explain("keep the statement", err)
}

// keepRevoked brings the table of revoked keys to what the statements in the transaction say.
func (s *Store) keepRevoked(ctx context.Context, tx engine.Tx) error {
	ring, err := s.keyring(ctx, tx)
	if err != nil {
		return err
	}
	return tx.Keys().SetRevoked(ctx, ring.Revocations())
}

// verifyRevoked holds the table of revoked keys to the statements.
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
	same := len(held) == len(due)
	for _, r := range due {
		same = same && slices.Contains(held, r)
	}
	if !same {
		return []verify.Finding{found(verify.SignerAltered, "the revoked keys")}, nil
	}
	return nil, nil
}

// readSignature reads an armored SSHSIG and checks that it is by the reviewer's own key. isOf checks
// that it is over the record's bytes.
func readSignature(record records.Enforcement, armored []byte) (*sshsig.Signature, error) {
	if len(armored) == 0 {
		return nil, fmt.Errorf("%w: the record is not signed; check your key", records.ErrRefused)
	}
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

// isOf refuses a signature that is not one of the record's bytes.
func isOf(document []byte, signature *sshsig.Signature) error {
	if err := verifySignature(document, signature); err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return nil
}

// ErrSignature says that a signature is not one of its record. It wraps records.ErrRefused.
var ErrSignature = fmt.Errorf("%w: the signature is not one of this record", records.ErrRefused)

// verifySignature checks that the signature is one of the document as an enforcement record, by the key in it.
func verifySignature(document []byte, signature *sshsig.Signature) error {
	return sshsig.Verify(bytes.NewReader(document), signature, signature.PublicKey, signature.HashAlgorithm,
		records.SignatureNamespace)
}

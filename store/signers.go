package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain/records"
	"docket/domain/terms"

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
	err := s.reading(ctx, "read the signers", func(ctx context.Context, tx *sql.Tx) (err error) {
		signers, err = signersOf(ctx, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return signers, nil
}

func signersOf(ctx context.Context, q querier) (signers []Signer, err error) {
	const query = "SELECT reviewerId, fingerprint, publicKey, since FROM main." + signersTable + " ORDER BY rowid"
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var signer Signer
		var since string
		if err := rows.Scan(&signer.Reviewer, &signer.Fingerprint, &signer.PublicKey, &since); err != nil {
			return nil, err
		}
		signer.Since, _ = terms.ParseInstant(since)
		signers = append(signers, signer)
	}
	return signers, rows.Err()
}

// addSigner keeps the reviewer's key, which is used for the first time.
func addSigner(ctx context.Context, tx *sql.Tx, m *records.Members, key ssh.PublicKey) error {
	const statement = "INSERT INTO main." + signersTable + " (reviewerId, fingerprint, publicKey, since) VALUES (?, ?, ?, ?)"
	return changeOne(ctx, tx, statement, string(m.Reviewer.ID), m.Reviewer.KeyFingerprint, authorizedKey(key),
		m.RecordedAt.String())
}

// authorizedKey writes a public key as OpenSSH does, without the end of the line.
func authorizedKey(key ssh.PublicKey) string {
	return string(bytes.TrimSpace(ssh.MarshalAuthorizedKey(key)))
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

package sqlite

import (
	"context"

	"docket/domain/keys"
	"docket/store/engine"
)

// keysOf is the engine.Keys of a transaction.
type keysOf struct{ transaction }

// Keys implements engine.Tx.
func (t transaction) Keys() engine.Keys { return keysOf{t} }

func (q keysOf) Signers(ctx context.Context) ([]engine.Signer, error) {
	const query = "SELECT reviewerId, fingerprint, publicKey, since FROM main." + signersTable + " ORDER BY position"
	return engine.List(ctx, q, query, (*engine.Signer).Columns)
}

func (q keysOf) AddSigner(ctx context.Context, s engine.Signer) error {
	const statement = "INSERT INTO main." + signersTable + " (position, reviewerId, fingerprint, publicKey, since) VALUES (" + nextIn + signersTable + "), ?, ?, ?, ?)"
	return q.changeOne(ctx, statement, string(s.Reviewer), s.Fingerprint, s.PublicKey, s.Since)
}

func (q keysOf) Revoked(ctx context.Context) ([]keys.Revocation, error) {
	const query = "SELECT reviewerId, fingerprint, fromSequence, madeSize, received FROM main." + revokedTable +
		" ORDER BY reviewerId, fingerprint, received"
	return engine.List(ctx, q, query, engine.RevocationColumns)
}

func (q keysOf) SetRevoked(ctx context.Context, list []keys.Revocation) error {
	if _, err := q.count(ctx, "DELETE FROM main."+revokedTable); err != nil {
		return err
	}
	for _, r := range list {
		const add = "INSERT INTO main." + revokedTable + " (reviewerId, fingerprint, fromSequence, madeSize, received) VALUES (?, ?, ?, ?, ?)"
		if err := q.changeOne(ctx, add, string(r.Reviewer), r.Fingerprint, r.From, r.Made, r.Received); err != nil {
			return err
		}
	}
	return nil
}

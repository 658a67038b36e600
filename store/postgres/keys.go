package postgres

import (
	"context"

	"docket/domain/keys"
	"docket/store/engine"
)

// keysOf is the engine.Keys of a transaction.
type keysOf struct{ *transaction }

// Keys implements engine.Tx.
func (t *transaction) Keys() engine.Keys { return keysOf{t} }

func (q keysOf) Signers(ctx context.Context) ([]engine.Signer, error) {
	const query = "SELECT reviewerId, fingerprint, publicKey, since FROM docket.docket_signers ORDER BY position"
	return engine.List(ctx, q, query, (*engine.Signer).Columns)
}

func (q keysOf) AddSigner(ctx context.Context, s engine.Signer) error {
	return q.changeOne(ctx, insert("docket_signers", "position, reviewerId, fingerprint, publicKey, since"), s.Reviewer, s.Fingerprint, s.PublicKey, s.Since)
}

func (q keysOf) Revoked(ctx context.Context) ([]keys.Revocation, error) {
	const query = "SELECT reviewerId, fingerprint, fromSequence, madeSize, received FROM docket.docket_revoked_keys" +
		" ORDER BY reviewerId, fingerprint, received"
	return engine.List(ctx, q, query, engine.RevocationColumns)
}

func (q keysOf) SetRevoked(ctx context.Context, list []keys.Revocation) error {
	_, err := q.count(ctx, "DELETE FROM docket.docket_revoked_keys")
	for _, r := range list {
		if err == nil {
			err = q.changeOne(ctx, insert("docket_revoked_keys", "reviewerId, fingerprint, fromSequence, madeSize, received"),
				r.Reviewer, r.Fingerprint, r.From, r.Made, r.Received)
		}
	}
	return err
}

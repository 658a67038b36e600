package postgres

import (
	"context"

	"docket/domain/keys"
	"docket/domain/terms"
	"docket/store/engine"
)

// cosignaturesOf is the engine.Cosignatures of a transaction.
type cosignaturesOf struct{ *transaction }

// Cosignatures implements engine.Tx.
func (t *transaction) Cosignatures() engine.Cosignatures { return cosignaturesOf{t} }

func (q cosignaturesOf) Last(ctx context.Context) (position int64, err error) {
	err = q.row(ctx, "SELECT coalesce(max(position), -1) FROM docket.docket_cosignatures", nil, &position)
	return position, err
}

const cosignedColumns = "SELECT position, checkpoint, cosignature, key FROM docket.docket_cosignatures"

func (q cosignaturesOf) Before(ctx context.Context, before, last int64, most int) ([]engine.Cosigned, error) {
	const query = cosignedColumns + " WHERE position < $1 AND position <= $2 ORDER BY position DESC LIMIT $3"
	return engine.List(ctx, q, query, (*engine.Cosigned).Columns, before, last, most)
}

func (q cosignaturesOf) Newest(ctx context.Context, key, beginning string) (c engine.Cosigned, err error) {
	const query = cosignedColumns + " WHERE key = $1 AND starts_with(checkpoint, $2) ORDER BY position DESC LIMIT 1"
	err = q.row(ctx, query, []any{key, beginning}, c.Columns()...)
	return c, err
}

func (q cosignaturesOf) Has(ctx context.Context, c engine.Cosigned) (there bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM docket.docket_cosignatures WHERE checkpoint = $1 AND cosignature = $2 AND key = $3)"
	err = q.row(ctx, query, []any{string(c.Checkpoint), string(c.Line), c.Key}, &there)
	return there, err
}

func (q cosignaturesOf) Add(_ context.Context, c engine.Cosigned, at terms.Instant) error {
	return q.changeOne(insert("docket_cosignatures", "position, checkpoint, cosignature, key, kept_at"), string(c.Checkpoint), string(c.Line), c.Key, at.String())
}

// keysOf is the engine.Keys of a transaction.
type keysOf struct{ *transaction }

// Keys implements engine.Tx.
func (t *transaction) Keys() engine.Keys { return keysOf{t} }

func (q keysOf) Signers(ctx context.Context) ([]engine.Signer, error) {
	const query = "SELECT reviewer_id, fingerprint, public_key, since FROM docket.docket_signers ORDER BY position"
	return engine.List(ctx, q, query, (*engine.Signer).Columns)
}

func (q keysOf) AddSigner(_ context.Context, s engine.Signer) error {
	return q.changeOne(insert("docket_signers", "position, reviewer_id, fingerprint, public_key, since"), s.Reviewer, s.Fingerprint, s.PublicKey, s.Since)
}

func (q keysOf) Revoked(ctx context.Context) ([]keys.Revocation, error) {
	const query = "SELECT reviewer_id, fingerprint, from_sequence, made_size, received FROM docket.docket_revoked_keys" +
		" ORDER BY reviewer_id, fingerprint, received"
	return engine.List(ctx, q, query, engine.RevocationColumns)
}

func (q keysOf) SetRevoked(_ context.Context, list []keys.Revocation) error {
	err := q.change(-1, "DELETE FROM docket.docket_revoked_keys")
	for _, r := range list {
		if err == nil {
			err = q.changeOne(insert("docket_revoked_keys", "reviewer_id, fingerprint, from_sequence, made_size, received"),
				r.Reviewer, r.Fingerprint, r.From, r.Made, r.Received)
		}
	}
	return err
}

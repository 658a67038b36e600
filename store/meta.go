package store

import (
	"context"
	"database/sql"
	"errors"

	"docket/domain"
)

// The rows of docket_meta.
const (
	metaSchemaVersion = "schemaVersion"
	metaOrigin        = "origin"      // of the log
	metaVerifierKey   = "verifierKey" // of its checkpoints: public; the private half is in the key file
	metaCreatedAt     = "createdAt"
	metaCosignerKey   = "cosignerKey" // of a service only: of the checkpoints that it cosigns; likewise
)

const oneMeta = "SELECT value FROM main." + metaTable + " WHERE name = ?"

// Meta is what a store says of itself.
type Meta struct {
	Origin    string // of its log: the first line of every checkpoint
	CreatedAt domain.Instant
}

// Meta returns the store's own facts: the log's origin, and when the store was made.
func (s *Store) Meta(ctx context.Context) (meta Meta, err error) {
	err = s.reading(ctx, "read what the store is", func(ctx context.Context, tx *sql.Tx) error {
		var created string
		err := errors.Join(tx.QueryRowContext(ctx, oneMeta, metaOrigin).Scan(&meta.Origin),
			tx.QueryRowContext(ctx, oneMeta, metaCreatedAt).Scan(&created))
		if err != nil {
			return err
		}
		meta.CreatedAt, _ = domain.ParseInstant(created)
		return nil
	})
	return meta, err
}

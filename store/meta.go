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
	metaOrigin        = "origin" // of the log: 16 random bytes in hex, so that no two stores share one
	metaCreatedAt     = "createdAt"
)

// Meta is what a store says of itself.
type Meta struct {
	Origin    string // of its log, random, in hex
	CreatedAt domain.Instant
}

// Meta returns the store's own facts: the log's origin, and when the store was made.
func (s *Store) Meta(ctx context.Context) (meta Meta, err error) {
	err = s.reading(ctx, "read what the store is", func(ctx context.Context, tx *sql.Tx) error {
		const value = "SELECT value FROM main." + metaTable + " WHERE name = ?"
		var created string
		err := errors.Join(tx.QueryRowContext(ctx, value, metaOrigin).Scan(&meta.Origin),
			tx.QueryRowContext(ctx, value, metaCreatedAt).Scan(&created))
		if err != nil {
			return err
		}
		meta.CreatedAt, _ = domain.ParseInstant(created)
		return nil
	})
	return meta, err
}

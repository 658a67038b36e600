package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
	"docket/store/sqlite"
	"docket/store/verify"
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

// proveMeta looks for facts that docket did not write. The log's origin and keys are held to what they signed elsewhere.
func proveMeta(ctx context.Context, q querier) ([]verify.Finding, error) {
	rows := map[string]string{}
	err := eachRow(ctx, q, fmt.Sprintf("SELECT name, value FROM main.%s LIMIT %d", metaTable, mostMeta+1), func(scan func(...any) error) error {
		var name, value string
		err := scan(&name, &value)
		rows[name] = value
		return err
	})
	if err != nil {
		return nil, err
	}
	_, timed := domain.ParseInstant(rows[metaCreatedAt])
	altered := !timed || rows[metaSchemaVersion] != fmt.Sprint(sqlite.SchemaVersion)
	for name := range rows {
		switch name {
		case metaSchemaVersion, metaOrigin, metaVerifierKey, metaCreatedAt, metaCosignerKey:
		default:
			altered = true
		}
	}
	if altered {
		return []verify.Finding{found(verify.SchemaAltered, metaTable)}, nil
	}
	return nil, nil
}

// mostMeta is how many rows docket_meta has at most.
const mostMeta = 5

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

package store

import (
	"context"

	"docket/domain"
)

// Lodged is the size of the log that the service last cosigned; 0 for none.
func (s *Store) Lodged(context.Context) (size int64, err error) { return 0, nil }

// KeepCosignature keeps the service's cosignature of the log's checkpoint of a size, as one line of C2SP tlog-cosignature.
func (s *Store) KeepCosignature(_ context.Context, size int64, cosignature, key string) error {
	return ErrNotBound
}

// Consistency proves that the log of one size is the beginning of the log of a later size (RFC 6962).
func (s *Store) Consistency(_ context.Context, from, to int64) ([]domain.Hash, error) {
	return nil, nil
}

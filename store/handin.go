package store

import (
	"context"

	"docket/domain"
)

// NotHandedIn lists entries, in the order of the log, for which the service has given no final answer: at most so many of
// those after a sequence; -1 is the start.
func (s *Store) NotHandedIn(context.Context, int64, int) ([]Entry, error) { return nil, nil }

// KeepAcceptance keeps the service's receipt of a record with the service's checkpoint of exactly the receipt's tree.
func (s *Store) KeepAcceptance(context.Context, domain.RecordID, domain.Receipt, []byte) error {
	return ErrNotBound
}

// KeepRejection keeps the signed domain.Rejection of a record, and what the service said had changed.
func (s *Store) KeepRejection(context.Context, domain.RecordID, string, []string) error {
	return ErrNotBound
}

// HandInTally tells how the store stands with its service.
func (s *Store) HandInTally(context.Context) (domain.HandInTally, error) {
	return domain.HandInTally{}, nil
}

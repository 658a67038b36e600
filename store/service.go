package store

import (
	"context"
	"database/sql"

	"docket/domain"
	"docket/domain/overlap"
)

// A store is a console's or a service's, and the origin of its log says which. Either can be opened to be looked at, and
// takes packets in. What it is for is asked where that is done: records are appended to a console's store, and handed in
// to a service's, which alone has tokens, keys, and checkpoints of other logs. Options.Service asks for a service's
// store from the first.

// OfService tells whether the store is a service's. Of a store with a key that cannot be used, nothing is known.
func (s *Store) OfService(ctx context.Context) (bool, error) {
	release, err := s.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	return s.key != nil && s.key.OfService(), nil
}

// checkKind refuses what the store is not for.
func (s *Store) checkKind(service bool) error {
	switch {
	case s.key != nil && s.key.OfService() == service:
		return nil
	case service:
		return &Problem{Path: s.path, Kind: ErrKind,
			Advice: "it is a console's, not a service's; name another file, a service's store is made where there is none"}
	}
	return &Problem{Path: s.path, Kind: ErrKind,
		Advice: "it is a service's, where records are handed in; name your own store"}
}

// OfConsole returns nil if decisions can be recorded in the store. A service's takes none: the error says so.
func (s *Store) OfConsole() error {
	s.handles.RLock()
	defer s.handles.RUnlock()
	return s.checkKind(false)
}

// serving runs do in a transaction of a service's store.
func (s *Store) serving(ctx context.Context, doing string, do func(context.Context, *sql.Tx) error) error {
	return s.writing(ctx, doing, func(ctx context.Context, tx *sql.Tx) error {
		if err := s.checkKind(true); err != nil {
			return err
		}
		return do(ctx, tx)
	})
}

// SignRejection signs the statement that a record is turned away with the key of the service's log, whose origin is
// filled in. It writes nothing. The error wraps domain.ErrRejection if the statement is not whole.
func (s *Store) SignRejection(ctx context.Context, rejection domain.Rejection) (signed string, err error) {
	release, err := s.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	if err := s.checkNoFindings(); err != nil {
		return "", err
	}
	if err := s.checkKind(true); err != nil {
		return "", err
	}
	rejection.Origin = s.key.Origin
	text := rejection.Text()
	if _, err := domain.ReadRejection(text); err != nil {
		return "", err
	}
	written, err := s.key.SignNote(text)
	return string(written), err
}

// SignReceipt signs a receipt of the private-overlap pilot with the key of the log. It keeps nothing of it: the signature
// is what proves it.
func (s *Store) SignReceipt(ctx context.Context, receipt overlap.Receipt) (overlap.ReceiptID, error) {
	release, err := s.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	if err := s.checkNoFindings(); err != nil {
		return "", err
	}
	key := *s.key
	if !key.CanSign() { // as in a store that is open for reading
		if err := s.unlock(&key); err != nil {
			return "", err
		}
	}
	return receipt.Sign(key.Signer())
}

package store

import (
	"context"

	"docket/domain/overlap"
)

// SignReceipt signs a receipt of the private-overlap pilot with the key of the log. It keeps nothing of it: the signature
// is what proves it.
func (s *Store) SignReceipt(ctx context.Context, receipt overlap.Receipt) (overlap.ReceiptID, error) {
	release, err := s.hold(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	if err := s.checkUntouched(); err != nil {
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

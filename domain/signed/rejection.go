package signed

import (
	"fmt"
	"strings"

	"docket/domain"
)

// OpenRejection verifies a rejection that the service signed and reads it. That it is one of a certain record is for the
// caller to hold. The error wraps domain.ErrRejection.
func (k Key) OpenRejection(signed string) (domain.Rejection, error) {
	text, ok := k.open(signed)
	if !ok {
		return domain.Rejection{}, fmt.Errorf("%w: it is not signed with the key of the service", domain.ErrRejection)
	}
	r, err := domain.ReadRejection(text)
	if err != nil {
		return domain.Rejection{}, err
	}
	if r.Origin != k.Origin() {
		return domain.Rejection{}, fmt.Errorf("%w: it is one of another service", domain.ErrRejection)
	}
	return r, nil
}

// Unverified reads what a signed rejection says, whoever signed it. The error wraps domain.ErrRejection.
func Unverified(signed string) (domain.Rejection, error) {
	text, _, found := strings.Cut(signed, "\n\n")
	if !found {
		return domain.Rejection{}, domain.ErrRejection
	}
	return domain.ReadRejection(text + "\n")
}

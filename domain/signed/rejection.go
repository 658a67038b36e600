package signed

import (
	"fmt"
	"strings"

	"docket/domain/records"
)

// OpenRejection verifies a rejection that the service signed and reads it. That it is one of a certain record is for the
// caller to hold. The error wraps records.ErrRejection.
func (k Key) OpenRejection(signed string) (records.Rejection, error) {
	text, ok := k.open(signed)
	if !ok {
		return records.Rejection{}, fmt.Errorf("%w: it is not signed with the key of the service", records.ErrRejection)
	}
	r, err := records.ReadRejection(text)
	if err != nil {
		return records.Rejection{}, err
	}
	if r.Origin != k.Origin() {
		return records.Rejection{}, fmt.Errorf("%w: it is one of another service", records.ErrRejection)
	}
	return r, nil
}

// Unverified reads what a signed rejection says, whoever signed it. The error wraps records.ErrRejection.
func Unverified(signed string) (records.Rejection, error) {
	text, _, found := strings.Cut(signed, "\n\n")
	if !found {
		return records.Rejection{}, records.ErrRejection
	}
	return records.ReadRejection(text + "\n")
}

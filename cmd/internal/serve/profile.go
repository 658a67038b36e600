package serve

import (
	"bytes"
	"fmt"

	"docket/cmd/internal/api"
	"docket/contracts/incident"
)

// A ProfileError says that an incident response profile does not keep to the contract.
type ProfileError struct{ Problems incident.Problems }

// Error tells the first problem and how many there are.
func (e *ProfileError) Error() string {
	first := e.Problems.List[0]
	return fmt.Sprintf("the incident response profile has %d problems, the first at %q: it %s; `docket profile check` lists them",
		e.Problems.Total, first.Pointer, first.Reason)
}

// CheckProfile tells whether the profile may be published, which warnings do not prevent; the error is a *ProfileError.
func CheckProfile(text []byte) error {
	_, problems, err := incident.Check(text)
	if err == nil && !problems.OK() {
		err = &ProfileError{problems}
	}
	return err
}

// readProfile checks the profile that is to be published; nil is none.
func readProfile(text []byte) (document, error) {
	if text == nil {
		return document{}, nil
	}
	if err := CheckProfile(text); err != nil {
		return document{}, err
	}
	return documentOf(bytes.Clone(text)), nil
}

// handleProfile is the route of the incident response profile (seed 2.2).
func handleProfile(s *Service, _ *call) (answer, error) {
	if s.profile.text == nil {
		return answer{}, api.NotFound.New("No incident response profile is configured here.")
	}
	return s.profile.answer(), nil
}

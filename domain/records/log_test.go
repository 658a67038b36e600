package records

import (
	"testing"
)

func TestTheOriginTellsAServicesLogFromAConsoles(t *testing.T) {
	for origin, want := range map[string]bool{
		"":                                  false,
		"docket/0123456789abcdef":           false,
		"docket/service/0123456789abcdef":   true,
		"docket/servicE/0123456789abcdef":   false,
		" docket/service/0123456789abcdef":  false,
		"x/docket/service/0123456789abcdef": false,
	} {
		if OfService(origin) != want {
			t.Errorf("%q: %v", origin, !want)
		}
	}
}

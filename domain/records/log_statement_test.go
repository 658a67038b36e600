package records_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
)

func logStatement() records.LogStatement {
	at, _ := terms.ParseInstant(domaintest.Now)
	return records.LogStatement{Kind: records.AnchorAccepted, Origin: "docket/00", Size: 3, Root: terms.HashOf([]byte("root")), At: at,
		By: "rev-1", KeyFingerprint: "SHA256:abc", Found: []string{"anchor_missing"}}
}

func TestALogStatementIsReadBackAsItWasWritten(t *testing.T) {
	for _, kind := range records.LogStatementKinds.All() {
		s := logStatement()
		s.Kind = kind
		if again, err := records.ReadLogStatement(s.Text()); err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("%s: %+v, error %v", kind, again, err)
		}
	}
}

func TestEveryLineOfALogStatementCounts(t *testing.T) {
	good := logStatement()
	lines := strings.Split(good.Text(), "\n")
	for i, wrong := range []string{"docket-log-statement/v2", "release", "", "-1", "sha256:00", "yesterday", "", "", "", "more"} {
		for _, line := range []string{wrong, lines[i] + "\n", lines[i] + "  x"} {
			changed := append([]string(nil), lines...)
			changed[i] = line
			s, err := records.ReadLogStatement(strings.Join(changed, "\n"))
			if free := (i == 2 || i == 7) && line != wrong && !strings.Contains(line, "\n"); !free && !errors.Is(err, records.ErrLogStatement) {
				t.Errorf("line %d as %q is read as %+v", i+1, line, s)
			}
		}
	}
}

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
		if s.AboutKey() {
			s.Found, s.Key = []string{}, records.KeyChange{PublicKey: "ssh-ed25519 AAAA", Previous: s.Root}
			if kind == records.KeyRegistered {
				s.Origin = records.ServiceOriginPrefix + "00"
			}
		}
		switch kind {
		case records.OperatorNamed:
			s.Found, s.Origin = []string{}, records.ServiceOriginPrefix+"00"
		case records.LogRestored:
			s = restoreStatement()
		}
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

func keyStatement(kind records.LogStatementKind, change func(*records.LogStatement)) string {
	s := logStatement()
	s.Kind, s.Found, s.Key = kind, nil, records.KeyChange{PublicKey: "ssh-ed25519 AAAA"}
	if change != nil {
		change(&s)
	}
	return s.Text()
}

func TestAStatementAboutAKeyHasWhatItsKindAsksForAndNoMore(t *testing.T) {
	atService := func(s *records.LogStatement) { s.Origin = records.ServiceOriginPrefix + "00" }
	good := []string{keyStatement(records.KeyEndorsed, nil), keyStatement(records.KeyReplaced, nil), keyStatement(records.KeyRegistered, atService),
		keyStatement(records.KeyRevoked, nil), keyStatement(records.KeyRevoked, atService),
		keyStatement(records.KeyRevoked, func(s *records.LogStatement) { s.Key.From = s.Size })}
	for _, text := range good {
		if _, err := records.ReadLogStatement(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	bad := []string{keyStatement(records.KeyEndorsed, atService), keyStatement(records.KeyReplaced, atService), keyStatement(records.KeyRegistered, nil),
		keyStatement(records.KeyRevoked, func(s *records.LogStatement) { s.Key.From = s.Size + 1 }),
		keyStatement(records.KeyRevoked, func(s *records.LogStatement) { s.Key.From = -1 }),
		keyStatement(records.KeyEndorsed, func(s *records.LogStatement) { s.Found = []string{"x"} }),
		keyStatement(records.KeyEndorsed, func(s *records.LogStatement) { s.Key.PublicKey = "" }),
		keyStatement(records.KeyEndorsed, func(s *records.LogStatement) { s.Key.PublicKey = "ssh-ed25519 AAAA me@here" }),
		strings.Replace(keyStatement(records.KeyEndorsed, nil), "AAAA\n-\n", "AAAA\n0\n", 1),
		strings.Replace(keyStatement(records.KeyRevoked, nil), "AAAA\n0\n", "AAAA\n-\n", 1),
		strings.Replace(keyStatement(records.KeyEndorsed, nil), "AAAA\n-\n-\n", "AAAA\n-\nsha256:00\n", 1),
		strings.TrimSuffix(keyStatement(records.KeyEndorsed, nil), "-\n"), keyStatement(records.KeyEndorsed, nil) + "-\n"}
	for _, text := range bad {
		if s, err := records.ReadLogStatement(text); !errors.Is(err, records.ErrLogStatement) {
			t.Errorf("%q is read as %+v", text, s)
		}
	}
}

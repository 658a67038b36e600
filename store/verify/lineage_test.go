package verify_test

import (
	"slices"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// The logs of a service, in their order.
const (
	firstService  = records.ServiceOriginPrefix + "00000000000000000000000000000000"
	secondService = records.ServiceOriginPrefix + "11111111111111111111111111111111"
	thirdService  = records.ServiceOriginPrefix + "22222222222222222222222222222222"
)

// A log that somebody else made may name anybody as its operator: the one who restored a log counts only if it, or one between it and the log that the
// reader trusts, named them.
func TestARestoreWithoutTheKeyOfTheLogIsTheOperatorsWhomATrustedLogNamed(t *testing.T) {
	const operator, stranger = terms.ID("operator-1"), terms.ID("stranger")
	// lost restores the log without its key, and returns the key.
	lost := func(l *verifytest.Log, origin string, by terms.ID) string {
		key := l.Says.VerifierKeys[0]
		l.Restore(0, origin, by, nil)
		quietly(l)
		return key
	}
	for name, c := range map[string]struct {
		do     func(l *verifytest.Log) (trusted []string)
		proven bool
	}{
		"of the log that is trusted": {func(l *verifytest.Log) []string {
			l.Name(operator)
			return []string{lost(l, secondService, operator)}
		}, true},
		"of the log after it": {func(l *verifytest.Log) []string {
			key := lost(l, secondService, stranger)
			l.Name(stranger)
			return []string{key}
		}, false},
		"of a log before it": {func(l *verifytest.Log) []string {
			l.Name(stranger)
			l.Restore(0, secondService, stranger, nil)
			return []string{lost(l, thirdService, stranger)}
		}, false},
		"of a log before it, which is trusted, too": {func(l *verifytest.Log) []string {
			l.Name(operator)
			first := l.Says.VerifierKeys[0]
			l.Restore(0, secondService, operator, nil)
			return []string{lost(l, thirdService, operator), first}
		}, true},
		"named again in the log that is trusted": {func(l *verifytest.Log) []string {
			l.Name(operator)
			l.Restore(0, secondService, operator, nil)
			l.Change(operator, "operator-2")
			return []string{lost(l, thirdService, "operator-2")}
		}, true},
		"in the place of one whose key is lost": {func(l *verifytest.Log) []string {
			l.Name(operator)
			l.Replace(operator, "operator-2")
			return []string{lost(l, secondService, "operator-2")}
		}, true},
		"of none": {func(l *verifytest.Log) []string { return []string{lost(l, secondService, operator)} }, false},
	} {
		l := verifytest.New(t)
		l.Says.Origin = firstService
		l.NewStoreKey("service")
		trusted := c.do(l)
		report, err := verify.Check(t.Context(), l, verify.Options{VerifierKeys: trusted})
		want := []verify.Code{verify.RestoreUnproven}
		if c.proven {
			want = nil
		}
		if err != nil || len(report.Findings) != len(want) || report.Count(verify.RestoreUnproven) != int64(len(want)) {
			t.Errorf("%s: %v, %v", name, report.Findings, err)
		}
	}
}

// The same holds for the service of a console: its earlier key is trusted, and a later one only by what leads there.
func TestAServiceIsFollowedOnlyThroughLogsThatAreTrusted(t *testing.T) {
	for name, c := range map[string]struct {
		do     func(s *verifytest.Log)
		proven bool
	}{
		"by its operator": {func(s *verifytest.Log) {
			s.Name("operator-1")
			s.Restore(0, secondService, "operator-1", nil)
			quietly(s)
		}, true},
		"by the log's key":    {func(s *verifytest.Log) { s.Restore(0, secondService, "stranger", nil) }, true},
		"by a later operator": {func(s *verifytest.Log) { s.Restore(0, secondService, "stranger", nil); quietly(s); s.Name("stranger") }, false},
		"by nobody":           {func(s *verifytest.Log) { s.Restore(0, secondService, "stranger", nil); quietly(s) }, false},
	} {
		s := verifytest.New(t)
		s.Says.Origin = firstService
		s.NewStoreKey("service")
		s.Sign()
		before := s.Says.VerifierKeys
		c.do(s)
		l := verifytest.New(t)
		l.Says.EarlierServiceKeys, l.Says.ServiceKey, l.Says.ServiceStatements = before, s.Says.VerifierKeys[0], s.Says.Statements
		report, err := verify.Check(t.Context(), l, verify.Options{ServiceKeys: before})
		if err != nil || (report.Count(verify.ServiceKeyUnusable) == 0) != c.proven || report.OK() != c.proven {
			t.Errorf("%s: %v, %v", name, report.Findings, err)
		}
	}
}

// Each earlier key of a service is one to which its restores led, whether or not the caller trusts a key: also those between the first one
// and the newest.
func TestEveryEarlierKeyOfAServiceIsOneToWhichItsRestoresLed(t *testing.T) {
	s := verifytest.New(t)
	s.Says.Origin = firstService
	s.NewStoreKey("service")
	s.Sign()
	keys := s.Says.VerifierKeys
	for _, origin := range []string{secondService, thirdService} {
		s.Restore(0, origin, "stranger", nil)
		keys = append(slices.Clone(keys), s.Says.VerifierKeys...)
	}
	for altered := -1; altered < 2; altered++ {
		for _, trusted := range [][]string{nil, keys[:1]} {
			l := verifytest.New(t)
			l.Says.EarlierServiceKeys, l.Says.ServiceKey, l.Says.ServiceStatements = slices.Clone(keys[:2]), keys[2], s.Says.Statements
			if altered >= 0 {
				l.Says.EarlierServiceKeys[altered] = keys[2]
			}
			report, err := verify.Check(t.Context(), l, verify.Options{ServiceKeys: trusted})
			if err != nil || (report.Count(verify.ServiceKeyUnusable) == 0) != (altered < 0) {
				t.Errorf("key %d altered, %d trusted: %v, %v", altered, len(trusted), report.Findings, err)
			}
		}
	}
}

// Once an operator is named, nobody else revokes a key at the service: neither another person nor the log alone.
func TestOnlyTheOperatorRevokesAKeyAtAService(t *testing.T) {
	const operator = terms.ID("operator-1")
	for name, c := range map[string]struct {
		by       terms.ID // who signs beside the log; "" for nobody
		operator terms.ID // who is named; "" for nobody
		counts   bool
	}{
		"the operator":                         {operator, operator, true},
		"another person":                       {"stranger", operator, false},
		"the log alone":                        {"", operator, false},
		"the log alone, of no operator":        {"", "", true},
		"a person, where there is no operator": {"stranger", "", false},
	} {
		l := verifytest.New(t)
		l.Says.Origin = firstService
		l.NewStoreKey("service")
		if c.operator != "" {
			l.Name(c.operator)
		}
		seen, signer := l.Seen(), verifytest.Key(string(verifytest.Assigned)).PublicKey()
		s := records.LogStatement{Kind: records.KeyRevoked, Origin: firstService, Size: seen.Size, Root: seen.Root,
			At: terms.InstantOf(time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)), By: verifytest.Assigned, KeyFingerprint: ssh.FingerprintSHA256(signer),
			Key: records.KeyChange{PublicKey: signed.AuthorizedKey(signer), From: seen.Size}}
		if n := len(l.Says.Statements); n > 0 {
			s.Key.Previous = terms.HashOf([]byte(l.Says.Statements[n-1].Text))
		}
		if c.by != "" {
			s.SignedByOperator(ssh.FingerprintSHA256(verifytest.Key(string(c.by)).PublicKey()))
		}
		l.StateKey(s, c.by)
		list := l.Says.Statements
		_, opened := verify.ReadLineage(l.Says.Origin, l.Says.VerifierKeys[0], nil, list)
		if len(opened) != len(list) || opened[len(list)-1].OK != c.counts {
			t.Errorf("%s: %+v", name, opened[len(opened)-1])
		}
	}
}

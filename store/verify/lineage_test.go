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
	firstService = records.ServiceOriginPrefix + "00000000000000000000000000000000"
)

// An earlier key of a service stands for one in whose place a person accepted the next, each of them in order, and the newest is the one that the
// caller trusts.
func TestEachKeyOfAServiceIsOneThatAPersonAccepted(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*verify.Head)
		sound  bool
	}{
		"as it is":                            {func(*verify.Head) {}, true},
		"without the earlier key":             {func(h *verify.Head) { h.EarlierServiceKeys = nil }, false},
		"with another earlier key":            {func(h *verify.Head) { h.EarlierServiceKeys[0] = h.ServiceKey }, false},
		"with a key more":                     {func(h *verify.Head) { h.EarlierServiceKeys = append(h.EarlierServiceKeys, h.ServiceKey) }, false},
		"with another newest key":             {func(h *verify.Head) { h.ServiceKey = h.EarlierServiceKeys[0] }, false},
		"without the statement":               {func(h *verify.Head) { h.Statements = nil }, false},
		"where nobody accepted the statement": {func(h *verify.Head) { h.Statements[0].Signature = nil }, false},
	} {
		for _, trusted := range []string{"none", "the newest", "an earlier one"} {
			l := verifytest.New(t)
			l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1)), assigned, nil))
			l.Acknowledge(1, verifytest.Assigned, 0)
			o := map[string]verify.Options{"the newest": {ServiceKeys: []string{l.Says.ServiceKey}}, "an earlier one": {ServiceKeys: l.Says.EarlierServiceKeys}}[trusted]
			o.ServiceKeys = slices.Clone(o.ServiceKeys)
			c.change(&l.Says)
			sound := c.sound && trusted != "an earlier one"
			if report, err := verify.Check(t.Context(), l, o); err != nil || (report.Count(verify.ServiceKeyUnusable) == 0) != sound || report.OK() != sound {
				t.Errorf("%s, trusted %s: %v, %v", name, trusted, report.Findings, err)
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

package client_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// state has a person state something about the service's log as it is; byLog says that the log's key signs it, too.
func (s *service) state(statement records.LogStatement, by terms.ID, byLog bool) {
	s.t.Helper()
	root, err := tlog.TreeHash(int64(len(s.order)), s.hashes)
	must(s.t, err)
	statement.Origin, statement.Size, statement.Root = s.origin, int64(len(s.order)), merkle.FromTree(root)
	statement.At, _ = terms.ParseInstant("2026-06-15T12:00:00Z")
	key := verifytest.Key(string(by))
	statement.By, statement.KeyFingerprint = by, ssh.FingerprintSHA256(key.PublicKey())
	text := statement.Text()
	stated := api.LogStatement{Text: text, Signature: string(verifytest.New(s.t).Armored([]byte(text), key, records.LogStatementNamespace))}
	if byLog {
		stated.LogSignature = strings.TrimPrefix(s.signed(text), text+"\n")
	}
	s.stated = append(s.stated, stated)
}

// restored ends the service's log with its first records, and begins another one.
func (s *service) restored(size int64, seed byte, by terms.ID, byLog bool) {
	s.t.Helper()
	s.setBack(size)
	next := newService(s.t, seed)
	s.state(records.LogStatement{Kind: records.LogRestored, Found: []string{},
		Restore: records.Restore{OldKey: s.key, NewKey: next.key, Reason: records.StoreLost}}, by, byLog)
	s.origin, s.signer, s.key = next.origin, next.signer, next.key
}

// Who kept a checkpoint or the key of a log is told of each restore since, and follows it once they accept that.
func TestARestoreOfAServiceIsAFindingUntilTheReaderAcceptsIt(t *testing.T) {
	named := func(s *service, operator terms.ID) {
		s.state(records.LogStatement{Kind: records.OperatorNamed, Found: []string{}}, operator, true)
	}
	unknown, unusable, forked := []verify.Code{verify.CheckpointUnknownKey}, []verify.Code{verify.EarlierUnusable, verify.EarlierUnusable}, []verify.Code{verify.Forked}
	for name, c := range map[string]struct {
		do       func(s *service)
		followed bool          // the statements lead to the log that is shown
		want     []verify.Code // found though the restore is accepted, with the key of the log before
		kept     []verify.Code // the same with the key of the log that is shown
	}{
		"signed by the log":              {func(s *service) { s.restored(300, 2, "stranger", true) }, true, nil, nil},
		"signed by the operator":         {func(s *service) { named(s, "op-1"); s.restored(300, 2, "op-1", false) }, true, nil, nil},
		"and grown since":                {func(s *service) { s.restored(300, 2, "op-1", true); s.grow("more", "still more") }, true, nil, nil},
		"twice":                          {func(s *service) { s.restored(300, 2, "op-1", true); s.grow("more"); s.restored(301, 3, "op-1", true) }, true, nil, nil},
		"records lost":                   {func(s *service) { s.restored(299, 2, "op-1", true); s.grow(many("other", 9)...) }, true, nil, nil},
		"records lost, then all of them": {func(s *service) { s.restored(2, 2, "op-1", true) }, true, nil, nil},
		"signed by a stranger":           {func(s *service) { s.restored(300, 2, "stranger", false) }, true, nil, nil},
		"signed by another than the operator": {func(s *service) { named(s, "op-1"); s.restored(300, 2, "stranger", true) },
			false, unknown, unusable},
		"without a statement": {func(s *service) { s.restored(300, 2, "op-1", true); s.stated = nil }, false, unknown, unusable},
		"another history": {func(s *service) {
			s.restored(300, 2, "op-1", true)
			s.setBack(3)
			s.grow(many("other", 300)...)
		}, true, forked, forked},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, 1)
			s.grow(many("record", 300)...)
			before := s.key
			earlier := []verify.Earlier{{Name: "kept", Signed: []byte(s.head(300))}, {Name: "older", Signed: []byte(s.head(3))}}
			c.do(s)
			for _, asked := range []struct {
				key  string
				want []verify.Code
				told int
			}{{before, c.want, 3}, {s.key, c.kept, 2}} {
				o := verify.Options{VerifierKeys: []string{asked.key}, Earlier: earlier, AcceptRestore: true}
				report, err := client.CheckLog(t.Context(), anonymous(t, s), o)
				if err != nil || !slices.Equal(codes(&report), asked.want) {
					t.Errorf("with the key %s: %v, %v", asked.key, report.Findings, err)
				}
				if asked.want == nil && (len(report.Followed) != asked.told || report.VerifierKey != s.key || report.Size != int64(len(s.order))) {
					t.Errorf("%+v", report)
				}
				o.AcceptRestore = false
				if !c.followed {
					asked.told = 0
				}
				if report, err = client.CheckLog(t.Context(), anonymous(t, s), o); err != nil || report.Count(verify.LogRestored) != int64(asked.told) {
					t.Errorf("not accepted: %v, %v", report.Findings, err)
				}
			}
		})
	}
}

// A reader who trusts nothing of the log before asks for no statements, and what the statements say changes nothing.
func TestStatementsOfAServiceAreAskedForOnlyWhereTheyLeadSomewhere(t *testing.T) {
	s := newService(t, 1)
	s.grow("a", "b", "c")
	s.restored(3, 2, "op-1", true)
	report, err := client.CheckLog(t.Context(), anonymous(t, s), verify.Options{VerifierKeys: []string{s.key}, Earlier: []verify.Earlier{{Name: "kept", Signed: []byte(s.head(2))}}})
	if err != nil || !report.OK() || len(report.Followed) > 0 || slices.Contains(s.asked, api.StatementsPath) {
		t.Errorf("%v, %v, %v", report.Findings, err, s.asked)
	}
	s.forge = func(path string, answer any) {
		if stated, is := answer.(*api.LogStatements); is {
			stated.Statements = append(stated.Statements, api.LogStatement{Text: "garbage"}, api.LogStatement{})
		}
	}
	stranger := newService(t, 7)
	if report, err := client.CheckLog(t.Context(), anonymous(t, s), verify.Options{VerifierKeys: []string{stranger.key}}); err != nil || !slices.Equal(codes(&report), []verify.Code{verify.CheckpointUnknownKey}) {
		t.Errorf("%v, %v", report.Findings, err)
	}
}

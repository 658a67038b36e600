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
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// state has a person state something about the service's log as it is; byLog says that the log's key signs it, too.
func (s *service) state(statement records.LogStatement, by terms.ID, byLog bool) {
	s.t.Helper()
	root, err := tlog.TreeHash(int64(len(s.order)), s.hashes)
	must(s.t, err)
	statement.Origin, statement.Size, statement.Root = s.origin, int64(len(s.order)), hashOf(root)
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

// Who kept a checkpoint or the key of a log follows the restores of the service, as far as somebody vouches for them whom the reader trusts.
func TestARestoreOfAServiceIsFollowedByAnybody(t *testing.T) {
	named := func(s *service, operator terms.ID) {
		s.state(records.LogStatement{Kind: records.OperatorNamed, Found: []string{}}, operator, true)
	}
	for name, c := range map[string]struct {
		do   func(s *service)
		want []verify.Code // with the key of the log before
		kept []verify.Code // with the key of the log that is shown, and checkpoints of the one before
	}{
		"signed by the log":              {func(s *service) { s.restored(300, 2, "stranger", true) }, nil, nil},
		"signed by the operator":         {func(s *service) { named(s, "op-1"); s.restored(300, 2, "op-1", false) }, nil, nil},
		"and grown since":                {func(s *service) { s.restored(300, 2, "op-1", true); s.grow("more", "still more") }, nil, nil},
		"twice":                          {func(s *service) { s.restored(300, 2, "op-1", true); s.grow("more"); s.restored(301, 3, "op-1", true) }, nil, nil},
		"records lost":                   {func(s *service) { s.restored(299, 2, "op-1", true); s.grow(many("other", 9)...) }, []verify.Code{verify.LostInRestore}, []verify.Code{verify.LostInRestore}},
		"records lost, then all of them": {func(s *service) { s.restored(2, 2, "op-1", true) }, []verify.Code{verify.LostInRestore, verify.LostInRestore}, []verify.Code{verify.LostInRestore, verify.LostInRestore}},
		"signed by a stranger":           {func(s *service) { s.restored(300, 2, "stranger", false) }, []verify.Code{verify.RestoreUnproven}, []verify.Code{verify.RestoreUnproven}},
		"signed by a stranger whom the log after it names": {func(s *service) { s.restored(300, 2, "stranger", false); named(s, "stranger") },
			[]verify.Code{verify.RestoreUnproven}, []verify.Code{verify.RestoreUnproven}},
		"signed by another than the operator": {func(s *service) { named(s, "op-1"); s.restored(300, 2, "stranger", true) },
			[]verify.Code{verify.CheckpointUnknownKey}, []verify.Code{verify.EarlierUnusable, verify.EarlierUnusable}},
		"without a statement": {func(s *service) { s.restored(300, 2, "op-1", true); s.stated = nil },
			[]verify.Code{verify.CheckpointUnknownKey}, []verify.Code{verify.EarlierUnusable, verify.EarlierUnusable}},
		"another history": {func(s *service) {
			s.restored(300, 2, "op-1", true)
			s.setBack(3)
			s.grow(many("other", 300)...)
		}, []verify.Code{verify.Forked}, []verify.Code{verify.Forked}},
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
			}{{before, c.want}, {s.key, c.kept}} {
				report, err := client.CheckLog(t.Context(), anonymous(t, s), verify.Options{VerifierKeys: []string{asked.key}, Earlier: earlier})
				if err != nil || !slices.Equal(codes(&report), asked.want) {
					t.Errorf("with the key %s: %v, %v", asked.key, report.Findings, err)
				}
				if asked.want == nil && (len(report.Followed) < 2 || report.VerifierKey != s.key || report.Size != int64(len(s.order))) {
					t.Errorf("%+v", report)
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

package client_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// anonymous is a client of the service without a token. It fails the test if it sends one.
func anonymous(t *testing.T, s *service) *client.Client {
	t.Helper()
	address := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header.Values("Authorization")) > 0 {
			t.Error("a token was sent")
		}
		r.Header.Set("Authorization", "Bearer "+s.token) // this service asks everybody for one
		s.ServeHTTP(w, r)
	})
	caller, err := client.NewAnonymous(client.Options{Address: address, Retry: newClock().pace()})
	must(t, err)
	t.Cleanup(caller.Close)
	return caller
}

// codes are the findings of a report.
func codes(r *verify.Report) (list []verify.Code) {
	for _, finding := range r.Findings {
		list = append(list, finding.Code)
	}
	return list
}

// What a console finds of a service's log, anybody finds who has an earlier checkpoint.
func TestAnybodyFindsASetbackOfTheServiceByACheckpointThatTheyKept(t *testing.T) {
	want := map[records.SetbackKind]verify.Code{records.LogRolledBack: verify.RolledBack, records.LogForked: verify.Forked, records.LogUnproven: verify.RootDiffers}
	for name, c := range setbacks {
		s := newService(t, 1)
		s.grow(many("record", 300)...)
		o := verify.Options{VerifierKeys: []string{s.key}, Earlier: []verify.Earlier{{Name: "kept", Signed: []byte(s.head(300))}, {Name: "older", Signed: []byte(s.head(3))}}}
		if report, err := client.CheckLog(t.Context(), anonymous(t, s), o); err != nil || !report.OK() || report.Size != 300 || !report.Root.Present() {
			t.Fatalf("%s: before: %+v, %v", name, report, err)
		}
		c.do(s)
		report, err := client.CheckLog(t.Context(), anonymous(t, s), o)
		if err != nil || !slices.Equal(codes(&report), []verify.Code{want[c.kind]}) {
			t.Errorf("%s: %v, %v", name, report.Findings, err)
		}
	}
}

func TestTheLogOfAServiceIsCheckedWithTheKeyThatIsKnown(t *testing.T) {
	s, other, empty, shuffled := newService(t, 1), newService(t, 5), newService(t, 2), newService(t, 3)
	s.grow("a", "b", "c")
	shuffled.grow("a", "b", "c")
	setbacks["tiles of another log"].do(shuffled)
	for name, c := range map[string]struct {
		of   *service
		o    verify.Options
		want []verify.Code
	}{
		"an empty log": {empty, verify.Options{VerifierKeys: []string{empty.key}}, nil},
		// Hashes that are not of the checkpoint are found without an earlier one, too.
		"tiles of another log": {shuffled, verify.Options{VerifierKeys: []string{shuffled.key}}, []verify.Code{verify.RootDiffers}},

		"its key":                 {s, verify.Options{VerifierKeys: []string{s.key}}, nil},
		"one of several":          {s, verify.Options{VerifierKeys: []string{other.key, s.key}}, nil},
		"another key":             {s, verify.Options{VerifierKeys: []string{other.key}}, []verify.Code{verify.CheckpointUnusable}},
		"a checkpoint of another": {s, verify.Options{VerifierKeys: []string{s.key}, Earlier: []verify.Earlier{{Name: "x", Signed: []byte(other.head(0))}}}, []verify.Code{verify.EarlierUnusable}},
		"garbage":                 {s, verify.Options{VerifierKeys: []string{s.key}, Earlier: []verify.Earlier{{Name: "x", Signed: []byte("garbage")}}}, []verify.Code{verify.EarlierUnusable}},
	} {
		report, err := client.CheckLog(t.Context(), anonymous(t, c.of), c.o)
		if err != nil || !slices.Equal(codes(&report), c.want) || report.OK() && report.Size != int64(len(c.of.order)) {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
	s.show = func(string, []byte) []byte { return nil }
	if report, err := client.CheckLog(t.Context(), anonymous(t, s), verify.Options{VerifierKeys: []string{s.key}}); err == nil || report.OK() && report.Size > 0 {
		t.Errorf("a service that shows nothing: %+v, %v", report, err)
	}
}

// A console holds the log of its service to witnesses where the policy names that log, and anybody where it names no other.
func TestTheLogOfAServiceIsHeldToItsWitnesses(t *testing.T) {
	s, fork := newService(t, 1), newService(t, 1)
	s.grow("a", "b", "c")
	fork.grow(append([]string{"a", "x"}, many("more", 18)...)...)
	w, other := verifytest.NewWitness(t, "example.org/w"), verifytest.NewWitness(t, "example.org/v")
	now, _ := terms.ParseInstant("2026-06-15T12:00:00Z")
	by := func(w verifytest.Witness, checkpoint string) string {
		return string(w.Line([]byte(checkpoint), now.Time().Add(-3*time.Hour)))
	}
	two := s.head(2) + by(w, s.head(2))
	quorum := "witness w " + w.Key + "\nquorum w\n"
	named := "log " + s.key + "\n" + quorum
	unmet := []verify.Code{verify.PolicyUnmet}
	met, none := &verify.Coverage{Met: true, Size: 2, Uncovered: 1}, &verify.Coverage{Uncovered: 3}
	for name, c := range map[string]struct {
		policy, shown string
		age           time.Duration
		found         []verify.Code       // by anybody
		told          *verify.Coverage    // to the console; nil: nothing
		setback       records.SetbackKind // for the console
	}{
		"met":                 {policy: quorum, shown: two},
		"of the named log":    {policy: named, shown: two, age: 4 * time.Hour, told: met},
		"old":                 {policy: named, shown: two, age: time.Hour, found: []verify.Code{verify.PolicyUnmet}, told: met},
		"of another log":      {policy: "log " + newService(t, 5).key + "\n" + quorum, shown: two, found: unmet},
		"by nobody":           {policy: named, found: unmet, told: none},
		"by another":          {policy: named, shown: s.head(2) + by(other, s.head(2)), found: unmet, told: none},
		"of another size":     {policy: named, shown: s.head(2) + by(w, s.head(1)), found: unmet, told: none},
		"of another history":  {policy: named, shown: fork.head(2) + by(w, fork.head(2)), found: []verify.Code{verify.Forked}, setback: records.LogForked},
		"of a longer history": {policy: named, shown: fork.head(20) + by(w, fork.head(20)), found: []verify.Code{verify.RolledBack}, setback: records.LogRolledBack},
		"with a forged line":  {policy: named, shown: s.head(3) + by(w, s.head(2)), found: unmet, told: none},
	} {
		console, s, _ := decided(t)
		s.grow("a", "b", "c")
		s.show = func(path string, log []byte) []byte {
			if path == api.CosignedPath && c.shown != "" {
				return []byte(c.shown)
			}
			return log
		}
		policy, err := verify.ParsePolicy([]byte(c.policy))
		must(t, err)
		report, err := client.CheckLog(t.Context(), anonymous(t, s), verify.Options{VerifierKeys: []string{s.key}, Policy: policy, MaxAge: c.age, Now: now})
		if err != nil || !slices.Equal(codes(&report), c.found) || c.found == nil && !sameCoverage(report.Coverage, met) {
			t.Errorf("%s: %v, %+v, %v", name, report.Findings, report.Coverage, err)
		}
		var told *verify.Coverage
		_, err = client.Push(t.Context(), client.PushOptions{Outbox: console.store,
			Each: func(client.Result) error { return nil }, Progress: func(int64, int64) {},
			Session: client.Session{Service: s.client(nil), FirstContact: func(signed.Key) error { return nil }, Witnessed: client.Witnessed{Policy: policy,
				Now: func() terms.Instant { return now }, Tell: func(c verify.Coverage) error { told = &c; return nil }}}})
		if setbackOf(err).Kind != c.setback || (err == nil) == c.setback.Present() || !sameCoverage(told, c.told) {
			t.Errorf("%s: a console: %+v, %v", name, told, err)
		}
	}
}

// sameCoverage compares what is covered, whenever that was.
func sameCoverage(a, b *verify.Coverage) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Met == b.Met && a.Size == b.Size && a.Uncovered == b.Uncovered
}

// state has a person state something about the service's log as it is; byLog says that the log's key signs it, too.
func (s *service) state(statement records.LogStatement, by terms.ID, byLog bool) {
	s.t.Helper()
	root, err := tlog.TreeHash(int64(len(s.order)), s.hashes)
	must(s.t, err)
	statement.Origin, statement.Size, statement.Root = s.origin, int64(len(s.order)), signed.FromTree(root)
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
	unknown, unusable, forked := []verify.Code{verify.CheckpointUnusable}, []verify.Code{verify.EarlierUnusable, verify.EarlierUnusable}, []verify.Code{verify.Forked}
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
	if report, err := client.CheckLog(t.Context(), anonymous(t, s), verify.Options{VerifierKeys: []string{stranger.key}}); err != nil || !slices.Equal(codes(&report), []verify.Code{verify.CheckpointUnusable}) {
		t.Errorf("%v, %v", report.Findings, err)
	}
}

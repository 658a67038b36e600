package verify_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A record may have been recorded as long before the newest one as the leeway is, and no longer. That is found once.
func TestTheLeewayOfClocksIsHeldToTheMillisecond(t *testing.T) {
	for _, c := range []struct {
		beyond time.Duration
		found  int64
	}{{0, 0}, {time.Millisecond, 1}} {
		l := sound(t)
		late, early := l.Decide(newCase(l), assigned, nil), l.Decide(newCase(l), assigned, nil)
		apart := early.Members().RecordedAt.Sub(late.Members().RecordedAt)
		l.AppendSigned(late.Table(), l.Forged(late, recordedAfter(late, apart+records.OrderLeeway+c.beyond)), verifytest.Key(verifytest.Assigned))
		l.Append(early)
		report := check(t, l, verify.Options{})
		if report.Total != c.found || report.Count(verify.TimeBackwards) != c.found {
			t.Errorf("%s beyond the leeway: %v", c.beyond, report.Findings)
		}
	}
}

// What else is wrong with a record does not hide that a reviewer's second key signed it.
func TestASecondKeyIsFoundBesideAnotherFinding(t *testing.T) {
	l := sound(t)
	signAs(l, newCase(l), "second", verifytest.Record{"logHead": map[string]any{"origin": verifytest.Origin, "size": 6, "root": terms.HashOf(nil).String()}})
	delete(l.Held, verify.Ref{Table: terms.AppealPolicies, Key: packets.Key{ID: "appeal-policy", Number: 7}})
	report := check(t, l, verify.Options{})
	for kind, want := range map[verify.Code]int64{verify.HeadNotPrefix: 2, verify.PacketMissing: 2, verify.KeyNotEndorsed: 1} {
		if report.Count(kind) != want {
			t.Errorf("%s is found %d times: %v", kind, report.Count(kind), report.Findings)
		}
	}
}

func TestWhatPersonsAcceptedIsReportedAndWhatIsForgedIsNot(t *testing.T) {
	for _, origins := range [][]string{{verifytest.Origin, "docket/other"}, {"docket/other", verifytest.Origin}} {
		l := sound(t)
		for _, origin := range origins {
			s := l.Statement(records.AnchorAccepted, verifytest.Assigned, "anchor_missing")
			s.Origin = origin
			l.StateKey(s, verifytest.Assigned)
		}
		report := check(t, l, verify.Options{})
		if len(report.Accepted) != 1 || report.Accepted[0].Origin != l.Says.Origin || report.Total != 1 {
			t.Errorf("accepted %+v, found %v", report.Accepted, report.Findings)
		}
	}
}

func TestAPacketOfAnotherTableIsNotTakenForTheOneOfItsName(t *testing.T) {
	l := sound(t)
	amendment := l.Hold(terms.AmendmentRecords, verifytest.Amendment("case-3", 1))
	l.Held[verify.Ref{Table: terms.AppealCases, Key: amendment.Key}] = bytes.Clone(l.Held[amendment])
	report := check(t, l, verify.Options{})
	if report.Count(verify.PacketAltered) != 2 || report.Total != 2+report.Count(verify.RootDiffers)+report.Count(verify.HeadNotPrefix) {
		t.Errorf("found %v", report.Findings)
	}
}

func TestARecordThatIsFiledAmongPacketsIsFoundWithTheReason(t *testing.T) {
	l := sound(t)
	l.Entry(0).Table = terms.AppealCases
	report := check(t, l, verify.Options{})
	if report.Total == 0 || report.Findings[0].Code != verify.RecordAltered || report.Findings[0].Detail != "it is filed in another table" {
		t.Errorf("found %v", report.Findings)
	}
}

// Records are handed in to a service in any order: those of one console are in the order of the sizes of its log.
func TestTheTimesOfAConsolesRecordsAtAServiceFollowTheSizesOfItsLog(t *testing.T) {
	for name, c := range map[string]struct {
		first, second int // the sizes of the console's log of a later and an earlier record
		console       string
		found         int64
	}{
		"the later one first":                {3, 5, secondOrigin, 1},
		"the later one on a longer log":      {5, 3, secondOrigin, 0},
		"both on the same log":               {3, 3, secondOrigin, 0},
		"the later one of another console's": {3, 5, thirdOrigin, 0},
	} {
		l := verifytest.New(t)
		late, early := l.Decide(newCase(l), assigned, nil), l.Decide(newCase(l), assigned, nil)
		l.Says.Origin = firstService
		l.NewStoreKey("service")
		handIn := func(record records.Enforcement, console string, size int, members verifytest.Record) {
			members["logHead"] = map[string]any{"origin": console, "size": size, "root": terms.HashOf(nil).String()}
			l.AppendSigned(record.Table(), l.Forged(record, members), verifytest.Key(verifytest.Assigned))
		}
		handIn(late, secondOrigin, c.first, recordedAfter(late, 6*time.Minute))
		handIn(early, c.console, c.second, verifytest.Record{})
		report := check(t, l, verify.Options{})
		if report.Count(verify.TimeBackwards) != c.found || report.Total-report.Count(verify.KeyNotEndorsed) != c.found { // no key is registered here
			t.Errorf("%s: %v", name, report.Findings)
		}
	}
}

// Keys that the source lists and nobody signed with are told in the order of their holders, and a kind of finding that there is not is never counted.
func TestKeysThatSignedNothingAreToldInOrder(t *testing.T) {
	l := sound(t)
	since := terms.InstantOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	var want []string
	for i := range 8 {
		id := terms.ID(fmt.Sprintf("nobody-%d", i))
		l.Says.Signers = append(l.Says.Signers, verify.Signer{ID: id, Key: verifytest.Key(string(id)).PublicKey(), Since: since})
		want = append(want, fmt.Sprintf("a key of %s that signed no record", id))
	}
	var got []string
	report := check(t, l, verify.Options{})
	for _, f := range report.Findings {
		if f.Code == verify.DerivedDiffers {
			got = append(got, f.Detail)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if n := report.Count(verify.Code(255)); n != 0 {
		t.Errorf("%d of no kind", n)
	}
}

// A receipt of a log of the service before the one that a person accepted stays evidence.
func TestAReceiptOfAnEarlierLogOfTheServiceVerifies(t *testing.T) {
	l := sound(t)
	l.Acknowledge(2, verifytest.Assigned, 0, 1, 2, 3)
	if report := check(t, l, verify.Options{}); report.Total != 0 || report.Receipts != 4 {
		t.Fatalf("%d receipts: %v", report.Receipts, report.Findings)
	}
	l.Entry(3).Acceptance = l.Entry(2).Acceptance
	if report := check(t, l, verify.Options{}); report.Total != 1 || report.Count(verify.EvidenceAltered) != 1 {
		t.Errorf("that of another record: %v", report.Findings)
	}
}

func TestAReportKeepsAThousandFindingsAndCountsAll(t *testing.T) {
	var report verify.Report
	for range 1002 {
		report.Add(verify.Finding{}, &verify.Options{})
	}
	if len(report.Findings) != 1000 || report.Total != 1002 {
		t.Errorf("%d findings of %d", len(report.Findings), report.Total)
	}
}

const firstService = records.ServiceOriginPrefix + "00000000000000000000000000000000"

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
			if report, err := verify.Check(t.Context(), l, o); err != nil || (report.Count(verify.EvidenceAltered) == 0) != sound || report.OK() != sound {
				t.Errorf("%s, trusted %s: %v, %v", name, trusted, report.Findings, err)
			}
		}
	}
}

// Once an operator is named, nobody else revokes a key at the service, neither another person nor the log alone, or accepts its log.
func TestOnlyTheOperatorRevokesAKeyAtAServiceAndAcceptsItsLog(t *testing.T) {
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
			l.StateKey(l.Statement(records.OperatorNamed, c.operator), c.operator)
		}
		s := l.About(records.KeyRevoked, verifytest.Assigned, verifytest.Assigned)
		if c.by != "" {
			s.SignedByOperator(ssh.FingerprintSHA256(verifytest.Key(string(c.by)).PublicKey()))
		}
		l.StateKey(s, c.by)
		list := l.Says.Statements
		_, opened := verify.ReadLineage(l.Says.Origin, l.Says.VerifierKeys[0], nil, list)
		if len(opened) != len(list) || opened[len(list)-1].OK != c.counts {
			t.Errorf("%s: %+v", name, opened[len(opened)-1])
		}
		l.StateKey(l.Statement(records.AnchorAccepted, cmp.Or(c.by, "stranger"), verify.AnchorMissing.String()), cmp.Or(c.by, "stranger"))
		_, opened = verify.ReadLineage(l.Says.Origin, l.Says.VerifierKeys[0], nil, l.Says.Statements)
		if accepted := opened[len(opened)-1]; accepted.OK != (c.operator == "" || c.by == c.operator) {
			t.Errorf("%s: %+v", name, accepted)
		}
	}
}

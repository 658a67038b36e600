package store

import (
	"slices"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// wantInForce holds all that tells what is in force on the first revision of a case to saying the same.
func (d *fixture) wantInForce(id terms.ID, inForce records.RecordID, decided, rejected bool) {
	d.t.Helper()
	wantSame(d.t, "got", d.caseFile(terms.AppealCases, id).InForce, inForce)
	row := d.queue(terms.Appeals, reviewerID)[id]
	wantNot(d.t, row.Decided != decided || row.Rejected != rejected,
		"decided %v, rejected %v", row.Decided, row.Rejected)
	top := need(d.store.QueueTop(d.t.Context(), terms.Appeals, terms.InstantOf(noon), reviewerID, 100))(d.t)
	open := false
	for _, row := range top {
		open = open || row.ID == id
	}
	wantNot(d.t, open == decided, "among the open ones: %v", open)
}

// refusesToSupersede fails unless a decision that supersedes the record is refused as stale.
func (d *fixture) refusesToSupersede(id terms.ID, supersedes records.RecordID) {
	d.t.Helper()
	as[*records.StaleError](d.t, errOf(d.store.Append(d.t.Context(), d.submission(id, decision{outcome: terms.UpholdDecision, supersedes: supersedes}))))
}

func (d *fixture) supersededBy(id records.RecordID) records.RecordID {
	d.t.Helper()
	return need(d.store.Record(d.t.Context(), id))(d.t).SupersededBy
}

func TestARejectedRecordWithNothingInForceIsJudgedAgain(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	first := d.decided("case-1", "")
	firstID := first.Members().RecordID
	d.wantInForce("case-1", firstID, true, false)
	d.rejected(s, first, "")
	d.wantInForce("case-1", "", false, true)
	d.refusesToSupersede("case-1", firstID)
	again := d.decided("case-1", "")
	d.wantInForce("case-1", again.Members().RecordID, true, false)
	d.accepted(s, again)
	d.wantInForce("case-1", again.Members().RecordID, true, false)
	wantSame(t, "the rejected record is superseded by", d.supersededBy(firstID), "")
	tally := need(d.store.HandInTally(t.Context()))(t)
	wantNot(t, tally.Rejected != 0 || tally.Waiting != 0, "%+v", tally)
	wantKinds(t, "after all", proven(t, d.store))
}

func TestARecordOfAnotherLogThatIsInForceIsSuperseded(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	foreign := newRecordID(noon)
	held := d.decided("case-1", "")
	d.accepted(s, held)
	turned := d.decided("case-1", held.Members().RecordID)
	d.rejected(s, turned, foreign)
	d.wantInForce("case-1", foreign, false, true)
	wantSame(t, "the accepted record is superseded by", d.supersededBy(held.Members().RecordID), foreign)
	for _, wrong := range []records.RecordID{"", held.Members().RecordID, turned.Members().RecordID} {
		d.refusesToSupersede("case-1", wrong)
	}
	again := d.decided("case-1", foreign)
	d.wantInForce("case-1", again.Members().RecordID, true, false)
	wantKinds(t, "after all", proven(t, d.store))
}

func TestWhatARejectedRecordSupersededIsSupersededAgain(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	first := d.decided("case-1", "")
	d.accepted(s, first)
	firstID := first.Members().RecordID
	second := d.decided("case-1", firstID)
	wantSame(t, "superseded by", d.supersededBy(firstID), second.Members().RecordID)
	d.rejected(s, second, firstID)
	d.wantInForce("case-1", firstID, false, true)
	wantSame(t, "superseded by", d.supersededBy(firstID), "")
	third := d.decided("case-1", firstID)
	d.accepted(s, third)
	d.wantInForce("case-1", third.Members().RecordID, true, false)
	wantSame(t, "superseded by", d.supersededBy(firstID), third.Members().RecordID)
	for _, r := range d.caseFile(terms.AppealCases, "case-1").Records {
		t.Log(r.Receipt.RecordID, r.HandIn.State, r.SupersededBy)
	}
	wantKinds(t, "after all", proven(t, d.store))
}

func TestARecordOnTopOfOneThatIsRejectedLaterStaysInForceUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	foreign := newRecordID(noon)
	first := d.decided("case-1", "")
	second := d.decided("case-1", first.Members().RecordID)
	d.rejected(s, first, foreign)
	d.wantInForce("case-1", second.Members().RecordID, true, false)
	d.rejected(s, second, foreign)
	d.wantInForce("case-1", foreign, false, true)
}

func TestARejectionIsNewsForTheQueue(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	first, second := d.decided("case-1", ""), d.decided("case-2", "")
	d.rejected(s, first, "")
	news, err := d.store.QueueChanges(t.Context(), terms.Appeals, queue.Watermark{})
	must(t, err)
	mark := news.Watermark
	if news, err = d.store.QueueChanges(t.Context(), terms.Appeals, mark); err != nil || len(news.IDs) > 0 || news.Everything {
		t.Errorf("%+v, %v", news, err)
	}
	d.rejected(s, second, "")
	news = need(d.store.QueueChanges(t.Context(), terms.Appeals, mark))(t)
	wantNot(t, len(news.IDs) != 1 || news.IDs[0] != "case-2", "%+v", news)
}

func TestARejectionIsOpenUntilItsPacketIsJudgedAgainOnThatRevisionOrALaterOne(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	d.rejected(s, d.decided("case-1", ""), "")
	want := func(rejected int64) {
		t.Helper()
		tally := need(d.store.HandInTally(t.Context()))(t)
		wantNot(t, tally.Rejected != rejected, "%+v", tally)
	}
	want(1)
	d.take(d.mill.appealCase(passing("case-1", 2)))
	want(1)
	d.wantInForce("case-1", "", false, true)
	again := d.decided("case-1", "")
	want(0)
	d.wantInForce("case-1", again.Members().RecordID, true, false)
	d.take(d.mill.appealCase(passing("case-1", 3)))
	d.wantInForce("case-1", "", false, false)
}

// proven is a record that the service took in, as the service gives it out now.
func (s *service) proven(record records.Enforcement, signature []byte, sequence int64) signed.ServiceRecord {
	s.t.Helper()
	proof := hashesIn(need(tlog.ProveRecord(s.size, sequence, s))(s.t))
	return signed.ServiceRecord{Record: string(record.Document()), Signature: string(signature), Sequence: sequence,
		At: records.LogTime(terms.InstantOf(noon)), Proof: signed.WriteProof(proof), Checkpoint: s.at(s.size)}
}

// adminID is a safety admin, who decides at another console.
const adminID = "admin-1"

// handedInElsewhere is a decision of the safety admin on a case that another console handed in to the service.
func (d *fixture) handedInElsewhere(s *service, id terms.ID, made decision) (signed.ServiceRecord, records.Enforcement) {
	d.t.Helper()
	other := *d
	other.key = newKey(d.t, 77)
	other.reviewer = records.Reviewer{ID: adminID, Role: terms.SafetyAdmin, KeyFingerprint: ssh.FingerprintSHA256(other.key.PublicKey())}
	made.outcome, made.added = terms.BlockReliance, append(made.added, terms.ScopeMissing)
	made.head = &records.LogHead{Origin: "docket/fedcba9876543210", Root: terms.HashOf(nil)}
	caseFile := d.caseFile(terms.AppealCases, id)
	sub := other.decide(&caseFile.View, made)
	receipt, _ := s.accept(sub.Record)
	return s.proven(sub.Record, sub.Signature, receipt.Sequence), sub.Record
}

// elsewhere is handedInElsewhere with a record that the service tells the console about.
func (d *fixture) elsewhere(s *service, id terms.ID, made decision) records.Enforcement {
	d.t.Helper()
	given, record := d.handedInElsewhere(s, id, made)
	kept, err := d.store.KeepServiceRecords(d.t.Context(), []signed.ServiceRecord{given})
	mustNot(d.t, err != nil || len(kept) != 1 ||
		kept[0].Members().RecordID != record.Members().RecordID, "%v %v", len(kept), err)
	return record
}

func TestARecordOfTheServicesLogIsInForceAndItsBlockersAreCarried(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	_, mark, err := d.store.Queue(t.Context(), terms.Appeals, terms.InstantOf(noon), reviewerID, nil)
	must(t, err)
	theirs := d.elsewhere(s, "case-1", decision{})
	theirID := theirs.Members().RecordID
	d.wantInForce("case-1", theirID, true, false)
	d.wantInForce("case-2", "", false, false)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	if len(caseFile.AtService) != 1 || string(caseFile.AtService[0].Document()) != string(theirs.Document()) || len(caseFile.Records) != 0 ||
		!caseFile.InForceElsewhere() || !caseFile.Decided() || caseFile.View.Carried() != terms.SetOf(terms.ScopeMissing) {
		t.Errorf("%+v", caseFile)
	}
	row := d.queue(terms.Appeals, reviewerID)["case-1"]
	wantNot(t, !row.Decided || row.Gate != terms.Blocked, "the row is %+v", row)
	news := need(d.store.QueueChanges(t.Context(), terms.Appeals, mark))(t)
	wantNot(t, !slices.Equal(news.IDs, []terms.ID{"case-1"}), "news: %+v", news)

	// A decision supersedes it, and carries what nobody can remove.
	wantSame(t, "superseding nothing", as[*records.StaleError](t, errOf(d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.BlockReliance})))).Superseded, true)
	again := d.record("case-1", decision{outcome: terms.BlockReliance, supersedes: theirID})
	logged, err := d.store.Record(t.Context(), again.RecordID)
	mustNot(t, err != nil || !slices.Equal(logged.Record.Members().CarriedBlockers, []terms.Blocker{terms.ScopeMissing}) ||
		logged.Record.Members().Gate != terms.Blocked, "%+v, %v", logged.Record.Members(), err)
	d.wantInForce("case-1", again.RecordID, true, false)
	d.accepted(s, logged.Record)
	d.wantInForce("case-1", again.RecordID, true, false)
	wantKinds(t, "after all", proven(t, d.store))
}

// Two reviewers decide without knowing of each other: the one who comes second is rejected, sees the record of the other, and supersedes it.
func TestARecordThatComesWithARejectionIsSuperseded(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]func(d *fixture, s *service, ours records.Enforcement, theirs signed.ServiceRecord, id records.RecordID){
		"with the rejection": func(d *fixture, s *service, ours records.Enforcement, theirs signed.ServiceRecord, id records.RecordID) {
			d.rejected(s, ours, id)
			d.keep1(theirs)
		},
		"before the rejection": func(d *fixture, s *service, ours records.Enforcement, theirs signed.ServiceRecord, id records.RecordID) {
			d.keep1(theirs)
			d.wantInForce("case-1", id, true, false) // a push will tell that ours is rejected
			if now := d.caseFile(terms.AppealCases, "case-1"); now.View.Carried() != terms.SetOf(terms.ScopeMissing) {
				d.t.Errorf("carried are %v", now.View.Carried())
			}
			d.rejected(s, ours, id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, s := bound(t)
			given, theirs := d.handedInElsewhere(s, "case-1", decision{})
			theirID := theirs.Members().RecordID
			receipt := d.record("case-1", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.NoticeMissing}})
			ours := need(d.store.Record(t.Context(), receipt.RecordID))(t)
			first(d, s, ours.Record, given, theirID)
			d.wantInForce("case-1", theirID, false, true)
			again := d.record("case-1", decision{outcome: terms.BlockReliance, supersedes: theirID})
			logged, err := d.store.Record(t.Context(), again.RecordID)
			// The blocker of the rejected record does not count.
			if err != nil || !slices.Equal(logged.Record.Members().CarriedBlockers, []terms.Blocker{terms.ScopeMissing}) {
				t.Errorf("carried are %v, %v", logged.Record.Members().CarriedBlockers, err)
			}
			d.accepted(s, logged.Record)
			d.wantInForce("case-1", again.RecordID, true, false)
			wantKinds(t, "after all", proven(t, d.store))
		})
	}
}

// keep1 keeps one record of the service's log.
func (d *fixture) keep1(given signed.ServiceRecord) {
	d.t.Helper()
	kept := need(d.store.KeepServiceRecords(d.t.Context(), []signed.ServiceRecord{given}))(d.t)
	mustNot(d.t, len(kept) != 1, "%v", len(kept))
}

func TestARecordOfTheServicesLogSupersedesOneThatWasTakenIn(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	ours := d.decided("case-1", "")
	ourID := ours.Members().RecordID
	d.accepted(s, ours)
	theirs := d.elsewhere(s, "case-1", decision{supersedes: ourID})
	d.wantInForce("case-1", theirs.Members().RecordID, true, false)
	wantSame(t, "superseded by", d.supersededBy(ourID), theirs.Members().RecordID)
	again := d.record("case-1", decision{outcome: terms.BlockReliance, supersedes: theirs.Members().RecordID})
	d.wantInForce("case-1", again.RecordID, true, false)
	wantKinds(t, "after all", proven(t, d.store))
}

// What is older than what is known takes the place of nothing: a service that gives it out again changes nothing.
func TestAnOlderRecordOfTheServicesLogTakesThePlaceOfNothing(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	keep := func(given signed.ServiceRecord) {
		t.Helper()
		kept := need(d.store.KeepServiceRecords(t.Context(), []signed.ServiceRecord{given}))(t)
		wantNot(t, len(kept) != 0, "kept %d", len(kept))
	}
	first, older := d.handedInElsewhere(s, "case-1", decision{})
	second, newer := d.handedInElsewhere(s, "case-1", decision{supersedes: older.Members().RecordID})
	d.keep1(second)
	keep(first)
	keep(second)
	d.wantInForce("case-1", newer.Members().RecordID, true, false)

	// Nor one that a record here superseded, or that the service's log has before it, nor a record of this log.
	before, named := d.handedInElsewhere(s, "case-2", decision{})
	d.rejected(s, d.decided("case-2", ""), named.Members().RecordID)
	ours := d.decided("case-2", named.Members().RecordID)
	keep(before)
	d.accepted(s, ours)
	keep(before)
	d.wantInForce("case-2", ours.Members().RecordID, true, false)
	entries := need(d.store.NotHandedIn(t.Context(), -1, 9))(t)
	mustNot(t, len(entries) != 0, "%v", len(entries))
	signature := need(signatureOf(d.store, ours.Members().RecordID))(t)
	keep(s.proven(ours, signature, 3))
	wantKinds(t, "after all", proven(t, d.store))
}

func TestARejectedRecordIsNotToBeJudgedAgainOnceALaterRevisionIsDecidedAtTheService(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	d.rejected(s, d.decided("case-1", ""), "")
	want := func(open int64, rejected bool) {
		t.Helper()
		tally, err := d.store.HandInTally(t.Context())
		row, caseFile := d.queue(terms.Appeals, reviewerID)["case-1"], d.caseFile(terms.AppealCases, "case-1")
		if err != nil || tally.Rejected != open || row.Rejected != rejected || row.Decided == rejected || (caseFile.Rejected() != nil) != rejected {
			t.Errorf("%d are to be judged again, the row says %v and %v: %v", tally.Rejected, row.Rejected, row.Decided, err)
		}
	}
	d.take(d.mill.appealCase(passing("case-1", 2)))
	want(1, true)
	d.elsewhere(s, "case-1", decision{})
	want(0, false)
}

// What a service says counts only if a person named it, and if its own key signed that.
func TestARejectionByAServiceThatNobodyNamedDoesNotCount(t *testing.T) {
	t.Parallel()
	other := newService(t, "another")
	for name, edit := range map[string]func(d *fixture, rejection string) string{
		"nobody named it": func(*fixture, string) string { return "DELETE FROM docket_log WHERE kind = 'statement'" },
		"another signed it": func(d *fixture, rejection string) string {
			return "UPDATE docket_handin_rejections SET signed = '" + rejection + "'"
		},
	} {
		d, s := bound(t)
		record := d.decided("case-1", "")
		id := record.Members().RecordID
		d.rejected(s, record, "")
		d.wantInForce("case-1", "", false, true)
		d.forged(edit(d, other.sign(other.rejection(record, ""))))
		d.wantInForce("case-1", id, true, false)
		logged := need(d.store.Record(t.Context(), id))(t)
		wantSame(t, name+": it is void", logged.Void() || logged.HandIn.State == records.Rejected, false)
		wantNot(t, len(proven(t, d.store)) == 0, "%s: nothing is found", name)
	}
}

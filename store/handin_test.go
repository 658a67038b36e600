package store

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store/engine"
	"docket/store/verify"
)

func TestARecordThatIsHandedInComesBackAsItWasSigned(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)))
	sub := d.judged("case-1", decision{note: records.Note{Salt: "s4lt", Text: "stays with the console"}})
	mustNot(t, !sub.Record.Members().NoteDigest.Present(), "the record vouches for no note")
	first := d.handIn(sub)
	wantNot(t, first.Again || first.Receipt.TreeSize != first.Receipt.Sequence+1 ||
		first.Receipt.RecordID != sub.Record.Members().RecordID, "%+v", first)
	d.handIn(d.judged("case-2", decision{}))
	again := d.handIn(sub)
	wantNot(t, !again.Again || again.Receipt != first.Receipt ||
		!bytes.Equal(again.Checkpoint, first.Checkpoint), "again it is %+v, first %+v", again, first)
	c := need(d.store.key.Open(first.Checkpoint))(t)
	wantNot(t, c.Size != first.Receipt.TreeSize || signed.FromTree(c.Root) != first.Receipt.Root,
		"the checkpoint is of %d entries", c.Size)
	o := d.store.options
	d.close()
	d.store = openWith(t, o)
	logged := need(d.store.Record(t.Context(), first.Receipt.RecordID))(t)
	wantNot(t, logged.Receipt != first.Receipt ||
		string(logged.Record.Document()) != string(sub.Record.Document()), "%+v", logged)
	wantSame(t, "string(signature)", string(need(signatureOf(d.store, first.Receipt.RecordID))(t)), string(sub.Signature))
	mustBe(t, errOf(noteOf(d.store, first.Receipt.RecordID)), engine.ErrNoRow)
	wantWriting(t, d.store)
	wantKinds(t, "the whole log", proven(t, d.store))
}

func TestWhatTheReviewerSawOfTheirLogIsNotTheServices(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	supersedes := records.RecordID("")
	for _, head := range []records.LogHead{{Root: terms.HashOf(nil)}, {Size: 1, Root: terms.HashOf([]byte("x"))}, {Size: 1 << 40, Root: terms.HashOf(nil)}} {
		head.Origin = consoleHead.Origin
		supersedes = d.handIn(d.judged("case-1", decision{head: &head, supersedes: supersedes})).Receipt.RecordID
	}
	wantKinds(t, "the whole log", proven(t, d.store))
}

func TestANoteThatLiesInAServicesStoreIsFound(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	note := records.Note{Salt: "s", Text: "n"}
	kept := d.handIn(d.judged("case-1", decision{note: note}))
	need(d.writer().Exec("INSERT INTO main.docket_texts VALUES (?, 'note', ?, ?)", kept.Receipt.Sequence, note.Salt, note.Text))(t)
	wantKinds(t, "the whole log", proven(t, d.store), verify.NoteAltered)
}

func TestARecordIsHandedInWithItsSignatureAndNothingElse(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	sub := d.judged("case-1", decision{note: records.Note{Salt: "s", Text: "n"}})
	err := d.refusing(sub)
	var refusal *records.Refusal
	wantNot(t, !errors.As(err, &refusal) || errors.Is(err, ErrSignature), "with its note: %v", err)
	sub.Note = records.Note{}
	document := sub.Record.Document()
	for name, signature := range map[string][]byte{
		"none":               nil,
		"no signature":       []byte("signature"),
		"another key's":      sign(t, newKey(t, 2), document, records.SignatureNamespace),
		"of other bytes":     sign(t, d.key, document[1:], records.SignatureNamespace),
		"for something else": sign(t, d.key, document, "file"),
	} {
		bad := sub
		bad.Signature = signature
		if err := d.refusing(bad); !errors.Is(err, ErrSignature) || !errors.Is(err, records.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	mustBe(t, d.refusing(Submission{}), records.ErrRefused)
	d.handIn(sub)
	bad := sub
	bad.Signature = sign(t, d.key, document[1:], records.SignatureNamespace)
	wantErr(t, "of a record that is there", d.refusing(bad), ErrSignature)
}

func TestTwoRecordsDoNotShareAnId(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	first := d.handIn(d.judged("case-1", decision{}))
	other := d.judged("case-1", decision{outcome: terms.RequestEvidence, id: first.Receipt.RecordID, supersedes: first.Receipt.RecordID})
	err := d.refusing(other)
	wantNot(t, !errors.Is(err, ErrRecordConflict) || !errors.Is(err, records.ErrRefused), "%v", err)
}

func TestARecordOfWhatTheServiceDoesNotHoldIsNotFound(t *testing.T) {
	t.Parallel()
	elsewhere := serviceWithCase(t)
	first := elsewhere.judged("case-1", decision{})
	elsewhere.take(elsewhere.mill.appealCase(passing("case-1", 2)))
	second := elsewhere.judged("case-1", decision{})
	d := serviceFixture(t)
	d.register()
	mustBe(t, d.refusing(first), ErrNotFound)
	d.take(elsewhere.mill.appealCase(passing("case-1", 1)))
	mustBe(t, d.refusing(first), ErrNotFound) // the policy
	d.take(elsewhere.mill.appealPolicy(1))
	err := d.refusing(second)
	mustBe(t, err, ErrNotFound)
	wantNot(t, errors.Is(err, records.ErrRefused), "it is refused for good: %v", err)
	d.handIn(first)
}

func TestARecordOfWhatHasChangedSinceIsStale(t *testing.T) {
	t.Parallel()
	another := happening{"another record comes first", "decided elsewhere by record", func(d *fixture) { d.handIn(d.judged("case-1", decision{})) }}
	for _, c := range append(happenings, another) {
		t.Run(c.name, func(t *testing.T) {
			d := serviceWithCase(t)
			sub := d.judged("case-1", decision{outcome: terms.RequestEvidence})
			c.happens(d)
			var stale *records.StaleError
			var differs *records.DiffersError
			if err := d.refusing(sub); !errors.As(err, &stale) || errors.As(err, &differs) || !strings.Contains(stale.Error(), c.want) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestARecordThatWasRightForWhatTheReviewerKnewIsNotSaidToDiffer(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealPolicy(2), d.mill.appealCase(passing("case-1", 2)))
	caseFile := need(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 1, terms.InstantOf(noon), reviewerID))(t)
	d.handIn(d.decide(&caseFile.View, decision{outcome: terms.BlockReliance, head: &consoleHead}))
}

func TestADraftIsNobodysAtAService(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.keep(packets.Key{ID: "case-1", Number: 1}, begun)
	d.handIn(d.judged("case-1", decision{}))
	wantSame(t, "kept", d.caseFile(terms.AppealCases, "case-1").Draft.Draft, begun)
}

func TestARecordFromTheFutureIsTakenOnceItIsThePast(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	for ahead, taken := range map[time.Duration]bool{0: true, time.Second: true, clockLeeway: true, clockLeeway + time.Second: false} {
		d.take(d.mill.appealCase(passing("case-"+ahead.String(), 1)))
		d.clock = noon.Add(ahead)
		sub := d.judged(terms.ID("case-"+ahead.String()), decision{})
		if taken {
			d.handIn(sub)
			continue
		}
		err := d.refusing(sub)
		mustBe(t, err, ErrEarly)
		wantNot(t, errors.Is(err, records.ErrRefused), "it is refused for good: %v", err)
		d.at(noon.Add(2 * time.Second))
		d.handIn(sub)
		d.at(noon)
	}
}

func TestEightCallersHandInAtOnceAndEachRecordOnce(t *testing.T) {
	t.Parallel()
	const callers, each = 8, 12
	d := serviceFixture(t)
	d.register()
	ids := d.many("case", each)
	subs := make([]Submission, each)
	for i, id := range ids {
		subs[i] = d.judged(id, decision{})
	}
	var mutex sync.Mutex
	receipts := map[records.RecordID][]Acceptance{}
	var wait sync.WaitGroup
	for caller := range callers {
		wait.Go(func() {
			for i := range subs {
				sub := subs[(i+caller)%each]
				taken, err := d.submit(sub)
				if err != nil {
					t.Error(err)
					return
				}
				mutex.Lock()
				receipts[taken.Receipt.RecordID] = append(receipts[taken.Receipt.RecordID], taken)
				mutex.Unlock()
			}
		})
	}
	wait.Wait()
	for id, list := range receipts {
		first := 0
		for _, answer := range list {
			if !answer.Again {
				first++
			}
			wantNot(t, answer.Receipt != list[0].Receipt || !bytes.Equal(answer.Checkpoint, list[0].Checkpoint) ||
				!slices.Equal(answer.Proof, list[0].Proof) || !signed.IsLast(answer.Receipt, answer.Proof), "record %s has two receipts", id)
		}
		wantNot(t, first != 1 || len(list) != callers,
			"record %s was appended %d times, and %d callers know", id, first, len(list))
	}
	records := wholeLog(t, d.store)
	wantNot(t, len(records) != each || len(receipts) != each, "%d records", len(records))
	wantKinds(t, "the whole log", proven(t, d.store))
}

func TestStandingTellsWhatHoldsNow(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	key := packets.Key{ID: "case-1", Number: 1}
	standing, err := d.store.RevisionState(t.Context(), terms.Appeals, key)
	wantNot(t, err != nil || standing.InForce != "" || standing.Latest != 1 ||
		len(standing.Blockers) != 0, "%+v, %v", standing, err)
	first := d.handIn(d.judged("case-1", decision{}))
	d.take(d.mill.appealCase(passing("case-1", 2)))
	standing, err = d.store.RevisionState(t.Context(), terms.Appeals, key)
	wantNot(t, err != nil || standing.InForce != first.Receipt.RecordID || standing.Latest != 2 ||
		!slices.Contains(standing.Blockers, terms.AppealCaseStale), "%+v, %v", standing, err)
	for _, absent := range []packets.Key{{ID: "case-9", Number: 1}, {ID: "case-1", Number: 3}} {
		standing := need(d.store.RevisionState(t.Context(), terms.Appeals, absent))(t)
		wantNot(t, standing.Latest != 0 || standing.InForce != "", "%+v", standing)
	}
}

// alterations are what a reviewer's program might say that does not follow from the packets, and nothing.
var alterations = []members{
	{},
	{"computedBlockers": []string{"notice_missing"}},
	{"computedBlockers": []string{"deadline_expired", "notice_missing"}},
	{"gate": "blocked"},
	{"gate": "blocked", "computedBlockers": []string{"notice_missing"}},
	{"reviewerBlockers": []string{"notice_missing"}, "gate": "blocked"},
	{"advisoryOutcome": "request_evidence"},
	{"requestedOutcome": "request_evidence"},
	{"caseHash": terms.HashOf([]byte("another case")).String()},
	{"policyHash": terms.HashOf([]byte("another policy")).String()},
	{"scopeHash": terms.HashOf([]byte("another scope")).String()},
	{"packetDigest": terms.HashOf([]byte("another view")).String()},
	{"subjectId": "item-8"},
	{"rulesVersion": "another"},
	{"contractVersion": "another"},
	{"outcome": "block_reliance"},
	{"outcome": "restore_decision"},
	{"openedAt": "2026-03-01T13:00:00Z"},
	{"evaluatedAt": "2026-02-28T12:00:00Z", "openedAt": "2026-02-28T11:00:00Z"},
	{"evaluatedAt": "2026-05-01T12:00:00Z", "recordedAt": "2026-05-01T12:00:00Z"},
	{"recordedAt": "2026-03-01T11:00:00Z"},
}

func TestWhatIsHandedInIsJudgedAsTheReplayJudgesIt(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealCase(passing("own", 1).With(members{"originalDeciderId": string(reviewerID)})),
		d.mill.appealCase(passing("recused", 1).With(members{"neutralReview": review(reviewerID, reviewerID)})),
		d.mill.appealCase(passing("theirs", 1).With(members{"neutralReview": review("rev-another")})))
	seen := map[string]int{}
	for _, id := range []terms.ID{"case-1", "own", "recused", "theirs"} {
		view := d.caseFile(terms.AppealCases, id).View
		for _, changes := range alterations {
			sub, readable := d.asserted(&view, changes)
			if !readable {
				continue
			}
			m := sub.Record.Members()
			replayed := sub.Record.Replay(view.Policy(), view.Record(), sub.PacketSalt)
			err := errOf(d.submit(sub))
			verdict := verdictOf(err)
			seen[verdict]++
			var differs *records.DiffersError
			switch want := oracle(&replayed); {
			case want == "" && (verdict == "differs" || verdict == "broken"):
				t.Errorf("%s %v: %v, but it follows", id, changes, err)
			case want != "" && want != verdict:
				t.Errorf("%s %v: %v, want %s: %v", id, changes, err, want, replayed.Findings)
			case errors.As(err, &differs):
				found := view.Evaluation().Blockers()
				if m.EvaluatedAt != view.EvaluatedAt() {
					again := views.New(view.Policy(), view.Record(), view.Latest(), m.EvaluatedAt)
					found = again.Evaluation().Blockers()
				}
				wantNot(t, !slices.Equal(differs.Stated, m.ComputedBlockers) || !slices.Equal(differs.Found, found) ||
					len(differs.Faults) == 0, "%s %v: %+v", id, changes, differs)
			}
		}
	}
	wantNot(t, seen["taken"] < 1 || seen["differs"] < 10 || seen["refused"] < 10,
		"they are %v", seen)
}

// oracle says what has to become of a record: differs, refused, or "" for what depends on the present.
func oracle(replayed *records.Replayed) string {
	if replayed.Has(records.ReplayRules) {
		return "unknown rules"
	}
	if len(replayed.Findings) == 1 && replayed.Has(records.ReplayView) {
		return "another salt"
	}
	for _, fault := range []records.ReplayFault{records.ReplayOtherPacket, records.ReplayBlockers, records.ReplayConclusion, records.ReplayView} {
		if replayed.Has(fault) {
			return "differs"
		}
	}
	if len(replayed.Findings) > 0 {
		return "refused"
	}
	return ""
}

func verdictOf(err error) string {
	var differs *records.DiffersError
	var stale *records.StaleError
	switch {
	case err == nil:
		return "taken"
	case errors.As(err, &differs):
		return "differs"
	case errors.As(err, &stale):
		return "stale"
	case errors.Is(err, ErrEarly):
		return "early"
	case errors.Is(err, ErrRulesUnknown):
		return "unknown rules"
	case errors.Is(err, ErrPacketSalt):
		return "another salt"
	case errors.Is(err, records.ErrRefused):
		return "refused"
	}
	return "broken"
}

// review is one that is assigned.
func review(reviewer terms.ID, recused ...terms.ID) members {
	return members{"assigned": true, "reviewerId": string(reviewer), "conflictChecked": true, "conflictFound": false,
		"recusedReviewerIds": append([]terms.ID{}, recused...)}
}

// asserted is the record of somebody whose program asks nothing: what the packet in view leads to, as somebody who may judge it
// would record it, but signed by the reviewer, and with other members.
func (d *fixture) asserted(view *views.View, changes members) (sub Submission, readable bool) {
	d.t.Helper()
	admin := *d
	admin.reviewer.ID, admin.reviewer.Role = "admin-1", terms.SafetyAdmin
	made := decision{outcome: terms.UpholdDecision, head: &consoleHead}
	if view.Evaluation().Gate() != terms.Pass {
		made.outcome = terms.BlockReliance
	}
	author := &admin
	if records.MayDecide(view, d.reviewer) == nil {
		author = d
	}
	if records.MayRecord(view, author.reviewer, 0) != nil {
		made.outcome, made.added = terms.BlockReliance, []terms.Blocker{terms.NoticeMissing}
	}
	record := author.decide(view, made)
	named := members{"reviewer": members{"id": string(d.reviewer.ID), "role": d.reviewer.Role.String(), "keyFingerprint": d.reviewer.KeyFingerprint}}
	return d.alteredIfReadable(record, named.With(changes))
}

// The service takes a record at the moment by which its console says that it has to be handed in, and turns it away right after.
func TestARecordIsTakenUntilTheMomentThatIsToldAndNotAfterIt(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	sub, view := d.judged("case-1", decision{}), d.caseFile(terms.AppealCases, "case-1").View
	by := rules.UnchangedUntil(view.Policy(), view.Record(), view.Latest(), view.EvaluatedAt())
	mustNot(t, !by.Present() || by.Before(view.EvaluatedAt()), "by %s", by)
	d.at(by.Time().Add(time.Nanosecond))
	as[*records.StaleError](t, d.refusing(sub))
	d.at(by.Time())
	taken := d.handIn(sub)
	wantNot(t, taken.Again, "it was there before")
}

func TestAConsoleSaysByWhenItsRecordsHaveToBeHandedIn(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	later := passing("case-2", 1)
	d.take(d.mill.appealCase(later.With(members{"deadline": "2027-01-01T00:00:00Z"})))
	view := d.caseFile(terms.AppealCases, "case-1").View
	by := rules.UnchangedUntil(view.Policy(), view.Record(), view.Latest(), view.EvaluatedAt())
	first, second := d.decided("case-1", ""), d.decided("case-2", "")
	tally := func() records.HandInTally {
		t.Helper()
		return need(d.store.HandInTally(t.Context()))(t)
	}
	got := tally()
	wantNot(t, got.By.Present(), "without a service by %s", got.By)
	s := newService(t, "")
	must(t, d.bind(s.key))
	logged, err := d.store.Record(t.Context(), first.Members().RecordID)
	if got := tally(); err != nil || got.By != by || logged.HandIn.By != by {
		t.Errorf("by %s and %s, want %s: %v", got.By, logged.HandIn.By, by, err)
	}
	if page, err := d.store.RecordPage(t.Context(), 0, 9); err != nil || !by.Before(page.Records[0].HandIn.By) || page.Records[1].HandIn.By != by {
		t.Errorf("%+v, %v", page.Records, err)
	}
	d.accepted(s, first)
	logged, err = d.store.Record(t.Context(), first.Members().RecordID)
	if got := tally(); err != nil || !by.Before(got.By) || !got.By.Present() || logged.HandIn.By.Present() {
		t.Errorf("once it is handed in by %s and %s: %v", got.By, logged.HandIn.By, err)
	}
	d.accepted(s, second)
	got = tally()
	wantNot(t, got.By.Present(), "nothing waits, by %s", got.By)
}

func TestARecordFromAClockThatIsADayAheadIsRefusedForGood(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.clock = noon.Add(24 * time.Hour)
	ahead := d.judged("case-1", decision{})
	if err := d.refusing(ahead); !errors.Is(err, ErrEarly) || errors.Is(err, records.ErrRefused) {
		t.Errorf("a day ahead: %v", err)
	}
	d.at(noon.Add(-time.Second))
	wantErr(t, "more than a day ahead", d.refusing(ahead), records.ErrRefused, "24 hours ahead")
}

package store

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/json"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/views"
)

func TestARecordComesBackAsItWasAppended(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	if gate := caseFile.View.Evaluation().Gate(); gate != terms.Pass {
		t.Fatalf("the case is blocked by %v", caseFile.View.Evaluation().Blockers())
	}
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, note: records.Note{Salt: "s4lt", Text: "a hunch"}})
	receipt := need(d.store.Append(t.Context(), sub))(t)
	path := d.store.Path()
	must(t, d.store.Close())
	again := openAt(t, path, noon)
	id := sub.Record.Members().RecordID
	logged := need(again.Record(t.Context(), id))(t)
	wantNot(t, logged.Receipt != receipt || string(logged.Record.Document()) != string(sub.Record.Document()) ||
		logged.Unreadable != "", "read %+v, appended %+v", logged, receipt)
	wantSame(t, "signature", string(need(signatureOf(again, id))(t)), string(sub.Signature))
	wantSame(t, "note", need(noteOf(again, id))(t), sub.Note)
	head := need(again.Head(t.Context()))(t)
	wantNot(t, head.Size != 3 || head.Root != receipt.Root, "head %v", head)
	if leaf := signed.LeafHash(records.RecordEntry, receipt.At, sub.Record.Document()); receipt.LeafHash != signed.FromTree(leaf) {
		t.Error("the leaf is not the one of the record")
	}
}

func TestTheSameRecordAgainIsTheSameReceipt(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	first := need(d.store.Append(t.Context(), sub))(t)
	d.record("case-1", decision{outcome: terms.RequestEvidence, supersedes: first.RecordID})
	second, err := d.store.Append(t.Context(), sub)
	mustNot(t, err != nil || second != first, "%+v, %v; the first was %+v", second, err, first)
	other := d.decide(&caseFile.View, decision{outcome: terms.RequestEvidence, id: first.RecordID})
	mustBe(t, errOf(d.store.Append(t.Context(), other)), records.ErrRefused)
	wantSame(t, "records in the log", recordsIn(t, d.store), 2)
}

func TestASecondRecordMustSupersedeTheOneInForce(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	first := d.record("case-1", decision{outcome: terms.UpholdDecision})
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	for name, supersedes := range map[string]records.RecordID{"none": "", "another": newRecordID(noon)} {
		wantText(t, name, as[*records.StaleError](t, errOf(d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.RequestEvidence, supersedes: supersedes})))).Error(), string(first.RecordID))
	}
	second := d.record("case-1", decision{outcome: terms.RequestEvidence, supersedes: first.RecordID})
	caseFile = d.caseFile(terms.AppealCases, "case-1")
	wantNot(t, caseFile.InForce != second.RecordID || len(caseFile.Records) != 2 ||
		caseFile.Records[0].SupersededBy != second.RecordID, "in force is %s of %+v", caseFile.InForce, caseFile.Records)
}

// A happening makes a record on case-1 stale, for a reason.
type happening struct {
	name, want string
	happens    func(d *fixture)
}

var happenings = []happening{
	{"a revision arrives", "revision 2 has arrived", func(d *fixture) { d.take(d.mill.appealCase(passing("case-1", 2))) }},
	{"a policy version arrives", "appeal_policy_not_current holds now", func(d *fixture) { d.take(d.mill.appealPolicy(2)) }},
	{"the deadline passes", "deadline_expired holds now", func(d *fixture) { d.at(noon.AddDate(0, 2, 0)) }},
}

func TestARecordOfAStalePacketSaysWhatChanged(t *testing.T) {
	t.Parallel()
	for _, c := range happenings {
		t.Run(c.name, func(t *testing.T) {
			d := withCase(t)
			sub := d.submission("case-1", decision{outcome: terms.UpholdDecision})
			c.happens(d)
			wantText(t, "the error", as[*records.StaleError](t, errOf(d.store.Append(t.Context(), sub))).Error(), c.want)
			wantSame(t, "records in the log", recordsIn(t, d.store), 0)
		})
	}
}

func TestARecordMustVouchForThisLog(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)), d.mill.appealCase(passing("case-3", 1)))
	empty := need(d.store.Head(t.Context()))(t)
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	one, _ := d.store.Head(t.Context())
	d.record("case-2", decision{outcome: terms.UpholdDecision})
	caseFile := d.caseFile(terms.AppealCases, "case-3")
	for name, head := range map[string]records.LogHead{
		"longer":            {Origin: one.Origin, Size: 3, Root: one.Root},
		"another root":      {Origin: one.Origin, Size: 1, Root: terms.HashOf(nil)},
		"another beginning": {Origin: one.Origin, Size: 0, Root: one.Root},
	} {
		_, err := d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, head: &head}))
		wantNot(t, !errors.Is(err, ErrForked) || !errors.Is(err, records.ErrRefused),
			"%s: %v", name, err)
	}
	other := records.LogHead{Origin: "docket/0123456789abcdef", Size: 1, Root: one.Root}
	wantErr(t, "another log of the same records", errOf(d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, head: &other}))), records.ErrRefused)
	for _, head := range []records.LogHead{one, empty} {
		inForce := d.caseFile(terms.AppealCases, "case-3").InForce
		sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, head: &head, supersedes: inForce})
		_, err := d.store.Append(t.Context(), sub)
		wantNot(t, err != nil, "size %d: %v", head.Size, err)
	}
}

func TestNothingIsAppendedAboutAPacketThatIsNotHeld(t *testing.T) {
	t.Parallel()
	d, other := withCase(t), newFixture(t)
	sub := d.submission("case-1", decision{outcome: terms.UpholdDecision})
	mustBe(t, errOf(other.store.Append(t.Context(), sub)), ErrNotFound)
	mustBe(t, errOf(other.store.Append(context.Background(), Submission{})), records.ErrRefused)
}

func TestWhatIsKeptBesideARecordIsNotFoundWithoutTheRecord(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	const id = records.RecordID("019ecb6a-4e00-7abc-8def-0123456789ab")
	for name, read := range map[string]func() error{
		"its salt":       func() error { _, err := d.store.PacketSalt(t.Context(), id); return err },
		"its statement":  func() error { _, err := d.store.Statement(t.Context(), id); return err },
		"the record too": func() error { _, err := d.store.Record(t.Context(), id); return err },
	} {
		wantErr(t, name, read(), ErrNotFound)
	}
}

// forge rewrites a member of a record, as somebody could who does not go through records.Decide, and signs it.
func (d *fixture) forge(sub Submission, change func(record map[string]any)) Submission {
	d.t.Helper()
	record := map[string]any{}
	must(d.t, stdjson.Unmarshal(sub.Record.Document(), &record))
	change(record)
	var doc json.Document
	fault := doc.Parse(text(d.t, record), json.Limits{})
	mustNot(d.t, fault != nil, "%v", fault)
	forged := need(records.ReadEnforcement(&d.mill.reader, terms.Appeals, doc.Root().AppendCanonical(nil, "")))(d.t)
	return Submission{Record: forged, Signature: sign(d.t, d.key, forged.Document(), records.SignatureNamespace), PacketSalt: sub.PacketSalt,
		Statement: sub.Statement}
}

func TestWhoMayNotRecordIsRefusedAtTheStore(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	sub := d.submission("case-1", decision{outcome: terms.UpholdDecision})
	for _, c := range []struct{ id, role, want string }{
		{"rev-recused", "neutral_reviewer", "recused"},
		{"party-own", "neutral_reviewer", "you are a party"},
		{"party-own", "safety_admin", "you are a party"},
		{string(deciderID), "neutral_reviewer", "you took the decision"},
		{"rev-other", "neutral_reviewer", "assigned to another"},
		{"rev-other", "safety_admin", "may only block"},
	} {
		forged := d.forge(sub, func(record map[string]any) {
			reviewer := record["reviewer"].(map[string]any)
			reviewer["id"], reviewer["role"] = c.id, c.role
		})
		wantText(t, c.id, as[*records.Refusal](t, errOf(d.store.Append(t.Context(), forged))).Reason, c.want)
	}
	wantSame(t, "records", len(need(d.store.Records(t.Context(), 0, 1))(t)), 0)
}

func TestAnOutcomeThatTheGateForbidsIsRefusedAtTheStore(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	sub := d.submission("case-1", decision{outcome: terms.UpholdDecision})
	for _, change := range map[string]func(map[string]any){
		"an outcome that the policy does not permit": func(r map[string]any) {
			r["outcome"], r["provenanceActivity"], r["traceabilityBusinessStep"] = "record_remedy", "remedy_recorded", "remedy_recorded"
		},
		"a time in the future": func(r map[string]any) { r["recordedAt"] = "2027-01-01T00:00:00Z" },
	} {
		as[*records.Refusal](t, errOf(d.store.Append(t.Context(), d.forge(sub, change))))
	}
}

func TestASignatureMustBeTheReviewersOwn(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	sub := d.submission("case-1", decision{outcome: terms.UpholdDecision})
	document, good := sub.Record.Document(), sub.Signature
	for _, held := range []int64{0, 1} { // also when the record is in the log
		for name, signature := range map[string][]byte{
			"absent":            nil,
			"no signature":      []byte("-----BEGIN SSH SIGNATURE-----\nnone\n-----END SSH SIGNATURE-----\n"),
			"another key":       sign(t, newKey(t, 2), document, records.SignatureNamespace),
			"another namespace": sign(t, d.key, document, "file"),
			"other bytes":       sign(t, d.key, append([]byte{' '}, document...), records.SignatureNamespace),
		} {
			sub.Signature = signature
			wantErr(t, name, errOf(d.store.Append(t.Context(), sub)), records.ErrRefused)
		}
		wantSame(t, "records in the log", recordsIn(t, d.store), held)
		sub.Signature = good
		need(d.store.Append(t.Context(), sub))(t)
	}
}

func TestANoteMustBeTheOneTheRecordVouchesFor(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	with := d.submission("case-1", decision{outcome: terms.UpholdDecision, note: records.Note{Salt: "a", Text: "b"}})
	without := d.submission("case-1", decision{outcome: terms.UpholdDecision})
	for name, sub := range map[string]Submission{
		"absent":   {Record: with.Record, Signature: with.Signature, PacketSalt: packetSalt, Statement: with.Statement},
		"another":  {Record: with.Record, Signature: with.Signature, PacketSalt: packetSalt, Statement: with.Statement, Note: records.Note{Salt: "c", Text: "b"}},
		"unwanted": {Record: without.Record, Signature: without.Signature, PacketSalt: packetSalt, Statement: without.Statement, Note: with.Note},
	} {
		wantErr(t, name, errOf(d.store.Append(t.Context(), sub)), records.ErrRefused)
	}
}

// A console's clock that was set back records nothing until it is right; one that was overtaken by another console does.
func TestARecordMayBeAtMostFiveMinutesBeforeTheNewestOfItsLog(t *testing.T) {
	t.Parallel()
	for back, taken := range map[time.Duration]bool{0: true, 5 * time.Minute: true, 5*time.Minute + time.Millisecond: false, time.Hour: false} {
		d := withCase(t)
		d.clock = noon.Add(2 * time.Hour)
		d.at(d.clock)
		first := d.record("case-1", decision{outcome: terms.UpholdDecision})
		d.clock = d.clock.Add(-back)
		d.at(d.clock)
		_, err := d.store.Append(t.Context(), d.submission("case-1", decision{outcome: terms.UpholdDecision, supersedes: first.RecordID}))
		wantNot(t, taken != (err == nil) || !taken && !strings.Contains(err.Error(), "clock"),
			"%s before: %v", back, err)
	}
}

// What a person added ends with its revision, but not in silence: each place names it, and the record that does not add it again says why.
func TestABlockerThatAPersonAddedIsAnsweredOnTheNextRevision(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	first := d.record("case-1", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.NoticeMissing}})
	notice := terms.SetOf(terms.NoticeMissing)
	if on := d.caseFile(terms.AppealCases, "case-1"); !on.View.Unanswered().Empty() || on.View.Carried() != notice {
		t.Errorf("on its own revision: %v, carried %v", on.View.Unanswered(), on.View.Carried())
	}
	d.take(d.mill.appealCase(passing("case-1", 2)))
	on := d.caseFile(terms.AppealCases, "case-1")
	if len(on.Unanswered) != 1 || on.Unanswered[0].Record != first.RecordID || on.Unanswered[0].Reviewer != d.reviewer.ID ||
		on.Unanswered[0].Revision != 1 || on.View.Unanswered() != notice || !on.View.Carried().Empty() {
		t.Fatalf("%+v", on.Unanswered)
	}
	row := d.queue(terms.Appeals, reviewerID)["case-1"]
	wantNot(t, row.Gate != terms.Pass || row.Added.Set != notice || row.Unanswered().Set != notice,
		"the row: %+v", row)
	docket := queue.New(terms.Appeals, []queue.Row{row})
	lines := docket.Board(queue.Filter{}, &queue.FilterContext{}).Lines
	at := slices.IndexFunc(lines, func(b queue.BoardLine) bool { return b.Code == terms.NoticeMissing })
	one := lines[at]
	wantNot(t, one.Held != 0 || one.Earlier != 1, "the board: %+v", one)

	// A record that says nothing of it, made by a console that did not know of it.
	unknowing := views.New(on.View.Policy(), on.View.Record(), on.View.Latest(), on.View.EvaluatedAt())
	wantSame(t, "in silence", as[*records.StaleError](t, errOf(d.store.Append(t.Context(), d.decide(&unknowing, decision{outcome: records.Advised(&on.View, 0)})))).Superseded, false)
	d.record("case-1", decision{outcome: records.Advised(&on.View, 0)}) // the fixture states why where it is required
	if on := d.caseFile(terms.AppealCases, "case-1"); len(on.Unanswered) != 0 || !on.View.Unanswered().Empty() {
		t.Errorf("after the answer: %+v", on.Unanswered)
	}
	d.take(d.mill.appealCase(passing("case-1", 3)))
	wantSame(t, "on the revision after the answer", len(d.caseFile(terms.AppealCases, "case-1").Unanswered), 0)
	wantKinds(t, "after all", proven(t, d.store))
}

func TestABlockerThatTheServiceKnowsOfIsAnsweredToo(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	theirs := d.elsewhere(s, "case-1", decision{})
	d.take(d.mill.appealCase(passing("case-1", 2)))
	on := d.caseFile(terms.AppealCases, "case-1")
	wantNot(t, len(on.Unanswered) != 1 || on.Unanswered[0].Record != theirs.Members().RecordID ||
		on.View.Unanswered() != terms.SetOf(terms.ScopeMissing), "%+v", on.Unanswered)
}

// wrongClock is a fixture with a record that was made while the clock was an hour ahead; setClock sets the clock of the fixture and of its store.
func wrongClock(t *testing.T) (d *fixture, first records.Receipt, setClock func(time.Time)) {
	t.Helper()
	now := noon.Add(time.Hour)
	d = fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: func() time.Time { return now }}))
	setClock = func(at time.Time) { now, d.clock = at, at }
	setClock(now)
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	first = d.record("case-1", decision{outcome: terms.UpholdDecision})
	setClock(noon)
	return d, first, setClock
}

func (d *fixture) again(id records.RecordID) (records.Receipt, error) {
	return d.store.Append(d.t.Context(), d.submission("case-1", decision{outcome: terms.UpholdDecision, supersedes: id}))
}

// acceptedClock signs what the store says is to be accepted, changed.
func (d *fixture) acceptedClock(change func(*records.LogStatement)) signed.Statement {
	d.t.Helper()
	due := need(d.store.ClockToAccept(d.t.Context()))(d.t)
	due.By, due.KeyFingerprint = d.reviewer.ID, d.reviewer.KeyFingerprint
	change(&due)
	return d.signed(due)
}

func unchanged(*records.LogStatement) {}

// What was accepted is this clock and no earlier one, and there is nothing to accept of a clock that is right.
func TestAnAcceptedClockIsHeldToToo(t *testing.T) {
	t.Parallel()
	d, first, setClock := wrongClock(t)
	must(t, d.store.AcceptClock(t.Context(), d.acceptedClock(unchanged)))
	mustBe(t, errOf(d.store.ClockToAccept(t.Context())), records.ErrRefused)
	setClock(noon.Add(-records.OrderLeeway - time.Second))
	wantFailure(t, "a clock before the accepted one is not refused", errOf(d.again(first.RecordID)))
	setClock(noon.Add(-records.OrderLeeway)) // in order, and before the packet came in by the accepted clock
	mustBe(t, errOf(d.again(first.RecordID)), records.ErrRefused)
	setClock(noon)
	need(d.again(first.RecordID))(t)
}

func TestOnlyTheStatementThatIsDueAcceptsAClock(t *testing.T) {
	t.Parallel()
	d, first, _ := wrongClock(t)
	for name, change := range map[string]func(*records.LogStatement){
		"another log":    func(s *records.LogStatement) { s.Origin = "docket/00000000" },
		"another size":   func(s *records.LogStatement) { s.Size++ },
		"another root":   func(s *records.LogStatement) { s.Root = terms.HashOf(nil) },
		"another kind":   func(s *records.LogStatement) { s.Kind = records.AnchorAccepted },
		"another newest": func(s *records.LogStatement) { s.Found = []string{s.At.String()} },
		"the future":     func(s *records.LogStatement) { s.At = terms.InstantOf(noon.Add(time.Second)) },
		"another key":    func(s *records.LogStatement) { s.KeyFingerprint = "SHA256:another" },
	} {
		mustBe(t, d.store.AcceptClock(t.Context(), d.acceptedClock(change)), records.ErrRefused)
		list := need(d.store.LogStatements(t.Context()))(t)
		wantNot(t, len(list) > 0, "%s: %d statements", name, len(list))
	}
	forged := d.acceptedClock(unchanged)
	forged.Signature = nil
	mustBe(t, d.store.AcceptClock(t.Context(), forged), records.ErrRefused)
	wantFailure(t, "it was accepted all the same", errOf(d.again(first.RecordID)))
}

// The clock is right, and the record is older than what another console recorded meanwhile: that is not the clock's fault.
func TestARecordThatWaitedTooLongForItsSignatureIsOvertaken(t *testing.T) {
	t.Parallel()
	d, first, setClock := wrongClock(t)
	late := d.submission("case-1", decision{outcome: terms.UpholdDecision, supersedes: first.RecordID})
	setClock(noon.Add(time.Hour))
	_, err := d.store.Append(t.Context(), late)
	mustBe(t, err, ErrOvertaken)
	wantNot(t, strings.Contains(err.Error(), "clock"), "%v", err)
	need(d.again(first.RecordID))(t)
}

package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
)

const (
	accepted = client.Accepted
	already  = client.AlreadyThere
	rejected = client.Rejected
	waiting  = client.Waiting
)

// wholly fails the test unless all records are in both logs once and their receipts are kept.
func wholly(t *testing.T, c *console, s *service, ids []records.RecordID) {
	t.Helper()
	if !slices.Equal(s.order, ids) {
		t.Errorf("the service has %v, not %v", s.order, ids)
	}
	for _, id := range ids {
		if got := c.state(id); got.State != records.Accepted || got.Receipt != s.answers[id].Receipt {
			t.Errorf("%s: %+v, not %+v", id, got, s.answers[id].Receipt)
		}
	}
	c.isSound()
}

func TestRecordsAreHandedInInTheOrderOfTheLogAndTheirReceiptsAreKept(t *testing.T) {
	c, s, ids := decided(t)
	got := push(t.Context(), c.store, s.client(nil))
	if got.err != nil || !got.tally.Whole() || got.tally[accepted] != 4 || !slices.Equal(got.met, []string{s.key}) {
		t.Fatalf("%+v", got)
	}
	for i, result := range got.results {
		if result.RecordID != ids[i] || result.Sequence != c.position(ids[i]) || result.Disposition != accepted || *result.Receipt != s.answers[ids[i]].Receipt {
			t.Errorf("%+v", result)
		}
	}
	wholly(t, c, s, ids)

	again := push(t.Context(), c.store, s.client(nil))
	if again.err != nil || len(again.results) != 0 || len(again.met) != 0 {
		t.Errorf("%+v", again)
	}
	ids = append(ids, c.decide(terms.AppealCases, "case-2"))
	if third := push(t.Context(), c.store, s.client(nil)); third.err != nil || third.tally[accepted] != 1 {
		t.Errorf("%+v", third)
	}
	wholly(t, c, s, ids)
}

func TestWhatIsRecordedWhileAPushIsUnderWayIsHandedIn(t *testing.T) {
	c, s, ids := decided(t)
	s.forge = func(path string, _ any) {
		if path == api.AmendmentEnforcePath && len(ids) == 4 {
			ids = append(ids, c.decide(terms.AppealCases, "case-2"))
		}
	}
	if got := push(t.Context(), c.store, s.client(nil)); got.err != nil || len(got.results) != 5 {
		t.Fatalf("%+v", got)
	}
	wholly(t, c, s, ids)
}

func TestAnEmptyLogHandsNothingIn(t *testing.T) {
	c, s := newConsole(t), newService(t, 1)
	if got := push(t.Context(), c.store, s.client(nil)); got.err != nil || len(got.results) != 0 || !got.tally.Whole() {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(s.asked, []string{api.QueuePath, api.CheckpointPath}) {
		t.Errorf("%v", s.asked)
	}
}

func TestARejectionIsKeptWithWhatChanged(t *testing.T) {
	c, s, ids := decided(t)
	s.refuse[ids[0]] = func(record []byte) *api.Problem {
		return s.rejection(api.PacketStale, record, otherRecord, "revision 2 has arrived", "a\x1b[2Jb", strings.Repeat("x", 1000))
	}
	got := push(t.Context(), c.store, s.client(nil))
	if got.err != nil || got.tally.Whole() || !slices.Equal(got.outcomes(), []client.Disposition{rejected, accepted, accepted, accepted}) {
		t.Fatalf("%+v", got)
	}
	r := got.results[0]
	if r.Reason != "packet_stale" || r.InForce != otherRecord || r.Changes[0] != "revision 2 has arrived" || r.Changes[1] != `a\x1b[2Jb` ||
		len([]rune(r.Changes[2])) != store.MostChangeText {
		t.Errorf("%+v", r)
	}
	kept := c.state(ids[0])
	if kept.State != records.Rejected || kept.Rejection.Reason != records.PacketStale || kept.Rejection.InForce != otherRecord || !slices.Equal(kept.Changes, r.Changes) {
		t.Errorf("%+v", kept)
	}
	if again := push(t.Context(), c.store, s.client(nil)); again.err != nil || len(again.results) != 0 {
		t.Errorf("a rejected record was handed in again: %+v", again)
	}
}

// An answered is what a service does with one of four records, and what comes of that record in a push.
type answered struct {
	refuse func(s *service, record []byte) *api.Problem // in place of taking the record
	forge  func(*api.Enforced)                          // else changes the answer
	of     int                                          // which record
	reason string
	says   string // within why it waits, or what changed
	want   []client.Disposition
}

var (
	waitsAlone   = []client.Disposition{accepted, accepted, waiting, accepted}
	waitsFirst   = []client.Disposition{waiting, accepted, accepted, waiting} // the last one is on the same revision
	endsThePush  = []client.Disposition{accepted, waiting, waiting, waiting}
	isRejected   = []client.Disposition{accepted, rejected, accepted, accepted}
	forgedAnswer = "not signed with the key of the service"
)

// answers are what a service may answer to a record, by name.
func answers(t *testing.T) map[string]answered {
	stranger := newService(t, 5)
	all := map[string]answered{
		"a final problem that is not signed": {refuse: func(*service, []byte) *api.Problem { return api.PacketStale.New("") },
			of: 2, reason: "packet_stale", want: waitsAlone},
		"a token that is not valid any more": {refuse: func(*service, []byte) *api.Problem { return api.Unauthenticated.New("ask for another") },
			of: 1, reason: "unauthenticated", says: "ask for another", want: endsThePush},
	}
	for _, kind := range api.ProblemKinds() {
		switch {
		case kind.Rejects().Present():
			all[kind.Word()] = answered{refuse: func(s *service, record []byte) *api.Problem {
				problem := s.rejection(kind, record, "")
				if kind == api.EvaluationDiffers {
					problem.Stated, problem.Found = []terms.Blocker{terms.PolicyStale}, []terms.Blocker{terms.NoticeMissing}
				}
				return problem
			}, of: 1, reason: kind.Rejects().String(), says: map[bool]string{true: "notice_missing", false: "judge again"}[kind == api.EvaluationDiffers], want: isRejected}
		case kind == api.RateLimited || kind == api.Unavailable:
			all[kind.Word()] = answered{refuse: func(*service, []byte) *api.Problem { return kind.New("see to it") },
				of: 1, reason: kind.Word(), says: "see to it", want: endsThePush}
		case kind != api.Unauthenticated:
			all[kind.Word()] = answered{refuse: func(*service, []byte) *api.Problem { return kind.New("see to it") },
				of: 0, reason: kind.Word(), says: "see to it", want: waitsFirst}
		}
	}
	for name, forge := range map[string]func(e *api.Enforced){
		"another's signature": func(e *api.Enforced) {
			e.Checkpoint = stranger.signed(strings.SplitN(e.Checkpoint, "\n\n", 2)[0] + "\n")
		},
		"no checkpoint":       func(e *api.Enforced) { e.Checkpoint = "" },
		"another size":        func(e *api.Enforced) { e.Receipt.TreeSize++ },
		"another place":       func(e *api.Enforced) { e.Receipt.Sequence-- },
		"another root":        func(e *api.Enforced) { e.Receipt.Root = e.Receipt.LeafHash },
		"another leaf":        func(e *api.Enforced) { e.Receipt.LeafHash = terms.HashOf(nil) },
		"another record":      func(e *api.Enforced) { e.Receipt.RecordID = otherRecord },
		"no proof":            func(e *api.Enforced) { e.Proof = nil },
		"another proof":       func(e *api.Enforced) { e.Proof = []terms.Hash{e.Receipt.Root} },
		"a changed signature": func(e *api.Enforced) { e.Checkpoint = strings.Replace(e.Checkpoint, "\n2\n", "\n3\n", 1) },
	} {
		all["an acceptance with "+name] = answered{forge: forge, of: 1, says: forgedAnswer, want: endsThePush}
	}
	for name, change := range map[string]func(s *service, record []byte, p *api.Problem){
		"of another service": func(_ *service, record []byte, p *api.Problem) { *p = *stranger.rejection(api.PacketStale, record, "") },
		"of another record": func(s *service, _ []byte, p *api.Problem) {
			*p = *s.rejection(api.PacketStale, []byte(`{"recordId":"`+otherRecord+`"}`), "")
		},
		"of other bytes": func(s *service, record []byte, p *api.Problem) {
			*p = *s.rejection(api.PacketStale, append(record, ' '), "")
		},
		"for another reason": func(s *service, record []byte, p *api.Problem) {
			p.Rejection = s.rejection(api.RecordConflict, record, "").Rejection
		},
		"without a statement": func(s *service, _ []byte, p *api.Problem) { p.Rejection = s.signed("docket/service/x\n") },
		"with any text":       func(_ *service, _ []byte, p *api.Problem) { p.Rejection = "x" },
	} {
		all["a rejection "+name] = answered{refuse: func(s *service, record []byte) *api.Problem {
			problem := s.rejection(api.PacketStale, record, "")
			change(s, record, problem)
			return problem
		}, of: 1, says: forgedAnswer, want: endsThePush}
	}
	return all
}

const otherRecord = "01910000-0000-7000-8000-000000000009"

func TestWhatAServiceAnswersDecidesWhatBecomesOfARecordAndOfThoseAfterIt(t *testing.T) {
	for name, a := range answers(t) {
		c, s, ids := decided(t)
		if a.refuse != nil {
			s.refuse[ids[a.of]] = func(record []byte) *api.Problem { return a.refuse(s, record) }
		}
		s.forge = func(path string, answer any) {
			if e, ok := answer.(*api.Enforced); ok && a.forge != nil && e.Receipt.RecordID == ids[a.of] {
				a.forge(e)
			}
		}
		got := push(t.Context(), c.store, s.client(nil))
		if got.err != nil || got.tally.Whole() || !slices.Equal(got.outcomes(), a.want) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		r := got.results[a.of]
		revoking := fmt.Sprintf("`docket identity revoke --from %d %s`", c.position(ids[0]), c.workbench.Reviewer().KeyFingerprint)
		if r.Reason != a.reason || !strings.Contains(r.Why+strings.Join(r.Changes, " "), a.says) || r.Receipt != nil ||
			(r.Disposition == rejected) != (len(r.Changes) > 0) || name == "evaluation_differs" && len(r.Changes) != 2 ||
			(r.Disposition == rejected) != (c.state(ids[a.of]).State == records.Rejected) ||
			r.Disposition == waiting && c.state(ids[a.of]).State != records.NotHandedIn ||
			strings.Contains(r.Why, revoking) != (name == api.KeyNotRegistered.Word()) {
			t.Errorf("%s: %+v", name, r)
		}
		for i, later := range got.results[a.of+1:] {
			switch reason := later.Reason; {
			case later.Disposition != waiting:
			case a.of == 0: // the push goes on
				if reason != "" || !strings.Contains(later.Why, "an earlier record") {
					t.Errorf("%s: %+v", name, later)
				}
			case reason != a.reason || !strings.Contains(later.Why, a.says) || a.refuse != nil && !slices.Equal(s.order, ids[:a.of]):
				t.Errorf("%s: record %d is told of as %+v, the service has %v", name, a.of+1+i, later, s.order)
			}
		}
		want, order := []client.Disposition{accepted, accepted}, []records.RecordID{ids[1], ids[2], ids[0], ids[3]}
		switch name { // for one of each it is seen that the next push makes it good
		case "an acceptance with no checkpoint":
			want, order = []client.Disposition{already, accepted, accepted}, ids
		case api.NotFound.Word():
		default:
			continue
		}
		clear(s.refuse)
		s.forge = nil
		if again := push(t.Context(), c.store, s.client(nil)); again.err != nil || !slices.Equal(again.outcomes(), want) {
			t.Errorf("%s: %+v", name, again)
		}
		wholly(t, c, s, order)
	}
}

func TestTheSamePlaceForTwoRecordsIsAForgery(t *testing.T) {
	c, s, ids := decided(t)
	got := push(t.Context(), c.store, s.client(nil))
	if got.err != nil {
		t.Fatal(got.err)
	}
	last := c.decide(terms.AppealCases, "case-2")
	// The service was taken back to before the last record, as if from a copy, and hides that.
	shown, hashes := s.head(4), slices.Clone(s.hashes)
	s.order, s.hashes = s.order[:3], s.hashes[:4]
	delete(s.taken, ids[3])
	s.show = func(path string, _ []byte) []byte { return shownBefore(t, shown, hashes, path) }
	again := push(t.Context(), c.store, s.client(nil))
	if again.err != nil || !slices.Equal(again.outcomes(), []client.Disposition{waiting}) || !strings.Contains(again.results[0].Why, "it was forked") ||
		again.results[0].Receipt != nil || c.state(last).State != records.NotHandedIn {
		t.Errorf("%+v", again)
	}
}

func TestAPushToAServiceThatIsKnownAsksForNoPage(t *testing.T) {
	c, s, _ := decided(t)
	if got := push(t.Context(), c.store, s.client(nil)); got.err != nil || !slices.Contains(s.asked, api.QueuePath) {
		t.Fatalf("%+v asked %v", got, s.asked)
	}
	c.decide(terms.AppealCases, "case-2")
	s.asked = nil
	got := push(t.Context(), c.store, s.client(nil))
	if got.err != nil || got.tally[accepted] != 1 || slices.Contains(s.asked, api.QueuePath) || s.asked[0] != api.CheckpointPath {
		t.Errorf("%+v asked %v", got, s.asked)
	}
	// What is not signed with its key is no reason to trust it: the page has to say what became of the key.
	c.decide(terms.AppealCases, "case-2")
	s.asked, s.show = nil, func(string, []byte) []byte { return []byte("docket/service/x\n1\nx\n\n— x y\n") }
	if got := push(t.Context(), c.store, s.client(nil)); got.err == nil || len(got.results) != 0 {
		t.Errorf("%+v asked %v", got, s.asked)
	}
}

func TestWhatHasNoKeyOfAServiceGetsNothing(t *testing.T) {
	for _, key := range []string{"", "x", "docket/0123456789abcdef+00000000+AAAA", "docket.example.org+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"} {
		c, s, _ := decided(t)
		s.key = key
		got := push(t.Context(), c.store, s.client(nil))
		if !errors.Is(got.err, client.ErrNotAService) || len(s.asked) != 1 {
			t.Errorf("%q: %+v", key, got)
		}
		if _, err := c.store.Service(t.Context()); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestADamagedRecordWaitsAndTheOthersGoOn(t *testing.T) {
	c, s, ids := decided(t)
	got := push(t.Context(), damaged{c.store, c.position(ids[0])}, s.client(nil))
	if got.err != nil || !slices.Equal(got.outcomes(), []client.Disposition{waiting, accepted, accepted, accepted}) || !strings.Contains(got.results[0].Why, "docket verify") {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(s.order, ids[1:]) {
		t.Errorf("%v", s.order)
	}
}

// damaged is an outbox whose record at a position lost its last byte.
type damaged struct {
	*client.Console
	at int64
}

func (d damaged) NotHandedIn(ctx context.Context, after int64, most int) ([]verify.Entry, error) {
	entries, err := d.Store.NotHandedIn(ctx, after, most)
	if len(entries) > 0 && entries[0].Sequence == d.at {
		entries[0].Document = entries[0].Document[:len(entries[0].Document)-1]
	}
	return entries, err
}

func TestWhoeverAskedForThePushCanHaveEnoughAndNothingIsLost(t *testing.T) {
	c, s, ids := decided(t)
	ctx, enough := context.WithCancel(t.Context())
	s.forge = func(path string, _ any) {
		if path == api.AmendmentEnforcePath {
			enough()
		}
	}
	got := push(ctx, c.store, s.client(nil))
	if !errors.Is(got.err, context.Canceled) || len(s.order) != 2 {
		t.Errorf("%+v", got)
	}
	s.forge = nil
	c.pushes(s)
	wholly(t, c, s, ids)
}

func TestAResultIsOneJSONObjectWithItsOutcomeAsAWord(t *testing.T) {
	for _, outcome := range []client.Disposition{client.Waiting, client.Accepted, client.AlreadyThere, client.Rejected} {
		text, err := json.Marshal(client.Result{Table: terms.AppealEnforcements, Disposition: outcome})
		if err != nil || !strings.Contains(string(text), `"outcome":"`+outcome.String()+`"`) {
			t.Errorf("%s %v", text, err)
		}
	}
	if client.Disposition(200).String() != "waiting" {
		t.Error("what is no outcome claims something")
	}
}

package serve_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify/verifytest"
)

// rejected is the signed statement of a problem by which a record is rejected.
func (s *harness) rejected(t testing.TB, record records.Enforcement, p *api.Problem) records.Rejection {
	t.Helper()
	verifier, err := note.NewVerifier(s.key(t))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Open([]byte(p.Rejection), note.VerifierList(verifier))
	if err != nil {
		t.Fatalf("the rejection is not signed by the service's log: %v\n%s", err, p.Rejection)
	}
	rejection, err := records.ReadRejection(signed.Text)
	if err != nil {
		t.Fatal(err)
	}
	if rejection.RecordID != record.Members().RecordID || rejection.Reason != p.Kind().Rejects() || rejection.Origin != verifier.Name() ||
		!rejection.LeafHash.Matches(leafOf(record)) || rejection.InForce != p.InForce {
		t.Errorf("the rejection differs from the problem's: %+v, %+v", rejection, p)
	}
	if sees := p.InForce.Present(); sees != (p.Record != nil) || sees && !strings.Contains(string(p.Record.Record), `"recordId":"`+string(p.InForce)+`"`) {
		t.Errorf("in force is %q, and the problem has %v", p.InForce, p.Record)
	}
	return rejection
}

func TestAnotherRecordUnderTheSameIDIsAConflict(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	s.taken(t, s.handIn(t, record, Reviewer), http.StatusCreated)
	other := s.Log.Forged(record, verifytest.Record{"openedAt": "2026-06-01T00:00:00Z"})
	handed := reread(t, terms.Appeals, other)
	problem := s.handIn(t, handed, Reviewer).is(t, api.RecordConflict)
	if rejection := s.rejected(t, handed, problem); rejection.InForce != record.Members().RecordID {
		t.Errorf("in force is %q", rejection.InForce)
	}
	s.holds(t, 1)
}

// TestAConflictTellsNothingOfAPacketThatIsNotTheirs: the conflict is found before anybody asks whose packet it is.
func TestAConflictTellsNothingOfAPacketThatIsNotTheirs(t *testing.T) {
	s := serving(t)
	inForce := s.Decide(s.Case, Reviewer, nil)
	s.taken(t, s.handIn(t, inForce, Reviewer), http.StatusCreated)
	theirs := s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-2", 1).With(verifytest.Record{
		"neutralReview": verifytest.Review(string(Stranger.ID))}))
	record := s.Decide(theirs, Stranger, nil)
	s.taken(t, s.handIn(t, record, Stranger), http.StatusCreated)
	spying := reread(t, terms.Appeals, s.Log.Forged(record, verifytest.Record{"caseId": s.Case.Key.ID}))
	problem := s.handIn(t, spying, Stranger).is(t, api.RecordConflict)
	if problem.InForce.Present() || problem.Latest != 0 || problem.Blockers != nil {
		t.Errorf("told: %+v", problem)
	}
}

// TestARevokedKeyIsToldNothingOfAPacketThatIsNotTheirs: the revocation is found before anybody asks whose packet it is, too.
func TestARevokedKeyIsToldNothingOfAPacketThatIsNotTheirs(t *testing.T) {
	s := serving(t)
	s.taken(t, s.handIn(t, s.Decide(s.Case, Reviewer, nil), Reviewer), http.StatusCreated)
	key := retired(Stranger.ID)
	fingerprint := ssh.FingerprintSHA256(key.PublicKey())
	s.Key(t, Stranger.ID, key.PublicKey())
	if err := s.store.RevokeKey(t.Context(), Stranger.ID, fingerprint); err != nil {
		t.Fatal(err)
	}
	theirs := s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-2", 1).With(verifytest.Record{
		"neutralReview": verifytest.Review(string(Stranger.ID))}))
	reviewer := map[string]any{"id": Stranger.ID, "role": Stranger.Role.String(), "keyFingerprint": fingerprint}
	record := s.Decide(theirs, Stranger, nil)
	spying := s.Log.Forged(record, verifytest.Record{"caseId": s.Case.Key.ID, "reviewer": reviewer})
	problem := s.send(t, s.request(http.MethodPost, enforcePath(record), Stranger, s.Signed(t, spying, key))).is(t, api.KeyRevoked)
	if problem.InForce.Present() || problem.Latest != 0 || problem.Blockers != nil {
		t.Errorf("told: %+v", problem)
	}
}

// reread is a forged record as domain reads it.
func reread(t testing.TB, area terms.Area, document []byte) records.Enforcement {
	t.Helper()
	var reader packets.Reader
	record, err := records.ReadEnforcement(&reader, area, document)
	if err != nil {
		t.Fatal(err)
	}
	return record
}

func TestAnEvaluationThatDiffersIsToldWithBothLists(t *testing.T) {
	s := serving(t)
	for _, on := range s.subjects() {
		area := terms.AreaOf(on.Table)
		honest := s.Decide(on, Reviewer, func(c *records.Choice) {
			c.AddedBlockers = terms.SetOf(terms.NoticeMissing)
		})
		claimed := reread(t, area, s.Log.Forged(honest, verifytest.Record{"computedBlockers": []string{"notice_missing"},
			"reviewerBlockers": []string{}}))
		problem := s.handIn(t, claimed, Reviewer).is(t, api.EvaluationDiffers)
		if len(problem.Stated) != 1 || problem.Stated[0] != terms.NoticeMissing || problem.Found == nil || len(problem.Found) != 0 {
			t.Errorf("stated %v, found %v", problem.Stated, problem.Found)
		}
		s.rejected(t, claimed, problem)
	}
	s.holds(t, 0)
}

func TestARecordWithoutARequiredStatementIsTurnedAway(t *testing.T) {
	s := serving(t)
	for _, on := range s.subjects() {
		reasoned := s.Decide(on, Reviewer, func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.NoticeMissing) })
		without := reread(t, terms.AreaOf(on.Table), s.Log.Forged(reasoned, verifytest.Record{"statementDigest": nil}))
		problem := s.handIn(t, without, Reviewer).is(t, api.RecordRefused)
		if !strings.Contains(problem.Detail, "a statement of reasons is required: a blocker is added") {
			t.Errorf("told: %+v", problem)
		}
		s.rejected(t, without, problem)
	}
	s.holds(t, 0)
}

func TestWhatHasChangedSinceIsToldWithWhatHoldsNow(t *testing.T) {
	s := serving(t)
	makes := map[terms.Area]func(string, int) verifytest.Record{terms.Appeals: verifytest.AppealCase,
		terms.Amendments: verifytest.Amendment}
	codes := map[terms.Area]terms.Blocker{terms.Appeals: terms.AppealCaseStale,
		terms.Amendments: terms.AmendmentStaleBlocker}
	for _, on := range s.subjects() {
		area := terms.AreaOf(on.Table)
		record := s.Decide(on, Reviewer, nil)
		s.Bring(t, on.Table, makes[area](string(on.Key.ID), 2))
		problem := s.handIn(t, record, Reviewer).is(t, api.PacketStale)
		if problem.Latest != 2 || !slices.Contains(problem.Blockers, codes[area]) || len(problem.Changes) == 0 ||
			!strings.Contains(problem.Changes[0], "revision 2") {
			t.Errorf("told: %+v", problem)
		}
		s.rejected(t, record, problem)
	}
}

func TestARecordSupersedesExactlyWhatIsInForce(t *testing.T) {
	s := serving(t)
	for _, on := range s.subjects() {
		first := s.Decide(on, Reviewer, nil)
		s.taken(t, s.handIn(t, first, Reviewer), http.StatusCreated)
		blind := s.Decide(on, Reviewer, nil)
		problem := s.handIn(t, blind, Reviewer).is(t, api.RecordSuperseded)
		if problem.InForce != first.Members().RecordID || len(problem.Changes) != 1 || problem.Latest != 0 {
			t.Errorf("told: %+v", problem)
		}
		s.rejected(t, blind, problem)
		next := s.Decide(on, Reviewer, Supersede(first.Members().RecordID))
		s.taken(t, s.handIn(t, next, Reviewer), http.StatusCreated)
		s.taken(t, s.handIn(t, first, Reviewer), http.StatusOK)
	}
}

func TestWhoIsRecusedOrAPartyOrTookTheDecisionOrIsNotAssignedRecordsNothing(t *testing.T) {
	s := serving(t)
	decider := person{ID: verifytest.Decider, Role: terms.SafetyAdmin, Owners: []terms.ID{Owner}, Token: "decider"}
	s.Token(t, TokenOf(decider), decider)
	s.Key(t, decider.ID, verifytest.Key(string(decider.ID)).PublicKey())
	party := person{ID: verifytest.Party, Role: terms.SafetyAdmin, Owners: []terms.ID{Owner}, Token: "party"}
	s.Token(t, TokenOf(party), party)
	s.Key(t, party.ID, verifytest.Key(string(party.ID)).PublicKey())
	strange := Stranger
	strange.Owners, strange.Token = append(strange.Owners, Owner), "stranger of both owners"
	s.Token(t, TokenOf(strange), strange)
	idMember := map[terms.Area]string{terms.Appeals: "caseId", terms.Amendments: "amendmentId"}
	for _, on := range s.subjects() {
		area := terms.AreaOf(on.Table)
		honest := s.Decide(on, Admin, Block)
		for _, who := range []person{Recused, decider, party} {
			theirs := reread(t, area, s.Log.Forged(honest, verifytest.Record{"reviewer": verifytest.Person(who.ID, who.Role)}))
			s.rejected(t, theirs, s.handIn(t, theirs, who).is(t, api.RecordRefused))
		}
		// A reviewer who is not assigned is answered as if there were no such packet.
		stranger := verifytest.Record{"reviewer": verifytest.Person(strange.ID, strange.Role)}
		theirs := reread(t, area, s.Log.Forged(honest, stranger))
		hidden := s.handIn(t, theirs, strange)
		stranger[idMember[area]] = "unknown-1"
		unknown := s.handIn(t, reread(t, area, s.Log.Forged(honest, stranger)), strange)
		hidden.is(t, api.NotFound)
		if !bytes.Equal(hidden.body, unknown.body) {
			t.Errorf("%s: a hidden packet is answered with %s, an unknown one with %s", on.Table, hidden.body, unknown.body)
		}
		// A safety admin blocks what another reviewer judges, and passes nothing of it.
		passing := s.Log.Forged(s.Decide(on, Reviewer, nil), verifytest.Record{
			"reviewer": verifytest.Person(Admin.ID, Admin.Role)})
		record := reread(t, area, passing)
		s.rejected(t, record, s.handIn(t, record, Admin).is(t, api.RecordRefused))
		s.taken(t, s.handIn(t, honest, Admin), http.StatusCreated)
	}
}

// TestARecordFromTheFutureIsNotTakenYet: a reviewer's clock may be a little ahead; what is further ahead may be taken once
// its time has come, so it is not rejected.
func TestARecordFromTheFutureIsNotTakenYet(t *testing.T) {
	s := serving(t)
	made := func(at time.Duration) records.Enforcement {
		return s.Log.DecideAt(Noon.Add(at), s.Case, verifytest.Person(Reviewer.ID, Reviewer.Role), nil)
	}
	s.handIn(t, made(time.Hour), Reviewer).is(t, api.Early)
	s.taken(t, s.handIn(t, made(time.Second), Reviewer), http.StatusCreated)
}

func TestARecordThatWasMadeBeforeItsPacketWasOpenedIsRefused(t *testing.T) {
	s := serving(t)
	record := reread(t, terms.Appeals, s.Log.Forged(s.Decide(s.Case, Reviewer, nil), verifytest.Record{
		"openedAt": terms.InstantOf(Noon).String()}))
	s.rejected(t, record, s.handIn(t, record, Reviewer).is(t, api.RecordRefused))
}

func TestAProblemTellsNoMoreThan64Changes(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	s.before = fails(&records.StaleError{Changes: make([]string, 100)}, "HandIn")
	if p := s.handIn(t, record, Reviewer).is(t, api.PacketStale); len(p.Changes) != 64 {
		t.Errorf("%d changes are told", len(p.Changes))
	}
	for faults, want := range map[int]int{0: 0, 100: 64} {
		s.before = fails(&records.DiffersError{Found: []terms.Blocker{terms.NoticeMissing},
			Faults: slices.Repeat([]string{"fault"}, faults)}, "HandIn")
		p := s.handIn(t, record, Reviewer).is(t, api.EvaluationDiffers)
		if strings.Count(p.Detail, "fault") != want || len(p.Found) != 1 {
			t.Errorf("of %d faults: %+v", faults, p)
		}
	}
}

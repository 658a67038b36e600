package serve_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	checkpoint "github.com/transparency-dev/formats/log"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// key is the key of the service's log, as a console learns it.
func (s *harness) key(t testing.TB) string {
	t.Helper()
	return read[api.Page](t, s.get(t, api.QueuePath, Reviewer), http.StatusOK).Key
}

func (s *harness) verifier(t testing.TB) note.Verifier {
	t.Helper()
	verifier, err := note.NewVerifier(s.key(t))
	must(t, err)
	return verifier
}

// opened is a checkpoint of the service's log.
func (s *harness) opened(t testing.TB, text []byte) *checkpoint.Checkpoint {
	t.Helper()
	verifier := s.verifier(t)
	head, _, _, err := checkpoint.ParseCheckpoint(text, verifier.Name(), verifier)
	if err != nil {
		t.Fatalf("the checkpoint is not the service's: %v", err)
	}
	return head
}

// A readReceipt is what another program reads of a receipt.
type readReceipt struct {
	RecordID           records.RecordID
	Sequence, TreeSize int64
	At, LeafHash, Root string
}

// taken is the answer to a record that was taken, after its checkpoint was verified.
func (s *harness) taken(t testing.TB, r reply, status int) readReceipt {
	t.Helper()
	answer := read[struct {
		Receipt    readReceipt
		Checkpoint string
	}](t, r, status)
	head, got := s.opened(t, []byte(answer.Checkpoint)), answer.Receipt
	if int64(head.Size) != got.TreeSize || got.Root != "sha256:"+hex.EncodeToString(head.Hash) {
		t.Errorf("the checkpoint is not of the receipt's tree: %s", r.body)
	}
	return got
}

// takes hands a record in, which is taken now.
func (s *harness) takes(t testing.TB, record records.Enforcement, who person) readReceipt {
	t.Helper()
	return s.taken(t, s.handIn(t, record, who), http.StatusCreated)
}

func leafOf(record records.Enforcement, at string) terms.Hash {
	return terms.HashOf(append([]byte("\x00record\n"+at+"\n"), record.Document()...))
}

// forged is a record with other members, as domain reads it.
func (s *harness) forged(t testing.TB, of records.Enforcement,
	members verifytest.Record) records.Enforcement {
	t.Helper()
	var reader packets.Reader
	record, err := records.ReadEnforcement(&reader, of.Members().Area, s.Log.Forged(of, members))
	must(t, err)
	return record
}

// enforcements are the tables to which records are appended.
var enforcements = []string{terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String()}

// holds fails the test unless the store holds so many records.
func (s *harness) holds(t testing.TB, want int) {
	t.Helper()
	rows := s.Dump(t)
	if n := len(rows[enforcements[0]]) + len(rows[enforcements[1]]); n != want {
		t.Errorf("%d records are held, want %d", n, want)
	}
}

// subjects are the packets of the fixture by area.
func (s *harness) subjects() []verify.Ref { return []verify.Ref{s.Case, s.Amendment} }

// rejected is the signed statement of a problem by which a record is rejected.
func (s *harness) rejected(t testing.TB, record records.Enforcement, p *api.Problem) records.Rejection {
	t.Helper()
	verifier := s.verifier(t)
	signed, err := note.Open([]byte(p.Rejection), note.VerifierList(verifier))
	if err != nil {
		t.Fatalf("the rejection is not signed by the service's log: %v\n%s", err, p.Rejection)
	}
	rejection, err := records.ReadRejection(signed.Text)
	must(t, err)
	if rejection.RecordID != record.Members().RecordID || rejection.Reason != p.Kind().Rejects() || rejection.Origin != verifier.Name() ||
		!rejection.Digest.Matches(terms.HashOf(record.Document())) || rejection.InForce != p.InForce {
		t.Errorf("the rejection differs from the problem's: %+v, %+v", rejection, p)
	}
	if sees := p.InForce.Present(); sees != (p.Record != nil) || sees && !strings.Contains(string(p.Record.Record), `"recordId":"`+string(p.InForce)+`"`) {
		t.Errorf("in force is %q, and the problem has %v", p.InForce, p.Record)
	}
	return rejection
}

// refuses holds an answer to a problem, with a signed rejection if the record will never be taken.
func (s *harness) refuses(t testing.TB, record records.Enforcement, r reply,
	want api.ProblemKind) *api.Problem {
	t.Helper()
	problem := r.is(t, want)
	if want.Rejects().Present() {
		s.rejected(t, record, problem)
	} else if problem.Rejection != "" {
		t.Errorf("%s: the record is rejected for good", want.Word())
	}
	return problem
}

// blind fails the test if a problem tells anything of a packet.
func blind(t testing.TB, p *api.Problem) {
	t.Helper()
	if p.InForce.Present() || p.Latest != 0 || p.Blockers != nil || p.Found != nil ||
		p.Stated != nil {
		t.Errorf("told: %+v", p)
	}
}

func TestChallengeAppealEnforceRouteContract(t *testing.T) {
	s := serving(t)
	s.appendsOnce(t, s.Case, terms.AppealEnforcements, s.Amendment)
}

func TestAgreementAmendmentEnforceRouteContract(t *testing.T) {
	s := serving(t)
	s.appendsOnce(t, s.Amendment, terms.AmendmentEnforcements, s.Case)
}

// appendsOnce hands a record in without a token, and several times with one, also in other words:
// one row is appended to the table, and no packet and no other record changes.
func (s *harness) appendsOnce(t *testing.T, on verify.Ref, table terms.Table, other verify.Ref) {
	t.Helper()
	s.recorded(t, other, Reviewer, nil)
	size := s.head(t).N
	record, before := s.Decide(on, Reviewer, nil), s.Dump(t)
	s.handIn(t, record, person{}).is(t, api.Unauthenticated)
	same(t, before, s.Dump(t))
	answered := s.handIn(t, record, Reviewer)
	first := s.taken(t, answered, http.StatusCreated)
	if first.RecordID != record.Members().RecordID || first.Sequence != size || first.TreeSize != size+1 ||
		first.LeafHash != leafOf(record, first.At).String() {
		t.Errorf("receipt %+v", first)
	}
	if !bytes.Contains(answered.body, []byte(`"receivedAt":"2`)) ||
		!bytes.Contains(answered.body, []byte(`"proof":["sha256:`)) {
		t.Errorf("it comes without its proof or time: %s", answered.body)
	}
	var spread bytes.Buffer
	must(t, json.Indent(&spread, s.Body(t, record), " ", "\t"))
	for range 3 {
		again := s.post(t, enforcePath(record), Reviewer, spread.Bytes())
		if again.status != http.StatusOK || !bytes.Equal(again.body, answered.body) {
			t.Errorf("once more it is answered %d %s, first %s", again.status, again.body,
				answered.body)
		}
		spread.Reset()
		spread.Write(s.Body(t, record))
	}
	after := s.Dump(t)
	if rows := after[table.String()]; len(rows) != 1 || len(before[table.String()]) != 0 {
		t.Errorf("%d rows in %s", len(rows), table)
	}
	for _, other := range terms.Tables.Texts() {
		if other != table.String() && !slices.Equal(after[other], before[other]) {
			t.Errorf("%s changed", other)
		}
	}
}

// A handing is a record as somebody hands it in; the signature is that of the record's reviewer if
// it is nil.
type handing struct {
	record    records.Enforcement
	who       person
	signature []byte
}

func (s *harness) hands(t testing.TB, h handing) reply {
	t.Helper()
	if h.signature == nil {
		return s.handIn(t, h.record, h.who)
	}
	return s.post(t, enforcePath(h.record), h.who, bodyOf(t, h.record.Document(), h.signature))
}

// joining is a person who is entered with a token and a key.
func (s *harness) joining(t testing.TB, id, token string, role terms.Role,
	owners ...terms.ID) person {
	t.Helper()
	who := person{ID: terms.ID(id), Role: role, Owners: owners, Token: token}
	s.Token(t, TokenOf(who), who)
	s.Key(t, who.ID, verifytest.Key(id).PublicKey())
	return who
}

func TestARecordIsRefusedByNameAndNothingIsAppended(t *testing.T) {
	s := serving(t)
	decider := s.joining(t, verifytest.Decider, "decider", terms.SafetyAdmin, Owner)
	party := s.joining(t, verifytest.Party, "party", terms.SafetyAdmin, Owner)
	strange := person{ID: Stranger.ID, Role: Stranger.Role, Owners: []terms.ID{OtherOwner, Owner},
		Token: "stranger of both owners"}
	s.Token(t, TokenOf(strange), strange)
	for _, on := range s.subjects() {
		area := terms.AreaOf(on.Table)
		id, revision := "caseId", "caseRevision"
		if area == terms.Amendments {
			id, revision = "amendmentId", "amendmentRevision"
		}
		honest, key := s.Decide(on, Reviewer, nil), verifytest.Key(string(Reviewer.ID))
		reasoned := s.Decide(on, Reviewer, func(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.NoticeMissing) })
		blocking := s.Decide(on, Admin, Block)
		forged := func(of records.Enforcement, who person, members verifytest.Record) handing {
			return handing{record: s.forged(t, of, members), who: who}
		}
		by := func(of records.Enforcement, who person, members verifytest.Record) handing {
			return forged(of, who, verifytest.Record{"reviewer": verifytest.Person(who.ID,
				who.Role)}.With(members))
		}
		signed := func(document []byte, key ssh.Signer, namespace string) handing {
			return handing{honest, Reviewer, s.Log.Armored(document, key, namespace)}
		}
		const namespace = records.SignatureNamespace
		changed := forged(honest, Reviewer, verifytest.Record{"openedAt": "2026-06-01T00:00:00Z"})
		changed.signature = s.Log.Armored(honest.Document(), key, namespace)
		othersKey := forged(honest, Reviewer,
			verifytest.Record{"reviewer": records.Reviewer{ID: Reviewer.ID, Role: Reviewer.Role,
				KeyFingerprint: verifytest.Person(Admin.ID, 0).KeyFingerprint}})
		othersKey.signature = s.Log.Armored(othersKey.record.Document(),
			verifytest.Key(string(Admin.ID)), namespace)
		differing := verifytest.Record{"computedBlockers": []string{"notice_missing"},
			"reviewerBlockers": []string{}}
		self := verifytest.Person(Reviewer.ID, Reviewer.Role)
		early := s.Log.DecideAt(Noon.Add(time.Hour), on, self, nil)
		another := s.Decide(on, person{ID: Reviewer.ID, Role: terms.SafetyAdmin}, Block)
		told := map[string]func(p *api.Problem) bool{ // else nothing is
			"evaluated otherwise": func(p *api.Problem) bool {
				return slices.Equal(p.Stated, []terms.Blocker{terms.NoticeMissing}) &&
					p.Found != nil && len(p.Found) == 0
			},
			"without a statement that is required": func(p *api.Problem) bool {
				const reason = "a statement of reasons is required: a blocker is added"
				return strings.Contains(p.Detail, reason)
			},
		}
		for name, c := range map[string]struct {
			handing
			want api.ProblemKind
		}{
			"by an admin":     {handing{honest, Admin, nil}, api.NotTheReviewer},
			"by a stranger":   {handing{honest, Stranger, nil}, api.NotTheReviewer},
			"in another role": {handing{another, Reviewer, nil}, api.NotTheReviewer},

			"with another's key": {othersKey, api.KeyNotRegistered},
			"signed by nobody": {signed(honest.Document(), verifytest.Key("somebody"),
				namespace), api.SignatureInvalid},
			"signed by another": {signed(honest.Document(),
				verifytest.Key(string(Admin.ID)), namespace), api.SignatureInvalid},
			"signed for another record": {signed(reasoned.Document(), key, namespace),
				api.SignatureInvalid},
			"signed in another namespace": {signed(honest.Document(), key, "git"),
				api.SignatureInvalid},
			"signed for nothing":          {signed(nil, key, namespace), api.SignatureInvalid},
			"changed after it was signed": {changed, api.SignatureInvalid},
			"on no packet": {forged(honest, Reviewer,
				verifytest.Record{id: "none-99"}), api.NotFound},
			"on no revision": {forged(honest, Reviewer,
				verifytest.Record{revision: 7}), api.NotFound},
			"on a packet that is not theirs":   {by(honest, strange, nil), api.NotFound},
			"differing, on what is not theirs": {by(reasoned, strange, differing), api.NotFound},

			"evaluated otherwise": {forged(reasoned, Reviewer, differing), api.EvaluationDiffers},
			"without a statement that is required": {forged(reasoned, Reviewer,
				verifytest.Record{"statementDigest": nil}), api.RecordRefused},
			"made before it was opened": {forged(honest, Reviewer,
				verifytest.Record{"openedAt": terms.InstantOf(Noon).String()}), api.RecordRefused},
			"by who is recused":                   {by(blocking, Recused, nil), api.RecordRefused},
			"by who took the decision":            {by(blocking, decider, nil), api.RecordRefused},
			"by a party":                          {by(blocking, party, nil), api.RecordRefused},
			"by an admin who passes":              {by(honest, Admin, nil), api.RecordRefused},
			"from the future, which is not final": {handing{early, Reviewer, nil}, api.Early},
		} {
			t.Run(name+" on "+string(on.Key.ID), func(t *testing.T) {
				problem := s.refuses(t, c.record, s.hands(t, c.handing), c.want)
				if told[name] == nil {
					blind(t, problem)
				} else if !told[name](problem) {
					t.Errorf("told: %+v", problem)
				}
			})
		}
		// A packet that is not theirs is answered as one that is not there.
		hidden := s.hands(t, by(blocking, strange, nil))
		unknown := s.hands(t, by(blocking, strange, verifytest.Record{id: "unknown-1"}))
		if !bytes.Equal(hidden.body, unknown.body) {
			t.Errorf("%s: a hidden packet is answered with %s, an unknown one with %s", on.Table, hidden.body, unknown.body)
		}
	}
	guess := s.forged(t, s.Decide(s.Case, Reviewer, nil),
		verifytest.Record{"reviewer": verifytest.Person(Stranger.ID, Stranger.Role),
			"subjectId": "guess-1"})
	s.handIn(t, guess, Stranger).is(t, api.NotFound)
	s.handIn(t, s.Decide(s.Amendment, Reviewer, nil), Ownerless).is(t, api.NotTheOwner)
	s.holds(t, 0)
	// A safety admin blocks what another judges. A reviewer's clock may be a little ahead.
	s.takes(t, s.Decide(s.Amendment, Admin, Block), Admin)
	s.takes(t, s.Log.DecideAt(Noon.Add(time.Second), s.Case,
		verifytest.Person(Reviewer.ID, Reviewer.Role), nil), Reviewer)
}

func TestARecordOfUnknownRulesOrAfterASetbackMayBeTakenLater(t *testing.T) {
	s := serving(t)
	for _, on := range s.subjects() {
		mine := s.Decide(on, Reviewer, nil)
		version := verifytest.Record{"rulesVersion": strings.Replace(rules.Version(mine.Members().Area),
			fmt.Sprint("+docket.", rules.Revision), fmt.Sprint("+docket.", rules.Revision+1), 1)}
		newer := s.forged(t, mine, version)
		s.refuses(t, newer, s.handIn(t, newer, Reviewer), api.RulesUnknown)
		s.before = fails(fmt.Errorf("record 7 is missing: %w", store.ErrSetback), "HandIn")
		problem := s.refuses(t, mine, s.handIn(t, mine, Reviewer), api.Setback)
		if !strings.Contains(problem.Detail, "record 7 is missing") {
			t.Errorf("told: %s", problem.Detail)
		}
		s.before = nil
	}
	theirs := s.forged(t, s.Decide(s.Case, Reviewer, nil),
		verifytest.Record{"reviewer": verifytest.Person(Stranger.ID, Stranger.Role),
			"rulesVersion": fmt.Sprintf("trade-challenge-appeal-validator-v0.1+docket.%d",
				rules.Revision+1)})
	s.handIn(t, theirs, Stranger).is(t, api.NotFound)
	s.holds(t, 0)
}

// A record that says that the amendment is of an owner of theirs does not make it so.
func TestOfAnAmendmentOnlyItsOwnersReviewersHear(t *testing.T) {
	s := serving(t)
	elsewhere := s.Bring(t, terms.AmendmentRecords, verifytest.Amendment("amendment-2",
		1).With(toStranger))
	theirs := s.Decide(elsewhere, Stranger, nil)
	s.handIn(t, theirs, Stranger).is(t, api.NotTheOwner)
	claimed := s.forged(t, theirs, verifytest.Record{"ownerId": OtherOwner})
	blind(t, s.refuses(t, claimed, s.handIn(t, claimed, Stranger), api.NotFound))
}

// toStranger gives a packet to another reviewer.
var toStranger = verifytest.Record{"neutralReview": verifytest.Review(string(Stranger.ID))}

func TestALateRecordOfAFormerAssigneeIsRejectedAndTellsNothingOfTheNewRevisionButItsNumber(t *testing.T) {
	s := serving(t)
	late := s.Decide(s.Case, Reviewer, nil)
	moved := s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-1", 2).With(toStranger))
	before := s.handIn(t, late, Reviewer)
	s.takes(t, s.Decide(moved, Stranger, nil), Stranger)
	after := s.handIn(t, late, Reviewer)
	problem := after.is(t, api.PacketStale)
	if string(before.body) != string(after.body) || problem.Rejection == "" || problem.InForce.Present() || problem.Found != nil {
		t.Errorf("before another decided it is answered %s, after it %s", before.body, after.body)
	}
	s.get(t, "/api/trade/packets/case-1", Reviewer).is(t, api.NotFound)
	s.holds(t, 1)
}

func TestAnotherRecordUnderTheSameIDIsAConflict(t *testing.T) {
	s := serving(t)
	for _, on := range s.subjects() {
		record := s.Decide(on, Reviewer, nil)
		s.takes(t, record, Reviewer)
		other := s.forged(t, record, verifytest.Record{"openedAt": "2026-06-01T00:00:00Z"})
		problem := s.refuses(t, other, s.handIn(t, other, Reviewer), api.RecordConflict)
		if problem.InForce != record.Members().RecordID {
			t.Errorf("in force is %q", problem.InForce)
		}
	}
	s.holds(t, 2)
}

// A conflict and a revoked key are found before anybody asks whose packet it is.
func TestAConflictAndARevokedKeyTellNothingOfAPacketThatIsNotTheirs(t *testing.T) {
	s := serving(t)
	s.recorded(t, s.Case, Reviewer, nil)
	key := retired(Stranger.ID)
	fingerprint := ssh.FingerprintSHA256(key.PublicKey())
	s.Key(t, Stranger.ID, key.PublicKey())
	must(t, s.store.RevokeKey(t.Context(), Stranger.ID, fingerprint))
	theirs := s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-2", 1).With(toStranger))
	record := s.Decide(theirs, Stranger, nil)
	s.takes(t, record, Stranger)
	spying := s.forged(t, record, verifytest.Record{"caseId": s.Case.Key.ID})
	blind(t, s.refuses(t, spying, s.handIn(t, spying, Stranger), api.RecordConflict))
	spying = s.forged(t, s.Decide(theirs, Stranger, nil), verifytest.Record{"caseId": s.Case.Key.ID,
		"reviewer": map[string]any{"id": Stranger.ID, "role": Stranger.Role.String(),
			"keyFingerprint": fingerprint}})
	blind(t, s.refuses(t, spying, s.post(t, enforcePath(spying), Stranger,
		s.Signed(t, spying.Document(), key)), api.KeyRevoked))
}

func TestWhatHasChangedSinceIsToldWithWhatHoldsNow(t *testing.T) {
	s := serving(t)
	makes := map[terms.Area]func(string, int) verifytest.Record{terms.Appeals: verifytest.AppealCase, terms.Amendments: verifytest.Amendment}
	codes := map[terms.Area]terms.Blocker{terms.Appeals: terms.AppealCaseStale,
		terms.Amendments: terms.AmendmentStaleBlocker}
	for _, on := range s.subjects() {
		area := terms.AreaOf(on.Table)
		record := s.Decide(on, Reviewer, nil)
		s.Bring(t, on.Table, makes[area](string(on.Key.ID), 2))
		problem := s.refuses(t, record, s.handIn(t, record, Reviewer), api.PacketStale)
		if problem.Latest != 2 || !slices.Contains(problem.Blockers, codes[area]) || len(problem.Changes) == 0 ||
			!strings.Contains(problem.Changes[0], "revision 2") {
			t.Errorf("told: %+v", problem)
		}
	}
}

func TestARecordSupersedesExactlyWhatIsInForce(t *testing.T) {
	s := serving(t)
	for _, on := range s.subjects() {
		first, unaware := s.Decide(on, Reviewer, nil), s.Decide(on, Reviewer, nil)
		s.takes(t, first, Reviewer)
		problem := s.refuses(t, unaware, s.handIn(t, unaware, Reviewer), api.RecordSuperseded)
		if problem.InForce != first.Members().RecordID || len(problem.Changes) != 1 || problem.Latest != 0 {
			t.Errorf("told: %+v", problem)
		}
		s.takes(t, s.Decide(on, Reviewer, Supersede(first.Members().RecordID)), Reviewer)
		s.taken(t, s.handIn(t, first, Reviewer), http.StatusOK)
	}
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

// stamp makes a record on a case of its own that a console stamped at a time before or after Noon,
// on a log of some size.
func (s *harness) stamp(t testing.TB, console string, size int64,
	at time.Duration) records.Enforcement {
	t.Helper()
	s.cases++
	on := s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-of-%d", s.cases), 1))
	record := s.Log.DecideAt(terms.InstantOf(Noon.Add(at)).Time(), on,
		verifytest.Person(Reviewer.ID, Reviewer.Role), nil)
	return s.forged(t, record, verifytest.Record{
		"logHead": verifytest.Record{"origin": "docket/" + console, "size": size,
			"root": terms.HashOf([]byte("log"))}})
}

// The order of recordedAt is held among records of one console, by the sizes of its log. That a
// record was handed in late, or waited while a later one was accepted, is no reason to refuse it.
func TestRecordsOfOneConsoleAreInTheOrderOfItsLog(t *testing.T) {
	s := serving(t)
	const five = 5 * time.Minute
	for i, c := range []struct {
		name  string
		size  int64 // after one that was recorded at Noon on a log of 5 records
		at    time.Duration
		other bool // of another console
		taken bool
	}{
		{"later", 6, time.Second, false, true},
		{"overtaken", 6, -five, false, true},
		{"overtaken by too much", 6, -five - time.Millisecond, false, false},
		{"a clock that was set back", 900, -time.Hour, false, false},
		{"on the same log", 5, -time.Hour, false, true},
		{"it waited", 4, -time.Hour, false, true},
		{"it waited for days", 0, -4 * 24 * time.Hour, false, true},
		{"of another console", 6, -time.Hour, true, true},
		{"of another console, shorter", 0, -time.Hour, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			console, second := fmt.Sprintf("%016x", i), fmt.Sprintf("%016x", i)
			if c.other {
				second = fmt.Sprintf("%016x", 100+i)
			}
			s.takes(t, s.stamp(t, console, 5, 0), Reviewer)
			record := s.stamp(t, second, c.size, c.at)
			if c.taken {
				s.takes(t, record, Reviewer)
				s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK)
				return
			}
			problem := s.refuses(t, record, s.handIn(t, record, Reviewer), api.RecordRefused)
			if !strings.Contains(problem.Detail, "more than 5 minutes before") {
				t.Errorf("told: %s", problem.Detail)
			}
			// Its clock is right again: the packet is judged again, and nothing is locked.
			s.takes(t, s.stamp(t, console, 901, time.Second), Reviewer)
		})
	}
	s.holds(t, 18)
}

// A record that is pushed days after it was made is taken before the deadline; after it it is
// rejected, so that the packet is judged again.
func TestALatePushIsTakenBeforeTheDeadlineAndJudgedAgainAfterIt(t *testing.T) {
	s := serving(t)
	for i, deadline := range []string{"2026-06-20T12:00:01Z", "2026-06-20T11:59:59Z"} {
		on := s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-late-%d", i),
			1).With(verifytest.Record{"deadline": deadline}))
		record := s.Decide(on, Reviewer, nil)
		if Noon.Sub(record.Members().RecordedAt.Time()) < 48*time.Hour {
			t.Fatalf("recorded at %s", record.Members().RecordedAt)
		}
		if i == 0 {
			s.takes(t, record, Reviewer)
			continue
		}
		s.refuses(t, record, s.handIn(t, record, Reviewer), api.PacketStale)
	}
}

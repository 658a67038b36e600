package serve_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	checkpoint "github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// key is the key of the service's log, as a console learns it.
func (s *harness) key(t testing.TB) string {
	t.Helper()
	return read[api.Page](t, s.get(t, api.QueuePath, Reviewer), http.StatusOK).Key
}

// taken is the answer to a record that was taken, after its checkpoint was verified.
func (s *harness) taken(t testing.TB, r reply, status int) records.Receipt {
	t.Helper()
	answer := read[struct {
		Receipt struct {
			RecordID           records.RecordID
			Sequence, TreeSize int64
			LeafHash, Root     string
		}
		Checkpoint string
	}](t, r, status)
	verifier, err := note.NewVerifier(s.key(t))
	if err != nil {
		t.Fatal(err)
	}
	head, _, _, err := checkpoint.ParseCheckpoint([]byte(answer.Checkpoint), verifier.Name(), verifier)
	if err != nil {
		t.Fatalf("the checkpoint is not the service's: %v", err)
	}
	leaf, _ := terms.ParseHash(answer.Receipt.LeafHash)
	root, _ := terms.ParseHash(answer.Receipt.Root)
	if int64(head.Size) != answer.Receipt.TreeSize || !root.Matches(hashOf(head.Hash)) {
		t.Errorf("the checkpoint is not of the receipt's tree: %s", r.body)
	}
	return records.Receipt{RecordID: answer.Receipt.RecordID, Sequence: answer.Receipt.Sequence, LeafHash: leaf,
		TreeSize: answer.Receipt.TreeSize, Root: root}
}

func leafOf(record records.Enforcement) terms.Hash {
	return terms.HashOf(append([]byte{0}, record.Document()...))
}

func hashOf(sum []byte) terms.Hash {
	const digits = "0123456789abcdef"
	text := []byte("sha256:")
	for _, b := range sum {
		text = append(text, digits[b>>4], digits[b&15])
	}
	hash, _ := terms.ParseHash(string(text))
	return hash
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

// forged is a record with other members, as domain reads it.
func (s *harness) forged(t testing.TB, of records.Enforcement, members verifytest.Record) records.Enforcement {
	t.Helper()
	return reread(t, of.Members().Area, s.Log.Forged(of, members))
}

// subjects are the packets of the fixture by area.
func (s *harness) subjects() []verify.Ref { return []verify.Ref{s.Case, s.Amendment} }

func TestChallengeAppealEnforceRouteContract(t *testing.T) {
	s := serving(t)
	s.appendsOnce(t, s.Case, terms.AppealEnforcements)
}

func TestAgreementAmendmentEnforceRouteContract(t *testing.T) {
	s := serving(t)
	s.appendsOnce(t, s.Amendment, terms.AmendmentEnforcements)
}

// appendsOnce hands a record in without a token, and several times with one: one row is appended to the
// table, and no packet and no other record changes.
func (s *harness) appendsOnce(t *testing.T, on verify.Ref, table terms.Table) {
	t.Helper()
	record, before := s.Decide(on, Reviewer, nil), s.Dump(t)
	s.handIn(t, record, person{}).is(t, api.Unauthenticated)
	same(t, before, s.Dump(t))
	first := s.taken(t, s.handIn(t, record, Reviewer), http.StatusCreated)
	if again := s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK); again != first {
		t.Errorf("the second time %+v, the first %+v", again, first)
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

func TestARecordIsAppendedOnceHoweverOftenItIsHandedIn(t *testing.T) {
	s := serving(t)
	for i, on := range s.subjects() {
		record := s.Decide(on, Reviewer, nil)
		first := s.taken(t, s.handIn(t, record, Reviewer), http.StatusCreated)
		if first.RecordID != record.Members().RecordID || first.Sequence != int64(i) || first.TreeSize != int64(i)+1 ||
			!first.LeafHash.Matches(leafOf(record)) {
			t.Errorf("receipt %+v", first)
		}
		for range 3 {
			if again := s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK); again != first {
				t.Errorf("the second time %+v, the first %+v", again, first)
			}
		}
	}
	s.holds(t, 2)
}

func TestARecordIsTheSameHoweverItIsWritten(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	var spread bytes.Buffer
	if err := json.Indent(&spread, s.Body(t, record), " ", "\t"); err != nil {
		t.Fatal(err)
	}
	s.taken(t, s.post(t, api.AppealEnforcePath, Reviewer, spread.Bytes()), http.StatusCreated)
	s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK)
}

func TestOnlyTheReviewerHandsARecordInInTheirRole(t *testing.T) {
	s := serving(t)
	for _, on := range s.subjects() {
		record := s.Decide(on, Reviewer, nil)
		s.handIn(t, record, Admin).is(t, api.NotTheReviewer)
		s.handIn(t, record, Stranger).is(t, api.NotTheReviewer)
		otherRole := s.Decide(on, person{ID: Reviewer.ID, Role: terms.SafetyAdmin}, Block)
		s.handIn(t, otherRole, Reviewer).is(t, api.NotTheReviewer)
	}
	s.holds(t, 0)
}

func TestAKeyThatIsNotRegisteredForTheReviewerSignsNothing(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	theirs := s.Log.Forged(record, verifytest.Record{"reviewer": records.Reviewer{ID: Reviewer.ID,
		Role: Reviewer.Role, KeyFingerprint: verifytest.Person(Admin.ID, 0).KeyFingerprint}})
	body := s.Signed(t, theirs, verifytest.Key(string(Admin.ID)))
	s.post(t, api.AppealEnforcePath, Reviewer, body).is(t, api.KeyNotRegistered)
}

func TestOfAnAmendmentOnlyItsOwnersReviewersHear(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Amendment, Reviewer, nil)
	s.handIn(t, record, Ownerless).is(t, api.NotTheOwner)
	// A record that says that the amendment is of an owner of theirs does not make it so.
	stranger := Stranger
	elsewhere := s.Bring(t, terms.AmendmentRecords, verifytest.Amendment("amendment-2", 1).With(verifytest.Record{
		"neutralReview": verifytest.Review(string(stranger.ID))}))
	theirs := s.Decide(elsewhere, stranger, nil)
	s.handIn(t, theirs, stranger).is(t, api.NotTheOwner)
	claimed := s.Log.Forged(theirs, verifytest.Record{"ownerId": OtherOwner})
	body := s.Signed(t, claimed, verifytest.Key(string(stranger.ID)))
	problem := s.post(t, api.AmendmentEnforcePath, stranger, body).is(t, api.NotFound)
	if problem.Rejection != "" || problem.Found != nil || problem.InForce.Present() {
		t.Errorf("something of another owner's amendment is told: %+v", problem)
	}
}

func TestWhatIsNotHeldOrNotTheirsIsNotFound(t *testing.T) {
	s := serving(t)
	sealed := s.Decide(s.Case, Reviewer, nil)
	elsewhere := s.Log.Forged(sealed, verifytest.Record{"caseId": "case-99"})
	s.post(t, api.AppealEnforcePath, Reviewer,
		s.Signed(t, elsewhere, verifytest.Key(string(Reviewer.ID)))).is(t, api.NotFound)
	revision := s.Log.Forged(sealed, verifytest.Record{"caseRevision": 7})
	s.post(t, api.AppealEnforcePath, Reviewer,
		s.Signed(t, revision, verifytest.Key(string(Reviewer.ID)))).is(t, api.NotFound)
	// Whether a record follows from a packet is told to those who may see the packet.
	stranger := verifytest.Person(Stranger.ID, Stranger.Role)
	theirs := s.Log.Forged(sealed, verifytest.Record{"reviewer": stranger, "subjectId": "guess-1"})
	s.post(t, api.AppealEnforcePath, Stranger,
		s.Signed(t, theirs, verifytest.Key(string(Stranger.ID)))).is(t, api.NotFound)
}

func TestALateRecordOfAFormerAssigneeIsRejectedAndTellsNothingOfTheNewRevisionButItsNumber(t *testing.T) {
	s := serving(t)
	late := s.Decide(s.Case, Reviewer, nil)
	moved := s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-1", 2).With(verifytest.Record{
		"neutralReview": verifytest.Review(string(Stranger.ID))}))
	before := s.handIn(t, late, Reviewer)
	s.taken(t, s.handIn(t, s.Decide(moved, Stranger, nil), Stranger), http.StatusCreated)
	after := s.handIn(t, late, Reviewer)
	problem := after.is(t, api.PacketStale)
	if string(before.body) != string(after.body) || problem.Rejection == "" || problem.InForce.Present() || problem.Found != nil {
		t.Errorf("before another decided it is answered %s, after it %s", before.body, after.body)
	}
	s.get(t, "/api/trade/packets/case-1", Reviewer).is(t, api.NotFound)
	s.holds(t, 1)
}

func TestASignatureThatIsNotOneOfTheRecordIsRefused(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	key := verifytest.Key(string(Reviewer.ID))
	other := s.Decide(s.Amendment, Reviewer, nil)
	signatures := map[string][]byte{
		"by another key":         s.Log.Armored(record.Document(), verifytest.Key("somebody"), records.SignatureNamespace),
		"by another's key":       s.Log.Armored(record.Document(), verifytest.Key(string(Admin.ID)), records.SignatureNamespace),
		"of another record":      s.Log.Armored(other.Document(), key, records.SignatureNamespace),
		"in another namespace":   s.Log.Armored(record.Document(), key, "git"),
		"of nothing, by the key": s.Log.Armored(nil, key, records.SignatureNamespace),
	}
	for name, signature := range signatures {
		text, err := json.Marshal(api.Enforce{Record: record.Document(), Signature: string(signature), PacketSalt: verifytest.Salt, Statement: &verifytest.Reasons})
		if err != nil {
			t.Fatal(err)
		}
		problem := s.post(t, api.AppealEnforcePath, Reviewer, text).is(t, api.SignatureInvalid)
		if problem.Rejection != "" {
			t.Errorf("%s: a record is rejected because of a signature that anybody can make", name)
		}
	}
	s.taken(t, s.handIn(t, record, Reviewer), http.StatusCreated)
}

func TestHandingInAgainBringsTheReceiptWithItsProofAndTime(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	s.handIn(t, s.Decide(s.Amendment, Reviewer, nil), Reviewer)
	first, again := s.handIn(t, record, Reviewer), s.handIn(t, record, Reviewer)
	if !bytes.Equal(first.body, again.body) || first.status != http.StatusCreated || !bytes.Contains(first.body, []byte(`"receivedAt":"2`)) ||
		!bytes.Contains(first.body, []byte(`"proof":["sha256:`)) {
		t.Errorf("%s, and then %s", first.body, again.body)
	}
	s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK)
	s.holds(t, 2)
}

package serve_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// Noon is when a service of the tests judges: after all records of a fixture, before any deadline.
var Noon = time.Date(2026, 6, 20, 12, 0, 0, 0, time.UTC)

// Clock tells Noon.
func Clock() time.Time { return Noon }

// The owners of amendments. The samples are of the first.
const (
	Owner      = "owner-2"
	OtherOwner = "owner-9"
)

// A person is one of the people of a fixture.
type person struct {
	ID     terms.ID
	Role   terms.Role
	Owners []terms.ID
	Token  string // names the token
}

// The people of a fixture, by what they are to the samples.
var (
	Reviewer  = person{ID: verifytest.Assigned, Role: terms.NeutralReviewer, Owners: []terms.ID{Owner}, Token: "reviewer"}
	Admin     = person{ID: "admin-1", Role: terms.SafetyAdmin, Owners: []terms.ID{Owner}, Token: "admin"}
	Stranger  = person{ID: "reviewer-8", Role: terms.NeutralReviewer, Owners: []terms.ID{OtherOwner}, Token: "stranger"}
	Recused   = person{ID: verifytest.Recused, Role: terms.SafetyAdmin, Owners: []terms.ID{Owner}, Token: "recused"}
	Ownerless = person{ID: verifytest.Assigned, Role: terms.NeutralReviewer, Token: "ownerless"}
)

// A fixture is a service's store with people, packets, and the records that the people make of them.
type fixture struct {
	*serviceStore
	Log *verifytest.Log

	Case      verify.Ref // passes, assigned to Reviewer
	Amendment verify.Ref // passes, assigned to Reviewer, of Owner

	sealer packets.Sealer
}

// newFixture fills a store: two policies, a case, an amendment, a token for each of the people and keys for all.
func newFixture(t testing.TB, backend *serviceStore) *fixture {
	t.Helper()
	fix := &fixture{serviceStore: backend, Log: verifytest.New(t)}
	fix.Bring(t, terms.AppealPolicies, verifytest.AppealPolicy("appeal-policy", 1))
	fix.Bring(t, terms.AmendmentPolicies, verifytest.AmendmentPolicy("amendment-policy", 1))
	fix.Case = fix.Bring(t, terms.AppealCases, verifytest.AppealCase("case-1", 1))
	fix.Amendment = fix.Bring(t, terms.AmendmentRecords, verifytest.Amendment("amendment-1", 1))
	for _, who := range []person{Reviewer, Admin, Stranger, Recused, Ownerless} {
		backend.Token(t, TokenOf(who), who)
	}
	for _, who := range []person{Reviewer, Admin, Stranger, Recused} {
		backend.Key(t, who.ID, verifytest.Key(string(who.ID)).PublicKey())
	}
	return fix
}

// TokenOf is the token of one of the people.
func TokenOf(who person) string {
	sum := sha256.Sum256([]byte(who.Token))
	return "docket_" + hex.EncodeToString(sum[:])
}

// Bring seals a record and takes its packet in.
func (fix *fixture) Bring(t testing.TB, table terms.Table, record verifytest.Record) verify.Ref {
	t.Helper()
	text, err := json.Marshal(map[string]any{"table": table, "record": record})
	must(t, err)
	sealed, fault := fix.sealer.Seal(text)
	if fault != nil {
		t.Fatal(fault)
	}
	fix.Hold(t, sealed)
	return fix.Log.HoldSealed(sealed)
}

// Decide makes a record on a packet as its reviewer sees it now; change, if there is one, changes the choice before.
func (fix *fixture) Decide(on verify.Ref, who person, change func(*records.Choice)) records.Enforcement {
	return fix.Log.Decide(on, verifytest.Person(who.ID, who.Role), change)
}

// Block adds a blocker of the reviewer's own to a choice, which is what anybody but the assigned reviewer must do.
func Block(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.NeutralReviewMissing) }

// Supersede names the record that a choice takes the place of.
func Supersede(id records.RecordID) func(*records.Choice) {
	return func(c *records.Choice) { c.Supersedes = id }
}

// Body is the body of an enforce request: the record with its reviewer's signature.
func (fix *fixture) Body(t testing.TB, record records.Enforcement) []byte {
	t.Helper()
	return fix.Signed(t, record.Document(), verifytest.Key(string(record.Members().Reviewer.ID)))
}

// Signed is the body of an enforce request with that document and a signature of it by the key.
func (fix *fixture) Signed(t testing.TB, document []byte, key ssh.Signer) []byte {
	t.Helper()
	return bodyOf(t, document, fix.Log.Armored(document, key, records.SignatureNamespace))
}

func bodyOf(t testing.TB, document, signature []byte) []byte {
	t.Helper()
	body := api.Enforce{Record: document, Signature: string(signature), PacketSalt: verifytest.Salt}
	if reasons := verifytest.ReasonsOf(document); reasons.Present() {
		body.Statement = &reasons
	}
	text, err := json.Marshal(body)
	must(t, err)
	return text
}

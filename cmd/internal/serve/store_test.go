package serve_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

func TestTheLogOfAServiceVerifiesAndIsExported(t *testing.T) {
	s := serving(t)
	s.Log.Append(s.Decide(s.Case, Reviewer, nil)) // so that the log that the next reviewer sees is not empty
	s.taken(t, s.handIn(t, s.Decide(s.Amendment, Reviewer, nil), Reviewer), http.StatusCreated)
	s.taken(t, s.handIn(t, s.Decide(s.Case, Reviewer, func(c *records.Choice) {
		c.NoteDigest = terms.HashOf([]byte("a note that stays with the console"))
	}), Reviewer), http.StatusCreated)
	report, err := s.store.Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() || report.Size != 2 {
		t.Errorf("%+v, %v", report, err)
	}
	log, err := s.store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "bundle")
	if _, err := bundle.Write(t.Context(), folder, log, bundle.Options{}); err != nil {
		t.Fatal(err)
	}
	report, err = bundle.Check(t.Context(), folder, verify.Options{})
	if err != nil || !report.OK() || report.Size != 2 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestARecordOfUnknownRulesMayBeTakenLaterAndTellsNothingOfAPacketThatIsNotTheirs(t *testing.T) {
	s := serving(t)
	otherRules := verifytest.Record{"rulesVersion": fmt.Sprintf("trade-challenge-appeal-validator-v0.1+docket.%d", rules.Revision+1)}
	mine := reread(t, terms.Appeals, s.Log.Forged(s.Decide(s.Case, Reviewer, nil), otherRules))
	if problem := s.handIn(t, mine, Reviewer).is(t, api.RulesUnknown); problem.Rejection != "" {
		t.Error("it is rejected for good")
	}
	stranger := verifytest.Person(Stranger.ID, Stranger.Role)
	theirs := reread(t, terms.Appeals, s.Log.Forged(mine, otherRules.With(verifytest.Record{"reviewer": stranger})))
	s.handIn(t, theirs, Stranger).is(t, api.NotFound)
	s.holds(t, 0)
}

func TestARevokedTokenAuthenticatesNobody(t *testing.T) {
	s := serving(t)
	if answered := s.get(t, api.QueuePath, Reviewer); answered.status != http.StatusOK {
		t.Errorf("before: %d", answered.status)
	}
	if err := s.store.RevokeToken(t.Context(), Reviewer.Token); err != nil {
		t.Fatal(err)
	}
	s.get(t, api.QueuePath, Reviewer).is(t, api.Unauthenticated)
}

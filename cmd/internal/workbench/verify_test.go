package workbench_test

import (
	"testing"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/sample"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

func TestTheConsolesCheckFindsARecordThatDoesNotFollowFromItsPackets(t *testing.T) {
	d := atWork(t)
	key := verifytest.Key("console")
	held, err := identity.New(sample.Reviewer, terms.NeutralReviewer, key)
	if err != nil {
		t.Fatal(err)
	}
	d.Identity = held
	receipt := decide(t, d, passing)
	if err, found := d.Verify(t.Context()), d.Store.Findings(); err != nil || len(found) > 0 {
		t.Fatalf("before: %v, %v", found, err)
	}
	if err := d.Store.Close(); err != nil {
		t.Fatal(err)
	}
	verifytest.ForgeStore(t, d.Store.Path(), key, [2]string{`"computedBlockers":[]`, `"computedBlockers":["notice_missing"]`},
		[2]string{`"gate":"pass"`, `"gate":"blocked"`})
	s, err := store.Open(t.Context(), store.Options{Path: d.Store.Path(), Now: d.Clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d.Store = s
	err = d.Verify(t.Context())
	found := s.Findings()
	if err != nil || len(found) == 0 || found[0].Code != verify.BlockersDiffer || found[0].RecordID != receipt.RecordID || !s.ReadOnly() {
		t.Errorf("found %v, %v", found, err)
	}
}

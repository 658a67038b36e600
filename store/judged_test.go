package store

import (
	"os"
	"path/filepath"
	"testing"

	"docket/domain/terms"
	"docket/store/verify/verifytest"
)

// unfounded is a closed store whose newest record, properly signed and logged, concludes what does not follow from its packets.
func unfounded(t *testing.T) string {
	t.Helper()
	d := withCase(t)
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	d.close()
	verifytest.ForgeStore(t, d.store.Path(), d.key, [2]string{`"computedBlockers":[]`, `"computedBlockers":["notice_missing"]`},
		[2]string{`"gate":"pass"`, `"gate":"blocked"`})
	return d.store.Path()
}

func TestABackupIsNotMadeOfARecordThatDoesNotFollowFromItsPackets(t *testing.T) {
	t.Parallel()
	s := openAt(t, unfounded(t), noon)
	if len(s.Findings()) > 0 {
		t.Fatalf("at opening: %v", s.Findings())
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	mustBe(t, s.Backup(t.Context(), copied, nil), ErrTampered)
	wantFailure(t, "the copy is kept", errOf(os.Stat(copied)))
}

func TestTheStoresOwnCheckFindsARecordThatDoesNotFollowFromItsPackets(t *testing.T) {
	t.Parallel()
	s := openAt(t, unfounded(t), noon)
	if len(proven(t, s)) == 0 || !s.ReadOnly() {
		t.Error("it is not found")
	}
}

package plain

import (
	"fmt"
	"testing"

	"docket/ui/internal/workbenchtest"
)

func TestTheRecordsAreReadPageByPage(t *testing.T) {
	workbench := workbenchtest.Sample()
	for i := range 45 {
		workbench.Damage(fmt.Sprintf("reason %d", i))
	}
	out := works(t, workbench, lines("records", "", "", "", "45", "quit")...)
	says(t, out, "1 to 20 of 45 records in the log", "21 to 40 of 45", "41 to 45 of 45", "That was the last page", "Record 0 cannot be read: reason 0")
	if got := workbench.Pages(); got != 3 {
		t.Errorf("%d pages were read", got)
	}
}

func TestARecordOfARevokedKeyIsNotSaidToBeInForce(t *testing.T) {
	workbench := withRecord(t)
	says(t, works(t, workbench, lines("records", "quit")...), "rev-marsh, in force, not handed in.")
	workbench.Revoke(0)
	says(t, works(t, workbench, lines("records", "1", "quit")...), "rev-marsh, revoked key, so not in force, not handed in.",
		"the key that signed it was revoked, so not in force")
}

package ui

import (
	"fmt"
	"strings"
	"testing"

	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

// pageSize is how many records are read at once.
const pageSize = 200

// atLongLog is a console at the records of a log of so many.
func atLongLog(t *testing.T, count int) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	b, workbench := sample(t, 120, 40)
	for i := range count {
		workbench.Damage(fmt.Sprintf("reason %d.", i))
	}
	b.press("r")
	return b, workbench
}

func TestTheRecordsPageReadsThePagesThatShow(t *testing.T) {
	const count = 3*pageSize + 50
	b, workbench := atLongLog(t, count)
	b.shows("650 records in the log", fmt.Sprintf("reason %d.", count-1))
	if got := workbench.Pages(); got != 1 {
		t.Errorf("%d pages are read to open the list", got)
	}
	b.press("G")
	b.shows("reason 0.")
	b.hides("still being read")
	if got := workbench.Pages(); got != 2 {
		t.Errorf("%d pages are read to see both ends", got)
	}
	b.press("k", "j", "pgup", "pgdown")
	if got := workbench.Pages(); got != 2 {
		t.Errorf("%d pages are read after going up and down", got)
	}
	seen := map[string]bool{}
	b.press("g")
	for range count {
		for _, word := range strings.Fields(b.cursor()) {
			if strings.HasSuffix(word, ".") {
				seen[word] = true
			}
		}
		b.press("j")
	}
	if len(seen) != count {
		t.Errorf("%d of %d records were under the cursor", len(seen), count)
	}
	workbench.Damage("reason new.")
	b.press("R", "g")
	b.shows("651 records in the log", "reason new.")
}

func TestARecordThatIsStillBeingReadSaysSoAndDoesNotOpen(t *testing.T) {
	b, _ := atLongLog(t, 2*pageSize)
	b.hold = true
	b.press("G")
	b.shows("reading …")
	b.press("enter")
	b.at(action.InRecords)
	b.shows("still being read")
	b.release()
	b.shows("reason 0.")
}

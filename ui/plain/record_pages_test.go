package plain

import (
	"fmt"
	"testing"

	"docket/ui/internal/desktest"
)

func TestTheRecordsAreReadPageByPage(t *testing.T) {
	desk := desktest.Sample()
	for i := range 45 {
		desk.Damage(fmt.Sprintf("reason %d", i))
	}
	out := works(t, desk, lines("records", "", "", "", "45", "quit")...)
	says(t, out, "1 to 20 of 45 records in the log", "21 to 40 of 45", "41 to 45 of 45", "That was the last page", "Record 0 cannot be read: reason 0")
	if got := desk.Pages(); got != 3 {
		t.Errorf("%d pages were read", got)
	}
}

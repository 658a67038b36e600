package plain

import (
	"testing"

	"docket/ui/internal/workbenchtest"
)

func TestAConsoleThatNeverMetAServiceSaysNothingOfPulling(t *testing.T) {
	workbench := workbenchtest.Sample()
	workbench.Decide("AC-2041", 0)
	out := works(t, workbench, "who", "quit")
	says(t, out, "Not handed in: 1 record.")
	saysNot(t, out, "Offline", "pulled")
}

package plain

import (
	"testing"

	"docket/ui/internal/workbenchtest"
)

func TestWhatIsFoundSoFarIsSaidWhileTheTextsAreSearched(t *testing.T) {
	workbench := workbenchtest.Sample()
	workbench.SearchAtOnce = 2
	h := newHarness(t, workbench, "appeals", "filter text:wells", "1", "quit")
	text := h.works()
	says(t, text, "Searching the texts; nothing was found so far.\nSearching the texts; found so far: 1 case, with AC-2043.\n",
		"The filter text:wells matches 1 of 14.", "1. AC-2043")
	saysNot(t, works(t, workbenchtest.Sample(), "appeals", "filter text:wells", "quit"), "so far")
}

package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

func TestAFilterForWordsShowsTheirCasesAndThePacketGoesFromMatchToMatch(t *testing.T) {
	b := filtering(t, `text:"half of the wel`)
	b.shows("1 of 14")
	b.press(`type ls" AC-`)
	b.shows("1 of 14")
	b.press("enter")
	b.at(action.InQueue)
	id := b.caseHere()
	b.press("enter")
	b.at(action.InPacket)
	if got := b.console.stage.Top(); got == nil || !strings.Contains(b.whole(), id) {
		t.Fatalf("%s is not open", id)
	}
	b.press("n")
	b.shows("1 of 1 match")
	if got := b.underCursor(); !strings.Contains(got, "half of the wells") {
		t.Errorf("the cursor is on %q", got)
	}
	b.press("esc")
	b.press("open AC-2041") // not through the filter
	b.press("n")
	b.shows("no search yet")
}

func TestWhileAFilterLooksThroughTheTextsNothingWaitsForIt(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.hold = true
	b.press("/", "type text:wells")
	b.shows("searching the texts …", "AC-2041")
	b.press("enter")
	b.at(action.InQueue)
	b.press("esc") // at once
	b.shows("AC-2041")
	b.hides("text:wells", "searching")
	b.press("/", "type AC-2044")
	b.shows("1 of 14")
	b.release()
	b.shows("1 of 14", "AC-2044")
	b.press("ctrl+u", "type text:wells")
	b.shows("1 of 14")
	b.hides("AC-2044")
}

func TestWhatIsFoundSoFarShowsWhileTheTextsAreSearched(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.hold, workbench.SearchAtOnce = true, 2
	b.press("/")
	b.paste("text:wells")
	b.shows("searching the texts …", "AC-2041")
	b.step() // the first packets
	b.hides("AC-2041")
	b.shows("0 found so far · searching the texts …", "Searching the texts …")
	b.step()
	b.shows("1 found so far · searching the texts …", "AC-2043")
	b.release()
	b.shows("1 of 14", "AC-2043")
	b.hides("so far", "searching")
}

func TestWhatAFilterNegatesShowsNothingUntilAllIsSearched(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.hold, workbench.SearchAtOnce = true, 2
	b.press("/")
	b.paste("-text:wells")
	b.step()
	b.shows("0 found so far · searching the texts …")
	b.release()
	b.shows("13 of 14")
}

func TestTheSearchGetsReadyOnceTheQueuesAreThere(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	want := []terms.Area{terms.Appeals, terms.Amendments}
	if slices.Sort(workbench.Prepared); !slices.Equal(workbench.Prepared, want) {
		t.Errorf("it prepares %v", workbench.Prepared)
	}
	b.press("/", "type text:we -id:A")
	if len(workbench.Prepared) != len(want) {
		t.Errorf("while a filter is typed it prepares %v", workbench.Prepared)
	}
	b.press("esc", "R") // which reads the queues again, as an erasure does
	if len(workbench.Prepared) != 2*len(want) {
		t.Errorf("when the queues were read again it prepares %v", workbench.Prepared)
	}
}

func TestTextsThatCannotBeSearchedLetNothingThrough(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	workbench.Failing = errors.New("the disk is gone")
	b.press("/", "type -text:wells")
	b.shows("the texts cannot be searched: the disk is gone", "0 of 14")
	workbench.Failing = nil
	b.press("backspace", "esc")
	b.shows("AC-2041")
	b.hides("cannot be searched")
}

func TestAFilterForIDsFindsThoseOfTheSubject(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	record := workbenchtest.Case("AC-3000", 0)
	record["subjectId"] = "claim-9f"
	workbench.Add(terms.AppealCases, record, nil)
	b.press("R", "/", "type id:claim-9F")
	b.shows("1 of 15", "AC-3000")
}

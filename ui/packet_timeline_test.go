package ui

import (
	"strings"
	"testing"

	"docket/domain/views"
	"docket/ui/action"
)

// onEvent is a packet with the cursor on the event of its timeline that holds the text.
func onEvent(t *testing.T, id, text string) *harness {
	t.Helper()
	b, workbench := sample(t, 80, 24)
	overtake(workbench)
	b.press("R", "open "+id)
	b.toEvent(text)
	return b
}

// toEvent goes to an event of the timeline.
func (b *harness) toEvent(text string) {
	b.t.Helper()
	b.press("to Timeline")
	b.toLine(text)
	if before, _, _ := strings.Cut(b.whole(), b.underCursor()); !strings.Contains(before, "▾ Timeline") || strings.Contains(before, "▾ Related") {
		b.t.Fatalf("%q is not in the timeline", text)
	}
	b.resize(80, 24)
}

func TestEnterOnAnEventGoesToTheSectionThatStatesIt(t *testing.T) {
	for _, one := range []struct {
		id, on string
		part   views.PartName
	}{
		{"AC-2041", "filed", views.PartStanding}, {"AC-2042", "deadline", views.PartSaid},
		{"AC-2041", "start of the policy", views.PartPolicy}, {"AM-311", "notice delivered", views.PartNotice},
		{"AM-311", "confirmed by party-b", views.PartConfirmations},
		{"AM-311", "expiry of the confirmation", views.PartConfirmations},
		{"AM-311", "policy frozen", views.PartPolicy},
	} {
		b := onEvent(t, one.id, one.on)
		b.press("enter")
		b.at(action.InPacket)
		if got := b.underCursor(); !strings.HasPrefix(got, " ▾ "+one.part.Title()+" ") {
			t.Errorf("%q goes to %q", one.on, got)
		}
	}
}

func TestASectionThatWasUnfoldedOnTheWayStaysFoldedOnOtherPackets(t *testing.T) {
	b := onEvent(t, "AC-2041", "start of the policy")
	b.press("enter", "esc", "open AC-2043", "G")
	b.shows("▸ Policy")
}

func TestEnterOnTheArrivalOfAnotherRevisionOpensThat(t *testing.T) {
	b := onEvent(t, "AC-2041", "revision 1 came in here")
	b.press("enter")
	b.at(action.InPacket)
	b.shows("case AC-2041 revision 1")
}

func TestEnterOnTheArrivalOfTheRevisionInViewShowsItsChanges(t *testing.T) {
	b := onEvent(t, "AC-2041", "revision 3 came in here")
	b.press("enter")
	b.at(action.InDifference)
	b.shows("revision 2 → 3")
}

func TestEnterOnTheArrivalOfTheOnlyRevisionSaysThatThereIsNoOther(t *testing.T) {
	b := onEvent(t, "AM-311", "revision 1 came in here")
	b.press("enter")
	b.at(action.InPacket)
	if !strings.Contains(b.console.stage.Status, "no other is held to compare it with") {
		t.Errorf("%q", b.console.stage.Status)
	}
}

func TestEnterOnADecisionOpensItsRecord(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("decide", "record", "esc", "R", "open AC-2041")
	b.toEvent("recorded: pass, correct record, by rev-marsh")
	b.press("enter")
	b.at(action.InRecord)
}

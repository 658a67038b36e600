package ui

import (
	"strings"
	"testing"

	"docket/domain"
)

// onEvent is a packet with the cursor on the event of its timeline that holds the text.
func onEvent(t *testing.T, area domain.Area, id, text string) *bench {
	t.Helper()
	b, desk := sample(t, 80, 24)
	overtake(desk)
	b.press("R")
	b.goTo(area, id)
	b.toEvent(text)
	return b
}

// toEvent goes to an event of the timeline.
func (b *bench) toEvent(text string) {
	b.t.Helper()
	b.toLine("Timeline")
	b.toLine(text)
	if key := b.console.top().(*packetScreen).cursor.key; key != "timeline" {
		b.t.Fatalf("%q is in %s", text, key)
	}
}

func TestEnterOnAnEventGoesToTheSectionThatStatesIt(t *testing.T) {
	for _, one := range []struct {
		area        domain.Area
		id, on, key string
	}{
		{domain.Appeals, "AC-2041", "filed", "notice"}, {domain.Appeals, "AC-2042", "deadline", "notice"},
		{domain.Appeals, "AC-2041", "start of the policy", "policy"}, {domain.Amendments, "AM-311", "notice delivered", "notice"},
		{domain.Amendments, "AM-311", "confirmed by party-b", "confirmations"},
		{domain.Amendments, "AM-311", "expiry of the confirmation", "confirmations"},
		{domain.Amendments, "AM-311", "policy frozen", "policy"},
	} {
		b := onEvent(t, one.area, one.id, one.on)
		b.press("enter")
		b.at(inPacket)
		packet := b.console.top().(*packetScreen)
		here := packet.here(&b.console.scene)
		if here.key != one.key || here.nth != 0 || packet.folded(here.part, &b.console.scene) {
			t.Errorf("%q goes to %+v", one.on, here.spot)
		}
		if here.first < packet.scroll.top || here.first >= packet.scroll.top+packet.scroll.height {
			t.Errorf("%q: the section is not in the window", one.on)
		}
	}
}

func TestASectionThatWasUnfoldedOnTheWayStaysFoldedOnOtherPackets(t *testing.T) {
	b := onEvent(t, domain.Appeals, "AC-2041", "start of the policy")
	b.press("enter", "esc")
	b.goTo(domain.Appeals, "AC-2043")
	b.press("G")
	b.shows("▸ Policy")
}

func TestEnterOnTheArrivalOfAnotherRevisionOpensThat(t *testing.T) {
	b := onEvent(t, domain.Appeals, "AC-2041", "revision 1 came in here")
	b.press("enter")
	b.at(inPacket)
	b.shows("case AC-2041 revision 1")
}

func TestEnterOnTheArrivalOfTheRevisionInViewShowsWhatItChanged(t *testing.T) {
	b := onEvent(t, domain.Appeals, "AC-2041", "revision 3 came in here")
	b.press("enter")
	b.at(inDifference)
	screen := b.console.top().(*differenceScreen)
	if screen.before != 2 || screen.after != 3 {
		t.Errorf("%d is compared with %d", screen.before, screen.after)
	}
}

func TestEnterOnTheArrivalOfTheOnlyRevisionSaysThatThereIsNoOther(t *testing.T) {
	b := onEvent(t, domain.Amendments, "AM-311", "revision 1 came in here")
	b.press("enter")
	b.at(inPacket)
	if !strings.Contains(b.console.status, "no other is held to compare it with") {
		t.Errorf("%q", b.console.status)
	}
}

func TestEnterOnADecisionOpensItsRecord(t *testing.T) {
	b, _ := sample(t, 80, 24)
	review(b)
	b.recordIt()
	b.press("esc", "R")
	b.goTo(domain.Appeals, "AC-2041")
	b.toEvent("recorded: pass, correct record, by rev-marsh")
	b.press("enter")
	b.at(inRecord)
}

package ui

import (
	"testing"

	"docket/ui/action"
)

func TestKeysTypedWhileAPageOpensActInTheirOrder(t *testing.T) {
	for name, c := range map[string]struct {
		keys  []string
		at    action.Place
		shows string
	}{
		"open, decide, review":       {[]string{"enter", "d", "r"}, action.InDecision, "no outcome is chosen"},
		"decide, choose, change":     {[]string{"d", "8", "2"}, action.InDecision, "Which reasons"},
		"open, down, back":           {[]string{"enter", "j", "esc"}, action.InQueue, "AC-2041"},
		"open, skip with a reason":   {[]string{"enter", "s", "w"}, action.InPacket, "❯ w▏"},
		"open and discard, with yes": {[]string{"enter", "d", "8", "2", "X", "y"}, action.InDecision, "❯ keep"},
	} {
		t.Run(name, func(t *testing.T) {
			b, _ := sample(t, 80, 24)
			b.press("/", "type AC-2041", "enter")
			b.hold = true
			b.press(c.keys...)
			b.release()
			if c.at == action.InDecision || c.at == action.InPacket {
				b.at(c.at)
			}
			b.shows(c.shows)
		})
	}
}

func TestSeveralKeysInOneReadDecideAsOneByOne(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("/", "type AC-2041", "enter")
	b.send(keyMsg("d8"))
	b.at(action.InReview)
	b.shows("correct record")
}

func TestDecidingBeginsInTheQueueToo(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("/", "type AC-2041", "enter", "d")
	b.at(action.InDecision)
	b.shows("Which outcome?")
	b.press("esc")
	b.at(action.InPacket)
	b.press("esc")
	workbench.Who.ID = "rev-2"
	b = newHarness(t, workbench, 80, 24)
	b.press("/", "ctrl+u", "type AC-2041", "enter", "d")
	b.at(action.InPacket)
	b.shows("Not yours to decide")
}

func TestAKeyThatMeansNothingSaysSoAndNamesWhatDoes(t *testing.T) {
	b, _ := sample(t, 80, 24)
	for key, says := range map[string]string{
		"z":  "✗ z does nothing in the queue (fold in the packet); ? lists the keys that do",
		"u":  "✗ u does nothing in the queue (recuse in the packet); ? lists the keys that do",
		"ü":  "✗ ü does nothing in the queue; ? lists the keys that do",
		"f5": "✗ f5 does nothing in the queue; ? lists the keys that do",
	} {
		b.press(key)
		b.shows(says)
		b.press("j")
		b.hides(says)
	}
	b.paste("zz")
	b.hides("does nothing")
	b.press("open AC-2041", "o")
	b.shows("✗ o does nothing in the packet (sort in the queue); ? lists the keys that do")
}

package ui

import (
	"testing"

	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

// moved is a console whose reader has moved keys.
func moved(t *testing.T, width, height int, bindings ...action.Binding) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	keys, err := action.Bind(bindings)
	if err != nil {
		t.Fatal(err)
	}
	workbench := workbenchtest.Sample()
	b := newHarness(t, workbench, width, height, Options{Keys: keys})
	return b, workbench
}

func TestADecisionIsMadeWithMovedKeys(t *testing.T) {
	b, workbench := moved(t, 80, 24, action.Binding{Action: "decide", Keys: []string{"e"}}, action.Binding{Action: "open", Keys: []string{"l"}},
		action.Binding{Action: "export", Keys: []string{"E"}}, action.Binding{Action: "choose", Keys: []string{"ctrl+t"}},
		action.Binding{Action: "back", Keys: []string{"backspace"}}, action.Binding{Action: "quit", Keys: []string{"Q"}})
	b.press("/", "type AC-2041")
	b.press("enter") // the filter is a text field
	b.at(action.InQueue)
	b.press("enter")
	b.at(action.InQueue)
	b.press("l")
	b.at(action.InPacket)
	b.press("d")
	b.at(action.InPacket)
	b.press("e")
	b.at(action.InDecision)
	b.press("space", "l")
	b.shows("is not chosen", "^T to ch")
	b.press("ctrl+t")
	for b.console.stage.Top().Place() != action.InReview {
		before := b.frame()
		if b.console.stage.Top().Place() == action.InStatement {
			b.press("type the second receipt is missing")
		}
		if b.console.stage.Top().Typing() {
			b.press("enter")
		} else {
			b.press("l")
		}
		if b.frame() == before {
			t.Fatalf("nothing goes on:\n%s", before)
		}
	}
	b.readReview()
	b.press("type record")
	b.press("enter") // the last page has its own keys
	b.at(action.InReceipt)
	if len(workbench.Choices()) != 1 {
		t.Errorf("%d records", len(workbench.Choices()))
	}
	b.press("backspace")
	b.at(action.InQueue)
	b.press("q")
	if b.quit {
		t.Error("the old key quits")
	}
	b.press("Q")
	if !b.quit {
		t.Error("the new key does not quit")
	}
}

func TestMovedKeysShowInEveryPlaceThatNamesAKey(t *testing.T) {
	b, _ := moved(t, 80, 24, action.Binding{Action: "skip", Keys: []string{"x", "f5"}}, action.Binding{Action: "help", Keys: []string{"f1"}},
		action.Binding{Action: "palette", Keys: []string{"ctrl+p"}}, action.Binding{Action: "read_again", Keys: []string{"ctrl+r"}})
	b.shows("x skip", "f1 help")
	b.hides("s skip", "? help", ": palette")
	b.press("f1", "type skip")
	b.shows("x f5", "skip this revision")
	b.press("esc", "ctrl+p", "type skip")
	b.shows("x f5")
	b.press("esc", "x", "type later", "enter")
	b.reads("where x undoes it")
	b.press("?", ":", "s")
	if b.console.stage.Overlay != nil {
		t.Errorf("an old key acts:\n%s", b.frame())
	}
}

func TestMovedKeysShowInTheSentencesThatNameThem(t *testing.T) {
	b, _ := moved(t, 120, 40, action.Binding{Action: "group", Keys: []string{"f5"}}, action.Binding{Action: "older", Keys: []string{"ctrl+t"}})
	b.press("%")
	b.press("f5") // all time
	b.press("ctrl+t")
	b.reads("all time has no other period; f5 changes it")
}

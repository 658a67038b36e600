package ui

import (
	"testing"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

func typingPlacesAreThoseWithAnEditor(b *harness, scene int) {
	switch scenes[scene].name {
	case "help", "palette", "skip", "queue-saved":
		return
	}
	if has := b.console.stage.Top().Typing(); has != action.Typing.Has(scenes[scene].place) {
		b.t.Errorf("an editor is there: %v", has)
	}
}

func helpListsEveryActionOfItsPlace(b *harness, scene int) {
	if action.Typing.Has(scenes[scene].place) || b.console.stage.Overlay != nil {
		return
	}
	b.resize(120, 60)
	b.press("?")
	for _, a := range b.console.scene.Keys.Of(scenes[scene].place) {
		b.shows(a.Label, action.KeyLabel(a.Keys[0]))
	}
}

func TestWaysThroughThePalette(t *testing.T) {
	walks(t, []walk{
		{"help filters while typing and runs the action found", nil, 80, 24, way{"?",
			"type cases each blocker holds", "hides sort by another order", "enter", "at blockers"}},
		{"the palette says why an action cannot run", nil, 80, 24, way{":", "type recuse yourself",
			"shows ✗ not in the queue", "enter", "shows Every action", "esc", "open AC-2051", ":",
			"type decide on this packet", "shows ✗ you took the decision", "enter", "shows Every action"}},
		{"several keys in one read decide as one by one", nil, 80, 24, way{
			"/", "type AC-2041", "enter", "burst d8", "at review", "shows correct record"}},
		{"a key that means nothing says so and names what does", nil, 80, 24, way{
			func(b *harness) {
				for key, says := range map[string]string{
					"z":  "✗ z does nothing here (fold in the packet); ? lists the keys that do",
					"u":  "✗ u does nothing here (recuse in the packet); ? lists the keys that do",
					"ü":  "✗ ü does nothing here; ? lists the keys that do",
					"f5": "✗ f5 does nothing here; ? lists the keys that do",
				} {
					b.press(key, "shows "+says, "j", "hides "+says)
				}
			},
			"paste zz", "hides does nothing", "open AC-2041", "o",
			"shows ✗ o does nothing here (sort in the queue); ? lists the keys that do"}},
		{"open, decide, go on, typed while the page opens", nil, 80, 24, way{
			"/", "type AC-2041", "enter", "hold", "enter", "d", "enter", "release", "at decision", "shows is not chosen"}},
		{"decide, choose, change, typed while the page opens", nil, 80, 24, way{
			"/", "type AC-2041", "enter", "hold", "d", "8", "2", "release", "at decision", "shows Which reasons"}},
		{"open, down, back, typed while the page opens", nil, 80, 24, way{
			"/", "type AC-2041", "enter", "hold", "enter", "j", "esc", "release", "at queue", "shows AC-2041"}},
		{"open, skip with a reason, typed while the page opens", nil, 80, 24, way{
			"/", "type AC-2041", "enter", "hold", "enter", "s", "w", "release", "at packet", "shows ❯ w▏"}},
		{"open and discard, with yes, typed while the page opens", nil, 80, 24, way{"/", "type AC-2041",
			"enter", "hold", "enter", "d", "8", "2", "X", "y", "release", "at decision", "shows ❯ keep"}},
		{"deciding begins in the queue, too", nil, 80, 24, way{
			"/", "type AC-2041", "enter", "d", "at decision", "shows Which outcome?", "esc", "at packet"}},
		{"somebody else's decision does not begin in the queue", as("rev-2", terms.NeutralReviewer), 80, 24, way{
			"/", "type AC-2041", "enter", "d", "at packet", "shows Not yours to decide"}},
		{"the palette finds the figures by the name of their command", nil, 80, 24, way{
			":", "type stats", "shows ❯ stats", "ctrl+u", "type statistics", "shows ❯ stats"}},
	})
}

func footersShowKeysOfTheTable(b *harness, scene int) {
	b.resize(120, 40)
	if b.console.stage.Overlay != nil {
		return
	}
	for _, a := range action.Ranked(b.console.scene.Keys.Of(scenes[scene].place)) {
		if a.Rank <= 3 {
			b.shows(action.KeyLabel(a.Keys[0]) + " " + a.Label)
		}
	}
}

// moved is a console whose reader has moved keys.
func moved(t *testing.T, width, height int, bindings ...action.Binding) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	keys, err := action.Bind(bindings)
	must(t, err)
	workbench := workbenchtest.Sample(t)
	b := newHarness(t, workbench, width, height, Options{Keys: keys})
	return b, workbench
}

func TestADecisionIsMadeWithMovedKeys(t *testing.T) {
	b, _ := moved(t, 80, 24, action.Binding{Action: "decide", Keys: []string{"e"}}, action.Binding{Action: "open", Keys: []string{"l"}},
		action.Binding{Action: "export", Keys: []string{"E"}}, action.Binding{Action: "choose", Keys: []string{"ctrl+t"}},
		action.Binding{Action: "back", Keys: []string{"backspace"}}, action.Binding{Action: "quit", Keys: []string{"Q"}})
	b.press("/", "type AC-2041")
	b.press("enter") // the filter is a text field
	b.press("at queue", "enter", "at queue", "l", "at packet", "d", "at packet", "e", "at choosing",
		"space", "l", "shows is not chosen", "shows ^T to ch", "ctrl+t")
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
	b.press("read", "type record")
	b.press("enter") // the last page has its own keys
	b.press("at receipt", "records 1", "backspace", "at queue", "q", "stays", "Q", "quits")
}

func TestMovedKeysShowInEveryPlaceThatNamesAKey(t *testing.T) {
	b, _ := moved(t, 80, 24, action.Binding{Action: "skip", Keys: []string{"x", "f5"}}, action.Binding{Action: "help", Keys: []string{"f1"}},
		action.Binding{Action: "palette", Keys: []string{"ctrl+p"}}, action.Binding{Action: "read_again", Keys: []string{"ctrl+r"}})
	b.press("shows x skip", "shows f1 help", "hides s skip", "hides ? help", "hides : palette", "f1",
		"type skip", "shows x f5", "shows skip this revision", "esc", "ctrl+p", "type skip",
		"shows x f5", "esc", "x", "type later", "enter", "reads where x undoes it", "?", ":", "s")
	if b.console.stage.Overlay != nil {
		t.Errorf("an old key acts:\n%s", b.frame())
	}
}

func TestMovedKeysShowInTheSentencesThatNameThem(t *testing.T) {
	b, _ := moved(t, 120, 40, action.Binding{Action: "group", Keys: []string{"f5"}}, action.Binding{Action: "older", Keys: []string{"ctrl+t"}})
	b.press("%")
	b.press("f5") // all time
	b.press("ctrl+t", "reads all time has no other period; f5 changes it")
}

// as begins with a reviewer to whom nothing is assigned.
func as(id terms.ID, role terms.Role) beginning {
	return over(func(t testing.TB) *workbenchtest.Workbench {
		workbench := workbenchtest.Sample(t)
		workbench.Who.ID, workbench.Who.Role = id, role
		return workbench
	})
}

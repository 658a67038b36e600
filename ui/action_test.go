package ui

import (
	"testing"

	"docket/ui/action"
)

func TestTypingPlacesAreThoseWithAnEditor(t *testing.T) {
	t.Parallel()
	for i := range scenes {
		if scenes[i].name == "help" || scenes[i].name == "palette" || scenes[i].name == "skip" || scenes[i].name == "queue-saved" {
			continue
		}
		b := sceneAt(t, i, 80, 24)
		if has := b.console.stage.Top().Typing(); has != action.Typing.Has(scenes[i].place) {
			t.Errorf("%s: an editor is there: %v", scenes[i].name, has)
		}
	}
}

func TestHelpListsEveryActionOfItsPlace(t *testing.T) {
	t.Parallel()
	for i := range scenes {
		if action.Typing.Has(scenes[i].place) {
			continue
		}
		b := sceneAt(t, i, 120, 60)
		if b.console.stage.Overlay != nil {
			continue
		}
		b.press("?")
		for _, a := range b.console.scene.Keys.Of(scenes[i].place) {
			b.shows(a.Label, action.KeyLabel(a.Keys[0]))
		}
	}
}

func TestHelpFiltersWhileTypingAndRunsTheActionFound(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("?", "type cases each blocker holds")
	b.hides("sort by another order")
	b.press("enter")
	b.at(action.InBoard)
}

func TestThePaletteSaysWhyAnActionCannotRun(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press(":", "type recuse yourself")
	b.shows("✗ not in the queue")
	b.press("enter")
	b.shows("Every action")
	b.press("esc", "open AC-2051", ":", "type decide on this packet")
	b.shows("✗ you took the decision")
	b.press("enter")
	b.shows("Every action")
}

func TestFootersShowKeysOfTheTable(t *testing.T) {
	t.Parallel()
	for i := range scenes {
		b := sceneAt(t, i, 120, 40)
		if b.console.stage.Overlay != nil {
			continue
		}
		for _, a := range action.Ranked(b.console.scene.Keys.Of(scenes[i].place)) {
			if a.Rank <= 3 {
				b.shows(action.KeyLabel(a.Keys[0]) + " " + a.Label)
			}
		}
	}
}

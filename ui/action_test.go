package ui

import (
	"strings"
	"testing"
	"unicode/utf8"

	"docket/domain"
)

func TestNoPlaceHasAKeyTwice(t *testing.T) {
	for p := range places {
		seen := map[string]string{}
		for _, a := range actionsIn(p) {
			for _, key := range a.keys {
				if other, twice := seen[key]; twice {
					t.Errorf("in the %s %q is both %q and %q", placeNames[p], key, other, a.label)
				}
				seen[key] = a.label
			}
		}
	}
}

func TestNoFooterHasATurnTwice(t *testing.T) {
	for p := range places {
		seen := map[int]string{}
		for _, a := range ranked(actionsIn(p)) {
			if other, twice := seen[a.rank]; twice {
				t.Errorf("in the %s turn %d is both %q and %q", placeNames[p], a.rank, other, a.label)
			}
			seen[a.rank] = a.label
		}
	}
}

func TestEveryVerbIsInTheTableAndEveryRowIsWhole(t *testing.T) {
	var seen [verbs]bool
	for _, a := range actions {
		seen[a.verb] = true
		if len(a.keys) == 0 || a.label == "" || a.meaning == "" || a.in == 0 || a.rank > footerTurns {
			t.Errorf("a row lacks something: %+v", a)
		}
		if strings.Count(a.label, " ") > 1 {
			t.Errorf("the label %q is too long for a footer", a.label)
		}
	}
	for v := noVerb + 1; v < verbs; v++ {
		if !seen[v] {
			t.Errorf("verb %d has no row", v)
		}
	}
}

func TestWhereTextIsTypedNoLetterAndNoEditingKeyIsAnAction(t *testing.T) {
	editing := map[string]bool{"left": true, "right": true, "home": true, "end": true, "space": true, "backspace": true,
		"delete": true, "ctrl+a": true, "ctrl+e": true, "ctrl+k": true, "ctrl+u": true, "ctrl+w": true, "ctrl+b": true,
		"ctrl+f": true, "ctrl+d": true, "ctrl+h": true}
	for p := range places {
		if !typing.has(p) {
			continue
		}
		for _, a := range actionsIn(p) {
			for _, key := range a.keys {
				if utf8.RuneCountInString(key) == 1 || editing[key] {
					t.Errorf("in the %s %q is text, not %q", placeNames[p], key, a.label)
				}
			}
		}
	}
}

func TestTypingPlacesAreThoseWithAnEditor(t *testing.T) {
	for i := range scenes {
		if scenes[i].name == "help" || scenes[i].name == "palette" || scenes[i].name == "skip" || scenes[i].name == "theme" || scenes[i].name == "queue-saved" || scenes[i].name == "queue-save" || scenes[i].name == "queue-delete" {
			continue
		}
		b := sceneAt(t, i, 80, 24)
		if has := b.console.stage.top().typing(); has != typing.has(scenes[i].place) {
			t.Errorf("%s: an editor is there: %v", scenes[i].name, has)
		}
	}
}

func TestHelpListsEveryActionOfItsPlace(t *testing.T) {
	for i := range scenes {
		if typing.has(scenes[i].place) {
			continue
		}
		b := sceneAt(t, i, 120, 60)
		if b.console.stage.overlay != nil {
			continue
		}
		b.press("?")
		for _, a := range actionsIn(scenes[i].place) {
			b.shows(a.label, keyLabel(a.keys[0]))
		}
	}
}

func TestHelpFiltersAsOneTypesAndRunsWhatIsFound(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("?")
	b.typeText("which blocker")
	b.hides("sort by another order")
	b.press("enter")
	b.at(inBoard)
}

func TestThePaletteSaysWhyAnActionCannotRun(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press(":")
	b.typeText("decide on this packet")
	b.shows("✗ not in the queue")
	b.press("enter")
	b.shows("Every action")
	b.press("esc")
	b.goTo(domain.Appeals, "AC-2051")
	b.press(":")
	b.typeText("decide on this packet")
	b.shows("✗ you took the decision")
	b.press("enter")
	b.shows("Every action")
}

func TestFootersShowKeysOfTheTable(t *testing.T) {
	for i := range scenes {
		b := sceneAt(t, i, 120, 40)
		if b.console.stage.overlay != nil {
			continue
		}
		for _, a := range ranked(actionsIn(scenes[i].place)) {
			if a.rank <= 3 {
				b.shows(keyLabel(a.keys[0]) + " " + a.label)
			}
		}
	}
}

package ui

import (
	"strings"
	"testing"
	"unicode/utf8"
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

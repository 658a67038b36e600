package action

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNoPlaceHasAKeyTwice(t *testing.T) {
	for p := range Places {
		seen := map[string]string{}
		for _, a := range (Keymap{}).Of(p) {
			for _, key := range a.Keys {
				if other, twice := seen[key]; twice {
					t.Errorf("in the %s %q is both %q and %q", PlaceNames[p], key, other, a.Label)
				}
				seen[key] = a.Label
			}
		}
	}
}

func TestNoFooterHasATurnTwice(t *testing.T) {
	for p := range Places {
		seen := map[int]string{}
		for _, a := range Ranked((Keymap{}).Of(p)) {
			if other, twice := seen[a.Rank]; twice {
				t.Errorf("in the %s turn %d is both %q and %q", PlaceNames[p], a.Rank, other, a.Label)
			}
			seen[a.Rank] = a.Label
		}
	}
}

func TestEveryVerbIsInTheTableAndEveryRowIsWhole(t *testing.T) {
	var seen [verbs]bool
	for _, a := range Table {
		seen[a.Verb] = true
		if len(a.Keys) == 0 || a.Label == "" || a.Meaning == "" || a.In == 0 || a.Rank > footerTurns {
			t.Errorf("a row lacks something: %+v", a)
		}
		if strings.Count(a.Label, " ") > 1 {
			t.Errorf("the label %q is too long for a footer", a.Label)
		}
	}
	names := map[string]Verb{}
	for v := noVerb + 1; v < verbs; v++ {
		if !seen[v] {
			t.Errorf("verb %d has no row", v)
		}
		if other, twice := names[v.Name()]; twice || v.Name() == "" {
			t.Errorf("verb %d is named %q, as verb %d", v, v.Name(), other)
		}
		names[v.Name()] = v
	}
}

func TestNoLetterAndNoEditingKeyIsAnActionWhileTextIsTyped(t *testing.T) {
	editing := map[string]bool{"left": true, "right": true, "home": true, "end": true, "space": true, "backspace": true,
		"delete": true, "ctrl+a": true, "ctrl+e": true, "ctrl+k": true, "ctrl+u": true, "ctrl+w": true, "ctrl+b": true,
		"ctrl+f": true, "ctrl+d": true, "ctrl+h": true}
	for p := range Places {
		if !Typing.Has(p) {
			continue
		}
		for _, a := range (Keymap{}).Of(p) {
			for _, key := range a.Keys {
				if utf8.RuneCountInString(key) == 1 && a.Verb != PickNumber || editing[key] { // no word has a digit
					t.Errorf("in the %s %q is text, not %q", PlaceNames[p], key, a.Label)
				}
			}
		}
	}
}

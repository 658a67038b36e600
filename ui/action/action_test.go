package action

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
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

func keymap(t *testing.T, bindings ...Binding) Keymap {
	t.Helper()
	m, err := Bind(bindings)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWithoutBindingsTheKeysAreThoseOfTheTable(t *testing.T) {
	m := keymap(t)
	if !slices.EqualFunc(m.Rows(), Table, func(a, b Action) bool { return a.Label == b.Label && slices.Equal(a.Keys, b.Keys) }) {
		t.Error("the rows are others")
	}
}

func TestAMovedKeyActsWhereTheOldOneDidAndTheOldOneDoesNot(t *testing.T) {
	m := keymap(t, Binding{"decide", []string{"e", "f5"}}, Binding{"export", []string{"ctrl+e"}}, Binding{"down", []string{"n"}},
		Binding{"next_match", []string{"m"}})
	for _, p := range []Place{InPacket, InRecord} {
		for _, key := range []string{"e", "f5"} {
			if a, is := m.ForKey(p, key); !is || a.Verb != Decide {
				t.Errorf("%s in the %s: %+v", key, PlaceNames[p], a)
			}
		}
		if a, is := m.ForKey(p, "d"); is {
			t.Errorf("the old key is %s in the %s", a.Label, PlaceNames[p])
		}
		if got := m.KeyOf(Decide, p); got != "e" {
			t.Errorf("the %s shows %q", PlaceNames[p], got)
		}
	}
	for p := range Places {
		for _, a := range m.Of(p) {
			if a.Verb == GoDown && slices.Contains(a.Keys, "n") == Typing.Has(p) {
				t.Errorf("in the %s the keys for down are %q", PlaceNames[p], a.Keys)
			}
		}
	}
	if m.LetterOf(Decide) != "e" || m.LetterOf(ExportLog) != "" || m.LetterOf(SetAside) != "" {
		t.Errorf("letters %q %q %q", m.LetterOf(Decide), m.LetterOf(ExportLog), m.LetterOf(SetAside))
	}
}

func TestTwoActionsCanChangeKeys(t *testing.T) {
	m := keymap(t, Binding{"skip", []string{"o"}}, Binding{"sort", []string{"s"}})
	for key, want := range map[string]Verb{"o": SetAside, "s": ChangeOrder} {
		if a, is := m.ForKey(InQueue, key); !is || a.Verb != want {
			t.Errorf("%s: %+v", key, a)
		}
	}
}

func TestKeysThatAnActionHasInSomePlacesOnlyStay(t *testing.T) {
	m := keymap(t, Binding{"fold", []string{"c"}}, Binding{"contracts", []string{"C"}}, Binding{"pane", []string{"w"}})
	for _, c := range []struct {
		p    Place
		key  string
		verb Verb
	}{{InPacket, "c", Fold}, {InReading, "c", Fold}, {InReading, "enter", Fold}, {InReading, "w", SwitchPane}, {InReading, "esc", SwitchPane}, {InDecision, "w", SwitchPane}, {InReview, "tab", SwitchPane}} {
		if a, is := m.ForKey(c.p, c.key); !is || a.Verb != c.verb {
			t.Errorf("%s in the %s: %+v", c.key, PlaceNames[c.p], a)
		}
	}
	for _, key := range []string{"z", "space"} {
		if a, is := m.ForKey(InPacket, key); is {
			t.Errorf("%s is %s", key, a.Label)
		}
	}
}

func TestAnInvalidBindingIsRefusedWithTheReasonAndWithoutItsText(t *testing.T) {
	for name, c := range map[string]struct {
		bindings []Binding
		at       int
		reason   string
	}{
		"an unknown action":         {[]Binding{{"CANARYskpi", []string{"x"}}}, 0, "there is no such action; the nearest names are skip, "},
		"no action":                 {[]Binding{{"", []string{"x"}}}, 0, "there is no such action"},
		"an action in another case": {[]Binding{{"Skip", []string{"x"}}}, 0, "the nearest names are skip, "},
		"an unknown key":            {[]Binding{{"skip", []string{"pgdn CANARY"}}}, 0, "skip: there is no such key; a key is one character"},
		"a mistyped key":            {[]Binding{{"skip", []string{"pgdwn"}}}, 0, "the nearest names are pgdown, "},
		"a control character":       {[]Binding{{"skip", []string{"\x01"}}}, 0, "no such key"},
		"a blank":                   {[]Binding{{"skip", []string{" "}}}, 0, "no such key"},
		"no key":                    {[]Binding{{"skip", nil}}, 0, "skip needs a key"},
		"an empty key":              {[]Binding{{"skip", []string{""}}}, 0, "no such key"},
		"a key twice":               {[]Binding{{"skip", []string{"x", "x"}}}, 0, "skip has the key x twice"},
		"the key of another action": {[]Binding{{"skip", []string{"o"}}}, 0, "skip cannot have the key o: in the queue it belongs to sort"},
		"two of one key":            {[]Binding{{"skip", []string{"f5"}}, {"sort", []string{"f5"}}}, 1, "sort cannot have the key f5: in the queue it belongs to skip"},
		"the key that leaves":       {[]Binding{{"skip", []string{"ctrl+c"}}}, 0, "skip cannot have the key ^C: in the queue it belongs to interrupt"},
		"interrupt":                 {[]Binding{{"skip", []string{"x"}}, {"interrupt", []string{"ctrl+q"}}}, 1, "interrupt keeps its keys: ^C leaves from every screen"},
		"the word":                  {[]Binding{{"record", []string{"x"}}}, 0, "record keeps its keys: on the last page of a decision the word is typed"},
		"numbers":                   {[]Binding{{"number", []string{"x"}}}, 0, "number keeps its keys"},
		"completion":                {[]Binding{{"complete", []string{"ctrl+n"}}}, 0, "complete keeps its keys"},
	} {
		_, err := Bind(c.bindings)
		var wrong *BindingError
		if !errors.As(err, &wrong) || wrong.Binding != c.at || !strings.Contains(wrong.Reason, c.reason) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: what was written is repeated: %v", name, err)
		}
	}
}

// Any bindings are either refused, or no place has a key twice, every action keeps a key, and the places where text is typed are
// as they were.
func TestNoBindingsMakeAKeyAmbiguousOrChangeATextField(t *testing.T) {
	keys := append([]string{"a", "d", "s", "x", "n", "?", "Z", "alt+x", "enter", "esc", "tab", "1", "ctrl+c"}, keyNames()...)
	made := 0
	rapid.Check(t, func(rt *rapid.T) {
		var bindings []Binding
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(Names()), 0, 6, rapid.ID).Draw(rt, "actions") {
			bindings = append(bindings, Binding{name, rapid.SliceOfN(rapid.SampledFrom(keys), 1, 3).Draw(rt, name)})
		}
		m, err := Bind(bindings)
		if err != nil {
			return
		}
		made++
		for p := range Places {
			seen := map[string]string{}
			for _, a := range m.Of(p) {
				if len(a.Keys) == 0 {
					rt.Fatalf("%s has no key in the %s", a.Label, PlaceNames[p])
				}
				for _, key := range a.Keys {
					if other, twice := seen[key]; twice {
						rt.Fatalf("in the %s %s is %s and %s", PlaceNames[p], key, other, a.Label)
					}
					seen[key] = a.Label
				}
			}
			was, is := (Keymap{}).Of(p), m.Of(p)
			if len(was) != len(is) {
				rt.Fatalf("the %s had %d actions and has %d", PlaceNames[p], len(was), len(is))
			}
			for i := range was {
				if was[i].Verb != is[i].Verb || Typing.Has(p) && !slices.Equal(was[i].Keys, is[i].Keys) {
					rt.Fatalf("the %s has %+v for %+v", PlaceNames[p], is[i], was[i])
				}
			}
		}
		if a, is := m.ForKey(InReview, "enter"); !is || a.Verb != Accept {
			rt.Fatalf("Enter does not record")
		}
	})
	if made == 0 {
		t.Error("all bindings were refused")
	}
}

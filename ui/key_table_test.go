package ui

import (
	"os"
	"slices"
	"strings"
	"testing"

	"docket/ui/action"
)

// The table of keys stands between these lines of the console's page.
const (
	keysBegin = "<!-- The keys: written by `go test ./ui -run Keys -update`. -->\n"
	keysEnd   = "<!-- End of the keys. -->\n"
)

// keyTable is the table of actions in Markdown.
func keyTable() string {
	var table strings.Builder
	table.WriteString("| key | action | where | name |\n|---|---|---|---|\n")
	for i := range action.Table {
		a := &action.Table[i]
		var names []string
		for _, key := range a.Keys {
			names = append(names, "`"+action.KeyLabel(key)+"`")
		}
		table.WriteString("| " + strings.Join(names, " ") + " | " + strings.ReplaceAll(a.Meaning, "|", "\\|") + " | " + whereOf(a.In) + " | " + nameOf(a) + " |\n")
	}
	return table.String()
}

// nameOf is the name by which the config file gives an action other keys; "" where its keys stay.
func nameOf(a *action.Action) string {
	if a.In&^action.Typing == 0 || !slices.Contains(action.Names(), a.Verb.Name()) {
		return ""
	}
	return "`" + a.Verb.Name() + "`"
}

// whereOf names the places of a set.
func whereOf(set action.PlaceSet) string {
	switch set {
	case action.Anywhere:
		return "everywhere"
	case action.Browsing:
		return "everywhere but while typing"
	case action.Typing &^ action.Writing:
		return "while typing"
	}
	var names []string
	for p := range action.Places {
		if name := action.PlaceNames[p]; set.Has(p) && !strings.Contains(" "+strings.Join(names, ", ")+",", " "+name+",") {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func TestTheKeysOfTheConsolesPageAreThoseOfTheTable(t *testing.T) {
	const file = "docs/console.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), keysBegin)
	held, after, ended := strings.Cut(rest, keysEnd)
	if !found || !ended {
		t.Fatalf("%s has no place for the keys", file)
	}
	if want := "\n" + keyTable() + "\n"; held != want {
		if !*update {
			t.Fatalf("the keys of %s are not those of the table; go test -update writes them anew", file)
		}
		if err := os.WriteFile(file, []byte(before+keysBegin+want+keysEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

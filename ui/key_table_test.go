package ui

import (
	"os"
	"slices"
	"strings"
	"testing"

	"docket/ui/action"
)

// The keys stand between these lines of the console's page.
const (
	keysBegin = "<!-- The keys: written by `go test ./ui -run Keys -update`. -->\n"
	keysEnd   = "<!-- End of the keys. -->\n"
)

// keyLists are the actions in Markdown: a list for each set of places.
func keyLists() string {
	type entry struct {
		keys, meaning, name string
		in                  action.PlaceSet
	}
	var entries []entry
	for i := range action.Table {
		a := &action.Table[i]
		var labels []string
		for _, key := range a.Keys {
			labels = append(labels, "`"+action.KeyLabel(key)+"`")
		}
		next := entry{strings.Join(labels, " "), a.Meaning, nameOf(a), a.In}
		same := slices.IndexFunc(entries, func(e entry) bool { return e.keys == next.keys && e.meaning == next.meaning && e.name == next.name })
		if same >= 0 {
			entries[same].in |= next.in
			continue
		}
		entries = append(entries, next)
	}
	var places []string
	lists := map[string]string{}
	for _, e := range entries {
		where := whereOf(e.in)
		if lists[where] == "" {
			places = append(places, where)
		}
		lists[where] += "- " + e.keys + " " + e.meaning + e.name + "\n"
	}
	slices.SortStableFunc(places, func(a, b string) int { return spread(a) - spread(b) })
	var all strings.Builder
	for _, where := range places {
		all.WriteString("\n*" + where + "*\n\n" + lists[where])
	}
	return all.String() + "\n"
}

// spread orders lists: those of all places first, then those of one place, two and more.
func spread(where string) int {
	if strings.HasPrefix(where, "everywhere") || where == "most screens" {
		return -1
	}
	return strings.Count(where, ",")
}

// nameOf is the name by which the config file gives an action other keys; "" where its keys stay.
func nameOf(a *action.Action) string {
	if a.In&^action.Typing == 0 || !slices.Contains(action.Names(), a.Verb.Name()) {
		return ""
	}
	return " (`" + a.Verb.Name() + "`)"
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
	if len(names) > 3 && slices.Contains(names, "packet") {
		return "most screens"
	}
	return strings.Join(names, ", ")
}

func TestTheKeysOfTheConsolesPageAreThoseOfTheTable(t *testing.T) {
	const file = "docs/console.md"
	text, err := os.ReadFile(file)
	must(t, err)
	before, rest, found := strings.Cut(string(text), keysBegin)
	held, after, ended := strings.Cut(rest, keysEnd)
	if !found || !ended {
		t.Fatalf("%s has no place for the keys", file)
	}
	if want := keyLists(); held != want {
		if !*update {
			t.Fatalf("the keys of %s are not those of the table; go test -update writes them", file)
		}
		must(t, os.WriteFile(file, []byte(before+keysBegin+want+keysEnd+after), 0o644))
	}
}

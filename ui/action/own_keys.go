package action

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"docket/domain/terms"
)

// A Keymap is the table of actions with the reviewer's own keys. The zero Keymap is Table
// unchanged.
type Keymap struct {
	table []Action
	bound map[Verb][]string // the keys that the reviewer gave
}

func (m Keymap) Rows() []Action {
	if m.table == nil {
		return Table
	}
	return m.table
}

// ForKey returns the action of a key in a place; false if it has none.
func (m Keymap) ForKey(p Place, key string) (*Action, bool) {
	rows := m.Rows()
	for i := range rows {
		if rows[i].In.Has(p) && slices.Contains(rows[i].Keys, key) {
			return &rows[i], true
		}
	}
	return nil, false
}

// Of lists the actions of a place in the table's order.
func (m Keymap) Of(p Place) []*Action {
	var list []*Action
	rows := m.Rows()
	for i := range rows {
		if rows[i].In.Has(p) {
			list = append(list, &rows[i])
		}
	}
	return list
}

// KeyOf is the first key of an action in a place, as it is written; "" if it has none there.
func (m Keymap) KeyOf(v Verb, p Place) string {
	for _, a := range m.Of(p) {
		if a.Verb == v && len(a.Keys) > 0 {
			return KeyLabel(a.Keys[0])
		}
	}
	return ""
}

// LetterOf is the first letter or sign that the reviewer gave an action; "" if there is none.
func (m Keymap) LetterOf(v Verb) string { return Letter(m.bound[v]) }

// Letter is the first of the keys that is a letter or a sign, but no digit; "" if there is none.
func Letter(keys []string) string {
	for _, key := range keys {
		if utf8.RuneCountInString(key) == 1 && (key < "0" || key > "9") {
			return key
		}
	}
	return ""
}

// A Binding gives an action other keys.
type Binding struct {
	Action string   // by its name
	Keys   []string // as Table writes them
}

// A BindingError says what is wrong with one of the bindings. It never repeats what was written.
type BindingError struct {
	Binding int // its index
	Reason  string
}

func (e *BindingError) Error() string { return e.Reason }

// Bind makes the table with the keys of the bindings in place of an action's own. They apply in
// every place where no text is typed, and replace the keys that the action has in all of those
// places; a key that it has in only some, such as Enter to fold a list beside a decision, stays.
// The error is a *BindingError.
func Bind(bindings []Binding) (Keymap, error) {
	bound := map[Verb]int{} // the binding of a verb
	for i, b := range bindings {
		v, err := b.verb()
		if err != nil {
			return Keymap{}, &BindingError{i, err.Error()}
		}
		bound[v] = i
	}
	if len(bindings) == 0 {
		return Keymap{}, nil
	}
	m := Keymap{bound: map[Verb][]string{}}
	for v, at := range bound {
		m.bound[v] = slices.Clone(bindings[at].Keys)
	}
	for i := range Table {
		row := Table[i]
		at, is := bound[row.Verb]
		if !is || row.In&^Typing == 0 {
			m.table = append(m.table, row)
			continue
		}
		if typing := row.In & Typing; typing != 0 {
			stays := row
			stays.In = typing
			m.table = append(m.table, stays)
			row.In &^= Typing
		}
		usual := usualKeys(row.Verb)
		others := slices.DeleteFunc(slices.Clone(row.Keys), func(key string) bool { return slices.Contains(usual, key) })
		row.Keys = slices.Clone(bindings[at].Keys)
		for _, key := range others {
			if !slices.Contains(row.Keys, key) {
				row.Keys = append(row.Keys, key)
			}
		}
		m.table = append(m.table, row)
	}
	if err := m.conflict(bound); err != nil {
		return Keymap{}, err
	}
	return m, nil
}

func (b *Binding) verb() (Verb, error) {
	if why, is := staying[b.Action]; is {
		return noVerb, fmt.Errorf("%s keeps its keys: %s", b.Action, why)
	}
	v := Verb(slices.Index(names[:], b.Action))
	if b.Action == "" || v <= noVerb || v >= verbs {
		return noVerb, fmt.Errorf(
			"there is no such action; the nearest names are %s, and `docket schema config` lists all",
			nearest(b.Action, Names()))
	}
	if len(b.Keys) == 0 {
		return noVerb, fmt.Errorf("%s needs a key", b.Action)
	}
	for i, key := range b.Keys {
		switch label := KeyLabel(key); {
		case !isKey(key):
			return noVerb, fmt.Errorf(
				"%s: there is no such key; a key is one character, alt+ and one, or a name; the nearest names are %s",
				b.Action,
				nearest(key, keyNames()))
		case slices.Contains(b.Keys[:i], key):
			return noVerb, fmt.Errorf("%s has the key %s twice", b.Action, label)
		}
	}
	return v, nil
}

func nearest(written string, names []string) string {
	return strings.Join(terms.Nearest(written, names, terms.Distance)[:3], ", ")
}

// conflict returns an error, for the later of two bindings, that names a key of two actions.
func (m Keymap) conflict(bound map[Verb]int) error {
	for p := range Places {
		if Typing.Has(p) {
			continue
		}
		taken := map[string]Verb{}
		for _, a := range m.Of(p) {
			for _, key := range a.Keys {
				other, twice := taken[key]
				if !twice {
					taken[key] = a.Verb
					continue
				}
				at, one, two := -1, a.Verb, other
				if i, is := bound[two]; is {
					at, one, two = i, two, one
				}
				if i, is := bound[a.Verb]; is && i > at {
					at, one, two = i, a.Verb, other
				}
				return &BindingError{at, fmt.Sprintf(
					"%s cannot have the key %s: in the %s it belongs to %s; give one of them another key",
					names[one],
					KeyLabel(key), PlaceNames[p], names[two])}
			}
		}
	}
	return nil
}

// Elsewhere returns the action of a key in other places, and the first of these; nil if none.
func (m Keymap) Elsewhere(key string) (*Action, Place) {
	for p := range Places {
		if a, is := m.ForKey(p, key); is && !Typing.Has(p) {
			return a, p
		}
	}
	return nil, 0
}

// usualKeys are the keys of an action that apply in every place where no text is typed.
func usualKeys(v Verb) (usual []string) {
	first := true
	for i := range Table {
		a := &Table[i]
		if a.Verb != v || a.In&^Typing == 0 {
			continue
		}
		if first {
			usual, first = slices.Clone(a.Keys), false
		}
		usual = slices.DeleteFunc(usual, func(key string) bool { return !slices.Contains(a.Keys, key) })
	}
	return usual
}

// names is indexed by verb: the name of the action in the config file.
var names = [verbs]string{
	GoUp: "up", GoDown: "down", PageUp: "page_up", PageDown: "page_down", GoTop: "first", GoBottom: "last", Accept: "open", GoBack: "back",
	NextDocket: "docket", EditFilter: "filter", ChangeOrder: "sort", Toggle: "choose", Decide: "decide", SetAside: "skip",
	LaterCase: "next_case", EarlierCase: "previous_case", LaterRevision: "newer", EarlierRevision: "older",
	LaterSection: "next_section", EarlierSection: "previous_section", ShowBoard: "blockers", ShowRecords: "records",
	ShowContracts: "contracts", ExportLog: "export", Regroup: "group", Reread: "read_again", Fold: "fold",
	FoldAll: "fold_all", Explain: "text", ShowChanges: "compare", LaterOther: "other_newer", EarlierOther: "other_older", CopyOut: "copy",
	OpenPalette: "palette", OpenHelp: "help", QuitProgram: "quit", Interrupt: "interrupt", SuspendProgram: "suspend",
	CompleteWord: "complete", CompleteBack: "complete_back", SavedFilters: "saved_filters",
	InsertPrepared: "insert_text", OpenEditor: "edit",
	JudgeAgain: "judge_again", ShowRejected: "rejected", LaterMatch: "next_match",
	EarlierMatch: "previous_match", SwitchPane: "pane", PickNumber: "number", DiscardDraft: "discard_draft", ShowReceipt: "receipt",
	Recuse:    "recuse",
	ShowStats: "stats", Erase: "erase", ShowStatement: "statement", WriteStatement: "write_statement",
}

// staying are the actions whose keys cannot be changed, by name, with the reason.
var staying = map[string]string{
	names[Interrupt]:      "^C leaves from every screen",
	names[SuspendProgram]: "^Z is the terminal's own key",
	names[PickNumber]:     "a number chooses the line of that number",
	names[CompleteWord]:   "it is a key of a text field",
	names[CompleteBack]:   "it is a key of a text field",
	"record":              "on the last page of a decision the word is typed, and Enter records",
}

func (v Verb) Name() string { return names[v] }

// Names lists the names of the actions that can have other keys, in the order of the verbs.
func Names() (list []string) {
	for v := noVerb + 1; v < verbs; v++ {
		if _, stays := staying[names[v]]; !stays {
			list = append(list, names[v])
		}
	}
	return list
}

// OwnKeys are the actions that can have other keys, each with its own.
func OwnKeys() (list []Binding) {
	for _, name := range Names() {
		list = append(list, Binding{name, usualKeys(Verb(slices.Index(names[:], name)))})
	}
	return list
}

func isKey(name string) bool {
	if slices.Contains(keyNames(), name) {
		return true
	}
	name = strings.TrimPrefix(name, "alt+")
	r, size := utf8.DecodeRuneInString(name)
	return size == len(name) && r != utf8.RuneError && r != ' ' && unicode.IsGraphic(r)
}

func keyNames() []string {
	list := []string{"space"}
	for kind := tea.KeyType(127); kind > -100; kind-- {
		if name := kind.String(); name != "" && name != " " && kind != tea.KeyRunes {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

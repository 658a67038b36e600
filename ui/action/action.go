// Package action is the one table of what a reader can do: a Verb, the keys for it, its name, and
// the Places that have it. Keys, footers, help, palette and the table of keys in docs/console.md
// are read from Table.
//
// action.go has the table and how keys arrive, own_keys.go the keys that the reviewer chose,
// place.go the places.
package action

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"docket/ui/wording"
)

// A Verb is something a reader can do. What it means may depend on the screen; the table says so.
type Verb uint8

const (
	noVerb Verb = iota
	GoUp
	GoDown
	PageUp
	PageDown
	GoTop
	GoBottom
	Accept
	GoBack
	NextDocket
	EditFilter
	ChangeOrder
	Toggle
	Decide
	SetAside
	LaterCase
	EarlierCase
	LaterRevision
	EarlierRevision
	LaterSection
	EarlierSection
	ShowBoard
	ShowRecords
	ShowContracts
	ExportLog
	Regroup
	Reread
	Fold
	FoldAll
	Explain
	ShowChanges
	LaterOther
	EarlierOther
	CopyOut
	OpenPalette
	OpenHelp
	QuitProgram
	Interrupt
	SuspendProgram
	CompleteWord
	CompleteBack
	SavedFilters
	InsertPrepared
	OpenEditor
	JudgeAgain
	ShowRejected
	LaterMatch
	EarlierMatch
	SwitchPane
	PickNumber
	DiscardDraft
	ShowReceipt
	Recuse
	ShowStats
	ShowStatement
	Erase
	WriteStatement
	verbs
)

// An Action is one row of the table: a verb, the keys for it, and its labels by place.
type Action struct {
	Verb    Verb
	Keys    []string // as bubbletea names them; the first one is shown
	Label   string   // two words at most, for footers
	Meaning string   // one clause, for help and palette
	In      PlaceSet
	Rank    int // its turn in the footer, 1 first; 0: not in the footer
}

func keys(names ...string) []string { return names }

// Table is what keys, footers, help and palette are read from. No key occurs twice for one place.
var Table = []Action{
	{Accept, keys("enter"), "open", "open the packet", SetOf(InQueue), 1},
	{Accept, keys("enter"), "keep filter", "keep the filter and go to the list", SetOf(InFilter), 1},
	{Accept, keys("enter"), "review", "take this step and go to the review, or to the next step that lacks something", deciding, 1},
	{Accept, keys("enter"), "keep search", "keep the search and go to the list", SetOf(InSearch), 1},
	{Accept, keys("enter"), "keep search", "keep the search, to go from match to match", SetOf(InFind), 1},
	{Accept, keys("enter"), "review", "keep the note and go to the review", SetOf(InNote), 1},
	{Accept, keys("enter"), "review", "keep the statement and go to the review", SetOf(InStatement), 1},
	{Accept, keys("enter"), "record", "record the decision, once the word is typed", SetOf(InReview), 1},
	{Accept, keys("enter"), "next case", wording.NextOpen, SetOf(InReceipt), 1},
	{Accept, keys("enter"), "open again", "open the packet as it is now, and keep as much of the decision as possible", SetOf(InStale), 1},
	{Accept, keys("enter"), "queue", "go to the queue, read-only", SetOf(InFindings), 1},
	{Accept, keys("enter"), "show", "show the whole record", SetOf(InRecords), 1},
	{Accept, keys("enter"), "filter queue", "show the cases of this blocker, oldest first", SetOf(InBoard), 1},
	{Accept, keys("enter"), "show", "show the whole contract", SetOf(InContracts), 1},
	{Accept, keys("enter"), "open", "open what is under the cursor, or fold a heading", SetOf(InPacket), 1},
	{Decide, keys("d"), "decide", "open the packet and decide on it, step by step", SetOf(InQueue), 4},
	{Decide, keys("d"), "decide", "decide on this packet, step by step", SetOf(InPacket), 2},
	{Decide, keys("d"), "supersede", "decide again on its packet; the new record supersedes this one", SetOf(InRecord), 1},
	{ShowStatement, keys("s"), "statement", "show the statement to the parties", SetOf(InRecord), 2},
	{WriteStatement, keys("w"), "write",
		"write the statement to a file: text, Markdown or a web page, by the ending of its name",
		SetOf(InParties), 1},
	{WriteStatement, keys("w"), "write", "write the boards: CSV, JSON or a web page", SetOf(InBoard), 13},
	{JudgeAgain,
		keys("a"), "judge again", "open the packet of a rejected record as it is now, to decide again",
		SetOf(InRecords, InRecord), 13},
	{PickNumber, keys("1", "2", "3", "4", "5", "6", "7", "8", "9"), "choose",
		"choose or drop the line of that number; an outcome leads to the review", deciding, 2},
	{PickNumber, keys("1", "2", "3", "4", "5", "6"), "change", "change the step of that number", SetOf(InReview), 2},
	{SwitchPane, keys("tab"), "packet", "go to the packet; again: back to the step", deciding | Writing | SetOf(InSearch, InReview), 4},
	{SwitchPane, keys("tab", "esc", "d"), "step", "go back to the step of the decision", SetOf(InReading), 1},
	{DiscardDraft, keys("X"), "discard draft", "discard the draft of the decision, after a question", deciding | SetOf(InPacket), 0},
	{Recuse, keys("u"), "recuse", "recuse yourself, with a reason: a decision that adds neutral_review_missing", SetOf(InPacket), 0},
	{Toggle, keys("space", "x"), "choose", "choose or drop the line under the cursor", deciding, 0},
	{SetAside, keys("s"), "skip", "skip this revision with a reason, or undo the skip", SetOf(InQueue), 5},
	{SetAside, keys("s"), "skip", "skip this revision with a reason, or undo the skip", SetOf(InPacket), 5},
	{EditFilter, keys("/"), "filter", "filter the list while typing", SetOf(InQueue), 2},
	{EditFilter, keys("/"), "filter", "count what a filter lets through", SetOf(InBoard), 5},
	{EditFilter, keys("/"), "search", "search this statement", SetOf(InParties), 2},
	{EditFilter, keys("/"), "search", "search the blockers while typing", SetOf(InBlockers), 6},
	{ChangeOrder, keys("o"), "sort", "reverse the order; again: sort by the next column", SetOf(InQueue), 15},
	{ChangeOrder, keys("o"), "sort", "sort by the next column", SetOf(InBoard), 4},
	{NextDocket, keys("tab"), "docket", "change between appeals and amendments", SetOf(InQueue, InBoard), 3},
	{EditFilter, keys("/"), "search", "search this packet, folded parts included", SetOf(InPacket, InReading), 4},
	{LaterMatch, keys("n"), "next match", "go to the next match of the search", SetOf(InPacket, InReading, InParties), 0},
	{EarlierMatch, keys("N"), "previous match", "go to the previous match", SetOf(InPacket, InReading, InParties), 0},
	{ShowReceipt, keys("v"), "receipt", "show the receipt of the record that you made last", SetOf(InPacket), 0},
	{LaterCase, keys(">"), "next case", wording.NextCase, SetOf(InPacket), 3},
	{EarlierCase, keys("<"), "previous", wording.PreviousCase, SetOf(InPacket), 0},
	{LaterRevision, keys("]"), "newer", "show the next newer revision", SetOf(InPacket), 0},
	{EarlierRevision, keys("["), "older", "show the next older revision", SetOf(InPacket), 0},
	{Explain, keys("t"), "text", "show the contract's text for a blocker, a trigger or a transition", explained &^ SetOf(InPacket), 9},
	{Explain, keys("t"), "text", "show the contract's text for a blocker, a trigger or a transition", SetOf(InPacket), 6},
	{Fold, keys("z", "space"), "fold", "fold or unfold the section under the cursor", SetOf(InPacket), 7},
	{Fold, keys("z", "space", "enter"), "fold", "fold or unfold the section or the list under the cursor", SetOf(InReading), 2},
	{Fold, keys("z", "space"), "hashes", "show the hashes and the place in the log, or fold them", SetOf(InReceipt, InRecord), 3},
	{FoldAll, keys("Z"), "fold all", "unfold every section, or fold them all", SetOf(InPacket, InReading), 0},
	{ShowChanges, keys("=", "D"), "compare", "show what changed between two revisions", SetOf(InPacket), 0},
	{EarlierRevision, keys("["), "older", "compare with an older revision", SetOf(InDifference), 1},
	{LaterRevision, keys("]"), "newer", "compare with a newer revision", SetOf(InDifference), 2},
	{EarlierOther, keys("{"), "other older", "compare an older revision with it", SetOf(InDifference), 3},
	{LaterOther, keys("}"), "other newer", "compare a newer revision with it", SetOf(InDifference), 4},
	{Erase, keys("E"), "erase",
		"erase text that a person wrote here, permanently, after a question that says what stays",
		SetOf(InPacket, InRecord), 15},
	{CopyOut, keys("y"), "copy", "copy an id or a hash to the clipboard", withIDs, 0},
	{LaterSection, keys("J", "tab"), "section", "go to the next section", SetOf(InPacket, InContract, InParties), 8},
	{LaterSection, keys("J"), "section", "go to the next section", SetOf(InReading), 3},
	{EarlierSection, keys("K", "shift+tab"), "previous section", "go to the previous section", SetOf(InPacket, InContract, InParties), 0},
	{EarlierSection, keys("K"), "previous section", "go to the previous section", SetOf(InReading), 0},
	{GoDown, keys("j", "down"), "down", "go down one line", Browsing, 0},
	{GoUp, keys("k", "up"), "up", "go up one line", Browsing, 0},
	{GoDown, keys("down"), "down", "go down one line", Typing &^ Writing, 0},
	{GoUp, keys("up"), "up", "go up one line", Typing &^ Writing, 0},
	{CompleteWord, keys("tab"), "complete", "complete the word; again: the next match", SetOf(InFilter), 3},
	{CompleteBack, keys("shift+tab"), "back", "complete the word; again: the previous match", SetOf(InFilter), 0},
	{SavedFilters, keys("ctrl+o"), "saved", "choose a saved filter", SetOf(InFilter), 4},
	{SavedFilters, keys("f"), "saved filters", "choose a saved filter", SetOf(InQueue), 0},
	{InsertPrepared, keys("ctrl+o"), "own texts", "insert a text of your own into the statement", SetOf(InStatement), 5},
	{OpenEditor, keys("ctrl+g"), "editor", "write the statement in your editor, that of EDITOR", SetOf(InStatement), 6},
	{PageDown, keys("pgdown", "ctrl+f", "ctrl+d"), "page down", "go down one page", Browsing, 0},
	{PageUp, keys("pgup", "ctrl+b", "ctrl+u"), "page up", "go up one page", Browsing, 0},
	{PageDown, keys("pgdown"), "page down", "go down one page", Typing &^ Writing, 0},
	{PageUp, keys("pgup"), "page up", "go up one page", Typing &^ Writing, 0},
	{GoTop, keys("g", "home"), "first", "go to the first line", Browsing, 0},
	{GoBottom, keys("G", "end"), "last", "go to the last line", Browsing, 0},
	{ShowBoard, keys("b"), "blockers", "count the cases that each blocker holds", withQueue &^ SetOf(InBoard, InPacket), 6},
	{ShowBoard, keys("b"), "blockers", "count the cases that each blocker holds", SetOf(InPacket), 13},
	{ShowRecords, keys("r"), "records", "list the records of the log, newest first", withQueue &^ SetOf(InRecords, InRecord, InPacket), 7},
	{ShowRecords, keys("r"), "records", "list the records of the log, newest first", SetOf(InPacket), 14},
	{ShowRejected, keys("!"), "rejected", "list the cases that the service rejected, to judge them again", withQueue, 0},
	{ShowContracts, keys("c"), "contracts", "show the published contracts and their checks", withQueue, 0},
	{Reread, keys("R"), "again", wording.ReadAgain, SetOf(InQueue, InPacket, InRecords, InBoard, InStats), 0},
	{ExportLog, keys("e"), "export", "write the log as a bundle into a folder, read back and checked", SetOf(InRecords), 3},
	{Regroup, keys("v"), "period", "change the period: week, month, quarter, all", SetOf(InStats), 1},
	{EarlierRevision, keys("["), "earlier", "go back one period", SetOf(InStats), 2},
	{LaterRevision, keys("]"), "later", "go forward one period", SetOf(InStats), 3},
	{ShowStats, keys("%"), "stats", "show the statistics of a period", withQueue &^ SetOf(InStats), 0},
	{Regroup, keys("v"), "group by", "group by blocker, by trigger or transition, or by assignee", SetOf(InBoard), 2},
	{GoBack, keys("esc"), "clear", "drop the filter", SetOf(InFilter, InSearch), 2},
	{GoBack, keys("esc"), "clear", "drop the search", SetOf(InFind), 2},
	{GoBack, keys("esc"), "step back", "go one step back; nothing is lost", deciding | Writing | SetOf(InReview), 3},
	{GoBack, keys("esc"), "queue", wording.ToQueue, SetOf(InReceipt), 2},
	{GoBack, keys("esc"), "back", "go back", Browsing &^ (deciding | SetOf(InQueue, InReceipt,
		InRecords, InContract, InPacket, InReading, InParties)), 8},
	{GoBack, keys("esc"), "back", "drop the filter", SetOf(InQueue), 8},
	{GoBack, keys("esc"), "back", "go back", SetOf(InContract, InPacket, InParties), 9},
	{GoBack, keys("esc"), "back", "go back, or stop a running export", SetOf(InRecords), 8},
	{OpenPalette, keys(":"), "palette", "find any action by its name", Browsing, 10},
	{OpenHelp, keys("?"), "help", "list what can be done here", Browsing, 11},
	{QuitProgram, keys("q"), "quit", "leave docket", Browsing, 12},
	{Interrupt, keys("ctrl+c"), "quit", "leave docket", Anywhere, 0},
	{SuspendProgram, keys("ctrl+z"), "suspend", "go back to the shell for a while", Anywhere, 0},
}

// Of is the first row of the table with a verb in one of the places; nil if there is none.
func Of(v Verb, in PlaceSet) *Action {
	for i := range Table {
		if a := &Table[i]; a.Verb == v && a.In&in != 0 {
			return a
		}
	}
	return nil
}

var keyLabels = map[string]string{
	"enter": "↵", "up": "↑", "down": "↓", "pgup": "PgUp", "pgdown": "PgDn", "home": "Home", "end": "End", "esc": "Esc",
	"left": "←", "right": "→", "tab": "Tab", "shift+tab": "S-Tab", "space": "Space",
}

// KeyLabel is the form in which a screen shows a key.
func KeyLabel(name string) string {
	if label, ok := keyLabels[name]; ok {
		return label
	}
	if letter, is := strings.CutPrefix(name, "ctrl+"); is && len(letter) == 1 {
		return "^" + strings.ToUpper(letter)
	}
	return name
}

// Ranked sorts the actions that have a turn in the footer.
func Ranked(list []*Action) []*Action {
	var out []*Action
	for turn := 1; turn <= footerTurns; turn++ {
		for _, a := range list {
			if a.Rank == turn {
				out = append(out, a)
			}
		}
	}
	return out
}

const footerTurns = 15

// A Press is one key. Keys that arrive in one message are taken apart, and each knows that it did
// not come alone: lists take them one by one, final dialogs ignore them.
type Press struct {
	Name  string // as bubbletea names it; "" for a paste
	Crowd bool   // came with others or in a paste, perhaps typed before the screen that gets it
	Msg   tea.KeyMsg
}

// Presses takes a message apart. A paste, or text where text is wanted, stays whole and without a
// name, so that it is never taken for an action.
func Presses(msg tea.KeyMsg, text bool) []Press {
	if msg.Paste || text && msg.Type == tea.KeyRunes && len(msg.Runes) > 1 {
		return []Press{{Crowd: true, Msg: msg}}
	}
	if msg.Type != tea.KeyRunes || len(msg.Runes) < 2 {
		return []Press{{Name: keyName(msg), Msg: msg}}
	}
	apart := make([]Press, len(msg.Runes))
	for i, r := range msg.Runes {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}
		apart[i] = Press{Name: keyName(one), Crowd: true, Msg: one}
	}
	return apart
}

// keyName is bubbletea's name, but for the blank, which shows better as a word.
func keyName(msg tea.KeyMsg) string {
	if name := msg.String(); name != " " {
		return name
	}
	return "space"
}

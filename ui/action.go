package ui

// A verb is something a reader can do. One verb may mean another thing on another screen; the table says what.
type verb uint8

const (
	noVerb verb = iota
	goUp
	goDown
	pageUp
	pageDown
	goTop
	goBottom
	accept
	goBack
	nextDocket
	editFilter
	changeOrder
	toggle
	decide
	setAside
	laterCase
	earlierCase
	laterRevision
	earlierRevision
	laterSection
	earlierSection
	showBoard
	showRecords
	showContracts
	showSummary
	exportLog
	regroup
	reread
	fold
	foldAll
	explain
	showChanges
	laterOther
	earlierOther
	copyOut
	openPalette
	openHelp
	quitProgram
	interrupt
	suspendProgram
	changeTheme
	completeWord
	completeBack
	earlierFilter
	savedFilters
	saveFilter
	deleteFilter
	judgeAfresh
	showRejected
	verbs
)

// An action is one row of the table: a verb, the keys for it, and what it is called where.
type action struct {
	verb    verb
	keys    []string // as bubbletea names them; the first one is shown
	label   string   // two words at most, for footers
	meaning string   // one clause, for help and palette
	in      placeSet
	rank    int // its turn in the footer, 1 first; 0: not in the footer
}

func keys(names ...string) []string { return names }

// actions is the one table: keys, footers, help and palette are read from it. For one place no key stands in it twice.
var actions = []action{
	{accept, keys("enter"), "open", "open the packet", at(inQueue), 1},
	{accept, keys("enter"), "keep filter", "keep the filter and go to the list", at(inFilter), 1},
	{accept, keys("enter"), "next step", "take this step and go to the next", deciding, 1},
	{accept, keys("enter"), "keep search", "keep the search and go to the list", at(inSearch), 1},
	{accept, keys("enter"), "next step", "keep the note and go to the next step", at(inNote), 1},
	{accept, keys("enter"), "next step", "keep the statement and go to the next step", at(inStatement), 1},
	{accept, keys("enter"), "record", "record the decision, once the word is typed", at(inReview), 1},
	{accept, keys("enter"), "next case", "open the next open case", at(inReceipt), 1},
	{accept, keys("enter"), "open again", "open the packet as it is now, the decision kept as far as it can be", at(inStale), 1},
	{accept, keys("enter"), "queue", "go on to the queue, to read only", at(inFindings), 1},
	{accept, keys("enter"), "show", "show the whole record", at(inRecords), 1},
	{accept, keys("enter"), "filter queue", "show the cases that this blocker holds", at(inBoard), 1},
	{accept, keys("enter"), "show", "show the whole contract", at(inContracts), 1},
	{accept, keys("enter"), "open", "open what is under the cursor: a record, a revision, a related case, a text, a section; fold a heading", at(inPacket), 1},
	{decide, keys("d"), "decide", "decide on this packet, step by step", at(inPacket), 2},
	{decide, keys("d"), "supersede", "decide anew on what it judged; the new record supersedes this one", at(inRecord), 1},
	{judgeAfresh, keys("a"), "judge again", "open what the service rejected as it is now, to be decided anew", at(inRecords, inRecord), 13},
	{toggle, keys("space", "x"), "choose", "choose or drop the line under the cursor", deciding, 2},
	{setAside, keys("s"), "skip", "put this revision aside with a reason, or take that back", at(inQueue, inPacket), 5},
	{editFilter, keys("/"), "filter", "filter the list while typing", at(inQueue), 2},
	{editFilter, keys("/"), "search", "search the blockers while typing", at(inBlockers), 4},
	{changeOrder, keys("o"), "sort", "sort by another order", at(inQueue, inBoard), 4},
	{nextDocket, keys("tab"), "docket", "change between appeals and amendments", at(inQueue, inBoard), 3},
	{laterCase, keys("n"), "next case", "open the next open case of the queue", at(inPacket), 3},
	{earlierCase, keys("N", "p"), "previous", "open the previous open case of the queue", at(inPacket), 0},
	{laterRevision, keys("]"), "newer", "show the next newer revision", at(inPacket), 0},
	{earlierRevision, keys("["), "older", "show the next older revision", at(inPacket), 0},
	{explain, keys("t"), "text", "show the contract's text for the blocker, trigger or transition under the cursor", explained &^ at(inPacket), 9},
	{explain, keys("t"), "text", "show the contract's text for the blocker, trigger or transition under the cursor", at(inPacket), 6},
	{fold, keys("z", "space"), "fold", "fold or unfold the section under the cursor", at(inPacket), 7},
	{foldAll, keys("Z"), "fold all", "unfold every section, or fold them all", at(inPacket), 0},
	{showChanges, keys("=", "D"), "compare", "show what changed between two revisions", at(inPacket), 0},
	{earlierRevision, keys("["), "older", "compare with an older revision", at(inDifference), 1},
	{laterRevision, keys("]"), "newer", "compare with a newer revision", at(inDifference), 2},
	{earlierOther, keys("{"), "other older", "compare an older revision with it", at(inDifference), 3},
	{laterOther, keys("}"), "other newer", "compare a newer revision with it", at(inDifference), 4},
	{copyOut, keys("y"), "copy", "copy an id or a hash to the clipboard", withIDs, 0},
	{laterSection, keys("J", "tab"), "section", "go to the next section", at(inPacket, inContract), 4},
	{earlierSection, keys("K", "shift+tab"), "section back", "go to the previous section", at(inPacket, inContract), 0},
	{goDown, keys("j", "down"), "down", "go down one line; in a packet, one row", browsing, 0},
	{goUp, keys("k", "up"), "up", "go up one line; in a packet, one row", browsing, 0},
	{goDown, keys("down"), "down", "go down one line", typing &^ writing, 0},
	{goUp, keys("up"), "up", "go up one line", typing &^ (writing | at(inFilter)), 0},
	{completeWord, keys("tab"), "complete", "complete the word; again: the next one that fits", at(inFilter), 3},
	{completeBack, keys("shift+tab"), "back", "complete the word with the one before", at(inFilter), 0},
	{earlierFilter, keys("up"), "earlier", "bring back an earlier filter; ↓ comes forward again", at(inFilter), 4},
	{savedFilters, keys("ctrl+o"), "saved", "choose a saved filter", at(inFilter), 5},
	{savedFilters, keys("f"), "saved filters", "choose a saved filter", at(inQueue), 0},
	{saveFilter, keys("ctrl+s"), "save", "save the filter under a name", at(inFilter), 6},
	{saveFilter, keys("F"), "save filter", "save the filter that shows under a name", at(inQueue), 0},
	{deleteFilter, keys("X"), "delete filter", "delete a saved filter", at(inQueue), 0},
	{pageDown, keys("pgdown", "ctrl+f", "ctrl+d"), "page down", "go down one page", browsing, 0},
	{pageUp, keys("pgup", "ctrl+b", "ctrl+u"), "page up", "go up one page", browsing, 0},
	{pageDown, keys("pgdown"), "page down", "go down one page", typing &^ writing, 0},
	{pageUp, keys("pgup"), "page up", "go up one page", typing &^ writing, 0},
	{goTop, keys("g", "home"), "first", "go to the first line", browsing, 0},
	{goBottom, keys("G", "end"), "last", "go to the last line", browsing, 0},
	{showBoard, keys("b"), "blockers", "show which blocker holds how many cases", withQueue &^ at(inBoard, inPacket), 6},
	{showBoard, keys("b"), "blockers", "show which blocker holds how many cases", at(inPacket), 13},
	{showRecords, keys("r"), "records", "show the records of the log", withQueue &^ at(inRecords, inRecord, inPacket), 7},
	{showRecords, keys("r"), "records", "show the records of the log", at(inPacket), 14},
	{showRejected, keys("!"), "show rejected", "list the cases that the service rejected, to be judged again", withQueue, 0},
	{showContracts, keys("c"), "contracts", "show the published contracts and their checks", withQueue, 0},
	{changeTheme, keys("T"), "theme", "change the colours of the console", browsing, 0},
	{reread, keys("R"), "read again", "read this again from the store", at(inQueue, inPacket, inRecords, inBoard), 0},
	{showSummary, keys("S"), "session", "sum up this session: decided, skipped, time a case, blockers met", withQueue, 0},
	{exportLog, keys("e"), "export", "write the log as a bundle into a folder, read back and checked", at(inRecords), 3},
	{regroup, keys("v"), "group by", "list by blocker, by what started it, or by who it is assigned to", at(inBoard), 2},
	{goBack, keys("esc"), "clear", "drop the filter", at(inFilter, inSearch), 2},
	{goBack, keys("esc"), "step back", "go one step back; nothing is lost", deciding | writing | at(inReview), 3},
	{goBack, keys("esc"), "queue", "go back to the queue", at(inReceipt), 2},
	{goBack, keys("esc"), "back", "go back, or drop the filter of the queue", browsing &^ (deciding | at(inReceipt, inRecords)), 8},
	{goBack, keys("esc"), "back", "go back, or stop an export that is under way", at(inRecords), 8},
	{openPalette, keys(":"), "palette", "find any action by its name", browsing, 10},
	{openHelp, keys("?"), "help", "list what can be done here, and do it", browsing, 11},
	{quitProgram, keys("q"), "quit", "leave docket", browsing, 12},
	{interrupt, keys("ctrl+c"), "quit", "leave docket, from anywhere", anywhere, 0},
	{suspendProgram, keys("ctrl+z"), "suspend", "go back to the shell for a while", anywhere, 0},
}

// actionAt returns the action of a key in a place; false if it has none.
func actionAt(p place, key string) (*action, bool) {
	for i := range actions {
		if !actions[i].in.has(p) {
			continue
		}
		for _, name := range actions[i].keys {
			if name == key {
				return &actions[i], true
			}
		}
	}
	return nil, false
}

// actionsIn lists the actions of a place in the table's order.
func actionsIn(p place) []*action {
	var list []*action
	for i := range actions {
		if actions[i].in.has(p) {
			list = append(list, &actions[i])
		}
	}
	return list
}

// keyLabels are how keys are written where their name is long or not telling.
var keyLabels = map[string]string{
	"enter": "↵", "up": "↑", "down": "↓", "pgup": "PgUp", "pgdown": "PgDn", "home": "Home", "end": "End", "esc": "Esc",
	"tab": "Tab", "shift+tab": "S-Tab", "space": "Space", "ctrl+c": "^C", "ctrl+z": "^Z", "ctrl+d": "^D", "ctrl+u": "^U",
	"ctrl+f": "^F", "ctrl+b": "^B", "ctrl+o": "^O", "ctrl+s": "^S",
}

func keyLabel(name string) string {
	if label, ok := keyLabels[name]; ok {
		return label
	}
	return name
}

// ranked sorts the actions that have a turn in the footer.
func ranked(list []*action) []*action {
	var out []*action
	for turn := 1; turn <= footerTurns; turn++ {
		for _, a := range list {
			if a.rank == turn {
				out = append(out, a)
			}
		}
	}
	return out
}

const footerTurns = 15

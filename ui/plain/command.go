package plain

import (
	"strings"
	"unicode"
)

// A command is one row of the table: the word and the short form for it, what may follow, what it means where.
type command struct {
	word    string
	short   string // "" for none; one that is no letter may touch what follows it: /gate:pass
	takes   string // what follows the word, for help; "" for nothing
	meaning string // one clause
	in      placeSet
	run     func(s *session, rest string) error
}

// commands is the one table: what is obeyed, the numbers at the start and help are read from it. For one place no word and
// no short form stands in it twice, and the letters are those of the full console where it has a key for the same.
func commands() []command {
	return []command{
		{"appeals", "a", "", "list the appeals", browsing, (*session).listAppeals},
		{"amendments", "m", "", "list the amendments", browsing, (*session).listAmendments},
		{"board", "b", "", "say which blocker holds how many open cases", browsing, (*session).showBoard},
		{"records", "r", "", "list the records of the log, newest first", browsing, (*session).listRecords},
		{"who", "w", "", "say who works here and how many cases there are", browsing, (*session).greet},
		{"open", "", "NUMBER or ID", "open the packet of a case or an amendment; the id alone does, too", browsing, (*session).openNamed},
		{"filter", "/", "WORDS", "list only what matches; without words, list all again", at(atQueue), (*session).filterQueue},
		{"saved", "f", "NUMBER or NAME", "list through a saved filter; without a name, say which there are", at(atQueue), (*session).savedFilter},
		{"save", "F", "NAME", "save the filter of this list under a name", at(atQueue), (*session).saveFilter},
		{"forget", "X", "NUMBER or NAME", "delete a saved filter", at(atQueue), (*session).forgetFilter},
		{"sort", "o", "WORD", "list by deadline, blockers or id; without a word, by the next of them", at(atQueue), (*session).sortQueue},
		{"list", "l", "", "say the list again", at(atQueue, atRecords, atBoard), (*session).listAgain},
		{"sections", "l", "", "list the sections of the packet, each with how it stands", at(atPacket), (*session).listSections},
		{"all", "*", "", "read all sections from the first to the last", at(atPacket), (*session).readAll},
		{"decide", "d", "", "decide on this packet, question by question", at(atPacket), (*session).decide},
		{"skip", "s", "REASON", "put this revision aside", at(atPacket), (*session).skip},
		{"unskip", "S", "", "take back that this revision was put aside", at(atPacket), (*session).unskip},
		{"next", "n", "", "open the next open case of the queue", at(atPacket, atReceipt), (*session).nextCase},
		{"previous", "p", "", "open the previous open case of the queue", at(atPacket, atReceipt), (*session).previousCase},
		{"newer", "]", "", "read the next newer revision", at(atPacket), (*session).newerRevision},
		{"older", "[", "", "read the next older revision", at(atPacket), (*session).olderRevision},
		{"again", "R", "", "read this again from the store", at(atQueue, atPacket, atRecords, atBoard), (*session).reread},
		{"back", "u", "", "go back to the list", at(atPacket, atReceipt, atRecord, atRecords, atBoard), (*session).goBack},
		{"back", "u", "", "go back to the start", at(atQueue), (*session).goBack},
		{"back", "u", "", "go back to the question before", at(inDecision), (*session).askBefore},
		{"leave", "", "", "leave the decision; what was chosen is kept as a draft", at(inDecision), (*session).leaveDecision},
		{"repeat", "", "", "put the question again, with all that can be chosen", at(inDecision), (*session).askAgain},
		{"help", "?", "", "say what can be done here", everywhere, (*session).help},
		{"quit", "q", "", "leave docket", everywhere, (*session).quit},
	}
}

// commandAt finds the command that a line calls in a place, and what follows its name; false if it calls none.
func commandAt(p place, text string) (command, string, bool) {
	name, rest, _ := strings.Cut(text, " ")
	for _, c := range commands() {
		if !c.in.has(p) {
			continue
		}
		if strings.EqualFold(name, c.word) || c.short != "" && name == c.short {
			return c, strings.TrimSpace(rest), true
		}
		if after, glued := strings.CutPrefix(text, c.short); glued && c.glues() && c.takes != "" {
			return c, strings.TrimSpace(after), true
		}
	}
	return command{}, "", false
}

// glues tells whether the short form may touch what follows it.
func (c *command) glues() bool {
	return c.short != "" && !unicode.IsLetter(rune(c.short[0]))
}

// commandsIn lists the commands of a place in the table's order.
func commandsIn(p place) []command {
	var list []command
	for _, c := range commands() {
		if c.in.has(p) {
			list = append(list, c)
		}
	}
	return list
}

// name is the command as help writes it.
func (c *command) name() string {
	name := c.word
	if c.takes != "" {
		name += " " + c.takes
	}
	if c.short != "" {
		name += ", short " + c.short
	}
	return name
}

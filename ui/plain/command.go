package plain

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/wording"
)

type command struct {
	verb    action.Verb // 0: the full console has none
	word    string      // "" for the first word of the action's label
	short   string      // "" for the action's; a sign needs no blank after it: /gate:pass
	takes   string      // the argument, for help; "" for none
	meaning string      // one clause; "" for the action's
	in      action.PlaceSet
	run     func(s *session, rest string) error
}

// commands is the one table of commands; no place has two of one word or short form.
func commands() []command {
	return []command{
		{0, "appeals", "a", "", "list the appeals", browsing, (*session).listAppeals},
		{0, "amendments", "m", "", "list the amendments", browsing, (*session).listAmendments},
		{action.ShowBoard, "", "", "WORDS", "", browsing, (*session).showBoard},
		{action.ShowRecords, "", "", "", "", browsing, (*session).listRecords},
		{action.ShowRejected, "", "", "", "", browsing, (*session).listRejected},
		{action.ShowStats, "", "", "PERIOD",
			"count the decisions of a period: week, month, quarter, all, 2026-W47, 2026-11 or 2026-Q4",
			browsing, (*session).sayStats},
		{action.ShowContracts, "", "", "NAME or NUMBER", "", browsing, (*session).sayContracts},
		{action.ShowStatement, "", "", "", "", at(atRecord), (*session).readStatement},
		{action.WriteStatement, "write",
			"", "FILE", "write the statement to the parties to a file: .txt, .md or .html", at(atRecord),
			(*session).writeStatement},
		{action.WriteStatement, "", "", "FILE", "", at(atBoard), (*session).writeBoard},
		{action.ExportLog, "", "", "FOLDER", "", at(atRecords), (*session).export},
		{0, "who", "w", "", "say who works here and how many cases there are", browsing, (*session).greet},
		{action.Accept,
			"open", "", "NUMBER or ID", "open the packet of a case or an amendment; the id alone does, too",
			browsing, (*session).openNamed},
		{action.EditFilter, "", "", "WORDS", "list only what matches; without words, list all again", at(atQueue), (*session).filterQueue},
		{action.SavedFilters, "", "", "NUMBER or NAME",
			"apply a saved filter; without a name, say the saved filters and how many cases each matches",
			at(atQueue), (*session).savedFilter},
		{action.ChangeOrder, "", "", "WORD",
			"list by deadline, blockers or id, reversed with a minus before it; without a word, reverse the order, then take the next",
			at(atQueue), (*session).sortQueue},
		{0, "list", "l", "", "say the list again", at(atQueue, atRecords, atBoard), (*session).listAgain},
		{0, "sections", "l", "", "list the sections of the packet, each with its state", at(atPacket), (*session).listSections},
		{action.FoldAll, "all", "*", "", "read all sections from the first to the last", at(atPacket), (*session).readAll},
		{action.Decide, "", "", "", "", at(atPacket), (*session).decide},
		{action.Fold, "more", "", "", "say the rest of the long lists of this section", at(atPacket), (*session).sayRest},
		{action.EditFilter, "", "", "TEXT", "", at(atPacket), (*session).search},
		{action.ShowChanges, "", "", "NUMBER", "", at(atPacket), (*session).compare},
		{action.Explain, "", "", "CODE", "", at(atPacket, atRecord), (*session).sayContractText},
		{action.Decide, "", "", "", "", at(atRecord), (*session).supersede},
		{action.Recuse, "", "", "REASON", "", at(atPacket), (*session).recuse},
		{action.DiscardDraft, "", "", "", "", at(atPacket), (*session).discardDraft},
		{action.Erase, "", "", "", "", at(atPacket, atRecord), (*session).erase},
		{action.JudgeAgain, "", "j", "NUMBER", "", at(atRecords), (*session).judgeAgain},
		{action.JudgeAgain, "", "j", "", "", at(atRecord), (*session).judgeAgain},
		{action.SetAside, "", "", "REASON", "", at(atPacket), (*session).skip},
		{action.ShowReceipt, "", "", "", "", at(atPacket, atReceipt), (*session).wholeReceipt},
		{action.LaterCase, "", "n", "", "", at(atPacket, atReceipt), (*session).nextCase},
		{action.EarlierCase, "", "p", "", "", at(atPacket, atReceipt), (*session).previousCase},
		{action.LaterRevision, "", "", "", "", at(atPacket), (*session).newerRevision},
		{action.EarlierRevision, "", "", "", "", at(atPacket), (*session).olderRevision},
		{action.Reread, "", "", "", "", at(atQueue, atPacket, atRecords, atBoard), (*session).reread},
		{action.GoBack, "back", "u", "", "go back to the list", at(atPacket, atReceipt, atRecord, atRecords, atBoard), (*session).goBack},
		{action.GoBack, "back", "u", "", "go back to the start", at(atQueue), (*session).goBack},
		{action.GoBack, "back", "u", "", "go back to the review, or to the question before", at(inDecision), (*session).askBefore},
		{0, "leave", "", "", "leave the decision; what was chosen is kept as a draft", at(inDecision), (*session).leaveDecision},
		{0, "repeat", "", "", "put the question again, with all that can be chosen", at(inDecision), (*session).askAgain},
		{action.OpenHelp, "", "", "", "", everywhere, (*session).help},
		{action.QuitProgram, "", "", "", "", everywhere, (*session).quit},
		{0, "exact", "",
			"", "say again, as they are written, the last lines that held a code, a hash, an id or a time",
			everywhere, (*session).sayExact},
	}
}

type commandTable []command

// commandsWith makes the table for a reader with keys of their own: of two commands of one place
// with one short form, the one that the reviewer gave it has it, or else the one whose row does.
func commandsWith(keys action.Keymap) commandTable {
	table := commands()
	from := make([]int, len(table)) // 2: the reviewer; 1: the row; 0: the table of actions
	for i := range table {
		c := &table[i]
		if c.short != "" {
			from[i] = 1
		}
		if a := action.Of(c.verb, c.in); a != nil {
			word, _, _ := strings.Cut(a.Label, " ")
			c.word, c.meaning = cmp.Or(c.word, word), cmp.Or(c.meaning, a.Meaning)
			c.short = cmp.Or(c.short, action.Letter(a.Keys))
		}
		if letter := keys.LetterOf(c.verb); letter != "" {
			c.short, from[i] = letter, 2
		}
	}
	for i := range table {
		for j := range table {
			if from[i] > from[j] && table[i].short == table[j].short && table[i].in&table[j].in != 0 {
				table[j].short = ""
			}
		}
	}
	return table
}

// at finds the command of a line in a place; false if there is none, or too much is said.
func (t commandTable) at(p place, text string) (command, string, bool) {
	name, rest, _ := strings.Cut(text, " ")
	for _, c := range t {
		if !c.in.Has(p) {
			continue
		}
		if strings.EqualFold(name, c.word) || c.short != "" && name == c.short {
			return c, strings.TrimSpace(rest), rest == "" || c.takes != ""
		}
		if after, glued := strings.CutPrefix(text, c.short); glued && c.glues() && c.takes != "" {
			return c, strings.TrimSpace(after), true
		}
	}
	return command{}, "", false
}

func (c *command) glues() bool {
	first, _ := utf8.DecodeRuneInString(c.short)
	return c.short != "" && !unicode.IsLetter(first)
}

func (t commandTable) of(p place) []command {
	var list []command
	for _, c := range t {
		if c.in.Has(p) {
			list = append(list, c)
		}
	}
	return list
}

func (c *command) name() string {
	name := c.word
	if c.takes != "" {
		name += " " + c.takes
	}
	if c.short != "" {
		name += fmt.Sprintf(", short %s", c.short)
	}
	return name
}

type place = action.Place

const (
	atStart    = action.InStart
	atQueue    = action.InQueue
	atPacket   = action.InPacket
	atReceipt  = action.InReceipt
	atRecords  = action.InRecords
	atRecord   = action.InRecord
	atBoard    = action.InBoard
	inDecision = action.InDecision // at a question of it
)

var (
	places     = []place{atStart, atQueue, atPacket, atReceipt, atRecords, atRecord, atBoard, inDecision}
	at         = action.SetOf
	everywhere = at(places...)
	browsing   = everywhere &^ at(inDecision)
)

// A reply is what Enter alone and a number alone do in a place, and what help says of them.
type reply struct {
	entering string
	enter    func(s *session, rest string) error
	picking  string // "" for nothing; the questions of a decision say theirs
	pick     func(s *session, number int) (done bool, err error)
}

func replies() map[place]reply {
	return map[place]reply{
		atStart:    {"say the commands again", (*session).sayCommands, "run the command of that number", (*session).runNumber},
		atQueue:    {"go on to the next page", (*session).nextPage, "open the packet of that number in the list", (*session).openNumber},
		atPacket:   {"read the next section", (*session).readNext, "read the section of that number", (*session).readSection},
		atReceipt:  {wording.NextOpen, (*session).nextCase, "", nil},
		atRecords:  {"go on to the next page", (*session).nextRecords, "read the record of that number in the list", (*session).readRecord},
		atRecord:   {"go back to the records", (*session).goBack, "", nil},
		atBoard:    {wording.ToQueue, (*session).goBack, "list the cases that the blocker of that number holds", (*session).filterBy},
		inDecision: {"go on to the next question, where that can be", nil, "", nil},
	}
}

func (s *session) prompt() string {
	if s.locked != "" || s.keyless != "" || !s.reviewer.Known() || s.reviewer.KeyFingerprint == "" {
		return fmt.Sprintf("READ-ONLY. %s", s.placePrompt())
	}
	return s.placePrompt()
}

func (s *session) placePrompt() string {
	switch s.place {
	case atQueue:
		return fmt.Sprintf("%s. Number or command:", wording.Capital(s.area.String()))
	case atPacket:
		return s.packet.prompt()
	case atReceipt:
		return "Recorded. Enter for the next open case, or a command:"
	case atRecord:
		return "Record. Enter for the records, or a command:"
	}
	return fmt.Sprintf("%s. Number or command:", wording.Capital(action.PlaceNames[s.place]))
}

func (s *session) dispatch(text string) error {
	here := replies()[s.place]
	if text == "" {
		return here.enter(s, "")
	}
	if number, err := strconv.Atoi(text); err == nil {
		if here.pick != nil {
			if done, err := here.pick(s, number); done || err != nil {
				return err
			}
		}
		s.page.say("There is no number %s here.", wording.Thousands(number))
		return nil
	}
	c, rest, ok := s.commands.at(s.place, text)
	switch {
	case ok:
		return c.run(s, rest)
	case c.word != "":
		s.page.say("%s takes no word, so %s is not taken and nothing is done. Type %s alone.", wording.Capital(c.word), rest, c.word)
		return nil
	}
	if id, ok := terms.ParseID(text); ok {
		if opened, err := s.openID(id); opened || err != nil {
			return err
		}
	}
	for _, p := range places {
		if c, _, _ := s.commands.at(p, text); c.word != "" {
			s.page.say("%s is a command of the %s, not of this place. Type help to hear the commands.",
				wording.Capital(c.word), action.PlaceNames[p])
			return nil
		}
	}
	s.page.say("There is no command and no packet of that name here. Type help to hear the commands.")
	return nil
}

func (s *session) runNumber(number int) (bool, error) {
	list := s.commands.of(atStart)
	if number < 1 || number > len(list) {
		return false, nil
	}
	return true, list[number-1].run(s, "")
}

func (s *session) goBack(string) error {
	from := s.place
	switch s.place = atQueue; {
	case from == atRecord:
		s.place = atRecords
		s.page.say("Back in the records, %s; list says them.", wording.RecordsInLog(s.records.total))
		return nil
	case from == atQueue, from == atRecords && !s.queue().read:
		s.place = atStart
		s.page.say("Back at the start; Enter says the commands.")
		return nil
	}
	if err := s.queue().reread(s); err != nil {
		return err
	}
	q := s.queue()
	where := wording.Plural(len(q.Shown), "case", "cases")
	if s.packet != nil {
		id := s.packet.key().ID
		if at := q.Line(id); at >= 0 {
			where = fmt.Sprintf("at %s, number %s of %s", id, wording.Thousands(at+1), where)
		}
		q.from, s.packet = q.position(id)/pageSize*pageSize, nil
	}
	s.page.say("Back in the %s, %s; list says them.", s.area, where)
	return nil
}

func (s *session) quit(string) error {
	s.over = true
	return nil
}

func (s *session) help(string) error {
	here := s.place
	if s.decision != nil {
		here = inDecision
	}
	s.page.gap()
	s.page.say("What can be done at the %s:", action.PlaceNames[here])
	alone := replies()[here]
	s.page.say("Enter alone: %s.", alone.entering)
	if alone.picking != "" {
		s.page.say("A number: %s.", alone.picking)
	}
	for _, c := range s.commands.of(here) {
		s.page.say("%s: %s.", c.name(), c.meaning)
	}
	if here == atQueue {
		s.page.say("In a filter all words must match. Words match ids and codes in part, a minus before a word negates it, and:")
		for _, key := range queue.FilterKeys() {
			s.page.say("%s: %s.", key.Key, key.Meaning)
		}
	}
	s.page.say("Control-C ends docket at once; a decision without a receipt is not recorded.")
	return nil
}

// sayExact says what the printer left out of the lines before the prompt.
func (s *session) sayExact(string) error {
	if len(s.page.kept) == 0 {
		s.page.say("Nothing was said otherwise than it is written.")
	}
	for _, text := range s.page.kept {
		s.page.put(text, "\n")
	}
	return nil
}

func (s *session) sayCommands(string) error {
	s.page.gap()
	for i, c := range s.commands.of(atStart) {
		s.page.say("%d. %s: %s.", i+1, c.name(), c.meaning)
	}
	return nil
}

package plain

import (
	"fmt"
	"strconv"
	"strings"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/decision"
	"docket/ui/mark"
	"docket/ui/wording"
)

// markCases marks the cases of numbers and ranges in the list, such as 3-7 9, or all of the list; without them it says which are marked.
func (s *session) markCases(which string) error {
	q := s.queue()
	if which == "" {
		s.sayMarked()
		return nil
	}
	keys, ok := s.numbered(which)
	switch {
	case !ok:
	case !q.marks.Add(keys...):
		s.page.say("%s. Nothing new is marked.", wording.Capital(mark.TooMany))
	default:
		s.page.say("%s.", wording.Capital(q.marks.Count(q.hidden())))
	}
	return nil
}

// unmarkCases takes the marks off numbers and ranges, or all of them.
func (s *session) unmarkCases(which string) error {
	q := s.queue()
	if which == "" || strings.EqualFold(which, "all") {
		q.marks.Clear()
		s.page.say("%s.", wording.Capital(wording.NothingMarked))
		return nil
	}
	if keys, ok := s.numbered(which); ok {
		q.marks.Drop(keys...)
		s.sayMarked()
	}
	return nil
}

// numbered are the revisions of numbers and ranges in the list, or of all of it; false if it says why there are none.
func (s *session) numbered(which string) (keys []packets.Key, ok bool) {
	q := s.queue()
	add := func(from, to int) {
		for i := from; i <= to; i++ {
			row := q.row(i - 1)
			keys = append(keys, mark.KeyOf(&row))
		}
	}
	if strings.EqualFold(which, "all") {
		if len(q.shown) > mark.Most {
			s.page.say("%s; filter lists fewer.", wording.Capital(mark.TooMany))
			return nil, false
		}
		add(1, len(q.shown))
		return keys, true
	}
	for _, word := range names(which) {
		first, last, isRange := strings.Cut(word, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, failed := strconv.Atoi(last)
		switch {
		case err != nil || failed != nil:
			s.page.say("Marks take numbers of the list and ranges, such as 3-7 9, or all.")
			return nil, false
		case from < 1 || to > len(q.shown) || from > to:
			s.page.say("There is no %s in this list of %s.", word, wording.Thousands(len(q.shown)))
			return nil, false
		case to-from >= mark.Most:
			s.page.say("%s.", wording.Capital(mark.TooMany))
			return nil, false
		}
		add(from, to)
	}
	return keys, true
}

// hidden is how many marked cases the filter hides.
func (q *filteredQueue) hidden() int { return q.marks.Len() - len(q.marks.In(q.docket, q.shown)) }

// marked lists the marked rows, those that the filter hides included.
func (q *filteredQueue) marked() []queue.Row { return q.marks.In(q.docket, q.places) }

// sayMarked says the marked cases.
func (s *session) sayMarked() {
	q := s.queue()
	rows := q.marked()
	if len(rows) == 0 {
		s.page.say("%s; mark 3-7 marks those of the list.", wording.Capital(wording.NothingMarked))
		return
	}
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = string(rows[i].ID)
	}
	s.page.say("%s: %s.", wording.Capital(q.marks.Count(q.hidden())), strings.Join(ids, ", "))
}

// sayIDs says the ids of the marked cases, one a line, to be copied.
func (s *session) sayIDs(string) error {
	rows := s.queue().marked()
	for i := range rows {
		s.page.say("%s", rows[i].ID)
	}
	if len(rows) == 0 {
		s.sayMarked()
	}
	return nil
}

// skipMarked skips the marked cases with one reason, or undoes the skips if all of them are skipped.
func (s *session) skipMarked(reason string) error {
	q := s.queue()
	rows := q.marked()
	if len(rows) == 0 {
		s.sayMarked()
		return nil
	}
	if why := mark.WhyNotSkip(rows, s.reviewer, s.locked); why != "" {
		s.page.say("%s.", wording.Capital(why))
		return nil
	}
	does := mark.SkipOf(rows)
	count := wording.Plural(len(does.Keys), "case", "cases")
	if len(does.Passed) > 0 {
		s.page.say("Passed over: %s.", mark.Listed(does.Passed, len(does.Passed)))
	}
	if reason == "" && !does.Back {
		text, err := s.askText(fmt.Sprintf("Why do you skip %s? Reason, or Enter not to skip them:", count))
		if err != nil {
			return err
		}
		if reason = text; reason == "" {
			s.page.say("Nothing is skipped.")
			return nil
		}
	}
	done := fmt.Sprintf("Skipped: %s, at the end of the queue.", count)
	if does.Back {
		reason, done = "", fmt.Sprintf("The skips of %s are undone.", count)
	}
	if err := s.workbench.Skip(s.ctx, terms.RecordTable(s.area), does.Keys, reason); err != nil {
		return s.trouble("Nothing is skipped", err)
	}
	q.marks.Drop(does.Keys...)
	s.page.say("%s", done)
	if err := q.reread(s); err != nil {
		return err
	}
	q.sayPage(s) // the numbers have changed
	return nil
}

// blockMarked adds the same blockers to the decisions on the marked cases, and goes through their reviews one by one.
func (s *session) blockMarked(text string) error {
	rows := s.queue().marked()
	switch {
	case len(rows) == 0:
		s.sayMarked()
		return nil
	case len(rows) > mark.MostDrafts:
		s.page.say("At most %s decisions are begun together, because each is reviewed and signed separately.", wording.Thousands(mark.MostDrafts))
		return nil
	}
	added, ok, err := s.askAddition(text)
	if err != nil || !ok {
		return err
	}
	drafts := mark.Drafting{Table: terms.RecordTable(s.area), Addition: added, Reviewer: s.reviewer, Blind: s.blindFirst, DiscardKey: "discard",
		WhyNot: func(file *queue.CaseFile) string { return decision.WhyNot(file, s.reviewer, s.locked, s.keyless) }}
	var passed []mark.Passed
	for i := range rows {
		if rows[i].Unreadable != "" {
			passed = append(passed, mark.Passed{ID: rows[i].ID, Why: wording.RowUnreadable})
			continue
		}
		drafts.Keys = append(drafts.Keys, mark.KeyOf(&rows[i]))
	}
	drafted, more, err := drafts.Run(s.ctx, s.workbench)
	for _, one := range append(passed, more...) {
		s.page.say("Passed over: %s: %s.", one.ID, one.Why)
		s.queue().marks.Drop(packets.Key{ID: one.ID})
	}
	if err != nil {
		return s.trouble(wording.Capital(wording.SomeNotBegun)+"; "+wording.HaveDrafts(len(drafted)), err)
	}
	return s.reviewTogether(drafts.Table, drafted)
}

// reviewTogether goes through the decisions that were begun together. Leaving one leaves those after it.
func (s *session) reviewTogether(table terms.Table, keys []packets.Key) error {
	area := terms.AreaOf(table)
	for i, key := range keys {
		s.page.gap()
		s.page.say("%s.", wording.LeftToSign(len(keys)-i))
		if err := s.open(table, key.ID, key.Number); err != nil {
			return err
		}
		if s.place != atPacket || s.packet.key() != key {
			return nil // the reason was said
		}
		if err := s.decide(""); err != nil {
			return err
		}
		if s.place != atReceipt {
			s.page.say("%s left; your choices are kept as drafts, decide resumes each.",
				wording.Plural(len(keys)-i, "marked case is", "marked cases are"))
			return nil
		}
		s.queues[area].marks.Drop(key)
	}
	if len(keys) > 0 {
		s.page.say("%s.", wording.Capital(wording.AllRecorded))
	}
	return nil
}

// askAddition asks for the addition to several decisions; false if the reader cancels.
func (s *session) askAddition(text string) (added decision.Addition, ok bool, err error) {
	if text == "" {
		if text, err = s.ask("Blockers to add to each marked case, by code or by number in the rule book, or Enter for none:"); err != nil {
			return added, false, err
		}
	}
	var codes []terms.Blocker
	for _, rule := range rules.Book(s.area) {
		codes = append(codes, rule.Code)
	}
	for _, name := range names(text) {
		code, known := pickWord(terms.Blockers, codes, name)
		if !known || !rules.AllBlockers(s.area).Has(code) {
			s.page.say("There is no blocker %s. Nothing is begun.", name)
			return added, false, nil
		}
		added.Blockers = added.Blockers.With(code)
	}
	if added.Blockers.Empty() {
		s.page.say("Nothing is begun.")
		return added, false, nil
	}
	for _, code := range added.Blockers.Terms() {
		rule, _ := rules.RuleFor(s.area, code)
		s.page.say("To be added: %s: %s", code, rule.Meaning)
	}
	if s.area == terms.Appeals {
		if added.Outcome, err = s.askSharedOutcome(); err != nil {
			return added, false, err
		}
	}
	for {
		if added.Statement, err = s.askText("Your reasons, for the parties and every reader of the record, or Enter to begin nothing:"); err != nil {
			return added, false, err
		}
		if added.Statement == "" {
			s.page.say("Nothing is begun.")
			return added, false, nil
		}
		why := decision.StatementFault(added.Statement)
		if why == "" {
			break
		}
		s.page.say("%s", sentence(wording.Capital(why)))
	}
	added.Note, err = s.askText("A note for yourself, or Enter for none:")
	return added, err == nil, err
}

// askSharedOutcome asks for the outcome of several decisions; absent if each decision chooses its own.
func (s *session) askSharedOutcome() (terms.Outcome, error) {
	outcomes := decision.BlockedOutcomes()
	for i, outcome := range outcomes {
		s.page.say("%d. %s: %s", i+1, outcome.Label(), views.EffectOf(outcome).Meaning)
	}
	for {
		text, err := s.ask("Outcome of each, by number or name, or Enter to choose in each case:")
		if err != nil || text == "" {
			return 0, err
		}
		for _, outcome := range outcomes {
			if picked, ok := pickWord(terms.Outcomes, outcomes, text); ok && picked == outcome {
				return outcome, nil
			}
		}
		s.page.say("There is no such outcome where the gate is blocked.")
	}
}

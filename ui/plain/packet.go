package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/decision"
	"docket/ui/listing"
	"docket/ui/page"
	"docket/ui/wording"
)

type packet struct {
	table    terms.Table
	wanted   int64 // the revision that was asked for; 0: the latest
	caseFile queue.CaseFile
	openedAt terms.Instant
	sections []page.Part
	said     map[int]bool // the sections that were said, and whether whole; the first is the opening
	last     int          // the section that was said last
	seen     []views.SectionName
	position int  // where it stood in the queue
	blind    bool // the advice is held back
	zone     *time.Location
	carried  bool // the draft is of a decision whose packet changed, and continues on this one
}

func (p *packet) reader(now terms.Instant) page.Reader {
	return page.Reader{Now: now, Zone: p.zone, Blind: p.blind}
}

func (p *packet) key() packets.Key { return p.caseFile.View.Key() }

// open opens a packet and says its first section; revision 0 is the latest.
func (s *session) open(table terms.Table, id terms.ID, revision int64) error {
	return s.openCarrying(table, id, revision, nil)
}

// openCarrying continues a decision that was begun on an earlier view of the packet, if any.
func (s *session) openCarrying(table terms.Table, id terms.ID, revision int64, carried *records.KeptDraft) error {
	openedAt := s.workbench.Now()
	caseFile, err := s.workbench.Open(s.ctx, table, id, revision)
	if err != nil {
		return s.trouble(wording.NotOpened, err)
	}
	if unkept, is := s.unkept[caseFile.View.Key()]; is {
		caseFile.Draft = unkept
	}
	if carried != nil {
		caseFile.Draft = *carried
	}
	s.area, s.place = terms.AreaOf(table), atPacket
	s.packet = &packet{table: table, wanted: revision, caseFile: caseFile, openedAt: openedAt, position: s.queue().position(id),
		said: map[int]bool{}, blind: s.blindFirst && decision.HoldsBackAdvice(&caseFile), carried: carried != nil, zone: s.zone}
	s.packet.sections = page.Packet(&s.packet.caseFile, s.packet.reader(openedAt))
	s.sayPacket()
	return nil
}

func (s *session) sayPacket() {
	p := s.packet
	s.page.gap()
	s.page.say("%s", p.title())
	heads, rest := p.sections[0].Rows[:page.Heads], p.sections[0].Rows[page.Heads:]
	s.sayLines(heads)
	p.read(s, 1)
	if len(rest) > 0 {
		p.sayHeading(s, 0)
		s.sayLines(rest)
	}
	p.hear(0, true)
	why, kept := s.whyNotDecide(), &p.caseFile.Draft
	switch {
	case why != "":
		s.page.say(notDecidable, why)
		if lines := decision.HeldDraft(&p.caseFile); lines != nil {
			s.page.say("Your draft is kept: %s.", strings.Join(lines, "; "))
		}
	case kept.Unreadable != "":
		s.page.sentence(decision.Unreadable(&p.caseFile, "discard"))
	case kept.Present() && !p.carried:
		s.page.say("%s Type decide to go on with it, discard to discard it.", decision.DraftOf(&p.caseFile, s.workbench.Now()))
	}
}

func (p *packet) title() string {
	noun, text := "Case", ""
	if terms.AreaOf(p.table) == terms.Amendments {
		noun = "Amendment"
	}
	if latest := p.caseFile.View.Latest().Revision; latest > p.key().Number {
		text = fmt.Sprintf(", not the latest, which is %s", wording.Thousands(int(latest)))
	}
	return fmt.Sprintf("%s %s, revision %s%s.", noun, p.key().ID, wording.Thousands(int(p.key().Number)), text)
}

func (p *packet) prompt() string {
	if next := p.unread(); next >= 0 {
		return fmt.Sprintf("%s. Enter for %s, or a number or command:", p.key().ID, p.sections[next].Title)
	}
	return fmt.Sprintf("%s. All is read. Number or command:", p.key().ID)
}

// unread is the section that Enter reads: the first after the last one that was not said, or the
// last one said that has more; -1 if all is read.
func (p *packet) unread() int {
	partly := -1
	for n := range p.sections {
		i := (p.last + 1 + n) % len(p.sections)
		whole, said := p.said[i]
		switch {
		case !said:
			return i
		case !whole && partly < 0:
			partly = i
		}
	}
	return partly
}

// read says a section and notes it as said; false if there is no such section.
func (p *packet) read(s *session, number int) bool {
	if number < 0 || number >= len(p.sections) {
		return false
	}
	p.sayHeading(s, number)
	one := &p.sections[number]
	s.sayLines(one.Rows)
	if len(one.Rest) > 0 {
		s.page.say("There is more; type more to hear it.")
	}
	p.hear(number, len(one.Rest) == 0)
	p.last = number
	return true
}

func (p *packet) sayHeading(s *session, number int) {
	s.page.gap()
	s.page.say("%d of %d. %s: %s.", number+1, len(p.sections), p.sections[number].Title, p.sections[number].State)
}

func (s *session) sayPage(p pages.Page) { s.sayParts(page.Said(&p)) }

func (s *session) sayParts(parts []pages.Part) {
	for i := range parts {
		if s.page.gap(); parts[i].Title != "" {
			s.page.sentence(parts[i].Title)
		}
		s.sayLines(parts[i].Rows)
	}
	s.page.gap()
}

// sayLines leaves lines that meet the rules and hold only a hash or the like until asked for.
func (s *session) sayLines(lines []pages.Row) {
	out := 0
	for i := range lines {
		text := page.Spoken(&lines[i])
		if lines[i].Mark != pages.Bad && proves.MatchString(lines[i].Value) {
			s.page.lately = append(s.page.lately, text)
			out++
			continue
		}
		s.page.quote(text)
	}
	if out > 0 {
		s.page.say("%s; exact says them.", wording.Plural(out, "line holds only a hash or an id", "lines hold only hashes or ids"))
	}
}

// hear counts sections of the view as seen if nothing is held back and every row was said.
func (p *packet) hear(number int, whole bool) {
	p.said[number] = whole || p.said[number]
	for _, name := range p.sections[number].Of {
		heard := true
		for i := range p.sections {
			if slices.Contains(p.sections[i].Of, name) {
				heard = heard && p.said[i] && !slices.Contains(p.sections[i].Held, name)
			}
		}
		if heard {
			p.see(name)
		}
	}
}

func (s *session) sayRest(string) error {
	p := s.packet
	rest := p.sections[p.last].Rest
	if len(rest) == 0 {
		s.page.say("There is no more of it.")
	}
	s.sayLines(rest)
	p.hear(p.last, true)
	return nil
}

func (p *packet) heardTexts() bool {
	at := slices.IndexFunc(p.sections, func(one page.Part) bool { return one.Name == views.PartSaid })
	return at >= 0 && p.said[at]
}

// see reports whether the section is new; one without a name is not of the view.
func (p *packet) see(name views.SectionName) bool {
	if !name.Present() || slices.Contains(p.seen, name) {
		return false
	}
	p.seen = append(p.seen, name)
	return true
}

func (p *packet) reveal() {
	p.blind = false
	p.sections = page.Packet(&p.caseFile, p.reader(p.openedAt))
}

func (s *session) readSection(number int) (bool, error) { return s.packet.read(s, number-1), nil }

// readNext says the next section that was not read, or the rest of the last one.
func (s *session) readNext(string) error {
	p := s.packet
	switch next := p.unread(); {
	case next < 0:
		s.page.say("All sections are read. Type decide, skip or next to go on, or sections to list them.")
	case next == p.last:
		return s.sayRest("")
	default:
		p.read(s, next)
	}
	return nil
}

func (s *session) readAll(string) error {
	for i := range s.packet.sections {
		s.packet.read(s, i)
	}
	return nil
}

func (s *session) listSections(string) error {
	s.page.gap()
	for i := range s.packet.sections {
		one := &s.packet.sections[i]
		s.page.say("%d. %s: %s.", i+1, one.Title, one.State)
	}
	return nil
}

func (s *session) whyNotDecide() string {
	return decision.WhyNot(&s.packet.caseFile, s.reviewer, s.locked, s.keyless)
}

func (s *session) newerRevision(string) error { return s.otherRevision(true, wording.NoNewer) }
func (s *session) olderRevision(string) error { return s.otherRevision(false, wording.NoOlder) }

func (s *session) otherRevision(newer bool, none string) error {
	number, held := listing.Revision(s.packet.caseFile.Revisions, s.packet.key().Number, newer)
	if !held {
		s.page.sentence(none)
		return nil
	}
	return s.open(s.packet.table, s.packet.key().ID, number)
}

// compare takes the number of a revision, without one the one before or, of the first, the next.
func (s *session) compare(number string) error {
	p, held := s.packet, s.packet.caseFile.Revisions
	if len(held) < 2 {
		s.page.sentence(decision.OneRevision)
		return nil
	}
	other, before := listing.Revision(held, p.key().Number, false)
	if !before {
		other, _ = listing.Revision(held, p.key().Number, true)
	}
	if number != "" {
		other, _ = strconv.ParseInt(number, 10, 64)
	}
	if !slices.Contains(held, other) || other == p.key().Number {
		s.page.say("No other revision %s is held; older and newer go through those that are.", number)
		return nil
	}
	caseFile, err := s.workbench.Open(s.ctx, p.table, p.key().ID, other)
	if err != nil {
		return s.trouble(wording.NotOpened, err)
	}
	from, to := &caseFile.View, &p.caseFile.View
	if other > p.key().Number {
		from, to = to, from
	}
	s.page.gap()
	s.page.say("From revision %s to revision %s, both judged now:", wording.Thousands(int(from.Key().Number)),
		wording.Thousands(int(to.Key().Number)))
	s.sayParts(page.Differences(from, to, p.blind))
	return nil
}

func (s *session) search(text string) error {
	if text == "" {
		s.page.say("Search for what? Type search and a text.")
		return nil
	}
	found := 0
	for i := range s.packet.sections {
		one := &s.packet.sections[i]
		for _, l := range slices.Concat(one.Rows, one.Rest) {
			said := page.Spoken(&l)
			if !strings.Contains(strings.ToLower(said+"\n"+wording.Listed(l.Codes)), strings.ToLower(text)) {
				continue
			}
			s.page.quote(fmt.Sprintf("In %d, %s: %s", i+1, one.Title, said))
			found++
		}
	}
	s.page.say("%s; a number reads that section.", wording.Plural(found, "line holds it", "lines hold it"))
	return nil
}

func (s *session) openNumber(number int) (bool, error) {
	q := s.queue()
	if number < 1 || number > len(q.Shown) {
		return false, nil
	}
	row := q.Row(number - 1)
	return true, s.openRow(&row)
}

func (s *session) openRow(row *queue.Row) error {
	if row.Unreadable != "" {
		s.page.say("%s cannot be read: %s", row.ID, wording.Sentence(row.Unreadable))
		return nil
	}
	return s.open(row.Table, row.ID, row.Revision)
}

func (s *session) openNamed(name string) error {
	if number, err := strconv.Atoi(name); err == nil {
		if opened, err := s.openNumber(number); opened || err != nil {
			return err
		}
	} else if id, ok := terms.ParseID(name); ok {
		if opened, err := s.openID(id); opened || err != nil {
			return err
		}
	}
	s.page.say("There is no packet of that name here. Type appeals or amendments to list those there are.")
	return nil
}

// openID prefers the current docket if both have the id; false if there is none.
func (s *session) openID(id terms.ID) (bool, error) {
	other := terms.Appeals + terms.Amendments - s.area
	for _, area := range []terms.Area{s.area, other} {
		q := &s.queues[area]
		if at, found := q.Queue.Find(id); found {
			row := q.Queue.Row(at)
			return true, s.openRow(&row)
		}
	}
	return false, nil
}

func (s *session) nextCase(string) error     { return s.openNeighbour(false) }
func (s *session) previousCase(string) error { return s.openNeighbour(true) }

func (s *session) openNeighbour(backwards bool) error {
	if !s.queue().read {
		if err := s.queue().reread(s); err != nil {
			return err
		}
	}
	row, any := s.queue().neighbour(s.packet.key().ID, s.packet.position, backwards)
	if !any {
		s.page.say("There is no other open case in this list.")
		return nil
	}
	return s.openRow(&row)
}

func (s *session) skip(reason string) error {
	p := s.packet
	if why := decision.WhyNotSkip(p.caseFile.Decided(), s.reviewer, s.locked); why != "" {
		s.page.say("It cannot be skipped: %s.", why)
		return nil
	}
	if row := p.caseFile.Row(); row.Skipped != "" {
		reason = ""
	} else if reason == "" {
		s.page.say("%s", wording.WhySkip)
		var err error
		if reason, err = s.askText(s.named("Reason, or Enter to skip nothing:")); err != nil {
			return err
		}
		if reason == "" {
			s.page.say("Nothing is skipped.")
			return nil
		}
	}
	if err := s.workbench.Skip(s.ctx, terms.RecordTable(s.area), p.key(), reason); err != nil {
		return s.trouble("Not skipped", err)
	}
	s.page.sentence(wording.Skipped(reason, "skip"))
	p.caseFile.Skipped = reason
	p.sections[0] = page.Opening(&p.caseFile, p.reader(p.openedAt))
	return s.queue().reread(s)
}

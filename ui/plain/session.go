package plain

import (
	"cmp"
	"context"
	"docket/ui/screen/findings"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui"
	"docket/ui/decision"
	"docket/ui/listing"
	"docket/ui/tty"
	"docket/ui/wording"
)

// A session is one reader's work in one goroutine; a second one sends proof.
type session struct {
	ctx       context.Context
	workbench ui.Workbench
	keys      tty.Keyboard
	page      *printer
	clock     func() time.Time // times keys; what is judged goes by the workbench's time
	number    func() string    // four random digits
	notice    string
	greeting  string // says what this is to those who see it for the first time; "" for none
	locked    string // why recording is off; "" if it is on
	// keyless is why the signing key cannot be used; "" if it can, or without a reviewer.
	keyless string
	proof   <-chan error        // why the log was not checked; nil once it was
	met     func() []ui.Finding // what was found of it by now; nil: nothing is
	told    int                 // of those
	notes   <-chan ui.Note

	reviewer records.Reviewer
	place    place
	over     bool
	area     terms.Area
	queues   [terms.Amendments + 1]filteredQueue // by area
	board    *queue.Board

	boardFilter queue.Filter
	records     recordList
	service     records.HandInTally // as it was said last
	saved       []ui.SavedFilter
	folder      string // where an export goes unless its reader says otherwise
	prepared    []decision.Prepared
	commands    commandTable
	zone        *time.Location // the reader's own; nil: not known
	packet      *packet
	decision    *deciding         // the one under way
	receipt     pages.Page        // of what was recorded last
	cautioned   bool              // it says something that must not be missed
	autosave    decision.Autosave // of the decision under way

	left        terms.Instant // when the reviewer last left the queue
	announced   string        // the day on which it was said what is due
	blindFirst  bool
	unkept      map[packets.Key]records.KeptDraft // drafts that the workbench could not keep
	interrupted bool                              // the session ended in a decision that is kept
	untold      string                            // says that a result is not known; "" if all are
}

func newSession(ctx context.Context, workbench ui.Workbench, keys tty.Keyboard, p *printer, opts ui.Options) *session {
	s := &session{ctx: ctx, workbench: workbench, keys: keys, page: p, clock: opts.Clock,
		number: randomNumber, notice: opts.Notice, greeting: opts.Greeting,
		place: atStart, area: terms.Appeals, blindFirst: opts.BlindFirst, left: opts.Left,
		keyless: opts.Keyless, saved: opts.Saved, folder: opts.ExportFolder, prepared: opts.Prepared,
		commands: commandsWith(opts.Keys), unkept: map[packets.Key]records.KeptDraft{}}
	s.autosave.Drafts = workbench
	if s.clock == nil {
		s.clock = time.Now
	}
	order := queue.ByDeadline
	if opts.Order.Present() {
		order = opts.Order
	}
	for _, area := range terms.Areas.All() {
		s.queues[area] = filteredQueue{area: area, sorted: order, Rows: listing.Rows{Queue: queue.New(area, nil)}}
	}
	return s
}

// run returns nil if the reader leaves, else what ended the session: io.EOF for the input.
func (s *session) run(findings []ui.Finding) error {
	s.reviewer = s.workbench.Reviewer()
	s.sayFindings(findings)
	if err := s.greet(""); err != nil {
		return err
	}
	_ = s.sayCommands("")
	for !s.over {
		text, err := s.ask(s.prompt())
		if err != nil {
			return err
		}
		if err := s.dispatch(text); err != nil {
			return err
		}
	}
	s.page.say("docket has ended.")
	return s.page.err
}

// put says what has happened meanwhile, and puts a question.
func (s *session) put(question string) error {
	s.sayDropped("")
	s.sayProof()
	s.tellNotes()
	s.sayDue()
	s.page.ask(question)
	return s.page.err
}

// readLine returns a trimmed line, or why it is not taken; with io.EOF, one without an end.
func (s *session) readLine() (text, why string, err error) {
	text, err = s.keys.Line()
	switch {
	case errors.Is(err, tty.ErrLongLine):
		s.page.answered("", true)
		return "", "A line of 4,095 bytes or more may be cut by the terminal, so it is not taken; several shorter lines together are.", nil
	case err != nil && text == "":
		return "", "", err
	}
	s.page.answered(text, s.keys.Echoes())
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return "", "That line holds keys that are no text, such as an arrow, so it is ignored. Type it again.", err
	}
	return strings.TrimSpace(text), "", err
}

// ask returns the answer without the blanks around it, and asks again after a line that is no text.
func (s *session) ask(question string) (string, error) {
	for {
		if err := s.put(question); err != nil {
			return "", err
		}
		text, why, err := s.readLine()
		switch {
		case why != "":
			s.page.say("%s", why)
		case text != "" && ended(err):
			return text, nil // the next question meets the end
		case err == nil:
			return text, nil
		}
		if err != nil {
			return "", err
		}
	}
}

// askText takes several lines that came together, as in a paste, or were typed before the question;
// with an error it returns what was typed until then.
func (s *session) askText(question string) (string, error) {
	for {
		early := s.keys.Waiting(0)
		if err := s.put(question); err != nil {
			return "", err
		}
		text, why, err := s.readLine()
		c, _, command := s.commands.at(inDecision, text)
		switch {
		case err == nil && command && s.decision == nil:
			s.page.say("%s is a command, not a text.", wording.Capital(c.word))
			continue
		case err == nil && why == "" && (text == "" || command):
			return text, nil
		}
		lines := []string{text}
		for err == nil {
			begun := !s.keys.Waiting(together)
			if begun && !s.keys.End(together) {
				break
			}
			var more, fault string
			more, fault, err = s.readLine()
			lines, why = append(lines, more), cmp.Or(why, fault)
			s.page.begun = begun && s.keys.Echoes() // what the terminal shows of it has no end
		}
		text = strings.TrimSpace(strings.Join(unpaired(lines), "\n"))
		switch {
		case why != "":
			s.page.say("%s Nothing of the answer is taken.", why)
			if err != nil {
				return "", err
			}
			continue
		case err != nil || len(lines) == 1 && !early:
			return text, err
		}
		s.page.say("This came in several lines, or was typed before the question was put:")
		for line := range strings.SplitSeq(text, "\n") {
			s.page.say("%s", line)
		}
		instead, err := s.askText("Enter takes it as the answer; what you type stands in its place:")
		return cmp.Or(instead, text), err
	}
}

// unpaired takes out the empty lines that a terminal makes of a carriage return and a newline.
func unpaired(lines []string) (texts []string) {
	for i, line := range lines {
		if i%2 == 0 {
			texts = append(texts, line)
		} else if line != "" {
			return lines
		}
	}
	return texts
}

func (s *session) sayDropped(after string) {
	lost := strings.Trim(after+s.keys.Dropped(), "\x00")
	if lost == "" {
		return
	}
	lines := strings.FieldsFunc(lost, func(r rune) bool { return r == '\n' || r == '\r' })
	if len(lines) == 0 {
		lines = []string{"Enter"}
	}
	s.page.fresh()
	s.page.say("%s", wording.Sentence("Typed ahead, so not taken: "+strings.Join(lines, "; ")))
}

// trouble says an error and returns nil, unless the session was stopped.
func (s *session) trouble(what string, err error) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	s.page.say("%s: %s.", what, err)
	return nil
}

// ended: the end of the input ends a session like quit.
func ended(err error) bool { return errors.Is(err, io.EOF) }

func (s *session) greet(string) error {
	s.page.gap()
	title := "docket, line by line"
	if s.notice != "" {
		title += ": " + s.notice
	}
	s.page.say("%s.", title)
	if s.greeting != "" {
		s.page.say("%s Try appeals, then the number of a case, then decide.", s.greeting)
	}
	s.sayReviewer()
	for _, area := range terms.Areas.All() {
		if err := s.queues[area].reread(s); err != nil {
			return err
		}
		s.page.say("%s", s.queues[area].counts(s))
	}
	return s.sayService()
}

func (s *session) sayReviewer() {
	who := fmt.Sprintf("%s, %s", s.reviewer.ID, s.reviewer.Role.Label())
	switch {
	case s.locked != "":
		s.page.say("Read-only: %s.", s.locked)
	case s.keyless != "":
		if s.reviewer.Known() {
			s.page.say("You work as %s.", who)
		}
		s.page.say("Read-only: %s.", wording.Unsigned(s.keyless))
		s.page.say("What to do: %s %s", wording.UnsignedAdvice, wording.UnsignedStill)
	case !s.reviewer.Known():
		s.page.say("Read-only: no reviewer is set up on this machine. Run `docket identity init` to decide.")
	case s.reviewer.KeyFingerprint == "":
		s.page.say("You work as %s, without a signing key, so the session is read-only. Run `docket identity init` to get one.", who)
	default:
		s.page.say("You work as %s, with the key %s.", who, s.reviewer.KeyFingerprint)
	}
}

// sayFindings says the findings of the log; from then on nothing can be recorded.
func (s *session) sayFindings(found []ui.Finding) {
	if len(found) == 0 {
		return
	}
	said := wording.Altered
	if s.locked = wording.Locked; findings.Unanchored(found) {
		said, s.locked = wording.Unanchored, wording.Unaccepted
	}
	s.page.gap()
	s.page.say("%s.", wording.Capital(said))
	for _, finding := range found {
		s.page.say("Found: %s", finding.Found)
		s.page.say("What to do: %s", finding.Advice)
	}
	s.page.say("%s", wording.NothingUntil)
}

func (s *session) tellNotes() {
	for {
		select {
		case note := <-s.notes:
			s.page.sentence(note.Text)
			if note.Lasting != "" {
				s.notice = note.Lasting
			}
		default:
			return
		}
	}
}

// sayDue says once a day, of the reviewer's time zone, how many cases are overdue and due today.
func (s *session) sayDue() {
	q, now := &s.queues[terms.Appeals], s.workbench.Now()
	day, ends := wording.Day(now, s.zone)
	if !q.read || day == s.announced {
		return
	}
	s.announced = day
	if text := wording.Due(q.Queue.Due(now, terms.InstantOf(ends))); text != "" {
		s.page.say("%s.", wording.Capital(text))
	}
}

// sayProof says what was found of the log, why it was not checked, or once that nothing was found.
func (s *session) sayProof() {
	checked := false
	select {
	case err, open := <-s.proof:
		switch {
		case !open:
			s.proof = nil
		case err == nil:
			checked = true
		case s.ctx.Err() == nil:
			s.page.say("%s: %s.", wording.Capital(wording.LogNotChecked), err)
		}
	default:
	}
	if s.met != nil {
		if found := s.met(); len(found) > s.told {
			s.sayFindings(found[s.told:])
			s.told = len(found)
		}
	}
	if checked && s.told == 0 {
		s.page.say("%s.", wording.Capital(wording.LogChecked))
	}
}

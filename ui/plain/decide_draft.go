package plain

import (
	"context"
	"strconv"
	"strings"
	"time"

	"docket/domain"
	"docket/ui/decision"
)

// A wayOn is what can be done with a draft.
type wayOn struct {
	word, meaning string
	anew          bool
}

// waysOn are numbered in their order. The first one loses nothing, where there is anything to lose.
func waysOn(kept *domain.KeptDraft) []wayOn {
	discard := wayOn{"discard", "drop it and begin anew", true}
	if kept.Unreadable != "" {
		return []wayOn{discard}
	}
	return []wayOn{{"continue", "go on with it", false}, discard}
}

// draftQuestion asks what is to become of a decision that was begun before. Its note is not repeated.
var draftQuestion = question{
	put: func(s *session, d *deciding) {
		kept := &d.packet.dossier.Draft
		began := decision.Began(kept, d.View().Key().Number, s.desk.Now())
		if kept.Unreadable != "" {
			s.page.say("A decision on this was begun at %s, but its draft cannot be read: %s.", began, kept.Unreadable)
		} else {
			s.page.say("A decision on this was begun. A draft of %s is kept: %s.", began, decision.Sum(d.View(), &kept.Draft))
		}
		for i, way := range waysOn(kept) {
			s.page.say("%d. %s: %s.", i+1, way.word, way.meaning)
		}
	},
	prompt: func(d *deciding) string {
		if d.packet.dossier.Draft.Unreadable != "" {
			return "Number or word, or back:"
		}
		return "Number or word, or Enter to continue:"
	},
	answer: func(s *session, d *deciding, text string) turn {
		kept := &d.packet.dossier.Draft
		for i, way := range waysOn(kept) {
			if strings.EqualFold(text, way.word) || text == strconv.Itoa(i+1) || text == "" && kept.Unreadable == "" {
				d.anew = way.anew
				return nextQuestion
			}
		}
		s.page.say("That is none of them; type repeat to hear them again, or back to leave the draft as it is.")
		return sameQuestion
	},
}

// begin asks what is to become of what was begun before, if there is any, and carries that out. False: nothing is decided
// now.
func (s *session) begin() (bool, error) {
	d, p := s.decision, s.packet
	kept := p.dossier.Draft
	d.durable = kept.Present() && !s.isUnkept(p.key())
	switch {
	case !kept.Present():
		return true, nil
	case p.carried:
		p.carried = false
		s.goOn(&kept, true)
		return true, nil
	}
	for put := true; ; {
		if put {
			s.page.gap()
			draftQuestion.put(s, d)
		}
		next, err := s.askOne(&draftQuestion)
		switch {
		case err != nil:
			return false, err
		case next == outOfIt:
			return false, nil
		case next == questionBefore:
			s.sayLeft()
			return false, nil
		case next == nextQuestion && !d.anew:
			s.goOn(&kept, d.packet.blind)
			if s.isUnkept(p.key()) {
				d.kept = domain.Draft{} // the next answer tries again
			}
			return true, nil
		case next == nextQuestion:
			return s.discard(&kept)
		}
		put = next == sameAnew
	}
}

// goOn takes over what was begun, as far as the packet still allows it, and says what has changed since.
func (s *session) goOn(kept *domain.KeptDraft, again bool) {
	d := s.decision
	d.Resume(kept, again)
	d.kept = d.Current()
	s.page.say("What you had chosen before is kept.")
	s.sayNotices()
}

// discard drops what was begun. Once the advice has been said, what was said before it stays said.
func (s *session) discard(kept *domain.KeptDraft) (bool, error) {
	d, p := s.decision, s.packet
	if kept.Revision == p.key().Number && kept.Preliminary.Present() {
		d.Preliminary = kept.Preliminary
		s.keepDraft()
		s.page.say("It is discarded, but for your own judgment, which was given before the advice was said.")
		return true, nil
	}
	if err := s.desk.DropDraft(s.ctx, p.table, p.key()); err != nil {
		return false, s.trouble("The draft could not be dropped", err)
	}
	s.forget(p.key())
	p.dossier.Draft, d.durable = domain.KeptDraft{}, false
	s.page.say("It is discarded.")
	return true, nil
}

// keepFor is how long a draft is waited for, also while the program is being ended.
const keepFor = 5 * time.Second

// keepDraft keeps what has changed. Where that goes wrong it is said, the draft stays in memory, and the next answer tries
// again.
func (s *session) keepDraft() {
	d, p := s.decision, s.packet
	now := d.Current()
	if now == d.kept {
		return
	}
	p.dossier.Draft = domain.KeptDraft{Draft: now, Revision: p.key().Number, SavedAt: s.desk.Now()}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), keepFor)
	defer cancel()
	if err := s.desk.SaveDraft(ctx, p.table, p.key(), now); err != nil {
		s.unkept[p.key()] = p.dossier.Draft
		d.durable = false
		s.page.say("The draft could not be written: %s. What you chose is kept until docket ends.", err)
		return
	}
	s.forget(p.key())
	d.kept, d.durable = now, true
}

// forget lets go of what is in memory only.
func (s *session) forget(key domain.Key) { delete(s.unkept, key) }

func (s *session) isUnkept(key domain.Key) bool {
	_, is := s.unkept[key]
	return is
}

// sayLeft says that a decision is left, and what has become of it.
func (s *session) sayLeft() {
	switch p := s.packet; {
	case s.isUnkept(p.key()):
		s.page.say("The decision is left. Nothing is recorded. What you chose is kept until docket ends; decide goes on with it.")
	case p.dossier.Draft.Present() && p.dossier.Draft.Unreadable == "":
		s.page.say("The decision is left. Nothing is recorded. What you chose is kept; decide goes on with it.")
	default:
		s.page.say("The decision is left. Nothing is recorded.")
	}
}

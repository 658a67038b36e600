package plain

import (
	"strconv"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/ui/decision"
	"docket/ui/wording"
)

// offerQuestion asks what to do with a draft.
func offerQuestion(offer *decision.Offer, taken *decision.Way) *question {
	return &question{
		put: func(s *session, _ *deciding) {
			s.page.say("%s. %s", offer.Title, offer.Text)
			for i, way := range offer.Ways {
				s.page.say("%d. %s: %s.", i+1, way.Word, way.Meaning)
			}
		},
		prompt: func(*deciding) string {
			if offer.Ways[0].Anew {
				return "Number or word, or back:"
			}
			return "Number or word, or Enter to continue:"
		},
		answer: func(s *session, _ *deciding, text string) turn {
			for i, way := range offer.Ways {
				if strings.EqualFold(text, way.Word) || text == strconv.Itoa(i+1) || text == "" && !way.Anew {
					*taken = way
					return nextQuestion
				}
			}
			s.page.say("That is none of them; type repeat to hear them again, or back to leave the draft as it is.")
			return sameQuestion
		},
	}
}

// begin asks what to do with the packet's draft, if there is one, and does it. False: the decision does not begin.
func (s *session) begin() (bool, error) {
	d, p := s.decision, s.packet
	kept := p.caseFile.Draft
	d.durable = kept.Present() && !s.isUnkept(p.key())
	switch {
	case !kept.Present():
		return true, nil
	case p.carried:
		p.carried = false
		s.goOn(&kept, true)
		return true, nil
	}
	offer, taken := decision.OfferOf(&p.caseFile, s.workbench.Now()), decision.Way{}
	asked := offerQuestion(&offer, &taken)
	for put := true; ; {
		if put {
			s.page.gap()
			asked.put(s, d)
		}
		next, err := s.askOne(asked)
		switch {
		case err != nil:
			return false, err
		case next == outOfIt:
			return false, nil
		case next == questionBefore:
			s.sayLeft()
			return false, nil
		case next == nextQuestion && !taken.Anew:
			s.goOn(&kept, d.packet.blind)
			if s.isUnkept(p.key()) {
				d.kept = records.Draft{} // the next answer tries again
			}
			return true, nil
		case next == nextQuestion:
			return s.discard(&kept)
		}
		put = next == sameAnew
	}
}

// goOn resumes a draft as far as the packet still allows it, and says what has changed since.
func (s *session) goOn(kept *records.KeptDraft, again bool) {
	d := s.decision
	d.Resume(kept, again)
	d.kept = d.Current()
	s.page.say("What you had chosen before is kept.")
	s.sayNotices()
}

// discard drops a draft, but for the reviewer's own judgment if the advice has been said since.
func (s *session) discard(kept *records.KeptDraft) (bool, error) {
	d, p := s.decision, s.packet
	if !d.Discard(kept) {
		s.keepDraft()
		s.page.say("It is discarded, but for your own judgment, which was given before the advice was said.")
		return true, nil
	}
	if err := s.autosave.Drop(p.table, p.key())(s.ctx); err != nil {
		return false, s.trouble(wording.Capital(wording.DraftNotDropped), err)
	}
	s.forget(p.key())
	p.caseFile.Draft, d.durable = records.KeptDraft{}, false
	s.page.say("It is discarded.")
	return true, nil
}

// keepDraft saves the draft if it has changed, also while the program is being stopped. Where that fails it says so, keeps the
// draft in memory, and tries again after the next answer.
func (s *session) keepDraft() {
	d, p := s.decision, s.packet
	now := d.Current()
	if now == d.kept {
		return
	}
	p.caseFile.Draft = d.Kept(s.workbench.Now())
	s.autosave.Note(p.table, p.key(), now)
	if err := s.autosave.Flush(); err != nil {
		s.unkept[p.key()] = p.caseFile.Draft
		d.durable = false
		s.page.say("The draft could not be written: %s. What you chose is kept until docket ends.", err)
		return
	}
	s.forget(p.key())
	d.kept, d.durable = now, true
}

// forget drops a draft that is in memory only.
func (s *session) forget(key packets.Key) { delete(s.unkept, key) }

func (s *session) isUnkept(key packets.Key) bool {
	_, is := s.unkept[key]
	return is
}

// sayLeft says that the decision is left, and whether its draft is kept.
func (s *session) sayLeft() {
	switch p := s.packet; {
	case s.isUnkept(p.key()):
		s.page.say("The decision is left. Nothing is recorded. What you chose is kept until docket ends; decide goes on with it.")
	case p.caseFile.Draft.Present() && p.caseFile.Draft.Unreadable == "":
		s.page.say("The decision is left. Nothing is recorded. What you chose is kept; decide goes on with it.")
	default:
		s.page.say("The decision is left. Nothing is recorded.")
	}
}

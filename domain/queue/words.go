package queue

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/visible"
)

var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
	unicode.Lao, unicode.Khmer, unicode.Myanmar}

// folded is the words that visible.Fold leaves, with a blank on either side; in a script without
// blanks each character is a word, so that part of a text is found as a phrase.
func folded(text string) string {
	out := append(make([]byte, 0, len(text)+2), ' ')
	end := func() {
		if out[len(out)-1] != ' ' {
			out = append(out, ' ')
		}
	}
	for _, r := range visible.Fold(text) {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			out = append(out, byte(r))
		case r < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r):
			end()
		case unicode.In(r, unspaced...):
			end()
			out = append(utf8.AppendRune(out, r), ' ')
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	end()
	return string(out)
}

// textsOf lists the words in which text: looks: the texts of a packet, but for masked or erased ones,
// and the labels of its words, each folded, on a line of its own.
func textsOf(p packets.Packet) string {
	var texts []string
	if c := p.AppealCase().Pointer(); c != nil {
		for _, text := range []packets.Text{c.EvidenceScope.Statement, c.Standing.PrivacySafeSummary, c.RemedyGap} {
			if !text.Masked() && !text.Erased() {
				texts = append(texts, text.String())
			}
		}
		texts = append(texts, c.Status.Label(), c.Subject.Label(), c.Trigger.Label(), c.Standing.Category.Label(), c.RequestedOutcome.Label())
		for _, effect := range c.RequestedEffects.Set.Terms() {
			texts = append(texts, effect.Label())
		}
	}
	if a := p.Amendment().Pointer(); a != nil {
		texts = append(texts, a.State.Label(), a.SubjectType.Label(), a.Transition.Label(), a.AmendmentType.Label())
		for _, changed := range a.ChangedTerms.Set.Terms() {
			texts = append(texts, changed.Label())
		}
	}
	for i := range texts {
		texts[i] = folded(texts[i])
	}
	return strings.Join(texts, "\n")
}

// idsOf lists the ids in which id: looks, in lower case, on a line each: the row's with its revision,
// as in case-1/2, that of its subject or agreement, and those of the records on it.
func idsOf(key packets.Key, about terms.ID, recorded []records.RecordID) string {
	ids := fmt.Sprintf("%s/%d\n%s", key.ID, key.Number, about)
	for _, id := range recorded {
		ids += "\n" + string(id)
	}
	return strings.ToLower(ids)
}

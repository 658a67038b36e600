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
func folded(text string) string { return string(appendFolded(nil, text)) }

func appendFolded(out []byte, text string) []byte {
	start := len(out)
	out = append(out, ' ')
	for i := range len(text) { // most texts: ASCII, which Fold would only put in lower case
		switch c := text[i]; {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			out = append(out, c)
		case 'A' <= c && c <= 'Z':
			out = append(out, c-'A'+'a')
		case c >= utf8.RuneSelf:
			return appendUnicode(out[:start+1], text)
		default:
			out = endWord(out)
		}
	}
	return endWord(out)
}

// appendUnicode is appendFolded behind the first blank.
func appendUnicode(out []byte, text string) []byte {
	for _, r := range visible.Fold(text) {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			out = append(out, byte(r))
		case r < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r):
			out = endWord(out)
		case unicode.In(r, unspaced...):
			out = append(utf8.AppendRune(endWord(out), r), ' ')
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return endWord(out)
}

func endWord(out []byte) []byte {
	if out[len(out)-1] == ' ' {
		return out
	}
	return append(out, ' ')
}

// textsOf lists the words in which text: looks: the texts of a packet, but for masked or erased ones,
// and the labels of its words, each folded, on a line of its own.
func textsOf(p packets.Packet) string {
	out := make([]byte, 0, 1024)
	add := func(text string) { out = append(appendFolded(out, text), '\n') }
	if c := p.AppealCase().Pointer(); c != nil {
		for _, text := range []packets.Text{c.EvidenceScope.Statement, c.Standing.PrivacySafeSummary, c.RemedyGap} {
			if !text.Masked() && !text.Erased() {
				add(text.String())
			}
		}
		for _, label := range []string{c.Status.Label(), c.Subject.Label(), c.Trigger.Label(),
			c.Standing.Category.Label(), c.RequestedOutcome.Label()} {
			add(label)
		}
		for _, effect := range c.RequestedEffects.Set.Terms() {
			add(effect.Label())
		}
	}
	if a := p.Amendment().Pointer(); a != nil {
		for _, label := range []string{a.State.Label(), a.SubjectType.Label(), a.Transition.Label(), a.AmendmentType.Label()} {
			add(label)
		}
		for _, changed := range a.ChangedTerms.Set.Terms() {
			add(changed.Label())
		}
	}
	return string(out)
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

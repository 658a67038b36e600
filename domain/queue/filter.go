package queue

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"docket/domain/terms"
)

// A Filter selects rows of the queue. The zero Filter selects all. Its language:
//
//	words                    match ids and codes, in part, ignoring case
//	gate:pass  blocker:notice  status:filed  trigger:privacy  subject:claim  transition:pause
//	only:notice              held by that blocker alone
//	earlier:notice           a person added it on an earlier revision; no record has answered
//	due:<48h  due:>7d        time left, in m, h, d or w; a row without a deadline matches neither
//	filed:<7d  came:>2w      time since it was filed, since its latest revision came in
//	waiting:>14d             time since the decision that a case waits on
//	due:today  came:today    the time is on this day, local time
//	assigned:rev-1  assigned:me  trigger:none
//	id:case:17               part of an id, also of one with a colon: of the row, its reviewer, its
//	                         subject or agreement, a record on it; with revision: id:case-1/2
//	text:mosq                a word in the texts and labels that begins so
//	text:"wrong ward"        words one after the other; without the closing quote it ends with the
//	                         filter, and its last word may go on
//	is:open  is:overdue  is:draft  is:mine  is:decided  is:skipped  is:rejected  is:waiting
//	is:closed  is:reassigned
//	is:new                   its latest revision came in since the reviewer last left the queue
//	-term                    negates
//
// A value behind a key is part of a word; if it is a whole word, it is that word only. none stands
// for an absent word. All terms must match.
type Filter struct {
	text  string
	terms []filterTerm
}

// A FilterContext is what terms like is:mine and due:<48h refer to.
type FilterContext struct {
	Reviewer terms.ID
	Now      terms.Instant
	Left     terms.Instant // when the reviewer last left the queue; absent: every row is new
}

// String returns the filter as it was written.
func (f Filter) String() string { return f.text }

// Blockers are those that the filter seeks and does not negate, which a selected row shows first.
func (f Filter) Blockers() (set terms.BlockerSet) {
	for i := range f.terms {
		if !f.terms[i].negated {
			set = set.Union(f.terms[i].blockers)
		}
	}
	return set
}

// Marks lists what the filter looks for and does not negate, to be marked where it stands.
func (f Filter) Marks() (list []Mark) {
	for i := range f.terms {
		t := &f.terms[i]
		switch {
		case t.negated:
		case t.phrase != "":
			list = append(list, Mark{Text: t.phrase, InTexts: true})
		case t.part != "":
			list = append(list, Mark{Text: t.part, InIDs: true, InCodes: !t.keyed})
		}
	}
	return list
}

// InCodes reports whether a word of the filter is looked for in ids and codes, but not in texts.
func (f Filter) InCodes() bool {
	return slices.ContainsFunc(f.Marks(), func(m Mark) bool { return m.InCodes })
}

// A Mark is a text, in lower case, sought as part of ids or codes, or as words in texts and labels.
type Mark struct {
	Text                    string
	InIDs, InCodes, InTexts bool
}

// A FilterKey describes one key of the language, for help and completion.
type FilterKey struct {
	Key     string
	Meaning string
	Values  []string // what may stand behind the key; nil where it is not a closed list
	parse   func(value string) (filterTerm, error)
}

// FilterKeys lists the keys of the language.
func FilterKeys() []FilterKey { return append([]FilterKey(nil), filterKeys...) }

var filterKeys = []FilterKey{
	wordKey("gate", "pass or blocked", terms.Gates(), 0,
		func(r *heldRow) string { return r.Gate.String() }).always(),
	blockerKey("blocker", "a blocker that holds", func(r *heldRow, sought terms.BlockerSet) bool {
		return r.Blockers.Set&sought != 0 || sought.Empty() && r.Blockers.Set.Empty()
	}),
	blockerKey("only", "the one blocker that holds", func(r *heldRow, sought terms.BlockerSet) bool {
		return r.Blockers.Set&sought != 0 && r.Blockers.Set.Len() == 1
	}),
	blockerKey("earlier", "a blocker that a person added on an earlier revision, not answered since",
		func(r *heldRow, sought terms.BlockerSet) bool { return r.earlier&sought != 0 }),
	wordKey("status", "case status or amendment state",
		append(terms.CaseStatuses.Texts(), terms.AmendmentStates.Texts()...), 0,
		func(r *heldRow) string { return string(r.Status) }),
	wordKey("trigger", "ground of the appeal", terms.Triggers.Texts(), terms.Appeals,
		func(r *heldRow) string { return string(r.Trigger) }),
	wordKey("subject", "what is appealed or amended",
		append(terms.Subjects.Texts(), terms.SubjectTypes.Texts()...), 0,
		func(r *heldRow) string { return string(r.Subject) }),
	wordKey("transition", "what the amendment sets out to do", terms.Transitions.Texts(), terms.Amendments,
		func(r *heldRow) string { return string(r.Trigger) }),
	assignedKey,
	idKey,
	textKey,
	timeKey("due", "time left, such as <48h or >7d, or today", true,
		func(r *heldRow) terms.Instant { return r.due }),
	timeKey("filed", "time since it was filed, such as <7d, or today", false,
		func(r *heldRow) terms.Instant { return r.FiledAt }),
	timeKey("came", "time since its latest revision came in, such as <7d, or today", false,
		func(r *heldRow) terms.Instant { return r.ImportedAt }),
	timeKey("waiting", "time since its decision, which asks for something, such as >14d", false,
		func(r *heldRow) terms.Instant { return r.waitsSince }),
	{"is", "its state on this machine", isWords(), parseIs},
}

// wordKey makes a key for a word of a row of the area, 0 for both.
func wordKey(key, meaning string, words []string, area terms.Area, of func(*heldRow) string) FilterKey {
	return valuesKey(key, meaning, words, func(_ *filterTerm, match wordMatch) rowTest {
		return func(r *heldRow, _ *FilterContext) bool {
			return (area == 0 || terms.AreaOf(r.Table) == area) && match.is(of(r))
		}
	})
}

// blockerKey passes no blockers to holds for the value none.
func blockerKey(key, meaning string, holds func(r *heldRow, sought terms.BlockerSet) bool) FilterKey {
	return valuesKey(key, meaning, terms.Blockers.Texts(), func(term *filterTerm, match wordMatch) rowTest {
		sought := match.blockers()
		term.blockers = term.blockers.Union(sought)
		return func(r *heldRow, _ *FilterContext) bool { return holds(r, sought) }
	})
}

// valuesKey refuses a value that is part of none of the words, so that a mistyped filter does not
// silently select nothing, or everything when negated.
func valuesKey(key, meaning string, words []string, test func(*filterTerm, wordMatch) rowTest) FilterKey {
	return FilterKey{key, meaning, words, func(values string) (term filterTerm, err error) {
		for value := range strings.SplitSeq(values, ",") {
			match := wordMatch{part: value, whole: slices.Contains(words, value)}
			match.none = !match.whole && value == FilterNone
			term.readable = term.readable || match.none
			if value == "" || !match.none && !slices.ContainsFunc(words, match.is) {
				return term, refuseValue(key, value, append(distinct(words), FilterNone))
			}
			term.any = append(term.any, test(&term, match))
		}
		return term, nil
	}}
}

// always makes a key that does not take none, because every row has one of its words.
func (k FilterKey) always() FilterKey {
	parse := k.parse
	k.parse = func(value string) (filterTerm, error) {
		if term, err := parse(value); err == nil && value != FilterNone {
			return term, nil
		}
		return filterTerm{}, refuseValue(k.Key, value, k.Values)
	}
	return k
}

func distinct(words []string) (once []string) {
	for _, word := range words {
		if !slices.Contains(once, word) {
			once = append(once, word)
		}
	}
	return once
}

// ParseFilter reads a filter. Its error names the wrong key, not the value, and the nearest words.
func ParseFilter(text string) (Filter, error) {
	f := Filter{text: text}
	for rest := strings.ToLower(text); ; {
		var field string
		if field, rest = nextTerm(rest); field == "" {
			return f, nil
		}
		field, negated := strings.CutPrefix(field, "-")
		if field == "" {
			return Filter{}, fmt.Errorf("a lone - negates nothing")
		}
		term, err := parseTerm(field)
		if err != nil {
			return Filter{}, err
		}
		term.negated = negated
		f.terms = append(f.terms, term)
	}
}

// nextTerm cuts the first term off, as written; a blank ends it, but not within a text's quotes.
func nextTerm(text string) (term, rest string) {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	from := 0
	if quoted := strings.TrimPrefix(text, "-"); strings.HasPrefix(quoted, textKey.Key+":\"") {
		from = len(text) - len(quoted) + len(textKey.Key) + len(":\"")
		closing := strings.IndexByte(text[from:], '"')
		if closing < 0 {
			return text, ""
		}
		from += closing
	}
	if blank := strings.IndexFunc(text[from:], unicode.IsSpace); blank >= 0 {
		return text[:from+blank], text[from+blank:]
	}
	return text, ""
}

// LastTerm is where the last term, still being typed, begins; the end, if a blank has ended it.
func LastTerm(text string) int {
	for rest := text; ; {
		term, after := nextTerm(rest)
		if after == "" {
			return len(text) - len(term)
		}
		rest = after
	}
}

func parseTerm(field string) (filterTerm, error) {
	key, value, keyed := strings.Cut(field, ":")
	if say, is := connectives[field]; is {
		return filterTerm{}, fmt.Errorf("%s is no term of a filter; %s; as a word of a text it is text:%[1]s", field, say)
	}
	if !keyed {
		return wordTerm(field), nil
	}
	if known := filterKey(key); known != nil {
		return known.parse(value)
	}
	return filterTerm{}, refuseKey(key)
}

func filterKey(key string) *FilterKey {
	for i := range filterKeys {
		if filterKeys[i].Key == key {
			return &filterKeys[i]
		}
	}
	return nil
}

func wordTerm(word string) filterTerm {
	match := wordMatch{part: word}
	sought := match.blockers()
	return filterTerm{part: word, blockers: sought, any: []rowTest{func(r *heldRow, _ *FilterContext) bool {
		return r.Blockers.Set&sought != 0 || match.is(r.Gate.String()) || match.is(string(r.Status)) ||
			match.is(string(r.Subject)) || match.is(string(r.Trigger)) || r.hasID(word)
	}}}
}

var isTerms = []struct {
	word string
	is   rowTest
}{
	{"open", func(r *heldRow, _ *FilterContext) bool { return r.open }},
	{"overdue", func(r *heldRow, in *FilterContext) bool {
		return r.open && r.due.Present() && r.due.Before(in.Now)
	}},
	{"draft", func(r *heldRow, _ *FilterContext) bool { return r.Draft }},
	{"decided", func(r *heldRow, _ *FilterContext) bool { return r.Decided }},
	{"mine", (*heldRow).isMine},
	{"skipped", func(r *heldRow, _ *FilterContext) bool { return r.Skipped != "" }},
	{"rejected", func(r *heldRow, _ *FilterContext) bool { return r.Rejected }},
	{"waiting", func(r *heldRow, _ *FilterContext) bool { return r.waiting }},
	{"closed", func(r *heldRow, _ *FilterContext) bool { return r.closed }},
	{"reassigned", func(r *heldRow, _ *FilterContext) bool { return r.Reassigned }},
	{"new", func(r *heldRow, in *FilterContext) bool { return r.CameAfter(in.Left) }},
}

func isWords() (words []string) {
	for i := range isTerms {
		words = append(words, isTerms[i].word)
	}
	return words
}

func parseIs(value string) (filterTerm, error) {
	for i := range isTerms {
		if isTerms[i].word == value {
			return filterTerm{any: []rowTest{isTerms[i].is}}, nil
		}
	}
	return filterTerm{}, refuseValue("is", value, isWords())
}

var timeUnits = map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// maxTimeCount keeps count times unit within a Duration, with room to spare.
const maxTimeCount = 10000

// timeKey makes a key for < or > and a span, or today in local time; ahead: the time until then.
func timeKey(key, meaning string, ahead bool, of func(*heldRow) terms.Instant) FilterKey {
	return FilterKey{key, meaning, nil, func(value string) (term filterTerm, err error) {
		if value == "today" {
			return filterTerm{any: []rowTest{func(r *heldRow, in *FilterContext) bool {
				return of(r).Present() && localDay(of(r)) == localDay(in.Now)
			}}}, nil
		}
		wrong := fmt.Errorf("%s: takes < or > and a time such as 48h, 7d or 2w, or today", key)
		if len(value) < 3 || value[0] != '<' && value[0] != '>' || value[1] < '0' || value[1] > '9' {
			return term, wrong
		}
		unit, known := timeUnits[value[len(value)-1]]
		count, err := strconv.Atoi(value[1 : len(value)-1])
		if !known || err != nil || count > maxTimeCount {
			return term, wrong
		}
		less, limit := value[0] == '<', time.Duration(count)*unit
		return filterTerm{any: []rowTest{func(r *heldRow, in *FilterContext) bool {
			span := in.Now.Sub(of(r))
			if ahead {
				span = -span
			}
			return of(r).Present() && (less && span < limit || !less && span > limit)
		}}}, nil
	}}
}

func localDay(at terms.Instant) string { return at.Time().Local().Format(time.DateOnly) }

// FilterNone stands for an absent word or id; it matches no row that cannot be read.
const FilterNone = "none"

// assignedKey compares whole ids, ignoring case.
var assignedKey = FilterKey{"assigned", "the reviewer it is assigned to, me, or none", nil,
	func(value string) (filterTerm, error) {
		if value == "" {
			return filterTerm{}, errors.New("assigned: takes the id of a reviewer, me, or none")
		}
		if value == "me" {
			return filterTerm{any: []rowTest{(*heldRow).isMine}}, nil
		}
		return filterTerm{readable: value == FilterNone, any: []rowTest{func(r *heldRow, _ *FilterContext) bool {
			return strings.EqualFold(string(r.AssignedTo), value) ||
				!r.AssignedTo.Present() && value == FilterNone
		}}}, nil
	}}

var idKey = FilterKey{"id", "part of an id: its own, its agreement's or subject's, a record's", nil,
	func(value string) (filterTerm, error) {
		if value == "" {
			return filterTerm{}, errors.New("id: takes part of an id")
		}
		return filterTerm{part: value, keyed: true, any: []rowTest{
			func(r *heldRow, _ *FilterContext) bool { return r.hasID(value) || strings.Contains(r.ids, value) },
		}}, nil
	}}

var textKey = FilterKey{"text", "words in its texts: a word as it begins, or \"several words\" in quotes", nil,
	func(value string) (filterTerm, error) {
		quoted, isQuoted := strings.CutPrefix(value, `"`)
		quoted, isClosed := strings.CutSuffix(quoted, `"`)
		words := folded(quoted) // a blank ends the last one, unless it may go on
		if !isQuoted || !isClosed {
			words = strings.TrimSuffix(words, " ")
		}
		phrase := strings.TrimSpace(words)
		if phrase == "" || !isQuoted && isClosed || strings.Contains(quoted, `"`) {
			return filterTerm{}, errors.New(`text: takes a word, or words in quotes such as text:"wrong ward"`)
		}
		return filterTerm{phrase: phrase, any: []rowTest{
			func(r *heldRow, _ *FilterContext) bool { return strings.Contains(r.texts, words) },
		}}, nil
	}}

// CompleteFilter lists what a word of a filter can become: the keys that begin with it, each with
// its colon, or, behind the colon of a key with a closed list, the values that contain the text
// there, those that begin with it first. A bare word that is a value of such a key can become that
// filter, before all else. A leading - stays. It is nil where no list is known, as for an id.
func CompleteFilter(word string) []string {
	rest, negated := strings.CutPrefix(strings.ToLower(word), "-")
	before := ""
	if negated {
		before = "-"
	}
	key, part, keyed := strings.Cut(rest, ":")
	var whole, first, then []string
	for i := range filterKeys {
		known := &filterKeys[i]
		if !keyed && slices.Contains(known.Values, key) {
			whole = append(whole, before+known.Key+":"+key)
		}
		if !keyed && strings.HasPrefix(known.Key, key) {
			first = append(first, before+known.Key+":")
		}
		if !keyed || known.Key != key {
			continue
		}
		for _, value := range known.Values {
			text := before + key + ":" + value
			switch {
			case slices.Contains(first, text) || slices.Contains(then, text):
			case strings.HasPrefix(value, part):
				first = append(first, text)
			case strings.Contains(value, part):
				then = append(then, text)
			}
		}
	}
	return slices.Concat(whole, first, then)
}

// Offer writes each bare value of a key as that filter, is:mine for mine; "" if there is none.
func (f Filter) Offer() string {
	offer, offers := []string(nil), false
	for rest := strings.ToLower(f.text); ; {
		var word string
		if word, rest = nextTerm(rest); word == "" {
			break
		}
		if full := CompleteFilter(word); len(full) > 0 && !strings.Contains(word, ":") &&
			strings.HasSuffix(full[0], ":"+strings.TrimPrefix(word, "-")) {
			word, offers = full[0], true
		}
		offer = append(offer, word)
	}
	if !offers {
		return ""
	}
	return strings.Join(offer, " ")
}

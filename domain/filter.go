package domain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Filter selects rows of the queue. The zero Filter selects all. Its language:
//
//	words                    match ids and codes, in part, whatever their case
//	gate:pass  blocker:notice  status:filed  trigger:privacy  subject:claim  transition:pause
//	due:<48h  due:>7d        time left, in m, h, d or w; a row without a deadline matches neither
//	assigned:rev-1  trigger:none
//	is:decided  is:mine  is:skipped
//	-term                    negates
//
// What is written behind a key is part of a word; if it is a whole word, it is that word only. none stands for what is
// absent. All terms must match.
type Filter struct {
	text  string
	terms []filterTerm
}

type filterTerm struct {
	negated bool
	matches func(*QueueRow, *FilterContext) bool
}

// A FilterContext is what terms like is:mine and due:<48h refer to.
type FilterContext struct {
	Reviewer ID
	Now      Instant
}

// String returns the filter as it was written.
func (f Filter) String() string { return f.text }

// Matches tells whether the row is selected.
func (f Filter) Matches(row *QueueRow, in *FilterContext) bool {
	for i := range f.terms {
		if f.terms[i].matches(row, in) == f.terms[i].negated {
			return false
		}
	}
	return true
}

// A FilterKey describes one key of the language, for help and completion.
type FilterKey struct {
	Key     string
	Meaning string
	Values  []string // what may stand behind the key; nil where it is not a closed list
	parse   func(value string) (func(*QueueRow, *FilterContext) bool, error)
}

// FilterKeys lists the keys of the language.
func FilterKeys() []FilterKey { return append([]FilterKey(nil), filterKeys...) }

var filterKeys = []FilterKey{
	wordKey("gate", "pass or blocked", Gates(), func(r *QueueRow) []string { return []string{r.Gate.String()} }),
	wordKey("blocker", "a blocker that holds", Blockers.Texts(), func(r *QueueRow) []string { return r.Blockers.Set.Texts() }),
	wordKey("status", "case status or amendment state", append(CaseStatuses.Texts(), AmendmentStates.Texts()...),
		func(r *QueueRow) []string { return []string{string(r.Status)} }),
	wordKey("trigger", "ground of the appeal", Triggers.Texts(), func(r *QueueRow) []string { return only(r, Appeals, r.Trigger) }),
	wordKey("subject", "what is appealed or amended", append(Subjects.Texts(), SubjectTypes.Texts()...),
		func(r *QueueRow) []string { return []string{string(r.Subject)} }),
	wordKey("transition", "what the amendment sets out to do", Transitions.Texts(),
		func(r *QueueRow) []string { return only(r, Amendments, r.Trigger) }),
	assignedKey,
	{"due", "time left, such as <48h or >7d", nil, parseDue},
	{"is", "what has become of it", []string{"decided", "mine", "skipped"}, parseIs},
}

func only(r *QueueRow, area Area, word AnyWord) []string {
	if AreaOf(r.Table) != area {
		return nil
	}
	return []string{string(word)}
}

// wordKey makes a key whose value is part of a word. A value that is part of none of the words is an error, so that a
// mistyped filter does not silently select nothing, or everything when negated.
func wordKey(key, meaning string, words []string, of func(*QueueRow) []string) FilterKey {
	return FilterKey{key, meaning, words, func(value string) (func(*QueueRow, *FilterContext) bool, error) {
		if slices.Contains(words, value) {
			return func(r *QueueRow, _ *FilterContext) bool { return slices.Contains(of(r), value) }, nil
		}
		if value == FilterNone {
			return func(r *QueueRow, _ *FilterContext) bool { return r.Unreadable == "" && nothing(of(r)) }, nil
		}
		if value == "" || !anyContains(words, value) {
			return nil, fmt.Errorf("no word that %s: knows contains that", key)
		}
		return func(r *QueueRow, _ *FilterContext) bool { return anyContains(of(r), value) }, nil
	}}
}

func anyContains(words []string, part string) bool {
	for _, word := range words {
		if strings.Contains(strings.ToLower(word), part) {
			return true
		}
	}
	return false
}

// ParseFilter reads a filter. The error names the key that is wrong, not the value.
func ParseFilter(text string) (Filter, error) {
	f := Filter{text: text}
	for field := range strings.FieldsSeq(strings.ToLower(text)) {
		term := filterTerm{}
		field, term.negated = strings.CutPrefix(field, "-")
		key, value, keyed := strings.Cut(field, ":")
		if field == "" {
			return Filter{}, fmt.Errorf("a lone - negates nothing")
		}
		term.matches = wordTerm(field)
		if known := filterKey(key); keyed && known != nil {
			matches, err := known.parse(value)
			if err != nil {
				return Filter{}, err
			}
			term.matches = matches
		}
		f.terms = append(f.terms, term)
	}
	return f, nil
}

func filterKey(key string) *FilterKey {
	for i := range filterKeys {
		if filterKeys[i].Key == key {
			return &filterKeys[i]
		}
	}
	return nil
}

// wordTerm matches ids and codes. A colon may stand in an id, so an unknown key is part of a word, not an error.
func wordTerm(word string) func(*QueueRow, *FilterContext) bool {
	return func(r *QueueRow, _ *FilterContext) bool {
		return strings.Contains(strings.ToLower(string(r.ID)), word) ||
			strings.Contains(strings.ToLower(string(r.AssignedTo)), word) ||
			anyContains([]string{string(r.Status), string(r.Subject), string(r.Trigger), r.Gate.String()}, word) ||
			anyContains(r.Blockers.Set.Texts(), word)
	}
}

func parseIs(value string) (func(*QueueRow, *FilterContext) bool, error) {
	switch value {
	case "decided":
		return func(r *QueueRow, _ *FilterContext) bool { return r.Decided }, nil
	case "mine":
		return func(r *QueueRow, in *FilterContext) bool { return in.Reviewer.Present() && r.AssignedTo == in.Reviewer }, nil
	case "skipped":
		return func(r *QueueRow, _ *FilterContext) bool { return r.Skipped != "" }, nil
	}
	return nil, fmt.Errorf("is: takes decided, mine or skipped")
}

// dueUnits are the units of due:, as durations.
var dueUnits = map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// maxDueCount keeps count times unit within a Duration, with room to spare.
const maxDueCount = 10000

func parseDue(value string) (func(*QueueRow, *FilterContext) bool, error) {
	wrong := fmt.Errorf("due: takes < or > and a time such as 48h, 7d or 2w")
	if len(value) < 3 || value[0] != '<' && value[0] != '>' {
		return nil, wrong
	}
	unit, known := dueUnits[value[len(value)-1]]
	count, err := strconv.Atoi(value[1 : len(value)-1])
	if !known || err != nil || count < 0 || count > maxDueCount {
		return nil, wrong
	}
	limit, sooner := time.Duration(count)*unit, value[0] == '<'
	return func(r *QueueRow, in *FilterContext) bool {
		left := r.Deadline.Sub(in.Now)
		return r.Deadline.Present() && (sooner && left < limit || !sooner && left > limit)
	}, nil
}

package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/domain/canonical"
	"docket/domain/terms"
)

// An ask is a rule of a check beyond the built-in tables: the body must not contradict itself.
type ask struct {
	holds func(*body, *ask) []Problem
	at    string // a pointer into the body
	of    string // another one, for rules about two places
	says  string // the problem, for rules that leave it to the table
}

// askRules are the rules by the names that the files in contracts/ give them.
var askRules = map[string]func(*body, *ask) []Problem{
	"true":              (*body).isTrue,
	"false":             (*body).isFalse,
	"one of":            (*body).oneOf,
	"among":             (*body).among,
	"apart":             (*body).apart,
	"distinct":          (*body).distinct,
	"ready":             (*body).readyWithoutBlockers,
	"definitions":       (*body).definitionsHold,
	"case samples":      (*body).caseSamplesHold,
	"amendment samples": (*body).amendmentSamplesHold,
}

// at is the value to which a pointer leads.
func (b *body) at(pointer string) canonical.Value { return pointed(b.Value, pointer) }

func (b *body) isTrue(a *ask) []Problem { return a.unless(b.at(a.at).Kind() == canonical.True, a.says) }
func (b *body) isFalse(a *ask) []Problem {
	return a.unless(b.at(a.at).Kind() == canonical.False, a.says)
}

// unless is the one problem if the condition does not hold.
func (a *ask) unless(holds bool, reason string) []Problem {
	if holds {
		return nil
	}
	return []Problem{{a.at, reason}}
}

// oneOf asks that a value is one of the texts of a list.
func (b *body) oneOf(a *ask) []Problem { return b.amongTexts(a, []canonical.Value{b.at(a.at)}) }

// among asks that each entry of a list is one of the texts of another.
func (b *body) among(a *ask) []Problem { return b.amongTexts(a, entries(b.at(a.at))) }

func (b *body) amongTexts(a *ask, values []canonical.Value) []Problem {
	allowed := textSet(b.at(a.of))
	return a.unless(!slices.ContainsFunc(values, func(v canonical.Value) bool {
		return v.Kind() != canonical.String || !allowed[v.Text()]
	}), "holds what the body itself does not list")
}

// apart asks that two lists share no entry.
func (b *body) apart(a *ask) []Problem {
	never := textSet(b.at(a.of))
	return a.unless(!slices.ContainsFunc(listTexts(b.at(a.at)), func(text string) bool { return never[text] }),
		"holds what the body itself forbids")
}

// distinct asks that no sentence stands in a list twice.
func (b *body) distinct(a *ask) []Problem {
	list := b.at(a.at)
	return a.unless(!isList(list, isText) || isDistinct(list), "holds the same text twice")
}

// readyWithoutBlockers asks that a decision is ready for a human exactly when it has no blockers.
func (b *body) readyWithoutBlockers(a *ask) []Problem {
	decision := b.at(a.at)
	if ready := decision.Member("status").Text() == terms.ReadyForHumanReview.String(); ready != (decision.Member("blockers").Len() == 0) {
		return []Problem{{a.at + "/status", "a decision is ready exactly when it has no blockers"}}
	}
	return nil
}

// definitionsHold asks that every transition has one definition, which needs every first-class record and blocks something.
func (b *body) definitionsHold(a *ask) []Problem {
	var problems []Problem
	needed := listTexts(b.at("/firstClassRecordTables"))
	var defined []string
	for i, definition := range entries(b.at(a.at)) {
		place := a.at + "/" + strconv.Itoa(i)
		defined = append(defined, definition.Member("key").Text())
		if !slices.Equal(listTexts(definition.Member("requiredRecords")), needed) {
			problems = append(problems, Problem{place, "does not require the first-class records"})
		}
		if definition.Member("blocksTransitions").Len() == 0 {
			problems = append(problems, Problem{place, "blocks nothing"})
		}
	}
	return append(problems, a.unless(slices.Equal(defined, listTexts(b.at("/transitions"))), "does not define each transition once, in their order")...)
}

// amendmentSamplesHold asks that each sample is of one of the body's transitions, and that one passes and one does not.
func (b *body) amendmentSamplesHold(a *ask) []Problem {
	transitions := textSet(b.at("/transitions"))
	found := map[string]bool{}
	var problems []Problem
	for i, entry := range entries(b.at(a.at)) {
		if entry.Kind() != canonical.String || !transitions[entry.Name()] {
			problems = append(problems, Problem{a.at, fmt.Sprintf("entry %d is not of a transition that the body lists", i+1)})
		}
		found[entry.Text()] = true
	}
	return append(problems, a.eachGate(found)...)
}

// caseSamplesHold asks that the result of every sample case is the one in its key, <subject>:<trigger>:<status>, and that one
// passes and one does not.
func (b *body) caseSamplesHold(a *ask) []Problem {
	subjects, triggers := textSet(b.at("/subjects")), textSet(b.at("/appealTriggers"))
	found := map[string]bool{}
	var problems []Problem
	for i, entry := range entries(b.at(a.at)) {
		key := strings.Split(entry.Name(), ":")
		if len(key) != 3 || !subjects[key[0]] || !triggers[key[1]] {
			problems = append(problems, Problem{a.at, fmt.Sprintf("entry %d is not called <subject>:<trigger>:<pass or blocked>", i+1)})
			continue
		}
		if key[2] != entry.Text() {
			problems = append(problems, Problem{a.at, fmt.Sprintf("entry %d does not come to what its name says", i+1)})
		}
		found[entry.Text()] = true
	}
	return append(problems, a.eachGate(found)...)
}

// eachGate asks that each gate is the result of some sample.
func (a *ask) eachGate(found map[string]bool) []Problem {
	var problems []Problem
	for _, gate := range terms.Gates() {
		problems = append(problems, a.unless(found[gate], fmt.Sprintf("no sample comes to %s", gate))...)
	}
	return problems
}

// evidence lists, by pointers into the body, the texts that are stated when a check passes. The zero value stands for all texts
// that the check watches.
type evidence struct {
	texts       []string // to the texts to state
	count       string   // to a list of blockers to count
	pairs       string   // to a map of words
	definitions string   // to definitions of transitions, whose required records are counted
}

// of lists the statements of a check about a body.
func (e *evidence) of(b *body, watches []string) []string {
	switch {
	case e.pairs != "":
		return b.pairs(e.pairs)
	case e.definitions != "":
		return b.definitions(e.definitions)
	}
	var parts []string
	if e.texts != nil {
		watches = e.texts
	}
	for _, pattern := range watches {
		parts = append(parts, b.texts(pattern)...)
	}
	if e.count != "" {
		parts = append(parts, count(b.at(e.count).Len(), "blocker", "blockers"))
	}
	return parts
}

// pairs states a map of words as "name: word", in the order of the built-in body.
func (b *body) pairs(pointer string) []string {
	var parts []string
	for _, entry := range entries(pointed(b.builtin, pointer)) {
		parts = append(parts, entry.Name()+": "+b.words.plainText(b.at(pointer).Member(entry.Name()).Text()))
	}
	return parts
}

// definitions states how many records each transition requires.
func (b *body) definitions(pointer string) []string {
	var parts []string
	for _, definition := range entries(b.at(pointer)) {
		parts = append(parts, b.words.plainText(definition.Member("key").Text())+": "+
			count(definition.Member("requiredRecords").Len(), "required record", "required records"))
	}
	return parts
}

// textSet is the set of the texts of an array.
func textSet(list canonical.Value) map[string]bool {
	set := map[string]bool{}
	for _, text := range listTexts(list) {
		set[text] = true
	}
	return set
}

// listTexts are the texts of an array.
func listTexts(list canonical.Value) []string {
	var all []string
	for entry := list.First(); list.Kind() == canonical.Array && entry.Exists(); entry = entry.Next() {
		all = append(all, entry.Text())
	}
	return all
}

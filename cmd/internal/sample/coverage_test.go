package sample

import (
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
)

// coverage counts the words that records show; blockers go by area, because three stand in both lists.
type coverage map[string]int

// coverageOf collects the words of the latest revisions, and of the policies held.
func coverageOf(h *held, at time.Time) coverage {
	seen := coverage{}
	for _, record := range h.queue() {
		view := h.look(record, at)
		for _, code := range view.Evaluation().Blockers() {
			seen[view.Area().String()+" "+code.String()]++
		}
		seen.record(record)
	}
	for _, policy := range h.policies {
		if p := policy.AppealPolicy(); p.Held() {
			seen["appeal policy "+p.Record().Status.String()]++
		}
		if p := policy.AmendmentPolicy(); p.Held() {
			seen["amendment policy "+p.Record().Status.String()]++
		}
	}
	return seen
}

func (s coverage) record(record packets.Packet) {
	if held := record.AppealCase(); held.Held() {
		c := held.Record()
		s.count(c.Trigger, c.Subject, c.Standing.Category, c.Notice.State, c.Redaction.Status)
		s["case "+c.Status.String()]++
		for _, effect := range c.RequestedEffects.Set.Terms() {
			s.count(effect)
		}
	}
	if held := record.Amendment(); held.Held() {
		a := held.Record()
		s.count(a.Transition, a.SubjectType)
		s["type "+a.AmendmentType.String()]++
		s["state "+a.State.String()]++
		s["confirmation "+a.ConfirmationState.String()]++
		for _, term := range a.ChangedTerms.Set.Terms() {
			s["term "+term.String()]++
		}
		for _, effect := range terms.Effects.All() {
			if a.Effects[effect] == terms.FlagYes {
				s.count(effect)
			}
		}
	}
	for _, redaction := range record.Redactions() {
		s["private "+redaction.Category.String()]++
	}
}

func (s coverage) count(words ...interface{ String() string }) {
	for _, word := range words {
		s[word.String()]++
	}
}

// require fails the test for every word that was not seen.
func (s coverage) require(t *testing.T, lists ...[]string) {
	t.Helper()
	for _, words := range lists {
		if len(words) == 0 {
			t.Error("an empty list of words")
		}
		for _, word := range words {
			if s[word] == 0 {
				t.Errorf("%s does not occur", word)
			}
		}
	}
}

// prefixed writes the words as coverage has them where one word stands in several vocabularies.
func prefixed(prefix string, words []string) []string {
	result := make([]string, len(words))
	for i, word := range words {
		result[i] = prefix + " " + word
	}
	return result
}

// blockersOf lists the blockers of an area as coverage has them.
func blockersOf(area terms.Area) []string {
	var codes []string
	for _, rule := range rules.Book(area) {
		codes = append(codes, area.String()+" "+rule.Code.String())
	}
	return codes
}

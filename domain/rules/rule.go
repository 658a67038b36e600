// Package rules judges cases and amendments: it holds the two rule books and evaluates them.
//
//	policy, record, latest numbers, time --> Input --Evaluate--> Evaluation
//
// The rule books are ordered tables, in the source's order (source 7): appeals.go and
// amendments.go. A [Rule] has a code, its meaning and its cure; help, screens and documents read
// them from [Book]. [Evaluate] asks every rule and returns every blocker that holds. An
// [Evaluation] has no other maker; the zero Evaluation is blocked.
//
// A change to the evaluation of any input raises [Revision].
package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"docket/domain/packets"
	"docket/domain/terms"
)

// A Rule is one fail-closed condition: the code it reports, what that means, what would cure it,
// and when it holds. Everything that shows or checks a blocker reads it from the rule books.
type Rule struct {
	Code    terms.Blocker
	Meaning string // one sentence, for a reviewer who meets the code for the first time
	Cure    string // what has to be done and by whom, for any record; Input.Rule words it for one
}

// Revision rises with every change to the evaluation of any input, by the rule books or the private
// scan; a test pins the results to it.
const Revision = 2

// Version names the rules that judge the area: the contract's validator version (source 9),
// "+docket." and the revision of the rule book; "" for no area. A record names it, and is judged
// again by the rules that it names.
func Version(area terms.Area) string {
	contract := terms.ContractOf(area)
	if contract == (terms.Contract{}) {
		return ""
	}
	return contract.ValidatorVersion + "+docket." + strconv.Itoa(Revision)
}

type ruleOn[F any] struct {
	Rule
	// withoutRecord marks rules asked without a record; the others only repeat that it is missing.
	withoutRecord bool
	holds         func(*F) bool
	// cure words the cure for the record, without what its rules refuse; nil or "": that of Rule.
	cure func(*F) string
}

// evaluate returns all codes that hold; complete is false if the record is missing.
func evaluate[F any](book []ruleOn[F], facts *F, complete bool) terms.BlockerSet {
	var blockers terms.BlockerSet
	for i := range book {
		if (complete || book[i].withoutRecord) && book[i].holds(facts) {
			blockers = blockers.With(book[i].Code)
		}
	}
	return blockers
}

// Book returns the rules of an area in the order of source 7; none for no area.
func Book(area terms.Area) []Rule { return slices.Clone(books[area]) }

var books = map[terms.Area][]Rule{
	terms.Appeals: rulesOf(appealRules[:]), terms.Amendments: rulesOf(amendmentRules[:]),
}

func rulesOf[F any](book []ruleOn[F]) []Rule {
	rules := make([]Rule, len(book))
	for i := range book {
		rules[i] = book[i].Rule
	}
	return rules
}

// RuleFor returns the area's rule with that code.
func RuleFor(area terms.Area, code terms.Blocker) (Rule, bool) {
	for _, rule := range books[area] {
		if rule.Code == code {
			return rule, true
		}
	}
	return Rule{}, false
}

// Rule returns the rule with that code, its cure worded for the record so that it offers nothing
// that the rules refuse; the zero Rule for a code of another area.
func (q *Input) Rule(code terms.Blocker) Rule {
	switch q.area {
	case terms.Appeals:
		facts := q.appealFacts()
		return worded(appealRules[:], code, &facts, facts.record != nil)
	case terms.Amendments:
		facts := q.amendmentFacts()
		return worded(amendmentRules[:], code, &facts, facts.record != nil)
	}
	return Rule{}
}

func worded[F any](book []ruleOn[F], code terms.Blocker, facts *F, complete bool) Rule {
	for i := range book {
		if rule := &book[i]; rule.Code == code {
			found := rule.Rule
			if complete && rule.cure != nil {
				found.Cure = cmp.Or(rule.cure(facts), rule.Cure)
			}
			return found
		}
	}
	return Rule{}
}

// InOrder lists the codes of the set in the order of the area's rule book; never nil.
func InOrder(area terms.Area, set terms.BlockerSet) []terms.Blocker {
	codes := make([]terms.Blocker, 0, set.Len())
	book := books[area]
	for i := range book {
		if set.Has(book[i].Code) {
			codes = append(codes, book[i].Code)
		}
	}
	return codes
}

// AllBlockers returns every code of the area as a set: what a reviewer may add.
func AllBlockers(area terms.Area) terms.BlockerSet {
	var all terms.BlockerSet
	for _, rule := range books[area] {
		all = all.With(rule.Code)
	}
	return all
}

// The conditions that both areas share.

// neutralReviewMissing holds unless a checked, conflict-free reviewer is assigned who did not take
// the decision, is not recused and is no party to the matter, which would be their own cause.
func neutralReviewMissing(review *packets.NeutralReview, originalDecider terms.ID, ownCause bool) bool {
	return !review.Assigned.IsTrue() || !review.ReviewerID.Present() || !review.ConflictChecked.IsTrue() ||
		!review.ConflictFound.IsFalse() || !originalDecider.Present() || review.ReviewerID == originalDecider ||
		review.Recuses(review.ReviewerID) || ownCause
}

// NotLatest holds unless held is the latest: also for a latest of 0, not known, or below held.
func NotLatest(held, latest int64) bool { return held != latest }

// Sentences of the rules of both areas.
const (
	noNotice    = "Nothing proves that the parties got notice."
	cureOfStale = "Judge the latest revision, under the current contract version; the service must publish it where it is not here."
	noticeCure  = "The service must deliver the notice and record when."
)

// staleCure names the revision to judge if it is held here, else what the service has to publish.
func staleCure(held, latest int64, version, current string) string {
	switch {
	case latest > held:
		return fmt.Sprintf("Open revision %d, the latest.", latest)
	case version != current:
		return "The service must publish a revision under the current contract version."
	}
	return "The service must publish a new revision."
}

// cureOfNotice names whom the stage excuses only where the notice claims it.
func cureOfNotice(n packets.Notice, excused string) string {
	switch {
	case n.State == terms.NoticeNotRequired:
		return noticeCure + " Only " + excused + " may do without."
	case n.State == terms.NoticeDelivered && n.DeliveredAt.Present():
		return fmt.Sprintf("The notice counts from %s on.", n.DeliveredAt)
	case n.State == terms.NoticeDelivered:
		return "The service must record when the notice was delivered."
	}
	return noticeCure
}

package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"docket/domain/canonical"
	"docket/domain/shape"
	"docket/domain/terms"
)

// checkedAtPlace is the one leaf of a report that its contract does not determine.
const checkedAtPlace = "/checkedAt"

// outerReport is a report under examination, outside its body.
type outerReport struct {
	kind        Kind
	root        canonical.Value
	now         terms.Instant
	faults      []shape.Fault // against the schema
	differences []Difference  // to what an honest report says of the same body
	private     *privateSearch
}

// definitionCheck is the check whose evidence source 2.6 prescribes.
const definitionCheck = "transition-definition-coverage"

// An envelopeCheck is a rule for every report. These rules are this project's choice; their ids stand in no report.
type envelopeCheck struct {
	id, label string
	watches   []string // as in check, from the report down
	moreover  func(o *outerReport) []Problem
	evidence  func(o *outerReport) string
}

var envelopeChecks = [...]envelopeCheck{
	{id: "report-schema", label: "The report fits the published JSON Schema", moreover: schemaHolds,
		evidence: func(o *outerReport) string { return SchemaFile(o.kind) }},
	{id: "contract-version", label: "The contract version is known, and the same in both places",
		watches: []string{"/contractVersion", "/validation/contractVersion"}, moreover: versionsAgree,
		evidence: func(o *outerReport) string { return o.kind.Contract().Version }},
	{id: "validator-identity", label: "The validator is the contract's",
		watches: []string{"/validation/validatorName", "/validation/validatorVersion"},
		evidence: func(o *outerReport) string {
			return o.kind.Contract().ValidatorName + ", " + o.kind.Contract().ValidatorVersion
		}},
	{id: "stated-purpose", label: "The report states what the contract is for, and what it does not claim",
		watches:  []string{"/purpose", "/publicNonClaim"},
		evidence: func(o *outerReport) string { return "the texts are there" }},
	{id: "time-of-check", label: "The time of the check is a time in UTC that has come", moreover: timeHolds,
		evidence: func(o *outerReport) string { at, _ := parseUTC(o.root.Member("checkedAt").Text()); return at.String() }},
	{id: "check-list", label: "Every check of the contract is listed once, in the contract's order",
		watches:  []string{"/validation/checks/*/id", "/validation/checks/*/label", "/validation/checks/-", "/validation/checks/*/?"},
		evidence: func(o *outerReport) string { return count(len(o.kind.checks()), "check", "checks") }},
	{id: "results-follow-from-checks", label: "What the report says of itself is what the checks find",
		watches: []string{"/ok", "/blockers", "/validation/status", "/validation/blockers", "/validation/liveReady",
			"/validation/checks/*/status", "/validation/checks/*/evidence"},
		moreover: resultsAgree,
		evidence: func(o *outerReport) string {
			return fmt.Sprintf("status: %s", o.root.Member("validation").Member("status").Text())
		}},
	{id: "nothing-private", label: "The report carries nothing private", moreover: nothingPrivate,
		evidence: func(*outerReport) string { return "0 findings" }},
}

// EnvelopeTitles lists the checks that every report has to pass.
func EnvelopeTitles() []Title {
	var titles []Title
	for i := range envelopeChecks {
		titles = append(titles, Title{envelopeChecks[i].id, envelopeChecks[i].label})
	}
	return titles
}

func runEnvelopeChecks(o *outerReport) []Check {
	var done []Check
	for i := range envelopeChecks {
		done = append(done, envelopeChecks[i].run(o))
	}
	return done
}

func (c *envelopeCheck) run(o *outerReport) Check {
	result := Check{ID: c.id, Label: c.label, Status: terms.Blocked, Problems: []Problem{}}
	for _, difference := range o.differences {
		if !difference.Wording && slices.ContainsFunc(c.watches, func(pattern string) bool { return covers(pattern, difference.place) }) {
			result.Problems = append(result.Problems, difference.problem())
		}
	}
	if c.moreover != nil {
		result.Problems = append(result.Problems, c.moreover(o)...)
	}
	if result.fallsShort() {
		return result
	}
	result.Status, result.Evidence = terms.Pass, c.evidence(o)
	return result
}

func schemaHolds(o *outerReport) []Problem {
	var problems []Problem
	for _, fault := range o.faults {
		problems = append(problems, Problem{fault.Pointer, fault.Reason})
	}
	return problems
}

// versionsAgree is rule 1 of source 9, and says which versions are known.
func versionsAgree(o *outerReport) []Problem {
	outer, inner := o.root.Member("contractVersion").Text(), o.root.Member("validation").Member("contractVersion").Text()
	var problems []Problem
	if outer != inner {
		problems = append(problems, Problem{"/validation/contractVersion", "must be the contractVersion of the report"})
	}
	if !slices.Contains(Versions(), outer) {
		problems = append(problems, Problem{"/contractVersion", fmt.Sprintf("is not known; known are %s", strings.Join(Versions(), ", "))})
	}
	return problems
}

// timeHolds asks for a time that has come.
func timeHolds(o *outerReport) []Problem {
	at, readable := parseUTC(o.root.Member("checkedAt").Text())
	switch {
	case !readable:
		return []Problem{{checkedAtPlace, "must be an ISO 8601 time in UTC such as 2026-01-31T09:00:00Z"}}
	case o.now.Before(at):
		return []Problem{{checkedAtPlace, "lies in the future"}}
	}
	return nil
}

// resultsAgree asks that a report does not contradict itself.
func resultsAgree(o *outerReport) []Problem {
	validation := o.root.Member("validation")
	var short []string
	for _, check := range entries(validation.Member("checks")) {
		if check.Member("status").Text() != terms.Pass.String() {
			short = append(short, check.Member("id").Text())
		}
	}
	var problems []Problem
	for _, list := range []struct {
		pointer string
		value   canonical.Value
	}{{"/validation/blockers", validation.Member("blockers")}, {"/blockers", o.root.Member("blockers")}} {
		if !slices.Equal(listTexts(list.value), short) {
			problems = append(problems, Problem{list.pointer, "must be the ids of the checks that the report says fall short"})
		}
	}
	if (validation.Member("status").Text() == terms.Pass.String()) != (len(short) == 0) {
		problems = append(problems, Problem{"/validation/status", "must be pass exactly when every check is"})
	}
	if at, stated := statesTwoRecords(validation); !stated {
		problems = append(problems, Problem{at, "must state a count of 2 required records for each transition"})
	}
	return problems
}

// statesTwoRecords checks the evidence of the transition definitions against source 2.6. at leads to it.
func statesTwoRecords(validation canonical.Value) (at string, stated bool) {
	for i, check := range entries(validation.Member("checks")) {
		if check.Member("id").Text() != definitionCheck || check.Member("status").Text() != terms.Pass.String() {
			continue
		}
		words := strings.FieldsFunc(strings.ToLower(check.Member("evidence").Text()), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
		})
		return "/validation/checks/" + strconv.Itoa(i) + "/evidence", countsAreTwo(words)
	}
	return "", true
}

// countsAreTwo reports whether words state a count of 2, and no other one directly after the name of a transition.
func countsAreTwo(words []string) bool {
	two := func(word string) bool { return word == "2" || word == "two" }
	for i, word := range words {
		_, err := terms.Transitions.Parse(word)
		if err == nil && i+1 < len(words) && isNumber(words[i+1]) && !two(words[i+1]) {
			return false
		}
	}
	return slices.ContainsFunc(words, two)
}

func isNumber(word string) bool {
	_, err := strconv.Atoi(word)
	return err == nil
}

func nothingPrivate(o *outerReport) []Problem {
	var problems []Problem
	if o.private.more > 0 {
		total := strconv.Itoa(len(o.private.found) + o.private.more)
		problems = append(problems, Problem{"", fmt.Sprintf("%s private things were found, too many to list them all", total)})
	}
	for _, finding := range o.private.found {
		problems = append(problems, Problem{finding.Pointer, finding.Category.Label() + ": " + finding.Found})
	}
	return problems
}

package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/domain/canonical"
	"docket/domain/terms"
)

// A Check is the result of one check of a contract on a body.
type Check struct {
	ID       string     `json:"id"`
	Label    string     `json:"label"`
	Status   terms.Gate `json:"status"`   // pass only if there is no problem
	Evidence string     `json:"evidence"` // the codes and rules that were checked, joined; on blocked, the first problems
	Problems []Problem  `json:"problems"` // never nil
}

// A Problem is one thing that a check objects to.
type Problem struct {
	Pointer string `json:"pointer"` // RFC 6901, into the document; "" for the whole
	Reason  string `json:"reason"`  // shows nothing of the document but words of the built-in contracts
}

func (p Problem) String() string {
	if p.Pointer == "" {
		return p.Reason
	}
	return p.Pointer + ": " + p.Reason
}

// A check is one rule over the body of a contract, as decoded from its JSON. The places that it watches have to equal the
// built-in tables, or to hold a text where the source leaves the wording to the publisher, and its asks have to hold.
type check struct {
	id, label string
	// watches are pointers into the body. "*" stands for any entry of an array; a pointer that ends in "-" is only about
	// what an array has too much, and about its order.
	watches  []string
	asks     []ask // what the body says about itself, beyond what the tables say
	evidence evidence
}

// body is a contract body under examination.
type body struct {
	canonical.Value
	builtin canonical.Value
	words   words
	// differences to the built-in body
	differences []Difference
}

// bodyMember is the report's member that holds the body; bodyPlace leads there.
const (
	bodyMember = "publicContract"
	bodyPlace  = "/" + bodyMember
)

// runChecks runs every check of a table on a body, in the table's order.
func runChecks(table []check, b *body) []Check {
	done := make([]Check, len(table))
	for i := range table {
		done[i] = table[i].run(b)
	}
	return done
}

func (c *check) run(b *body) Check {
	result := Check{ID: c.id, Label: c.label, Status: terms.Blocked, Problems: []Problem{}}
	for _, difference := range b.differences {
		if c.watched(difference.place) && !difference.Wording {
			result.Problems = append(result.Problems, difference.problem())
		}
	}
	for i := range c.asks {
		result.Problems = append(result.Problems, c.asks[i].holds(b, &c.asks[i])...)
	}
	for i := range result.Problems {
		result.Problems[i].Pointer = bodyPlace + result.Problems[i].Pointer
	}
	if result.fallsShort() {
		return result
	}
	result.Status = terms.Pass
	result.Evidence = strings.Join(c.evidence.of(b, c.watches), ", ")
	return result
}

// maxProblems is how many problems of one check are listed.
const maxProblems = 50

// fallsShort reports whether there are problems, sums them up as the evidence, and keeps the list short.
func (c *Check) fallsShort() bool {
	if len(c.Problems) == 0 {
		return false
	}
	c.Evidence = summary(c.Problems)
	if more := len(c.Problems) - maxProblems; more > 0 {
		c.Problems = append(c.Problems[:maxProblems:maxProblems], Problem{"", fmt.Sprintf("%d more problems", more)})
	}
	return true
}

// problem words a difference.
func (d Difference) problem() Problem {
	switch {
	case d.Found == shownAbsent:
		return Problem{d.Pointer, fmt.Sprintf("%s is missing", d.Builtin)}
	case d.Builtin == shownAbsent:
		return Problem{d.Pointer, fmt.Sprintf("%s is too much", d.Found)}
	}
	asks := d.Builtin
	if d.asks != "" {
		asks = d.asks
	}
	return Problem{d.Pointer, fmt.Sprintf("must be %s; found %s", asks, d.Found)}
}

// summarized is how many problems are told in one line.
const summarized = 3

func summary(problems []Problem) string {
	var parts []string
	for _, problem := range problems[:min(len(problems), summarized)] {
		parts = append(parts, problem.String())
	}
	if more := len(problems) - summarized; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

// watched reports whether a place lies at or within what the check watches, or holds all of it.
func (c *check) watched(place string) bool {
	return slices.ContainsFunc(c.watches, func(pattern string) bool { return covers(pattern, place) })
}

// covers reports whether one of the two pointers leads to the other. "*" stands for any step.
func covers(pattern, place string) bool {
	for pattern != "" && place != "" {
		var step, at string
		step, pattern = firstStep(pattern)
		at, place = firstStep(place)
		if step != "*" && step != at {
			return false
		}
	}
	return true
}

// firstStep returns the first step of a pointer that is not empty, and the pointer after it.
func firstStep(pointer string) (step, rest string) {
	if end := strings.IndexByte(pointer[1:], '/'); end >= 0 {
		return pointer[1 : 1+end], pointer[1+end:]
	}
	return pointer[1:], ""
}

// texts lists the leaves at a pattern in the body, in the order of the built-in body.
func (b *body) texts(pattern string) []string {
	return b.leaves(b.builtin, b.Value, strings.Split(pattern, "/")[1:], nil)
}

// leaves appends the texts of a value, found on the way that the built-in value leads. Without steps it is all of it.
func (b *body) leaves(builtin, found canonical.Value, steps, parts []string) []string {
	step, rest := "*", steps
	if len(steps) > 0 {
		step, rest = steps[0], steps[1:]
	}
	switch builtin.Kind() {
	case canonical.Object:
		for _, member := range entries(builtin) {
			if name := member.Name(); step == "*" || step == name {
				parts = b.leaves(member, found.Member(name), rest, parts)
			}
		}
	case canonical.Array:
		there := entries(found)
		for i, entry := range entries(builtin) {
			if i < len(there) && (step == "*" || step == strconv.Itoa(i)) {
				parts = b.leaves(entry, there[i], rest, parts)
			}
		}
	case canonical.String:
		return append(parts, b.words.plainText(found.Text()))
	default:
		return append(parts, builtin.Name()+": "+b.words.shown(found))
	}
	return parts
}

// Package report publishes the three governance contracts as reports, and checks reports that others published.
//
// A report is an envelope around a contract body (source 2.1, 2.3 to 2.5): static, deterministic, changing nothing.
//
//	report, err := report.Of(report.Appeals, at)   // at is its checkedAt, and all that it depends on
//	report.Checks                                  // what each check found, in the order of source 2.6
//	report.JSON()                                  // the document as it is published
//	report.Sections()                              // the body for reading
//
// contracts/ holds each contract: its purpose, its body and its table of checks. Tests hold the bodies to the vocabularies, rule
// books and definitions of package domain, and the sample decision and evaluations in them to what domain's rules find in the
// packets in samples/.
//
// # Checks
//
// Each check of a contract is a rule over a body as its JSON reads. It watches some places of the body, which have to equal the
// built-in tables, and may also ask that the body does not contradict itself (asks.go). Every place of a body is watched by some
// check. Where the source leaves the wording to the publisher (a label, a rule, a sentence), any text passes; liberty.go has the
// table of those places. This program's own reports go through the same functions as all others:
//
//	examination, err := report.Examine(text, now)
//
// runs them on a report in a file, together with the checks of the envelope: its schema, versions, times, whether its own results
// are true, and whether it carries anything private. An Examination holds no text of that file except words that the built-in
// contracts know, so all of it may be printed.
//
// # Files
//
// schemas/ holds a JSON Schema (2020-12) for each kind of report and one for any of them; pages/ the prose of the pages
// in contracts/docs. Schemas and pages are written by go generate from the same tables.
package report

import (
	"errors"

	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/terms"
)

// A Report is a contract as this program publishes it: its body and the results of its checks. Two reports for the same time are
// equal, byte for byte.
type Report struct {
	Kind      Kind
	CheckedAt terms.Instant
	Checks    []Check

	body   ordered.Object
	parsed canonical.Value
	words  words
}

// errNoTime is returned for a report without the time of its check.
var errNoTime = errors.New("a report needs the time of its check")

// errNoKind is returned for a report of no kind.
var errNoKind = errors.New("there is no such contract report")

// Of makes the report of a kind and runs its checks. at is what stands as checkedAt; nothing else depends on it. The only
// errors are the zero Kind, an absent time, and samples that do not belong to this program.
func Of(kind Kind, at terms.Instant) (Report, error) {
	if kind.String() == "" {
		return Report{}, errNoKind
	}
	if !at.Present() {
		return Report{}, errNoTime
	}
	return assemble(kind, at, kind.body(), knownWords())
}

// assemble runs the checks over the body as its JSON reads, so that the checked body is the published one.
func assemble(kind Kind, at terms.Instant, content ordered.Object, known words) (Report, error) {
	read, err := parsed(content.Text())
	if err != nil {
		return Report{}, err
	}
	builtin := kind.builtin()
	examined := &body{Value: read, builtin: builtin, words: known, differences: differences(bodyPlace, builtin, read, known)}
	return Report{Kind: kind, CheckedAt: at, Checks: runChecks(kind.checks(), examined), body: content, parsed: read,
		words: known}, nil
}

// Passes reports whether every check passes. The member ok of a report is true either way: the report was produced.
func (r Report) Passes() bool { return len(r.Blockers()) == 0 }

// Blockers are the ids of the checks that fall short, in their order; never nil.
func (r Report) Blockers() []string { return shortOf(r.Checks) }

func shortOf(checks []Check) []string {
	short := []string{}
	for _, check := range checks {
		if check.Status != terms.Pass {
			short = append(short, check.ID)
		}
	}
	return short
}

// JSON is the report as it is published: the members in the order of source 2.1, indented by two spaces, with a line feed
// at its end.
func (r Report) JSON() []byte {
	return envelope(r.Kind, r.CheckedAt.String(), r.Checks, r.body).Indented()
}

// Sections are the body for reading: one section a member, in the order of the source.
func (r Report) Sections() []Section { return sections(r.parsed) }

// envelope is the report of source 2.1 around a body. A nil body is left out.
func envelope(kind Kind, checkedAt string, checks []Check, content ordered.Object) ordered.Object {
	spec := kind.spec()
	short := shortOf(checks)
	o := ordered.Of(
		"ok", true,
		"checkedAt", checkedAt,
		"contractVersion", spec.contract.Version,
		"purpose", kind.Purpose(),
		"validation", validation(spec, checks, short),
	)
	if content != nil {
		o = o.With(bodyMember, content)
	}
	o = o.With("blockers", short)
	if kind.PublicNonClaim() != "" {
		o = o.With("publicNonClaim", kind.PublicNonClaim())
	}
	return o
}

func validation(spec *kindSpec, checks []Check, short []string) ordered.Object {
	var list []ordered.Object
	for _, check := range checks {
		list = append(list, ordered.Of(
			"id", check.ID, "label", check.Label, "status", check.Status.String(), "evidence", check.Evidence,
		))
	}
	status := terms.Pass
	if len(short) > 0 {
		status = terms.Blocked
	}
	o := ordered.Of(
		"status", status.String(),
		"validatorName", spec.contract.ValidatorName,
		"validatorVersion", spec.contract.ValidatorVersion,
		"contractVersion", spec.contract.Version,
		"checks", list,
		"blockers", short,
	)
	if spec.liveReady {
		o = o.With("liveReady", false)
	}
	return o
}

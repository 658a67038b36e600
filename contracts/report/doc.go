// Package report publishes the three governance contracts as reports, and checks reports that others published.
//
// A report is an envelope around a contract body (seed 2.1, 2.3 to 2.5): static, deterministic, changing nothing.
//
//	report, err := report.Of(report.Appeals, at)   // at is its checkedAt, and all that it depends on
//	report.Checks                                  // what each check found, in the order of seed 2.6
//	report.JSON()                                  // the document as it is published
//	report.Sections()                              // the body for reading
//
// The body comes from the vocabularies, rule books and definitions of package domain; what only a report states stands
// here once, in the words of the source. The sample decision and the sample evaluations are judged by domain's rules, from
// the packets in samples/.
//
// # Checks
//
// Each check of a contract is a rule over a body as its JSON reads: it watches some places of the body, which have to be
// what the built-in tables say, and may ask moreover that the body does not contradict itself. Every place of a body is
// watched by some check. Where the source leaves the wording to the publisher (a label, a rule, a sentence), any text does;
// those places are the table in liberty.go. This program's own reports go through the same functions as anybody else's:
//
//	examination, err := report.Examine(text, now)
//
// runs them on a report in a file, and besides them the checks of the envelope (its schema, versions, times, whether what
// it says of itself is true, whether it carries anything private). An Examination holds no text of that file but words
// that the built-in contracts know, so all of it may be printed.
//
// # Files
//
// schemas/ holds a JSON Schema (2020-12) for each kind of report and one for any of them; pages/ the prose of the pages
// in contracts/docs. Schemas and pages are written by go generate from the same tables.
package report

package report

import (
	"embed"
	"fmt"
	"sync"

	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/shape"
)

// contracts/ holds the statements of each contract and the checks of its reports, in the words of the source. Tests hold the
// bodies to the vocabularies, rule books and definitions of package domain, and the samples in them to its rules.
//
//go:embed contracts/*.json
var contractFiles embed.FS

// A statement is one of those files.
type statement struct {
	title    string // as a heading
	purpose  string // one sentence, source 1
	nonClaim string // publicNonClaim; "" where the report has none
	body     canonical.Value
	checks   []check
}

type none = struct{}

var statementShape = shape.New(
	shape.Required(shape.StringMember[none]("title", func(s *statement) *string { return &s.title })),
	shape.Required(shape.StringMember[none]("purpose", func(s *statement) *string { return &s.purpose })),
	shape.StringMember[none]("publicNonClaim", func(s *statement) *string { return &s.nonClaim }),
	shape.Required(shape.ValueMember[none]("body", func(s *statement) *canonical.Value { return &s.body })),
	shape.Required(shape.ListMember("checks", checkShape, func(s *statement) *[]check { return &s.checks })),
)

var checkShape = shape.New(
	shape.Required(shape.StringMember[none]("id", func(c *check) *string { return &c.id })),
	shape.Required(shape.StringMember[none]("label", func(c *check) *string { return &c.label })),
	shape.Required(stringsMember("watches", func(c *check) *[]string { return &c.watches })),
	shape.ListMember("asks", askShape, func(c *check) *[]ask { return &c.asks }),
	shape.ObjectMember("evidence", evidenceShape, func(c *check) *evidence { return &c.evidence }),
)

var askShape = shape.New(
	shape.Required(shape.ParsedMember[none]("rule", shape.FormWord, "must be a rule that a check asks", func(a *ask) *func(*body, *ask) []Problem { return &a.holds },
		func(name string) (func(*body, *ask) []Problem, bool) {
			rule := askRules[name]
			return rule, rule != nil
		})),
	shape.Required(shape.StringMember[none]("at", func(a *ask) *string { return &a.at })),
	shape.StringMember[none]("of", func(a *ask) *string { return &a.of }),
	shape.StringMember[none]("says", func(a *ask) *string { return &a.says }),
)

var evidenceShape = shape.New(
	stringsMember("texts", func(e *evidence) *[]string { return &e.texts }),
	shape.StringMember[none]("count", func(e *evidence) *string { return &e.count }),
	shape.StringMember[none]("pairs", func(e *evidence) *string { return &e.pairs }),
	shape.StringMember[none]("definitions", func(e *evidence) *string { return &e.definitions }),
)

func stringsMember[R any](name string, at func(*R) *[]string) shape.Member[none, *R] {
	return shape.ElementsMember(name, shape.Form{Kind: shape.FormSentences}, at, func(into *string, v canonical.Value, _ *none) *shape.Fault {
		*into = v.Text()
		return shape.FaultUnless(v.Kind() == canonical.String, v, shape.WantString)
	})
}

// statementOf reads the file of a kind, once.
func statementOf(name string) func() *statement {
	return sync.OnceValue(func() *statement {
		text, err := contractFiles.ReadFile("contracts/" + name + ".json")
		if err != nil {
			panic(fmt.Sprintf("report: %v", err))
		}
		root, err := parsed(text)
		if err != nil {
			panic(fmt.Sprintf("report: contract %s: %v", name, err))
		}
		s := &statement{}
		if fault := statementShape.Read(s, root, nil); fault != nil {
			panic(fmt.Sprintf("report: contract %s: %v", name, fault))
		}
		return s
	})
}

// objectOf is an object as a value that keeps the order of its text.
func objectOf(v canonical.Value) ordered.Object {
	o := ordered.Object{}
	for _, member := range entries(v) {
		o = o.With(member.Name(), valueOf(member))
	}
	return o
}

func valueOf(v canonical.Value) any {
	switch v.Kind() {
	case canonical.Object:
		return objectOf(v)
	case canonical.Array:
		list := []any{}
		for _, entry := range entries(v) {
			list = append(list, valueOf(entry))
		}
		return list
	case canonical.String:
		return v.Text()
	case canonical.True, canonical.False:
		return v.Kind() == canonical.True
	}
	number, _ := v.Integer()
	return number
}

// parsed reads JSON strictly into a value that keeps its own memory.
func parsed(text []byte) (canonical.Value, error) {
	doc := new(canonical.Document)
	if fault := doc.Parse(text, canonical.Limits{}); fault != nil {
		return canonical.Value{}, &shape.Fault{Reason: fault.Reason, Offset: fault.Offset}
	}
	return doc.Root(), nil
}

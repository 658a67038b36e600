// Package report publishes the three governance contracts as reports, and checks reports that
// others published.
//
// A report is an envelope around a contract body (source 2.1, 2.3 to 2.5): static, deterministic,
// changing nothing. The files in contracts/ are the published reports; only the time of the check
// is put in. Tests hold them to the source, to the vocabularies and rule books of package domain,
// and the samples in them to what domain's rules find in the packets in samples/. The files in
// schemas/ are their JSON Schemas.
//
//	report, err := report.Of(report.Appeals, at)   // at is its checkedAt, and all that it depends on
//	report.JSON()                                  // the document as it is published
//	report.Page()                                  // it for reading
//
//	examination, err := report.Examine(text, now)  // of a report that anybody published
//
// paths.go has the tables by which a report is examined: it has to equal the built-in one but for
// the places where the source tabulates no wording. What stands there is shown and not judged.
package report

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"sync"

	"docket/domain/json"
	"docket/domain/terms"
)

//go:embed contracts/*.json schemas/*.json
var files embed.FS

// Schema is the JSON Schema (2020-12) of a kind of report.
func Schema(kind Kind) []byte { return mustRead("schemas/" + kind.String() + ".schema.json") }

func mustRead(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("report: %v", err))
	}
	return text
}

type document struct {
	text []byte
	root json.Value
}

var builtins = func() (read [len(kinds)]func() document) {
	for _, kind := range Kinds() {
		read[kind] = sync.OnceValue(func() document { return readFile("contracts/" + kind.String() + ".json") })
	}
	return read
}()

func (k Kind) builtin() document { return builtins[k]() }

func readFile(name string) document {
	text := mustRead(name)
	root, err := parsed(text)
	if err != nil {
		panic(fmt.Sprintf("report: %s: %v", name, err))
	}
	return document{text, root}
}

func parsed(text []byte) (json.Value, error) {
	doc := new(json.Document)
	if fault := doc.Parse(text, json.Limits{}); fault != nil {
		return json.Value{}, fault
	}
	return doc.Root(), nil
}

// A Report is a contract as this program publishes it; two for one time are equal, byte for byte.
type Report struct {
	Kind      Kind
	CheckedAt terms.Instant
	Checks    []Check
}

// A Check is what a report says of one check of its contract (source 2.6).
type Check struct {
	ID, Label string
	Status    terms.Gate
	Evidence  string // the codes and rules that were checked, joined
}

var (
	errNoTime = errors.New("a report needs the time of its check")
	errNoKind = errors.New("there is no such contract report")
)

// Of makes the report of a kind, in which only checkedAt depends on at. Its errors are an unknown
// Kind and an absent time.
func Of(kind Kind, at terms.Instant) (Report, error) {
	if !kind.known() {
		return Report{}, errNoKind
	}
	if !at.Present() {
		return Report{}, errNoTime
	}
	r := Report{Kind: kind, CheckedAt: at}
	for _, check := range entries(kind.builtin().root.Member("validation").Member("checks")) {
		one := Check{ID: check.Member("id").Text(), Label: check.Member("label").Text(), Evidence: check.Member("evidence").Text()}
		if check.Member("status").Text() == terms.Pass.String() {
			one.Status = terms.Pass
		}
		r.Checks = append(r.Checks, one)
	}
	return r, nil
}

// Passes reports whether there are checks and every one passes.
func (r Report) Passes() bool {
	for _, check := range r.Checks {
		if check.Status != terms.Pass {
			return false
		}
	}
	return len(r.Checks) > 0
}

// JSON is the report as published: members in the order of source 2.1, indented by two spaces, with
// a line feed at the end.
func (r Report) JSON() []byte {
	own := r.Kind.builtin()
	stated := own.root.Member("checkedAt")
	return bytes.Join([][]byte{own.text[:stated.Offset()], []byte(`"` + r.CheckedAt.String() + `"`),
		own.text[stated.End():]}, nil)
}

func entries(v json.Value) []json.Value {
	list := make([]json.Value, 0, v.Len())
	for entry := v.First(); entry.Exists(); entry = entry.Next() {
		list = append(list, entry)
	}
	if v.Kind() == json.KindObject {
		json.Sort(list, func(a, b json.Value) int { return cmp.Compare(a.Offset(), b.Offset()) })
	}
	return list
}

func texts(list json.Value) []string {
	var all []string
	for _, entry := range entries(list) {
		all = append(all, entry.Text())
	}
	return all
}

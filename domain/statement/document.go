// Package statement writes the page about an enforcement record that its parties get: the decision and its object, the grounds in
// plain words, the reviewer's statement of reasons, the limits of the decision, where to turn next, and how to check it.
//
//	Input --New--> Document --Text, Markdown, HTML--> a page
//
// [New] lays the statement out once; the writers only write. A Document holds nothing but what a party may see: ids of the item,
// the policy and the reviewer, words of the vocabularies, and the statement of reasons. It holds no id of a party, no text of a
// packet and no private note. The sentences for the codes stand in package views.
package statement

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// An Input holds the documents from which a statement is made.
type Input struct {
	Record   records.Enforcement
	Reasons  records.Statement // of the reviewer; the zero Statement if there is none, or it was erased
	Packet   packets.Packet    // the case or amendment as it was judged; the zero Packet if it is not there
	Advised  terms.Outcome     // by docket, for this packet with the blockers that people added; absent if not known
	Standing Standing
	Place    Place
	Profile  Profile // where to turn; the zero Profile if nothing says it
}

// A Standing says how a record stands now: in force, superseded, rejected or void. The zero Standing is that of a record in
// force.
type Standing struct {
	SupersededBy records.RecordID           // "" while it is not superseded
	Rejected     bool                       // by the service, as Rejection says
	Rejection    records.Rejection          // Rejected: the service's own words
	Waiting      bool                       // the service has not answered for it yet
	Revoked      bool                       // a revoked key signed it, so that it never was in force
	Erased       map[Erasable]terms.Instant // what was erased, and when
	Reliance     *records.Reliance          // on the case or amendment at JudgedAt; nil if it was not judged
	JudgedAt     terms.Instant
	Faults       []string // what a check of the record found, one sentence each
}

// An Erasable is a part of a statement whose text can be erased.
type Erasable uint8

// The things that can be erased.
const (
	Reasons Erasable = iota + 1 // the reviewer's statement of reasons
	Packet                      // texts of the case or amendment
)

// TakeErasures takes what was erased of a record, and of the revision that it judged, from the statements about it.
func (s *Standing) TakeErasures(erasures map[records.Erasure]records.LogStatement, m *records.Members) {
	for what, object := range map[Erasable]records.Erasure{
		Reasons: {What: records.ErasableStatement, Record: m.RecordID},
		Packet:  {What: records.ErasableTexts, Table: terms.RecordTable(m.Area), Key: m.Key},
	} {
		if statement, erased := erasures[object]; erased {
			if s.Erased == nil {
				s.Erased = map[Erasable]terms.Instant{}
			}
			s.Erased[what] = statement.At
		}
	}
}

// A Place is where a record stands in a log.
type Place struct {
	Origin      string
	VerifierKey string // of the log's checkpoints; "" if it is not known
	Receipt     records.Receipt
}

// A Profile names channels to turn to, as the operator's incident response profile has them (source 2.2).
type Profile struct {
	Version  string
	Channels []Channel
}

// A Channel is a way to report something.
type Channel struct{ Label, Audience, Rule string }

// A Document is a statement laid out. Every text in it is safe to print: hostile characters are visible escapes.
type Document struct {
	Title    string
	Area     terms.Area
	RecordID records.RecordID
	Sequence int64
	Notices  []string // what a reader has to know first: that the record is not in force, say
	Sections []Section
}

// A Section is a part of the statement under a heading.
type Section struct {
	Title  string
	Blocks []Block
	Common bool // it says the same of every record of the area
}

// A Block is one of: a paragraph, a list, a table, a quotation, a command.
type Block struct {
	Common  bool // it says the same of every record
	Text    string
	Items   []string
	Table   *Table
	Quote   []string // lines of the reviewer's own words
	Command string
}

// A Table has a heading for each column. The first cell of a row names it.
type Table struct {
	Caption string
	Heads   []string
	Rows    [][]string
	Written bool // by people, in the direction of their script
}

func paragraph(text string) Block { return Block{Text: text} }

func table(caption string, heads []string, rows ...[]string) Block {
	return Block{Table: &Table{Caption: caption, Heads: heads, Rows: rows}}
}

// facts is a table of names and values, without those that are absent.
func facts(caption string, rows ...[]string) Block {
	t := &Table{Caption: caption, Heads: []string{"what", "value"}}
	for _, row := range rows {
		if row[1] != "" {
			t.Rows = append(t.Rows, row)
		}
	}
	return Block{Table: t}
}

// New lays a statement out. For the zero Enforcement the Document has no section, and a notice says so.
func New(in *Input) Document {
	m := in.Record.Members()
	if in.Record.Document() == nil {
		return Document{Title: "No statement", Notices: []string{"The record cannot be read, so there is nothing to state."}}
	}
	d := Document{Title: title(m), Area: m.Area, RecordID: m.RecordID, Sequence: in.Place.Receipt.Sequence, Notices: notices(in)}
	d.Sections = []Section{
		{Title: "The decision", Blocks: decision(in, m)},
		{Title: "What was decided on", Blocks: decidedOn(in, m)},
		{Title: "The grounds", Blocks: grounds(m)},
		{Title: "The reviewer's reasons", Blocks: reasons(in, m)},
		{Title: "What may be relied on", Blocks: reliance(&in.Standing, m)},
		{Title: "What this decision does not do", Blocks: []Block{{Items: views.NoEffects(m.Area)}}, Common: true},
		{Title: "Where to turn next", Blocks: turn(in, m), Common: true},
		{Title: "How to check this statement", Blocks: check(in, m)},
	}
	d.Sections = slices.DeleteFunc(d.Sections, func(s Section) bool { return len(s.Blocks) == 0 })
	return d
}

// A Form is one in which a Document is written.
type Form struct {
	Name    string
	Endings []string // of files' names
	Write   func(*Document) string
}

// Forms are all of them.
func Forms() []Form {
	return []Form{
		{"text", []string{".txt", ".text"}, (*Document).Text},
		{"markdown", []string{".md", ".markdown"}, (*Document).Markdown},
		{"html", []string{".html", ".htm"}, (*Document).HTML},
	}
}

// FormOf is the form that the ending of a file's name says; the error lists the endings.
func FormOf(path string) (Form, error) {
	var endings []string
	for _, form := range Forms() {
		for _, ending := range form.Endings {
			if len(path) > len(ending) && strings.EqualFold(path[len(path)-len(ending):], ending) {
				return form, nil
			}
		}
		endings = append(endings, form.Endings[0])
	}
	return Form{}, fmt.Errorf("the name has to end in one of %s", strings.Join(endings, ", "))
}

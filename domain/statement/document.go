// Package statement writes the page about an enforcement record that its parties get: the decision
// and its object, the grounds in plain words, the reviewer's statement of reasons, the limits of
// the decision, where to turn next, and how to check it.
//
// [New] makes a page of it, which package pages writes. The page holds nothing but what a party may
// see: ids of the item, the policy and the reviewer, words of the vocabularies, and the statement
// of reasons. It holds no id of a party, no text of a packet and no private note. The sentences for
// the codes stand in package views.
package statement

import (
	"slices"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// An Input holds the documents from which a statement is made.
type Input struct {
	Record   records.Enforcement
	Reasons  records.Statement // of the reviewer; the zero Statement if none or erased
	Packet   packets.Packet    // as it was judged; the zero Packet if it is not there
	Advised  terms.Outcome     // by docket, given the blockers that people added; absent if not known
	Standing Standing
	Place    Place
	Profile  Profile // where to turn; the zero Profile if nothing says it
}

// A Standing says how a record stands now; the zero Standing is that of a record in force.
type Standing struct {
	SupersededBy records.RecordID           // "" while it is not superseded
	Rejected     bool                       // by the service, as Rejection says
	Rejection    records.Rejection          // Rejected: the service's own words
	Waiting      bool                       // the service has not answered for it yet
	Revoked      bool                       // a revoked key signed it, so that it never was in force
	Erased       map[Erasable]terms.Instant // what was erased, and when
	Reliance     *records.Reliance          // on it at JudgedAt; nil if it was not judged
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

// TakeErasures takes what was erased of a record and of the revision that it judged.
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

// A Profile names channels to turn to, as in the operator's incident response profile (source 2.2).
type Profile struct {
	Version  string
	Channels []Channel
}

// A Channel is a way to report something.
type Channel struct{ Label, Audience, Rule string }

func paragraph(text string) pages.Block { return pages.Block{Text: text} }

func table(caption string, heads []string, rows ...[]string) pages.Block {
	return pages.Block{Table: &pages.Table{Caption: caption, Heads: heads, Rows: rows}}
}

func facts(caption string, rows ...[]string) pages.Block {
	t := &pages.Table{Caption: caption, Heads: []string{"what", "value"}}
	for _, row := range rows {
		if row[1] != "" {
			t.Rows = append(t.Rows, row)
		}
	}
	return pages.Block{Table: t}
}

// New lays a statement out. For the zero Enforcement the page has no part, and a notice says so.
func New(in *Input) pages.Page {
	m := in.Record.Members()
	if in.Record.Document() == nil {
		return pages.Page{Title: "No statement", Notices: []string{"The record cannot be read, so there is nothing to state."}}
	}
	p := pages.Page{Title: title(m), Area: m.Area, Sequence: in.Place.Receipt.Sequence, Notices: notices(in)}
	p.Parts = []pages.Part{
		{Title: "The decision", Blocks: decision(in, m)},
		{Title: "What was decided on", Blocks: decidedOn(in, m)},
		{Title: "The grounds", Blocks: grounds(m)},
		{Title: "The reviewer's reasons", Blocks: reasons(in, m)},
		{Title: "What may be relied on", Blocks: reliance(&in.Standing, m)},
		{Title: "What this decision does not do", Blocks: []pages.Block{{Items: views.NoEffects(m.Area)}}, Common: true},
		{Title: "Where to turn next", Blocks: turn(in, m), Common: true},
		{Title: "How to check this statement", Blocks: check(in, m)},
	}
	p.Parts = slices.DeleteFunc(p.Parts, func(part pages.Part) bool { return len(part.Blocks) == 0 })
	return p
}

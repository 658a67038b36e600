// Package sample makes dockets without a source of packets: a few dozen cases and amendments that
// read like a day's work on a platform that brokers donation offsets and pledge swaps, and any
// number of synthetic ones for load tests.
//
// Packets writes the docket for a moment: every date in it is relative to that moment, so it never
// expires. It names no person: reviewers, owners and parties have opaque ids, and private texts are
// invented so that they can be dropped. Together the packets have every word and every blocker of
// both areas. At least a third of them pass when the docket is opened and for five days after; then
// their deadlines pass one by one.
//
// # Templates
//
// The docket is data: the files under packets/, one for each packet table, each holding
//
//	{"table": "<table name>", "like": {…}, "packets": [ … ]}
//
// "like" is a record that every packet of the file starts from. A packet is
//
//	{"record": {…}, "slipped": {…}, "tampered": {…}, "private": {…}}
//
// where only "record" is required. It holds the differences from "like", as a JSON merge patch (RFC
// 7396): objects are merged member by member, arrays and other values replace, and null removes a
// member. Hashes are not written in it: the record is sealed once it is complete, so policies come
// before the records that name them. The other three change the packet further:
//
//   - "slipped" is a merge patch with texts that contain private details, which the source
//     nevertheless sealed (cases only)
//   - "tampered" is a merge patch made after the sealing, so that the hashes no longer match
//   - "private" is the packet's private member, taken as it is
//
// Two kinds of string are replaced anywhere in the first three:
//
//	"@-3d4h"        a time: weeks (w), days (d), hours (h), minutes (m) before (-) or after (+)
//	                the start
//	"#terms after"  a hash: of the record's id and the words, so that they give the same one
//	                within a record
//
// Any other string that starts with @ or #, an unknown member and a duplicate one are errors.
package sample

import (
	"bytes"
	"embed"
	stdjson "encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/terms"
)

// Reviewer is the reviewer of the sample docket. Most of its cases and amendments are assigned to
// them; one challenges their own decision, and from one they are recused.
const Reviewer = terms.ID("rev-demo")

//go:embed packets/*.json
var files embed.FS

// The template files in import order: a policy is sealed before the records that name it.
var (
	policyFiles = []string{"packets/appeal-policies.json", "packets/amendment-policies.json"}
	recordFiles = []string{"packets/appeal-cases.json", "packets/amendments.json"}
)

// Packets returns the sample docket as it stands at start, one JSON text a packet, in import order:
// policies first, a lower revision before a higher one. The same start, to the second, gives the
// same bytes. An error means a broken template, or a start in years that a packet cannot write.
func Packets(start time.Time) ([][]byte, error) { return PacketsFor(Reviewer, start) }

// PacketsFor returns the same packets with reviewer in the place of Reviewer.
func PacketsFor(reviewer terms.ID, start time.Time) ([][]byte, error) {
	list, err := templates(slices.Concat(policyFiles, recordFiles), string(reviewer))
	if err != nil {
		return nil, err
	}
	return newWriter(start).packets(list)
}

type object = map[string]any

// template is the description of one packet; the package's documentation describes it.
type template struct {
	table    terms.Table
	Record   object `json:"record"` // complete
	Slipped  object `json:"slipped"`
	Tampered object `json:"tampered"`
	Private  object `json:"private"`
}

// templates reads embedded files, with reviewer in the place of Reviewer.
func templates(names []string, reviewer string) (list []template, err error) {
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text = bytes.ReplaceAll(text, strconv.AppendQuote(nil, string(Reviewer)), strconv.AppendQuote(nil, reviewer))
		some, err := readTemplates(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, some...)
	}
	return list, nil
}

// readTemplates reads a file strictly: encoding/json alone would accept a duplicate member.
func readTemplates(text []byte) ([]template, error) {
	var doc json.Document
	if fault := doc.Parse(text, json.Limits{}); fault != nil {
		return nil, fmt.Errorf("line %d: %s", json.Line(text, fault.Offset), fault.Reason)
	}
	var file struct {
		Table   string     `json:"table"`
		Like    object     `json:"like"`
		Packets []template `json:"packets"`
	}
	decoder := stdjson.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, err
	}
	table, err := terms.Tables.Parse(file.Table)
	if err != nil {
		return nil, err
	}
	if _, ok := packets.Info(table); !ok {
		return nil, fmt.Errorf("%s is not a packet table", table)
	}
	for i := range file.Packets {
		file.Packets[i].table, file.Packets[i].Record = table, merged(file.Like, file.Packets[i].Record)
	}
	return file.Packets, nil
}

// merged applies a JSON merge patch (RFC 7396) and does not change its arguments.
func merged(target, patch object) object {
	result := maps.Clone(target)
	if result == nil {
		result = object{}
	}
	for name, value := range patch {
		switch value := value.(type) {
		case nil:
			delete(result, name)
		case object:
			inner, _ := result[name].(object)
			result[name] = merged(inner, value)
		default:
			result[name] = value
		}
	}
	return result
}

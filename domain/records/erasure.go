package records

import (
	"errors"
	"fmt"
	"strconv"

	"docket/domain/packets"
	"docket/domain/terms"
)

// An Erasable is what can be erased (this project's choice).
type Erasable = terms.Term[erasableList]

type erasableList struct{}

// WordList returns what can be erased.
func (erasableList) WordList() *terms.WordList { return erasableWords }

var erasableWords = terms.NewWordList("what can be erased", "note", "statement", "texts", "draft", "skip")

// The things that can be erased.
const (
	ErasableNote      Erasable = iota + 1 // the private note on a record
	ErasableStatement                     // the statement of reasons of a record
	ErasableTexts                         // the texts of one revision of a case
	ErasableDraft                         // a reviewer's draft of a decision
	ErasableSkip                          // a reviewer's reason for skipping
)

// Erasables is the vocabulary, for parsing and listing.
var Erasables terms.Terms[erasableList]

func ofRecord(what Erasable) bool { return what == ErasableNote || what == ErasableStatement }

// An ErasureReason is why something was erased (this project's choice).
type ErasureReason = terms.Term[erasureReasonList]

type erasureReasonList struct{}

// WordList returns the reasons.
func (erasureReasonList) WordList() *terms.WordList { return erasureReasonWords }

var erasureReasonWords = terms.NewWordList("reason of an erasure",
	"person_asked", "private_detail", "by_mistake", "time_limit", "order")

// The reasons. ErasureMeaning says what each means.
const (
	ErasedOnRequest ErasureReason = iota + 1
	ErasedPrivateDetail
	ErasedMistake
	ErasedTimeLimit
	ErasedByOrder
)

// ErasureMeaning says what a reason for an erasure means, a clause without a full stop.
func ErasureMeaning(reason ErasureReason) string {
	return map[ErasureReason]string{
		ErasedOnRequest:     "a person whom it is about asked for it",
		ErasedPrivateDetail: "it holds a private detail that no scan found",
		ErasedMistake:       "it should not have been written",
		ErasedTimeLimit:     "the time for which it may be kept is over",
		ErasedByOrder:       "a court or an authority ordered it",
	}[reason]
}

// ErasureReasons is the vocabulary, for parsing and listing.
var ErasureReasons terms.Terms[erasureReasonList]

// An Erasure says what was erased, and why, in the words of the last line of its statement:
//
//	note|statement <record id> <reason>
//	draft|skip <table> <id> <revision> <reason>
//	texts <table> <id> <revision> <digest> <reason>
//
// A draft and a skip are of the person who states it; the digest is of the packet as it stays.
type Erasure struct {
	What   Erasable
	Record RecordID    // of a note or a statement
	Table  terms.Table // of the revision that anything else belongs to
	Key    packets.Key // the same
	// Rest, in statements about texts only, is the digest of the packet without its texts: after
	// the erasure nothing else in the log holds the packet to what it was.
	Rest   terms.Hash
	Reason ErasureReason
}

// Leaves reports whether a packet without its texts is the one that the erasure left.
func (e Erasure) Leaves(packet packets.Packet) bool {
	return e.Rest.Matches(terms.HashOf(packet.Document()))
}

// ErasuresOfRecord lists the erasures of a record, without a reason.
func ErasuresOfRecord(id RecordID) []Erasure {
	return []Erasure{{What: ErasableNote, Record: id}, {What: ErasableStatement, Record: id}}
}

// ErasuresOfRevision lists the erasures of a revision of a case or an amendment, without a reason.
// draft is the revision on which the kept draft was begun; 0 if there is none.
func ErasuresOfRevision(table terms.Table, key packets.Key, draft int64) (list []Erasure) {
	if table == terms.AppealCases {
		list = append(list, Erasure{What: ErasableTexts, Table: table, Key: key})
	}
	if draft > 0 {
		list = append(list, Erasure{What: ErasableDraft, Table: table, Key: packets.Key{ID: key.ID, Number: draft}})
	}
	return append(list, Erasure{What: ErasableSkip, Table: table, Key: key})
}

// Object is the erasure without its reason and without what stays: what was erased.
func (e Erasure) Object() Erasure {
	e.Reason, e.Rest = 0, terms.Hash{}
	return e
}

// Words are the words of the statement.
func (e Erasure) Words() []string {
	if ofRecord(e.What) {
		return []string{e.What.String(), string(e.Record), e.Reason.String()}
	}
	words := []string{e.What.String(), e.Table.String(), string(e.Key.ID), strconv.FormatInt(e.Key.Number, 10)}
	if e.What == ErasableTexts {
		words = append(words, e.Rest.String())
	}
	return append(words, e.Reason.String())
}

// ErasureOf reads the words of a statement; false if they are of no erasure.
func ErasureOf(words []string) (e Erasure, ok bool) {
	if len(words) < 3 {
		return Erasure{}, false
	}
	var err error
	if e.What, err = Erasables.Parse(words[0]); err != nil {
		return Erasure{}, false
	}
	if e.Reason, err = ErasureReasons.Parse(words[len(words)-1]); err != nil {
		return Erasure{}, false
	}
	if ofRecord(e.What) {
		e.Record = RecordID(words[1])
		return e, len(words) == 3 && e.Record.Valid()
	}
	if texts := e.What == ErasableTexts; texts && len(words) == 6 {
		if e.Rest, ok = terms.ParseHash(words[4]); !ok {
			return Erasure{}, false
		}
	} else if texts || len(words) != 5 {
		return Erasure{}, false
	}
	number, err := strconv.ParseInt(words[3], 10, 64)
	if e.Table, ok = tableOf(words[1]); !ok || err != nil || number < 1 || strconv.FormatInt(number, 10) != words[3] {
		return Erasure{}, false
	}
	if e.Key.ID, ok = terms.ParseID(words[2]); !ok {
		return Erasure{}, false
	}
	e.Key.Number = number
	return e, e.What != ErasableTexts || e.Table == terms.AppealCases
}

func tableOf(word string) (terms.Table, bool) {
	table, err := terms.Tables.Parse(word)
	return table, err == nil && (table == terms.AppealCases || table == terms.AmendmentRecords)
}

// String names what was erased. Ids are opaque and not private.
func (e Erasure) String() string {
	what := map[Erasable]string{ErasableNote: "the private note on",
		ErasableStatement: "the statement of reasons of", ErasableTexts: "the texts of",
		ErasableDraft: "the draft on", ErasableSkip: "the reason for skipping"}[e.What]
	if ofRecord(e.What) {
		return fmt.Sprintf("%s record %s", what, e.Record)
	}
	return fmt.Sprintf("%s %s revision %d", what, e.Key.ID, e.Key.Number)
}

// Unchecked says what can no longer be recomputed; "" where nothing depended on it.
func (e Erasure) Unchecked() string {
	switch e.What {
	case ErasableNote:
		return "the record's noteDigest"
	case ErasableStatement:
		return "the record's statementDigest"
	case ErasableTexts:
		return "the digest of the texts, caseHash and scopeHash, and packetDigest of the records on it from before"
	}
	return ""
}

// Stays lists what an erasure leaves, in sentences that a person is told before it.
func (e Erasure) Stays() []string {
	list := []string{"Bundles and backups that were made before are out of reach, and so are copies in other stores."}
	switch e.What {
	case ErasableNote, ErasableStatement:
		list = append(list, "The record stays as it is. It holds a digest that says nothing without the random salt, which is erased, too.")
	case ErasableTexts:
		list = append(list,
			"The ids, words, times and hashes of the revision stay, and so do the records on it.",
			"The platform's caseHash and scopeHash stay: with all other members at hand, a short text can be guessed from them.",
			"From now on the revision takes blocked records only.")
	}
	return list
}

// Erasure returns the erasure that the statement is about; false if it is not about one.
func (s *LogStatement) Erasure() (Erasure, bool) {
	if s.Kind != Erased {
		return Erasure{}, false
	}
	return ErasureOf(s.Found)
}

// An ErasurePlan is what an erasure would do.
type ErasurePlan struct {
	Erasure Erasure
	Due     LogStatement  // to be signed; without time, person and key
	Rows    int64         // that would be deleted; 0 where only the statement is missing
	Before  *LogStatement // the statement, if it was erased before; nothing is left to state then
}

// Clause says what the erasure does, or when it was done.
func (p *ErasurePlan) Clause() string {
	switch {
	case p.Before != nil:
		return fmt.Sprintf("%s was erased at %s; the file is rewritten once more", p.Erasure, p.Before.At)
	case p.Rows == 0:
		return fmt.Sprintf("%s is gone already; only the statement is missing", p.Erasure)
	}
	return fmt.Sprintf("to be erased: %s", p.Erasure)
}

// EraseWord is the word that a person types to erase something.
const EraseWord = "erase"

// ErrErased is wrapped by errors after an erasure took effect: the data is gone from the store.
var ErrErased = errors.New("it is erased, but")

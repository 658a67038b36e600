package domain

import (
	"encoding/json"
	"errors"

	"docket/domain/canonical"
)

// A Draft is a decision on one revision that was begun and is not recorded. It is local, in no log and in no export, and
// replaced whenever the decision goes on. It binds nobody: what is recorded is chosen, and checked, anew.
type Draft struct {
	Outcome     Outcome
	Preliminary Outcome // given before the advisory outcome was shown; absent where there was no such step, or not yet
	Factors     FactorSet
	Added       BlockerSet
	Statement   string // of reasons; what holds private details is not kept
	Note        string
	Step        string   // the furthest step of the decision that was reached
	Supersedes  RecordID // the record that was in force
	OpenedAt    Instant  // when the revision was first opened to be decided on
}

// A KeptDraft is a draft as it was kept.
type KeptDraft struct {
	Draft
	Revision   int64 // of the case or amendment on which it was begun
	SavedAt    Instant
	Unreadable string // why the draft cannot be read; the Draft is zero then
}

// Present tells whether there is a draft at all.
func (k KeptDraft) Present() bool { return k.Revision > 0 }

// draftDocument is a draft as JSON. Sets are lists of words, so that a draft outlives a change of the vocabularies.
type draftDocument struct {
	Outcome     Outcome      `json:"outcome"`
	Preliminary Outcome      `json:"preliminaryOutcome"`
	Factors     []FactorCode `json:"factorCodes"`
	Added       []Blocker    `json:"reviewerBlockers"`
	Statement   string       `json:"statement"`
	Note        string       `json:"note"`
	Step        string       `json:"step"`
	Supersedes  RecordID     `json:"supersedes"`
	OpenedAt    string       `json:"openedAt"`
}

// Document writes the draft as it is kept.
func (d *Draft) Document() []byte {
	return canonical.JSON(draftDocument{d.Outcome, d.Preliminary, d.Factors.Words(), d.Added.Words(), d.Statement, d.Note, d.Step,
		d.Supersedes, d.OpenedAt.String()})
}

// errDraft is all that is said of a draft that cannot be read: it may hold a private note.
var errDraft = errors.New("it is no draft as this program keeps them")

// ReadDraft reads what Document wrote.
func ReadDraft(document []byte) (Draft, error) {
	var read draftDocument
	if err := json.Unmarshal(document, &read); err != nil {
		return Draft{}, errDraft
	}
	opened, ok := ParseInstant(read.OpenedAt)
	if !ok && read.OpenedAt != "" {
		return Draft{}, errDraft
	}
	return Draft{read.Outcome, read.Preliminary, SetOf(read.Factors...), SetOf(read.Added...), read.Statement, read.Note, read.Step,
		read.Supersedes, opened}, nil
}

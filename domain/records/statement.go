package records

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/private"
	"docket/domain/terms"
	"docket/domain/visible"
)

// A Statement is a reviewer's public statement of reasons, beside the record that holds its digest.
type Statement struct {
	Salt packets.Salt `json:"salt"`
	Text string       `json:"statement"`
}

// Present reports whether there is a statement.
func (s Statement) Present() bool { return s != Statement{} }

// Digest is H({"salt", "statement"}); absent if there is no statement.
func (s Statement) Digest() terms.Hash {
	if !s.Present() {
		return terms.Hash{}
	}
	return terms.HashOf(s.Document())
}

// Document is the statement in canonical form: {"salt", "statement"}.
func (s Statement) Document() []byte { return json.Canonical(s) }

// ErrStatement says that a document is no statement of reasons as Document writes it.
var ErrStatement = errors.New("it is not a statement of reasons")

// ReadStatement reads what Document wrote, without Check. The error wraps ErrStatement.
func ReadStatement(document []byte) (Statement, error) {
	s, ok := json.ReadCanonical[Statement](document)
	if !ok || !s.Salt.Valid() {
		return Statement{}, ErrStatement
	}
	return s, nil
}

// Check returns nil for an absent or recordable statement, else a *Refusal without its words.
func (s Statement) Check() error {
	switch {
	case !s.Present():
		return nil
	case !s.Salt.Valid():
		return &Refusal{"the statement of reasons has no salt"}
	}
	return CheckStatement(s.Text)
}

// CheckStatement returns nil if the text can be recorded, else a *Refusal without its words.
func CheckStatement(text string) error { return checkShown("the statement of reasons", text) }

// CheckSkipReason is CheckStatement for the reason why a revision is skipped, which the queue shows.
func CheckSkipReason(text string) error { return checkShown("the reason", text) }

// checkShown returns nil for a text that can be kept and shown.
func checkShown(what, text string) error {
	if !isText(text) {
		return &Refusal{what + " is empty, longer than 2,000 characters, or not valid UTF-8"}
	}
	if err := checkSeen(what, text); err != nil {
		return err
	}
	if found := private.ScanString(text); !found.Empty() {
		return &Refusal{fmt.Sprintf("%s holds private details (%s); take them out", what, strings.Join(found.Texts(), ", "))}
	}
	return nil
}

// checkSeen refuses characters that control a terminal, reorder the text or are not seen.
func checkSeen(what, text string) error {
	if hidden := visible.Deceptive(text); hidden >= 0 {
		return &Refusal{fmt.Sprintf("%s holds a character that is not seen (%U); take it out", what, hidden)}
	}
	return nil
}

func isText(text string) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= packets.MaxTextLength && packets.Legible(text)
}

// A Note is a reviewer's private note on a record, which stays on this machine. The record holds
// only its digest; the salt keeps the note from being guessed.
type Note struct {
	Salt string // random, as text
	Text string
}

// Check reports whether a note may be kept: nil, or a *Refusal, which holds no word of it.
func (n Note) Check() error { return checkSeen("the private note", n.Text) }

// Digest is H({"note", "salt"}); absent if there is no note.
func (n Note) Digest() terms.Hash {
	if n.Text == "" {
		return terms.Hash{}
	}
	return terms.HashOf(json.Canonical(map[string]string{"salt": n.Salt, "note": n.Text}))
}

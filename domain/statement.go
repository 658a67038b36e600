package domain

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/private"
	"docket/domain/shape"
)

// A Salt keeps what a digest covers from being guessed. It is random text: 22 to 128 ASCII letters and digits.
type Salt string

// Valid tells whether the salt has that form.
func (s Salt) Valid() bool {
	if len(s) < 22 || len(s) > 128 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// A Statement is a reviewer's public statement of reasons. It lies beside the record, which holds its digest.
type Statement struct {
	Salt Salt   `json:"salt"`
	Text string `json:"statement"`
}

// Present tells whether there is a statement.
func (s Statement) Present() bool { return s != Statement{} }

// Digest is H({"salt", "statement"}); absent if there is no statement.
func (s Statement) Digest() Hash {
	if !s.Present() {
		return Hash{}
	}
	return HashOf(s.Document())
}

// Document is the statement in canonical form: {"salt", "statement"}.
func (s Statement) Document() []byte {
	w := ordered.Writer{}
	return w.Open().Name("salt").String(string(s.Salt)).Name("statement").String(s.Text).Close().Text()
}

var saltShape = shape.New(shape.Required(saltMember("salt", func(s *Salt) *Salt { return s })))

var statementShape = shape.New(
	shape.Required(saltMember("salt", func(s *Statement) *Salt { return &s.Salt })),
	shape.Required(shape.NewMember("statement", Form{Kind: shape.FormText}, func(s *Statement, v canonical.Value, _ *reading) *Fault {
		s.Text = v.Text()
		return shape.FaultUnless(v.Kind() == canonical.String, v, shape.WantString)
	})),
)

func saltMember[R any](name string, at func(*R) *Salt) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormString}, func(r *R, v canonical.Value, _ *reading) *Fault {
		*at(r) = Salt(v.Text())
		return shape.FaultUnless(at(r).Valid(), v, "must have 22 to 128 ASCII letters and digits")
	})
}

// ErrStatement says that a document is no statement of reasons as Document writes it.
var ErrStatement = errors.New("it is not a statement of reasons")

// ReadStatement reads what Document wrote. The error wraps ErrStatement. Whether it may be recorded is for Check to tell.
func (r *Reader) ReadStatement(document []byte) (s Statement, err error) {
	if r.doc.Parse(document, canonical.Limits{Depth: maxDepth}) != nil || statementShape.Read(&s, r.doc.Root(), &reading{}) != nil ||
		string(s.Document()) != string(document) {
		return Statement{}, ErrStatement
	}
	return s, nil
}

// Document is the salt in canonical form: {"salt"}.
func (s Salt) Document() []byte {
	w := ordered.Writer{}
	return w.Open().Name("salt").String(string(s)).Close().Text()
}

// ErrSalt says that a document is no salt as Salt.Document writes it.
var ErrSalt = errors.New("it is not a salt")

// ReadSalt reads what Salt.Document wrote. The error wraps ErrSalt.
func (r *Reader) ReadSalt(document []byte) (s Salt, err error) {
	if r.doc.Parse(document, canonical.Limits{Depth: maxDepth}) != nil || saltShape.Read(&s, r.doc.Root(), &reading{}) != nil ||
		string(s.Document()) != string(document) {
		return "", ErrSalt
	}
	return s, nil
}

// Check tells whether the statement may be recorded: nil where there is none, else a *Refusal, which holds no word of it.
func (s Statement) Check() error {
	switch {
	case !s.Present():
		return nil
	case !s.Salt.Valid():
		return &Refusal{"the statement of reasons has no salt"}
	}
	return CheckStatement(s.Text)
}

// CheckStatement tells whether a text may be recorded as a statement of reasons: nil, or a *Refusal, which holds no word of it.
func CheckStatement(text string) error {
	if !isText(text) {
		return &Refusal{"the statement of reasons is empty, longer than 2,000 characters, or not valid UTF-8"}
	}
	if found := (Text{kinds: private.ScanString(text)}).findings(); len(found) > 0 {
		return &Refusal{"the statement of reasons holds private details (" + strings.Join(found, ", ") + "); take them out"}
	}
	return nil
}

// isText tells whether a string is a text with something in it to read.
func isText(text string) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= maxTextLength && strings.IndexFunc(text, isInk) >= 0
}

// isInk tells whether a character leaves something to be seen: a letter, number, punctuation mark or symbol but for the five
// that are drawn as nothing.
func isInk(r rune) bool {
	switch r {
	case 0x2800, 0x115f, 0x1160, 0x3164, 0xffa0:
		return false
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
}

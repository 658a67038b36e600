package domain

import (
	"errors"

	"docket/domain/canonical"
	"docket/domain/ordered"
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

var saltShape = shape.New(shape.Required(saltMember("salt", func(s *Salt) *Salt { return s })))

func saltMember[R any](name string, at func(*R) *Salt) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormString}, func(r *R, v canonical.Value, _ *reading) *Fault {
		*at(r) = Salt(v.Text())
		return shape.FaultUnless(at(r).Valid(), v, "must have 22 to 128 ASCII letters and digits")
	})
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
	root, fault := r.Parse(document)
	if fault != nil || saltShape.Read(&s, root, &reading{}) != nil ||
		string(s.Document()) != string(document) {
		return "", ErrSalt
	}
	return s, nil
}

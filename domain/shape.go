package domain

import (
	"docket/domain/canonical"
	"docket/domain/shape"
)

// What describes the objects of this package, and what is wrong with one.
type (
	Form        = shape.Form
	MemberShape = shape.MemberShape
	Shape       = shape.Shape
	Fault       = shape.Fault
)

// A member of an object that is read into an R, and an object.
type (
	member[R any]  = shape.Member[reading, R]
	shapeOf[R any] = shape.Of[reading, R]
)

// reading is what the reading of one record carries along.
type reading struct {
	stored bool // masks in place of texts are allowed: the record comes from a store, not from a file
	masked bool // a text held private details
}

// The constructors of the members of records follow; see package shape.

func idMember[R any](name string, at func(*R) *ID) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormID}, func(r *R, v canonical.Value, _ *reading) (fault *Fault) {
		*at(r), fault = readID(v)
		return fault
	})
}

func timeMember[R any](name string, at func(*R) *Instant) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormTime}, func(r *R, v canonical.Value, _ *reading) *Fault {
		instant, ok := parseInstant(v.Bytes())
		*at(r) = instant
		return shape.FaultUnless(ok && v.Kind() == canonical.String, v, shape.WantTime)
	})
}

func hashMember[R any](name string, at func(*R) *Hash) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormHash}, func(r *R, v canonical.Value, _ *reading) *Fault {
		hash, ok := parseHash(v.Bytes())
		*at(r) = hash
		return shape.FaultUnless(ok && v.Kind() == canonical.String, v, shape.WantHash)
	})
}

func stringMember[R any](name string, at func(*R) *string) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormString}, func(r *R, v canonical.Value, in *reading) (fault *Fault) {
		*at(r), fault = readString(v, in)
		return fault
	})
}

// looseMember is a string member of a record whose rules ask whether it holds private details.
func looseMember[R any](name string, at func(*R) *Text) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormString}, func(r *R, v canonical.Value, in *reading) (fault *Fault) {
		*at(r), fault = readLoose(v, in)
		return fault
	})
}

func flagMember[R any](name string, at func(*R) *Flag) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormFlag}, func(r *R, v canonical.Value, _ *reading) *Fault {
		switch v.Kind() {
		case canonical.True:
			*at(r) = FlagYes
		case canonical.False:
			*at(r) = FlagNo
		default:
			return shape.FaultAt(v, shape.WantFlag)
		}
		return nil
	})
}

func textMember[R any](name string, at func(*R) *Text) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormText}, func(r *R, v canonical.Value, in *reading) (fault *Fault) {
		*at(r), fault = readText(v, in)
		return fault
	})
}

func wordMember[R any, K Kind](name string, at func(*R) *Word[K]) member[R] {
	form := Form{Kind: shape.FormWord, Words: Vocabulary[K]{}.Texts()}
	return shape.NewMember(name, form, func(r *R, v canonical.Value, _ *reading) (fault *Fault) {
		*at(r), fault = readWord[K](v)
		return fault
	})
}

func wordsMember[R any, K Kind](name string, at func(*R) *Set[K]) member[R] {
	form := Form{Kind: shape.FormWords, Words: Vocabulary[K]{}.Texts()}
	return shape.NewMember(name, form, func(r *R, v canonical.Value, _ *reading) (fault *Fault) {
		*at(r), fault = readWords[K](v)
		return fault
	})
}

func declaredMember[R any, K Kind](name string, at func(*R) *Declared[K]) member[R] {
	form := Form{Kind: shape.FormWords, Words: Vocabulary[K]{}.Texts()}
	return shape.NewMember(name, form, func(r *R, v canonical.Value, _ *reading) *Fault {
		words, fault := readWords[K](v)
		if fault == nil {
			*at(r) = Declare(words)
		}
		return fault
	})
}

func idsMember[R any](name string, at func(*R) *[]ID) member[R] {
	return shape.NewMember(name, Form{Kind: shape.FormIDs}, func(r *R, v canonical.Value, _ *reading) (fault *Fault) {
		*at(r), fault = readIDs(v)
		return fault
	})
}

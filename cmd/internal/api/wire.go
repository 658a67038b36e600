package api

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"docket/domain/canonical"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/terms"
)

// A Reader reads the objects of a wire type as strictly as packets are read. Their members are those
// that its JSON tags name: each is required unless it has omitempty, omitzero or the tag optional,
// and none may be null but a pointer that is required. The tags least and most bound a number, and
// the bytes of a text or the elements of a list. Problems and records may have other members.
type Reader[T any] struct{ of *object }

type (
	none   = struct{}
	object = shape.Of[none, *target]
	// A target is a struct that is being read.
	target struct{ reflect.Value }
	// An element reads one value.
	element func(into reflect.Value, v canonical.Value) *shape.Fault
)

// NewReader returns the reader of a type. It panics for a member that no wire type has.
func NewReader[T any]() Reader[T] { return Reader[T]{objectOf(reflect.TypeFor[T]())} }

// Shape describes the object.
func (r Reader[T]) Shape() *shape.Shape { return r.of.Shape() }

// Read reads an object, and returns the first fault. Lists of an absent member stay nil.
func (r Reader[T]) Read(v canonical.Value) (T, *shape.Fault) {
	var into T
	if fault := readObject(r.of, reflect.ValueOf(&into).Elem(), v); fault != nil {
		return *new(T), fault
	}
	return into, nil
}

func readObject(of *object, into reflect.Value, v canonical.Value) (first *shape.Fault) {
	of.Check(&target{into}, v, nil, "", func(f shape.Finding) bool {
		if f.Reason == shape.Null {
			f.Reason = f.Form.Want()
		}
		first = &f.Fault
		return false
	})
	return first
}

func objectOf(t reflect.Type) *object {
	members := make([]shape.Member[none, *target], t.NumField())
	for i := range members {
		field := t.Field(i)
		name, omitted, _ := strings.Cut(field.Tag.Get("json"), ",")
		least, _ := strconv.ParseInt(field.Tag.Get("least"), 10, 64)
		most, bounded := strconv.Atoi(field.Tag.Get("most"))
		kind, read := elementOf(field.Type, least)
		form := shape.Form{Kind: kind}
		members[i] = shape.NewMember(name, form, func(r *target, v canonical.Value, _ *none) *shape.Fault {
			fault := read(r.Field(i), v)
			if fault == nil && bounded == nil && r.Field(i).Len() > most {
				fault = shape.FaultAt(v, "is too long")
			}
			return fault
		})
		_, optional := field.Tag.Lookup("optional")
		members[i].Required = omitted == "" && !optional
		members[i].Nullable = omitted == "" && field.Type.Kind() == reflect.Pointer
	}
	of := shape.New(members...)
	if t == reflect.TypeFor[Problem]() || t == reflect.TypeFor[Record]() {
		of.Open()
	}
	return of
}

func elementOf(t reflect.Type, least int64) (shape.FormKind, element) {
	if w, is := words[t]; is {
		return w.kind, w.read
	}
	switch t.Kind() {
	case reflect.String:
		return shape.FormString, func(into reflect.Value, v canonical.Value) *shape.Fault {
			into.SetString(v.Text())
			return shape.FaultUnless(v.Kind() == canonical.String, v, shape.WantString)
		}
	case reflect.Bool:
		return shape.FormFlag, func(into reflect.Value, v canonical.Value) *shape.Fault {
			into.SetBool(v.Kind() == canonical.True)
			return shape.FaultUnless(into.Bool() || v.Kind() == canonical.False, v, shape.WantFlag)
		}
	case reflect.Int, reflect.Int64:
		form := shape.Form{Kind: shape.FormCount}
		if least > 0 {
			form.Kind = shape.FormVersion
		}
		return form.Kind, func(into reflect.Value, v canonical.Value) *shape.Fault {
			number, ok := v.Integer()
			into.SetInt(number)
			return shape.FaultUnless(ok && number >= least, v, form.Want())
		}
	case reflect.Struct:
		of := objectOf(t)
		return shape.FormObject, func(into reflect.Value, v canonical.Value) *shape.Fault {
			return readObject(of, into, v)
		}
	case reflect.Pointer:
		kind, read := elementOf(t.Elem(), 0)
		return kind, func(into reflect.Value, v canonical.Value) *shape.Fault {
			into.Set(reflect.New(t.Elem()))
			return read(into.Elem(), v)
		}
	case reflect.Slice:
		_, read := elementOf(t.Elem(), 0)
		return shape.FormList, func(into reflect.Value, v canonical.Value) *shape.Fault {
			return readList(read, into, v)
		}
	}
	panic("api: no member of a body is a " + t.String())
}

func readList(read element, into reflect.Value, v canonical.Value) *shape.Fault {
	if v.Kind() != canonical.Array {
		return shape.FaultAt(v, shape.WantList)
	}
	into.Set(reflect.MakeSlice(into.Type(), v.Len(), v.Len()))
	index := 0
	for e := v.First(); e.Exists(); e = e.Next() {
		if fault := read(into.Index(index), e); fault != nil {
			return fault.UnderIndex(index)
		}
		index++
	}
	return nil
}

// A word is how the values of a type are read that are not read by their kind alone.
type word struct {
	kind shape.FormKind
	read element
}

var words = map[reflect.Type]word{
	// An object, taken in canonical form.
	reflect.TypeFor[json.RawMessage](): {shape.FormObject, func(into reflect.Value, v canonical.Value) *shape.Fault {
		into.SetBytes(v.AppendCanonical(nil, ""))
		return shape.FaultUnless(v.Kind() == canonical.Object, v, shape.WantObject)
	}},
	reflect.TypeFor[records.Statement](): {shape.FormObject, func(into reflect.Value, v canonical.Value) *shape.Fault {
		if v.Kind() != canonical.Object {
			return shape.FaultAt(v, shape.WantObject)
		}
		read, err := records.ReadStatement(&packets.Reader{}, v.AppendCanonical(nil, ""))
		into.Set(reflect.ValueOf(read))
		return shape.FaultUnless(err == nil, v,
			`must be {"salt", "statement"}: 22 to 128 ASCII letters and digits, and a text`)
	}},
	reflect.TypeFor[terms.Hash]():    wordOf(shape.FormHash, shape.WantHash, terms.ParseHash),
	reflect.TypeFor[terms.ID]():      wordOf(shape.FormID, shape.WantID, terms.ParseID),
	reflect.TypeFor[terms.Instant](): wordOf(shape.FormTime, shape.WantTime, terms.ParseInstant),
	reflect.TypeFor[terms.Role](): wordOf(shape.FormString, "must be a role of a reviewer",
		known(terms.Roles.Parse)),
	reflect.TypeFor[terms.Blocker](): wordOf(shape.FormString, shape.WantWord+terms.Blockers.Name(),
		known(terms.Blockers.Parse)),
	reflect.TypeFor[terms.Table](): wordOf(shape.FormString, "must be a table of cases or amendments",
		func(text string) (terms.Table, bool) {
			table, err := terms.Tables.Parse(text)
			return table, err == nil && table == terms.RecordTable(terms.AreaOf(table))
		}),
	reflect.TypeFor[records.RecordID](): wordOf(shape.FormString, "must be a UUIDv7 in lower case",
		func(text string) (records.RecordID, bool) {
			return records.RecordID(text), records.RecordID(text).Valid()
		}),
}

func wordOf[T any](kind shape.FormKind, want string, parse func(string) (T, bool)) word {
	return word{kind, func(into reflect.Value, v canonical.Value) *shape.Fault {
		parsed, ok := parse(v.Text())
		into.Set(reflect.ValueOf(parsed))
		return shape.FaultUnless(ok && v.Kind() == canonical.String, v, want)
	}}
}

// known turns an error of parse into false.
func known[T any](parse func(string) (T, error)) func(string) (T, bool) {
	return func(text string) (T, bool) {
		parsed, err := parse(text)
		return parsed, err == nil
	}
}

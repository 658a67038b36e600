package api

import (
	stdjson "encoding/json"
	"reflect"
	"strconv"
	"strings"

	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/terms"
)

// A Reader reads the objects of a wire type as strictly as packets are read. Their members are
// those that its JSON tags name: each is required unless it has omitempty, omitzero or the tag
// optional, and none may be null but a pointer that is required. The tags least and most bound a
// number, and the bytes of a text or the elements of a list. Problems and records may have other
// members.
type Reader[T any] struct{ of *object }

type (
	none    = struct{}
	object  = json.Reader[none, *target]
	target  struct{ reflect.Value }
	element func(into reflect.Value, v json.Value) *json.Fault
)

// NewReader returns the reader of a type. It panics for a member that no wire type has.
func NewReader[T any]() Reader[T] { return Reader[T]{objectOf(reflect.TypeFor[T]())} }

// Shape describes the object.
func (r Reader[T]) Shape() *json.Shape { return r.of.Shape() }

// Read reads an object, and returns the first fault. Lists of an absent member stay nil.
func (r Reader[T]) Read(v json.Value) (T, *json.Fault) {
	var into T
	if fault := readObject(r.of, reflect.ValueOf(&into).Elem(), v); fault != nil {
		return *new(T), fault
	}
	return into, nil
}

func readObject(of *object, into reflect.Value, v json.Value) (first *json.Fault) {
	of.Check(&target{into}, v, nil, "", func(f json.Finding) bool {
		if f.Reason == json.ReasonNull {
			f.Reason = f.Form.Want()
		}
		first = &f.Fault
		return false
	})
	return first
}

func objectOf(t reflect.Type) *object {
	members := make([]json.Member[none, *target], t.NumField())
	for i := range members {
		field := t.Field(i)
		name, omitted, _ := strings.Cut(field.Tag.Get("json"), ",")
		least, _ := strconv.ParseInt(field.Tag.Get("least"), 10, 64)
		most, bounded := strconv.Atoi(field.Tag.Get("most"))
		kind, read := elementOf(field.Type, least)
		form := json.Form{Kind: kind}
		members[i] = json.NewMember(name, form, func(r *target, v json.Value, _ *none) *json.Fault {
			fault := read(r.Field(i), v)
			if fault == nil && bounded == nil && r.Field(i).Len() > most {
				fault = json.FaultAt(v, "is too long")
			}
			return fault
		})
		_, optional := field.Tag.Lookup("optional")
		members[i].Required = omitted == "" && !optional
		members[i].Nullable = omitted == "" && field.Type.Kind() == reflect.Pointer
	}
	of := json.NewReader(members...)
	if t == reflect.TypeFor[Problem]() || t == reflect.TypeFor[Record]() {
		of.Open()
	}
	return of
}

func elementOf(t reflect.Type, least int64) (json.FormKind, element) {
	if w, is := words[t]; is {
		return w.kind, w.read
	}
	switch t.Kind() {
	case reflect.String:
		return json.FormString, func(into reflect.Value, v json.Value) *json.Fault {
			into.SetString(v.Text())
			return json.FaultUnless(v.Kind() == json.KindString, v, json.WantString)
		}
	case reflect.Bool:
		return json.FormFlag, func(into reflect.Value, v json.Value) *json.Fault {
			into.SetBool(v.Kind() == json.KindTrue)
			return json.FaultUnless(into.Bool() || v.Kind() == json.KindFalse, v, json.WantFlag)
		}
	case reflect.Int, reflect.Int64:
		form := json.Form{Kind: json.FormCount}
		if least > 0 {
			form.Kind = json.FormVersion
		}
		return form.Kind, func(into reflect.Value, v json.Value) *json.Fault {
			number, ok := v.Integer()
			into.SetInt(number)
			return json.FaultUnless(ok && number >= least, v, form.Want())
		}
	case reflect.Struct:
		of := objectOf(t)
		return json.FormObject, func(into reflect.Value, v json.Value) *json.Fault {
			return readObject(of, into, v)
		}
	case reflect.Pointer:
		kind, read := elementOf(t.Elem(), 0)
		return kind, func(into reflect.Value, v json.Value) *json.Fault {
			into.Set(reflect.New(t.Elem()))
			return read(into.Elem(), v)
		}
	case reflect.Slice:
		_, read := elementOf(t.Elem(), 0)
		return json.FormList, func(into reflect.Value, v json.Value) *json.Fault {
			return readList(read, into, v)
		}
	}
	panic("api: no member of a body is a " + t.String())
}

func readList(read element, into reflect.Value, v json.Value) *json.Fault {
	if v.Kind() != json.KindArray {
		return json.FaultAt(v, json.WantList)
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
	kind json.FormKind
	read element
}

var words = map[reflect.Type]word{
	// An object, taken in canonical form.
	reflect.TypeFor[stdjson.RawMessage](): {json.FormObject, func(into reflect.Value, v json.Value) *json.Fault {
		into.SetBytes(v.AppendCanonical(nil, ""))
		return json.FaultUnless(v.Kind() == json.KindObject, v, json.WantObject)
	}},
	reflect.TypeFor[records.Statement](): {json.FormObject, func(into reflect.Value, v json.Value) *json.Fault {
		if v.Kind() != json.KindObject {
			return json.FaultAt(v, json.WantObject)
		}
		read, err := records.ReadStatement(v.AppendCanonical(nil, ""))
		into.Set(reflect.ValueOf(read))
		return json.FaultUnless(err == nil, v,
			`must be {"salt", "statement"}: 22 to 128 ASCII letters and digits, and a text`)
	}},
	reflect.TypeFor[terms.Hash]():    wordOf(json.FormHash, json.WantHash, terms.ParseHash),
	reflect.TypeFor[terms.ID]():      wordOf(json.FormID, json.WantID, terms.ParseID),
	reflect.TypeFor[terms.Instant](): wordOf(json.FormTime, json.WantTime, terms.ParseInstant),
	reflect.TypeFor[terms.Role](): wordOf(json.FormString, "must be a role of a reviewer",
		known(terms.Roles.Parse)),
	reflect.TypeFor[terms.Blocker](): wordOf(json.FormString, json.WantWord+terms.Blockers.Name(),
		known(terms.Blockers.Parse)),
	reflect.TypeFor[terms.Table](): wordOf(json.FormString, "must be a table of cases or amendments",
		func(text string) (terms.Table, bool) {
			table, err := terms.Tables.Parse(text)
			return table, err == nil && table == terms.RecordTable(terms.AreaOf(table))
		}),
	reflect.TypeFor[records.RecordID](): wordOf(json.FormString, "must be a UUIDv7 in lower case",
		func(text string) (records.RecordID, bool) {
			return records.RecordID(text), records.RecordID(text).Valid()
		}),
}

func wordOf[T any](kind json.FormKind, want string, parse func(string) (T, bool)) word {
	return word{kind, func(into reflect.Value, v json.Value) *json.Fault {
		parsed, ok := parse(v.Text())
		into.Set(reflect.ValueOf(parsed))
		return json.FaultUnless(ok && v.Kind() == json.KindString, v, want)
	}}
}

// known turns an error of parse into false.
func known[T any](parse func(string) (T, error)) func(string) (T, bool) {
	return func(text string) (T, bool) {
		parsed, err := parse(text)
		return parsed, err == nil
	}
}

package json

import (
	"reflect"
	"strings"
)

// An At finds the value of a member in the struct that is being read.
type At func(of reflect.Value) reflect.Value

// StructReader returns the reader of a type of structs. Its members are the fields, in their order, under the names that the tags
// `json` give them. A member is required unless that tag says omitempty; null counts as absent where the tag `null` is "absent".
// member returns the member of a field of some other type than a struct or a list of structs; it is asked for each field first.
func StructReader[C any](t reflect.Type,
	member func(name string, field reflect.Type, at At) (Member[C, reflect.Value], bool)) *Reader[C, reflect.Value] {
	members := make([]Member[C, reflect.Value], t.NumField())
	for i := range members {
		field := t.Field(i)
		name, omitted, _ := strings.Cut(field.Tag.Get("json"), ",")
		at := func(of reflect.Value) reflect.Value { return of.Field(i) }
		m, known := member(name, field.Type, at)
		switch {
		case known:
		case field.Type.Kind() == reflect.Slice:
			m = structsMember(name, StructReader(field.Type.Elem(), member), at)
		default:
			m = ObjectMember(name, StructReader(field.Type, member), at)
		}
		m.Required, m.Nullable = omitted == "", field.Tag.Get("null") == "absent"
		members[i] = m
	}
	return NewReader(members...)
}

func structsMember[C any](name string, of *Reader[C, reflect.Value], at At) Member[C, reflect.Value] {
	l := &listReader[C, reflect.Value]{form: Form{Kind: FormList, Shape: &of.described}}
	l.size = func(r reflect.Value, n int) { at(r).Set(reflect.MakeSlice(at(r).Type(), n, n)) }
	l.read = func(r reflect.Value, i int, v Value, in *C) *Fault { return of.Read(at(r).Index(i), v, in) }
	l.check = func(r reflect.Value, i int, v Value, in *C, place string, tell Tell) bool {
		return of.check(at(r).Index(i), v, in, place, nil, tell)
	}
	return l.member(name)
}

package json

import (
	"cmp"
	"reflect"
	"strings"
)

// An At finds the value of a member in the struct that is being read.
type At func(of reflect.Value) reflect.Value

// FieldAt returns a pointer to that value, which is a T.
func FieldAt[T any](at At) func(of reflect.Value) *T {
	return func(of reflect.Value) *T { return at(of).Addr().Interface().(*T) }
}

// StructReader returns the reader of a struct type. Its members are the fields in order, named by
// the tag `json` or else by the field with a small first letter. A member is required unless that
// tag says omitempty; null counts as absent if the tag `null` is "absent"; a list of structs has at
// least one if `least` is "1". member, asked first, gives the members of other types.
func StructReader[C any](t reflect.Type,
	member func(name string, field reflect.StructField, at At) (Member[C, reflect.Value], bool)) *Reader[C, reflect.Value] {
	members := make([]Member[C, reflect.Value], t.NumField())
	for i := range members {
		field := t.Field(i)
		name, omitted, _ := strings.Cut(field.Tag.Get("json"), ",")
		name = cmp.Or(name, strings.ToLower(field.Name[:1])+field.Name[1:])
		at := func(of reflect.Value) reflect.Value { return of.Field(i) }
		m, known := member(name, field, at)
		switch {
		case known:
		case field.Type.Kind() == reflect.Slice:
			m = structsMember(name, field.Tag.Get("least") == "1", StructReader(field.Type.Elem(), member), at)
		default:
			m = ObjectMember(name, StructReader(field.Type, member), at)
		}
		m.Required, m.Nullable = omitted == "", field.Tag.Get("null") == "absent"
		members[i] = m
	}
	return NewReader(members...)
}

func structsMember[C any](name string, filled bool, of *Reader[C, reflect.Value], at At) Member[C, reflect.Value] {
	l := &listReader[C, reflect.Value]{form: Form{Kind: FormList, Shape: &of.described, NotEmpty: filled}}
	l.size = func(r reflect.Value, n int) { at(r).Set(reflect.MakeSlice(at(r).Type(), n, n)) }
	l.read = func(r reflect.Value, i int, v Value, in *C) *Fault { return of.Read(at(r).Index(i), v, in) }
	l.check = func(r reflect.Value, i int, v Value, in *C, place string, tell Tell) bool {
		return of.check(at(r).Index(i), v, in, place, nil, tell)
	}
	return l.member(name)
}

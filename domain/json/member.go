package json

// The constructors of members take a name and where the value goes. C is given, R is inferred:
//
//	CountMember[none]("size", func(h *head) *int64 { return &h.size })
//
// They are not inlined: the tables of members would take 0.2 MB more of the program.

// NewMember describes a member by its form and the function that reads it. The pointer of a fault
// that read returns starts at the value.
//
//go:noinline
func NewMember[C, R any](name string, form Form, read func(R, Value, *C) *Fault) Member[C, R] {
	return Member[C, R]{MemberShape: MemberShape{Name: name, Form: form}, read: read}
}

// Required marks a member whose absence refuses the object.
//
//go:noinline
func Required[C, R any](m Member[C, R]) Member[C, R] { m.Required = true; return m }

// Nullable marks a member in which null counts as absent.
//
//go:noinline
func Nullable[C, R any](m Member[C, R]) Member[C, R] { m.Nullable = true; return m }

// NullableWhen is Nullable where the reading allows it, which the description does not say.
func NullableWhen[C, R any](allowed func(in *C) bool, m Member[C, R]) Member[C, R] {
	m.null = allowed
	return m
}

// All marks every one of the members as required.
func All[C, R any](members ...Member[C, R]) []Member[C, R] {
	for i := range members {
		members[i].Required = true
	}
	return members
}

// CountMember reads an integer of 0 or more.
func CountMember[C, R any](name string, at func(R) *int64) Member[C, R] {
	return NewMember(name, Form{Kind: FormCount}, func(r R, v Value, _ *C) *Fault {
		number, ok := v.Integer()
		*at(r) = number
		return FaultUnless(ok && number >= 0, v, WantCount)
	})
}

// VersionMember reads an integer of 1 or more.
func VersionMember[C, R any](name string, at func(R) *int64) Member[C, R] {
	return NewMember(name, Form{Kind: FormVersion}, func(r R, v Value, _ *C) *Fault {
		number, ok := v.Integer()
		*at(r) = number
		return FaultUnless(ok && number >= 1, v, WantVersion)
	})
}

// FlagMember reads true or false.
func FlagMember[C, R any](name string, at func(R) *bool) Member[C, R] {
	return NewMember(name, Form{Kind: FormFlag}, func(r R, v Value, _ *C) *Fault {
		*at(r) = v.Kind() == KindTrue
		return FaultUnless(v.Kind() == KindTrue || v.Kind() == KindFalse, v, WantFlag)
	})
}

// ValueMember keeps an object unread, for a caller that learns its shape from another member.
func ValueMember[C, R any](name string, at func(R) *Value) Member[C, R] {
	return NewMember(name, Form{Kind: FormObject}, func(r R, v Value, _ *C) *Fault {
		*at(r) = v
		return FaultUnless(v.Kind() == KindObject, v, WantObject)
	})
}

// ParsedMember reads a string that parse accepts; reason names the form that it must have.
//
//go:noinline
func ParsedMember[C, R, W any](name string, form FormKind, reason string, at func(R) *W, parse func(string) (W, bool)) Member[C, R] {
	return NewMember(name, Form{Kind: form}, func(r R, v Value, _ *C) *Fault {
		parsed, ok := parse(v.Text())
		*at(r) = parsed
		return FaultUnless(ok && v.Kind() == KindString, v, reason)
	})
}

package packets

import (
	"reflect"

	"docket/domain/json"
	"docket/domain/terms"
)

// A recordShape requires only members without omitempty: the rules judge the absence of others.
type recordShape = *json.Reader[Reading, reflect.Value]

// shapeOf returns the shape of records that the member called hash seals.
func shapeOf[R Record](hash string) recordShape {
	return json.StructReader(reflect.TypeFor[R](), func(name string, field reflect.StructField,
		at json.At) (m Member[reflect.Value], known bool) {
		if name == versionName {
			return versionMember(at), true
		}
		of, known := fieldMembers[field.Type]
		if !known {
			return m, false
		}
		m = of(name, at)
		if name == hash || name == scopeHashMember {
			// There is no hash over what is not kept: null in a stored record with masks.
			m = json.NullableWhen(func(in *Reading) bool { return in.stored }, m)
		}
		return m, true
	})
}

const versionName = "contractVersion"

// versionMember is the contract version; the rules of a case ask whether it holds private details.
func versionMember(at json.At) Member[reflect.Value] {
	return json.NewMember(versionName, json.Form{Kind: json.FormString}, func(r reflect.Value, v json.Value, in *Reading) *json.Fault {
		read, fault := readVersion(v, in)
		switch into := at(r).Addr().Interface().(type) {
		case *Text:
			*into = read
		case *string:
			*into = read.String()
		}
		return fault
	})
}

var fieldMembers = func() typeMembers {
	m := typeMembers{}
	member(m, IDMember[reflect.Value])
	member(m, idsMember[reflect.Value])
	member(m, HashMember[reflect.Value])
	member(m, TimeMember[reflect.Value])
	member(m, flagMember[reflect.Value])
	member(m, textMember[reflect.Value])
	member(m, json.VersionMember[Reading, reflect.Value])
	member(m, effectsMember)
	member(m, outcomeRulesMember)
	vocabulary(m, terms.AppealPolicyStatuses)
	vocabulary(m, terms.CaseStatuses)
	vocabulary(m, terms.Subjects)
	vocabulary(m, terms.Triggers)
	vocabulary(m, terms.Outcomes)
	vocabulary(m, terms.StandingCategories)
	vocabulary(m, terms.NoticeStates)
	vocabulary(m, terms.RequestedEffects)
	vocabulary(m, terms.RedactionStatuses)
	vocabulary(m, terms.AmendmentPolicyStatuses)
	vocabulary(m, terms.AmendmentStates)
	vocabulary(m, terms.Transitions)
	vocabulary(m, terms.SubjectTypes)
	vocabulary(m, terms.AmendmentTypes)
	vocabulary(m, terms.ConfirmationStates)
	vocabulary(m, terms.ChangedTerms)
	vocabulary(m, terms.Effects)
	return m
}()

type typeMembers map[reflect.Type]func(name string, at json.At) Member[reflect.Value]

func member[T any](m typeMembers, of func(name string, at func(reflect.Value) *T) Member[reflect.Value]) {
	m[reflect.TypeFor[T]()] = func(name string, at json.At) Member[reflect.Value] {
		return of(name, json.FieldAt[T](at))
	}
}

// vocabulary makes the members for a word, a set, and a set that differs from an absent one.
func vocabulary[K terms.Kind](m typeMembers, _ terms.Terms[K]) {
	member(m, TermMember[reflect.Value, K])
	member(m, TermsMember[reflect.Value, K])
	member(m, declaredMember[reflect.Value, K])
}

package domaintest

import (
	stdjson "encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/terms"
)

// A Source makes choices: a number from 0 to below n.
type Source interface{ Below(n int) int }

// Draws makes the same choices with every version of Go and use by other tests (splitmix64).
type Draws uint64

func (d *Draws) Below(n int) int {
	*d += 0x9e3779b97f4a7c15
	x := uint64(*d)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % uint64(n))
}

type drawn struct{ t *rapid.T }

func (d drawn) Below(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }

func PickOf[T any](d Source, from ...T) T { return from[d.Below(len(from))] }

// Change drops a value of the scene or makes it any other that its form allows; it says where.
func Change(d Source, s Scene) string {
	switch d.Below(12) {
	case 0:
		s["at"] = PickOf(d, Moments...)
		return "/at"
	case 1:
		latest := PickOf(d, "latestPolicyVersion", "latestRevision")
		if delete(s, latest); d.Below(3) > 0 {
			s[latest] = stdjson.Number(strconv.Itoa(d.Below(7)))
		}
		return "/" + latest
	case 2:
		if d.Below(4) == 0 {
			part := PickOf(d, "policy", "record")
			delete(s, part)
			return "/" + part
		}
	case 3: // each of the many effects has a rule
		record, _ := s["record"].(map[string]any)
		if effects, there := record["effects"].(map[string]any); there {
			effect := PickOf(d, terms.Effects.Texts()...)
			effects[effect] = true
			return "/record/effects/" + effect
		}
	default:
		part := PickOf(d, "record", "record", "record", "policy")
		document, there := s[part].(map[string]any)
		table, err := terms.Tables.Parse(s.TableOf(part))
		if info, known := packets.Info(table); there && known && err == nil {
			return "/" + part + changeMember(d, document, &info.Shape)
		}
	}
	return ""
}

func changeMember(d Source, object map[string]any, described *json.Shape) string {
	m := &described.Members[d.Below(len(described.Members))]
	pointer := "/" + m.Name
	switch below := object[m.Name].(type) {
	case map[string]any:
		if d.Below(10) > 0 {
			return pointer + changeMember(d, below, m.Form.Shape)
		}
	case []any:
		if m.Form.Kind == json.FormList && len(below) > 0 && d.Below(10) > 0 {
			index := d.Below(len(below))
			return pointer + "/" + strconv.Itoa(index) + changeMember(d, below[index].(map[string]any), m.Form.Shape)
		}
	}
	if delete(object, m.Name); m.Required || d.Below(4) > 0 {
		object[m.Name] = valueOf(d, &m.Form)
	}
	return pointer
}

// Mutated is the scene with a value changed, or null in a record or a policy, and where that is.
func Mutated(t *rapid.T, s Scene) (Scene, string) {
	copied := s.Copy()
	pointer := Change(drawn{t}, copied)
	if strings.Count(pointer, "/") > 1 && rapid.IntRange(0, 5).Draw(t, "null") == 0 {
		copied.Make(Set(pointer, nil))
	}
	return copied, pointer
}

// DrawScene is a sample with up to four values changed in any way that its shape allows.
func DrawScene(t *rapid.T) Scene {
	samples := Passing()
	s := samples[rapid.SampledFrom(slices.Sorted(maps.Keys(samples))).Draw(t, "sample")]
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		if changed, _ := Mutated(t, s); changed["record"] != nil && Held(changed) != nil {
			s = changed
		}
	}
	return s
}

var (
	Moments = []string{LongAgo, JustPast, Now, JustAfter, FarAhead}
	Hashes  = []string{BeforeTerms, AfterTerms, parentHash, OtherHash}
	persons = []string{"decider-1", "reviewer-7", "reviewer-3", "party-a", "party-b", "somebody-else"}
	proses  = []string{"Some words.", "Other words.", MailInText, "Call +49 171 2345678."}
)

func valueOf(d Source, form *json.Form) any {
	list := func(longest int, element func() any) any {
		all := []any{}
		for range d.Below(longest + 1) {
			all = append(all, element())
		}
		return all
	}
	switch form.Kind {
	case json.FormID:
		return PickOf(d, append(persons, "appeal-policy", "amendment-policy", "agreement_amendment")...)
	case json.FormTime:
		return PickOf(d, Moments...)
	case json.FormHash:
		return PickOf(d, Hashes...)
	case json.FormText:
		return PickOf(d, append(proses, " ", "\u200b\u2800")...)
	case json.FormString:
		return PickOf(d, "~", "x", terms.AppealContract.Version, terms.AmendmentContract.Version)
	case json.FormVersion:
		return stdjson.Number(strconv.Itoa(1 + d.Below(6)))
	case json.FormFlag:
		return d.Below(2) == 0
	case json.FormWord:
		return PickOf(d, form.Words...)
	case json.FormWords:
		return distinct(list(4, func() any { return PickOf(d, form.Words...) }).([]any))
	case json.FormIDs:
		return distinct(list(3, func() any { return PickOf(d, persons...) }).([]any))
	case json.FormObject:
		return objectOf(d, form.Shape)
	case json.FormList:
		return list(4, func() any { return objectOf(d, form.Shape) })
	}
	panic("a form that this test does not know")
}

func distinct(list []any) []any {
	kept := []any{}
	for _, value := range list {
		if !slices.Contains(kept, value) {
			kept = append(kept, value)
		}
	}
	return kept
}

func objectOf(d Source, described *json.Shape) any {
	object := map[string]any{}
	for i := range described.Members {
		if d.Below(5) > 0 {
			object[described.Members[i].Name] = valueOf(d, &described.Members[i].Form)
		}
	}
	return object
}

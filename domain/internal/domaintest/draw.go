package domaintest

import (
	"encoding/json"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/terms"
)

// Draws is a source of choices that are the same with every version of Go and of what the other tests use (splitmix64).
type Draws uint64

func (d *Draws) Below(n int) int {
	*d += 0x9e3779b97f4a7c15
	x := uint64(*d)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % uint64(n))
}

func PickOf[T any](d *Draws, from ...T) T { return from[d.Below(len(from))] }

// Change changes one value of the scene: it is left out or becomes any other that its form allows.
func (d *Draws) Change(s Scene) {
	switch d.Below(12) {
	case 0:
		s["at"] = PickOf(d, Moments...)
	case 1:
		latest := PickOf(d, "latestPolicyVersion", "latestRevision")
		if delete(s, latest); d.Below(3) > 0 {
			s[latest] = json.Number(strconv.Itoa(d.Below(7)))
		}
	case 2:
		if d.Below(4) == 0 {
			delete(s, PickOf(d, "policy", "record"))
		}
	case 3: // each of the many effects has a rule
		record, _ := s["record"].(map[string]any)
		if effects, there := record["effects"].(map[string]any); there {
			effects[PickOf(d, terms.Effects.Texts()...)] = true
		}
	default:
		part := PickOf(d, "record", "record", "record", "policy")
		document, there := s[part].(map[string]any)
		table, err := terms.Tables.Parse(s.TableOf(part))
		if info, known := packets.Info(table); there && known && err == nil {
			d.changeMember(document, &info.Shape)
		}
	}
}

func (d *Draws) changeMember(object map[string]any, described *shape.Shape) {
	m := &described.Members[d.Below(len(described.Members))]
	switch below := object[m.Name].(type) {
	case map[string]any:
		if d.Below(10) > 0 {
			d.changeMember(below, m.Form.Shape)
			return
		}
	case []any:
		if m.Form.Kind == shape.FormList && len(below) > 0 && d.Below(10) > 0 {
			d.changeMember(below[d.Below(len(below))].(map[string]any), m.Form.Shape)
			return
		}
	}
	if delete(object, m.Name); m.Required || d.Below(4) > 0 {
		object[m.Name] = d.value(&m.Form)
	}
}

func (d *Draws) value(form *shape.Form) any {
	list := func(longest int, element func() any) any {
		all := []any{}
		for range d.Below(longest + 1) {
			all = append(all, element())
		}
		return all
	}
	switch form.Kind {
	case shape.FormID:
		return PickOf(d, append(persons, "appeal-policy", "amendment-policy", "agreement_amendment")...)
	case shape.FormTime:
		return PickOf(d, Moments...)
	case shape.FormHash:
		return PickOf(d, Hashes...)
	case shape.FormText:
		return PickOf(d, append(proses, " ", "\u200b\u2800")...)
	case shape.FormString:
		return PickOf(d, "~", "x", terms.AppealContract.Version, terms.AmendmentContract.Version)
	case shape.FormVersion:
		return json.Number(strconv.Itoa(1 + d.Below(6)))
	case shape.FormFlag:
		return d.Below(2) == 0
	case shape.FormWord:
		return PickOf(d, form.Words...)
	case shape.FormWords:
		return distinct(list(4, func() any { return PickOf(d, form.Words...) }).([]any))
	case shape.FormIDs:
		return distinct(list(3, func() any { return PickOf(d, persons...) }).([]any))
	case shape.FormObject:
		return d.object(form.Shape)
	case shape.FormList:
		return list(4, func() any { return d.object(form.Shape) })
	}
	panic("a form that this test does not know")
}

// distinct keeps the first of equal values.
func distinct(list []any) []any {
	kept := []any{}
	for _, value := range list {
		if !slices.Contains(kept, value) {
			kept = append(kept, value)
		}
	}
	return kept
}

func (d *Draws) object(described *shape.Shape) any {
	object := map[string]any{}
	for i := range described.Members {
		if d.Below(5) > 0 {
			object[described.Members[i].Name] = d.value(&described.Members[i].Form)
		}
	}
	return object
}

// DrawScene is a sample with up to four values changed in any way that its shape allows.
func DrawScene(t *rapid.T) Scene {
	samples := Passing()
	names := []string{"appeal", "appeal of an affected party", "correction", "material change", "change of destination"}
	s := samples[rapid.SampledFrom(names).Draw(t, "sample")]
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		if changed, _ := Mutated(t, s); Held(changed) != nil {
			s = changed
		}
	}
	return s
}

// Mebibyte is the largest record that is read.
const Mebibyte = 1 << 20

package domaintest

import (
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/terms"
)

// Removed returns the scene without the value at the pointer; the element of a list goes as a whole.
func (s Scene) Removed(pointer string) Scene {
	copied := Scene(Parsed(string(Encoded(s))))
	steps := strings.Split(pointer, "/")[1:]
	copied.At(steps[:len(steps)-1], func(parent any) any {
		name := steps[len(steps)-1]
		switch parent := parent.(type) {
		case map[string]any:
			delete(parent, name)
		case []any:
			index, _ := strconv.Atoi(name)
			return slices.Delete(parent, index, index+1)
		}
		return parent
	})
	return copied
}

// At replaces the value that the steps lead to by what change makes of it. Steps that lead nowhere change nothing.
func (s Scene) At(steps []string, change func(any) any) { at(map[string]any(s), steps, change) }

func at(value any, steps []string, change func(any) any) any {
	if len(steps) == 0 {
		return change(value)
	}
	switch value := value.(type) {
	case map[string]any:
		if below, there := value[steps[0]]; there {
			value[steps[0]] = at(below, steps[1:], change)
		}
	case []any:
		if index, err := strconv.Atoi(steps[0]); err == nil && index < len(value) {
			value[index] = at(value[index], steps[1:], change)
		}
	}
	return value
}

// SealedByHand fills in every hash, as an attacker would who controls everything that is published.
func (s Scene) SealedByHand() []byte {
	s = Parsed(string(Encoded(s)))
	policy, hasPolicy := s["policy"].(map[string]any)
	if hasPolicy {
		policy["policyHash"] = HashOf(panicking{}, Without(policy, "policyHash"))
	}
	if record, there := s["record"].(map[string]any); there {
		if hasPolicy {
			record["policyHash"] = policy["policyHash"]
			if bundle, there := record["policySnapshotBundle"].(map[string]any); there {
				bundle["policyHash"] = policy["policyHash"]
			}
		}
		if s["table"] == "trade_appeal_cases" {
			record["scopeHash"] = HashOf(panicking{}, Only(record, "subject", "subjectId", "evidenceScope"))
		}
		own := s.OwnHash("record")
		record[own] = HashOf(panicking{}, Without(record, own))
	}
	return Encoded(s)
}

// panicking is a TB for steps that cannot fail.
type panicking struct{}

func (panicking) Helper() {}

func (panicking) Fatalf(format string, _ ...any) { panic(format) }

// Mutated changes one value of the scene, in a form that its member has, and says where. The value is deleted, set
// to null, or replaced by any other that its form allows; an absent one may be added.
func Mutated(t *rapid.T, s Scene) (Scene, string) {
	copied := Scene(Parsed(string(Encoded(s))))
	if rapid.IntRange(0, 9).Draw(t, "outside") == 0 {
		name := rapid.SampledFrom([]string{"at", "latestPolicyVersion", "latestRevision", "policy"}).Draw(t, "member")
		switch name {
		case "at":
			copied[name] = rapid.SampledFrom(Moments).Draw(t, "time")
		case "policy":
			delete(copied, name)
		default:
			copied[name] = rapid.IntRange(0, 6).Draw(t, "latest")
		}
		return copied, "/" + name
	}
	part := rapid.SampledFrom([]string{"record", "record", "record", "policy"}).Draw(t, "part")
	document, there := copied[part].(map[string]any)
	if !there {
		return copied, "/" + part
	}
	table, err := terms.Tables.Parse(copied.TableOf(part))
	info, ok := packets.Info(table)
	if err != nil || !ok {
		panic("no table")
	}
	return copied, "/" + part + mutate(t, document, &info.Shape)
}

// mutate changes a member of the object and returns its pointer.
func mutate(t *rapid.T, object map[string]any, described *shape.Shape) string {
	m := rapid.SampledFrom(described.Members).Draw(t, "member")
	pointer := "/" + m.Name
	switch below := object[m.Name].(type) {
	case map[string]any:
		if rapid.IntRange(0, 9).Draw(t, "deeper") > 0 {
			return pointer + mutate(t, below, m.Form.Shape)
		}
	case []any:
		if m.Form.Kind == shape.FormList && len(below) > 0 && rapid.IntRange(0, 9).Draw(t, "deeper") > 0 {
			index := rapid.IntRange(0, len(below)-1).Draw(t, "index")
			return pointer + "/" + strconv.Itoa(index) + mutate(t, below[index].(map[string]any), m.Form.Shape)
		}
	}
	switch rapid.IntRange(0, 5).Draw(t, "how") {
	case 0:
		delete(object, m.Name)
	case 1:
		object[m.Name] = nil
	default:
		object[m.Name] = Normal(drawValue(t, &m.Form))
	}
	return pointer
}

var (
	Moments = []string{LongAgo, JustPast, Now, JustAfter, FarAhead}
	persons = []string{"decider-1", "reviewer-7", "reviewer-3", "party-a", "party-b", "somebody-else"}
	Hashes  = []string{BeforeTerms, AfterTerms, parentHash, OtherHash}
	proses  = []string{"Some words.", "Other words.", MailInText, "Call +49 171 2345678."}
)

// drawValue draws any value of the form.
func drawValue(t *rapid.T, form *shape.Form) any {
	switch form.Kind {
	case shape.FormID:
		return rapid.SampledFrom(append(persons, "appeal-policy", "amendment-policy")).Draw(t, "id")
	case shape.FormTime:
		return rapid.SampledFrom(Moments).Draw(t, "time")
	case shape.FormHash:
		return rapid.SampledFrom(Hashes).Draw(t, "hash")
	case shape.FormText:
		return rapid.SampledFrom(proses).Draw(t, "text")
	case shape.FormString:
		return rapid.SampledFrom([]string{"~", "x", terms.AppealContract.Version, terms.AmendmentContract.Version}).Draw(t, "string")
	case shape.FormVersion:
		return rapid.IntRange(1, 6).Draw(t, "version")
	case shape.FormFlag:
		return rapid.Bool().Draw(t, "flag")
	case shape.FormWord:
		return rapid.SampledFrom(form.Words).Draw(t, "word")
	case shape.FormWords:
		return rapid.SliceOfNDistinct(rapid.SampledFrom(form.Words), 0, min(4, len(form.Words)), rapid.ID[string]).Draw(t, "words")
	case shape.FormIDs:
		return rapid.SliceOfNDistinct(rapid.SampledFrom(persons), 0, 3, rapid.ID[string]).Draw(t, "ids")
	case shape.FormObject:
		return drawObject(t, form.Shape)
	case shape.FormList:
		list := make([]any, rapid.IntRange(0, 4).Draw(t, "length"))
		for i := range list {
			list[i] = drawObject(t, form.Shape)
		}
		return list
	}
	panic("a form that this test does not know")
}

func drawObject(t *rapid.T, described *shape.Shape) map[string]any {
	object := map[string]any{}
	for i := range described.Members {
		if rapid.IntRange(0, 4).Draw(t, "present") > 0 {
			object[described.Members[i].Name] = drawValue(t, &described.Members[i].Form)
		}
	}
	return object
}

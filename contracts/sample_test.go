package contracts_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/terms"
)

// A sampler makes up records that the shapes of package domain allow. The same seed gives the same records.
type sampler struct{ *rand.Rand }

func newSampler(seed uint64) sampler { return sampler{rand.New(rand.NewPCG(seed, 1))} }

func pick[T any](s sampler, from []T) T { return from[s.IntN(len(from))] }

// record makes up an object of the shape: the required members, and each other one with the given chance in percent.
func (s sampler) record(described *json.Shape, chance int) map[string]any {
	record := map[string]any{}
	for _, member := range described.Members {
		if member.Required || s.IntN(100) < chance {
			record[member.Name] = s.value(member, chance)
		}
	}
	return record
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

func (s sampler) value(member json.MemberShape, chance int) any {
	if member.Nullable && s.IntN(4) == 0 {
		return nil
	}
	switch form := member.Form; form.Kind {
	case json.FormID:
		return s.id()
	case json.FormTime:
		return s.time()
	case json.FormHash:
		return "sha256:" + s.text("0123456789abcdef", 64)
	case json.FormText:
		return s.text("abc ä\u20ac\U0001F600\u0001\"\\\n", 1+s.IntN(30))
	case json.FormString:
		return s.text("abc-.", 1+s.IntN(20))
	case json.FormVersion:
		return pick(s, []int64{1, 2, 1 + s.Int64N(1000), 1<<53 - 1})
	case json.FormFlag:
		return s.IntN(2) == 0
	case json.FormWord:
		return pick(s, form.Words)
	case json.FormWords:
		return distinct(s.list(func() any { return pick(s, form.Words) }).([]any))
	case json.FormIDs:
		return distinct(s.list(func() any { return s.id() }).([]any))
	case json.FormObject:
		return s.record(form.Shape, chance)
	case json.FormList:
		return s.list(func() any { return s.record(form.Shape, chance) })
	default:
		panic(fmt.Sprintf("no sample for form %d of %s", form.Kind, member.Name))
	}
}

func (s sampler) list(element func() any) any {
	list := make([]any, s.IntN(4))
	for i := range list {
		list[i] = element()
	}
	return list
}

func (s sampler) id() string {
	return s.text("abcXYZ019", 1) + s.text("abcXYZ019._:-", pick(s, []int{0, 5, 127}))
}

func (s sampler) time() string {
	const span = 400 * 365 * 24 * 3600
	at := time.Unix(s.Int64N(span)-span/2, s.Int64N(1e9)).UTC()
	return at.Format(pick(s, []string{time.RFC3339, "2006-01-02T15:04:05.0Z", "2006-01-02T15:04:05.000000000Z"}))
}

func (s sampler) text(from string, length int) string {
	var text strings.Builder
	runes := []rune(from)
	for range length {
		text.WriteRune(pick(s, runes))
	}
	return text.String()
}

// tables lists the packet tables with their shapes.
func tables() map[terms.Table]*json.Shape {
	shapes := map[terms.Table]*json.Shape{}
	for _, table := range terms.PacketTables.Terms() {
		info, _ := packets.Info(table)
		shapes[table] = &info.Shape
	}
	return shapes
}

package json_test

import (
	stdjson "encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"unicode/utf16"

	"docket/domain/json"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"
)

// anyJSON draws values as encoding/json would write them.
func anyJSON(depth int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Bool().AsAny(),
		rapid.String().AsAny(),
		rapid.Int64Range(1-1<<53, 1<<53-1).AsAny(),
		rapid.Float64Range(-1e15, 1e15).AsAny(),
		rapid.Float64Range(-1e-6, 1e-6).AsAny(),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.SliceOfN(anyJSON(depth-1), 0, 5).AsAny(),
			rapid.MapOfN(rapid.String(), anyJSON(depth-1), 0, 20).AsAny())
	}
	return rapid.OneOf(kinds...)
}

func TestCanonicalFormIsAFixedPoint(t *testing.T) {
	var doc json.Document
	rapid.Check(t, func(t *rapid.T) {
		src, err := stdjson.Marshal(anyJSON(3).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		if fault := doc.Parse(src, json.Limits{}); fault != nil {
			t.Fatalf("%s: %v", src, fault)
		}
		once := doc.Root().AppendCanonical(nil, "")
		if fault := doc.Parse(once, json.Limits{}); fault != nil {
			t.Fatalf("%s: %v", once, fault)
		}
		if twice := doc.Root().AppendCanonical(nil, ""); string(twice) != string(once) {
			t.Fatalf("%s becomes %s", once, twice)
		}
		peer, err := jcs.Transform(src)
		if err != nil || string(peer) != string(once) {
			t.Fatalf("%s: got %s, the peer %s %v", src, once, peer, err)
		}
	})
}

// Doubles of all sizes that a number may have are written as the peer writes them.
func TestRandomDoublesPrintAsThePeerPrintsThem(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var doc json.Document
	for tried := 0; tried < 100_000; {
		f := math.Float64frombits(random.Uint64())
		if math.Abs(f) >= 1<<53 || f != f {
			continue
		}
		tried++
		want, err := jcs.NumberToJSON(f)
		if err != nil {
			t.Fatal(err)
		}
		src := strconv.AppendFloat(nil, f, 'e', -1, 64)
		if fault := doc.Parse(src, json.Limits{}); fault != nil || string(doc.Root().AppendCanonical(nil, "")) != want {
			t.Fatalf("%s: %v %s, want %s", src, fault, doc.Root().AppendCanonical(nil, ""), want)
		}
	}
}

func TestMembersComeInTheOrderOfTheirCodeUnits(t *testing.T) {
	letter := rapid.SampledFrom([]rune("\x00a\u007f\u0080éÿ\ud7ff\ue000\uf900\uffff\U00010000😀\U0010ffff"))
	name := rapid.StringOfN(letter, 0, 12, -1)
	var doc json.Document
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(name, 0, 40, rapid.ID).Draw(t, "names")
		src := []byte{'{'}
		for i, n := range names {
			if i > 0 {
				src = append(src, ',')
			}
			src = append(json.AppendString(src, n), ":0"...)
		}
		if fault := doc.Parse(append(src, '}'), json.Limits{}); fault != nil {
			t.Fatalf("%s: %v", src, fault)
		}
		slices.SortFunc(names, func(a, b string) int {
			return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		})
		var got []string
		for m := doc.Root().First(); m.Exists(); m = m.Next() {
			got = append(got, m.Name())
		}
		if !slices.Equal(got, names) {
			t.Fatalf("got %q, want %q", got, names)
		}
	})
}

package json_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docket/domain/json"
)

func TestMembersAndElementsAreWalked(t *testing.T) {
	root := parse(t, `{"n\u0061me":"t\u0065xt","list":[null,true,false,"plain",-2.5],"empty":{}}`)
	if root.Kind() != json.KindObject || root.Len() != 3 || root.Leaves() != 6 || root.Name() != "" {
		t.Errorf("root: %v, %d members, %d leaves, name %q", root.Kind(), root.Len(), root.Leaves(), root.Name())
	}
	var names []string
	for m := root.First(); m.Exists(); m = m.Next() {
		names = append(names, m.Name())
	}
	if want := []string{"empty", "list", "name"}; !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
	var kinds []string
	for e := root.Member("list").First(); e.Exists(); e = e.Next() {
		kinds = append(kinds, e.Kind().String())
	}
	if want := []string{"null", "true", "false", "string", "number"}; !slices.Equal(kinds, want) {
		t.Errorf("kinds %q, want %q", kinds, want)
	}
	if got := root.Member("name").Text(); got != "text" {
		t.Errorf("text %q", got)
	}
	if empty := root.Member("empty"); empty.Leaves() != 0 || empty.First().Exists() || !empty.Exists() {
		t.Errorf("empty: %d leaves", empty.Leaves())
	}
}

func TestSpansCoverTheValue(t *testing.T) {
	src := ` {"a" : "b\u0063" , "list":[ 1.50,{ } ] } `
	root := parse(t, src)
	span := func(v json.Value) string { return src[v.Offset():v.End()] }
	list := root.Member("list")
	got := []string{span(root), span(root.Member("a")), span(list), span(list.First()), span(list.First().Next())}
	want := []string{strings.TrimSpace(src), `"b\u0063"`, `[ 1.50,{ } ]`, `1.50`, `{ }`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestIntegersAreReadInAllTheirWritings(t *testing.T) {
	for src, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "-7": -7, "1.0": 1, "1e2": 100, "1200e-2": 12, "0.5e1": 5, "-1.20e+1": -12,
		"9007199254740991": 1<<53 - 1, "-9007199254740991": 1 - 1<<53, "999999999999999": 999999999999999,
	} {
		if got, ok := parse(t, src).Integer(); !ok || got != want {
			t.Errorf("%s: %d %v", src, got, ok)
		}
	}
	for _, src := range []string{"1.5", "1e-1", `"1"`, "true", "[1]", "null"} {
		if got, ok := parse(t, src).Integer(); ok {
			t.Errorf("%s: %d", src, got)
		}
	}
	if f, ok := parse(t, "-12.25").Float(); !ok || f != -12.25 {
		t.Errorf("-12.25: %v %v", f, ok)
	}
}

func TestAbsentValueAnswersNothing(t *testing.T) {
	var doc json.Document
	if doc.Root().Exists() {
		t.Error("a Document that parsed nothing has a root")
	}
	doc.Parse([]byte(`{"a":{"b":"c"}}`), json.Limits{})
	stale := doc.Root().Member("a").Member("b")
	missing := doc.Root().Member("A").Member("b")
	doc.Parse([]byte(`{"a":{"b":"d"}}`), json.Limits{})
	for _, v := range []json.Value{{}, stale, missing, doc.Root().Next(), doc.Root().Member("a").Member("b").First()} {
		_, isInteger := v.Integer()
		_, isFloat := v.Float()
		if v.Exists() || v.Kind() != json.KindInvalid || v.Text() != "" || v.Bytes() != nil || v.Name() != "" ||
			v.Len() != 0 || v.Leaves() != 0 || v.First().Exists() || v.Next().Exists() || v.Member("b").Exists() ||
			isInteger || isFloat || v.AppendCanonical(nil, "x") != nil || v.End() != 0 {
			t.Errorf("%+v answers", v)
		}
	}
}

func TestGivenBytesCannotBeAppendedInto(t *testing.T) {
	src := []byte(`{"\u0061":"b","c":"\u0064\u0065","f":"\u0067"}`)
	var doc json.Document
	if fault := doc.Parse(src, json.Limits{}); fault != nil {
		t.Fatal(fault)
	}
	before := string(src)
	want := string(doc.Root().AppendCanonical(nil, ""))
	for m := doc.Root().First(); m.Exists(); m = m.Next() {
		_ = append(m.Bytes(), "XYZ"...)
		_ = append(m.NameBytes(), "XYZ"...)
	}
	if got := string(doc.Root().AppendCanonical(nil, "")); got != want || string(src) != before {
		t.Errorf("changed to %s", got)
	}
}

func TestDocumentIsReusedAfterARefusal(t *testing.T) {
	var doc json.Document
	for _, src := range []string{`[[[{"b":1,"a":`, `{"b":1,"a":2,"b":3}`, `["\u0041`} {
		if doc.Parse([]byte(src), json.Limits{}) == nil {
			t.Fatalf("%s is accepted", src)
		}
		if fault := doc.Parse([]byte(`{"z":["\u0042"],"a":1}`), json.Limits{}); fault != nil {
			t.Fatal(fault)
		}
		if got := string(doc.Root().AppendCanonical(nil, "")); got != `{"a":1,"z":["B"]}` {
			t.Errorf("after %s: %s", src, got)
		}
	}
}

func TestLargeContainersAreRead(t *testing.T) {
	var doc json.Document
	list := []byte("[" + strings.Repeat("1,", 1<<19) + "1]")
	if fault := doc.Parse(list, json.Limits{}); fault != nil || doc.Root().Len() != 1<<19+1 {
		t.Errorf("list: %v, %d elements", fault, doc.Root().Len())
	}
	if got := doc.Root().AppendCanonical(nil, ""); !bytes.Equal(got, list) {
		t.Error("the list is written differently")
	}
	for name, number := range orders {
		fault := doc.Parse(objectOf(100_000, number), json.Limits{})
		if fault != nil || doc.Root().Len() != 100_000 || doc.Root().Leaves() != 100_000 {
			t.Errorf("%s: %v, %d members", name, fault, doc.Root().Len())
		}
		previous := ""
		for m := doc.Root().First(); m.Exists(); m = m.Next() {
			if m.Name() <= previous {
				t.Fatalf("%s: %q after %q", name, m.Name(), previous)
			}
			previous = m.Name()
		}
	}
}

// orders are orders in which an object may list its members: the number in the name of each, all of them different.
var orders = map[string]func(int) int{
	"rising":  func(i int) int { return i },
	"falling": func(i int) int { return 100_000 - i },
	"mixed":   func(i int) int { return i * 7919 % 100_003 },
}

// objectOf writes an object of so many members, whose names differ only at their ends.
func objectOf(members int, number func(int) int) []byte {
	var b bytes.Buffer
	for i := range members {
		fmt.Fprintf(&b, `,"common start of names %06d":%d`, number(i), i)
	}
	src := append(b.Bytes(), '}')
	src[0] = '{'
	return src
}

// The time per byte is the same for 2,000 members as for 16,000, in each of the orders.
func BenchmarkParseObject(b *testing.B) {
	var doc json.Document
	for name, number := range orders {
		for _, members := range []int{2_000, 16_000} {
			src := objectOf(members, number)
			b.Run(fmt.Sprintf("%s/%d", name, members), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				for range b.N {
					if fault := doc.Parse(src, json.Limits{}); fault != nil {
						b.Fatal(fault)
					}
				}
			})
		}
	}
}

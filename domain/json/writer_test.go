package json_test

import (
	stdjson "encoding/json"
	"slices"
	"strings"
	"testing"

	"docket/domain/json"
)

func TestMembersAreWrittenInTheOrderOfTheCalls(t *testing.T) {
	type pair struct{ a, b int64 }
	w := json.Append([]byte("before "))
	w.Open().Name("z").Int(-1).Name("a").IntOrNull(0).Name("text").String("a\"\\\n<é\u2028").Name("none").StringOrNull("").Name("word").StringOrNull("w")
	w.Name("flags").OpenList().Bool(true).Bool(false).Null().CloseList().Name("strings").Strings([]string{"", "x"}).Name("empty").Strings(nil)
	w.Name("object").Open().Close().Name("raw").Raw([]byte(`{"x":[]}`)).Name("last").Int(2)
	json.List(w.Name("pairs"), []pair{{1, 2}, {3, 4}}, func(w *json.Writer, p *pair) { w.OpenList().Int(p.a).Int(p.b).CloseList() })
	json.List(w.Name("nil"), []pair(nil), func(*json.Writer, *pair) {})
	want := `before {"z":-1,"a":null,"text":"a\"\\\n<é` + "\u2028" + `","none":null,"word":"w","flags":[true,false,null],"strings":["","x"],` +
		`"empty":[],"object":{},"raw":{"x":[]},"last":2,"pairs":[[1,2],[3,4]],"nil":null}`
	if got := string(w.Close().Text()); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	w.Reset()
	if got := string(w.OpenList().String("x").CloseList().Text()); got != `["x"]` {
		t.Errorf("after Reset: %s", got)
	}
}

func TestValuesOfAListAreApart(t *testing.T) {
	w := json.Writer{}
	w.OpenList().Raw([]byte(`1`)).Raw([]byte(`{}`)).Null().Raw([]byte(`2`)).StringOrNull("x").Bool(true).Int(3).IntOrNull(4).String("y").StringOrNull("").OpenList().CloseList()
	w.OpenList().CloseList().Open().Close().Raw([]byte(`5`))
	if got := string(w.CloseList().Text()); got != `[1,{},null,2,"x",true,3,4,"y",null,[],[],{},5]` {
		t.Error(got)
	}
}

func TestAnObjectKeepsTheOrderOfItsMembers(t *testing.T) {
	o := json.Of(
		"z", "text", "quoted \"name\"", true, "n", 7, "long", int64(8), "nil", nil,
		"inner", json.Of("b", false, "a", nil), "list", []string{"x"}, "objects", []json.Object{{}, {{"x", 1}}},
		"mixed", []any{"x", nil, 1, json.Of()},
	)
	want := `{"z":"text","quoted \"name\"":true,"n":7,"long":8,"nil":null,"inner":{"b":false,"a":null},"list":["x"],` +
		`"objects":[{},{"x":1}],"mixed":["x",null,1,{}]}`
	if got := string(o.Text()); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	encoded, err := stdjson.Marshal(o)
	if err != nil || string(encoded) != want {
		t.Errorf("encoding/json writes %s, %v", encoded, err)
	}
	if got := string(json.Of("a", []string{}, "b", json.Of("c", 1)).Indented()); got != "{\n  \"a\": [],\n  \"b\": {\n    \"c\": 1\n  }\n}\n" {
		t.Error(got)
	}
	if names := o.Names(); !slices.Equal(names, []string{"z", "quoted \"name\"", "n", "long", "nil", "inner", "list", "objects", "mixed"}) {
		t.Error(names)
	}
	if got := string(json.Of("a", 1).With("b", "x").Text()); got != `{"a":1,"b":"x"}` {
		t.Error(got)
	}
}

// What is equal stays in its order.
func TestAListIsSortedStably(t *testing.T) {
	list := []string{"b2", "a1", "b1", "a2", "c", "b0"}
	json.Sort(list, func(a, b string) int { return strings.Compare(a[:1], b[:1]) })
	if !slices.Equal(list, []string{"a1", "a2", "b2", "b1", "b0", "c"}) {
		t.Error(list)
	}
}

func TestAValueThatCannotBeWrittenIsAMistakeOfTheProgram(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a float is written")
		}
	}()
	json.Of("x", 1.5).Text()
}

func TestASheetHasAColumnForEachMemberOfItsHead(t *testing.T) {
	head := []byte(`{"b":null,"a":{"x":[1]},"c":false}`)
	got, err := json.Sheet(head, [][]byte{[]byte(`{"a":"=1+1","b":["x","y"],"other":1}`), []byte(`{"c":true,"b":7}`)})
	if want := "b,a,c\nx y,'=1+1,\n7,,true\n"; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := json.Sheet(head, nil); err != nil || got != "b,a,c\n" {
		t.Errorf("without a row: %q, %v", got, err)
	}
	for _, rows := range [][][]byte{{[]byte(`{"b":1`)}, {[]byte(`[]`)}} {
		if got, err := json.Sheet(head, rows); err == nil || got != "" {
			t.Errorf("%s: %q", rows, got)
		}
	}
}

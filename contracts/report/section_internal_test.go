package report

import (
	"reflect"
	"testing"

	"docket/domain/canonical"
)

func TestABodyIsLaidOutAsSectionsOfLines(t *testing.T) {
	var d canonical.Document
	body := `{"appealCaseStatuses":["draft","filed"],"aRule":["No one judges their own case.","x"],"label":"one","holds":true,"fails":false,"none":[],` +
		`"object":{"zeta":"last","codes":["a","b"],"sentences":["One two.","c"],"empty":[],"nested":{"inside":"deep"}},` +
		`"list":[{"code":"one","rules":["a","b"]},{"code":"two"}],"lists":[["a","b"],["c"]]}`
	if fault := d.Parse([]byte(body), canonical.Limits{}); fault != nil {
		t.Fatal(fault)
	}
	want := []Section{
		{Name: "appealCaseStatuses", Title: "Appeal case statuses", About: description("/appealCaseStatuses"), Codes: true, Lines: []string{"draft", "filed"}},
		{Name: "aRule", Title: "A rule", Lines: []string{"No one judges their own case.", "x"}},
		{Name: "label", Title: "Label", Lines: []string{"one"}},
		{Name: "holds", Title: "Holds", Lines: []string{"true"}},
		{Name: "fails", Title: "Fails", Lines: []string{"false"}},
		{Name: "none", Title: "None", Codes: true},
		{Name: "object", Title: "Object", Lines: []string{"zeta: last", "codes: a, b", "sentences: One two.", "sentences: c", "empty: none", "inside: deep"}},
		{Name: "list", Title: "List", Lines: []string{"code: one", "  rules: a, b", "code: two"}},
		{Name: "lists", Title: "Lists", Codes: true, Lines: []string{"a", "b", "c"}},
	}
	got := sections(d.Root())
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("section %d of %d:\n got %+v\nwant %+v", i, len(got), got[min(i, len(got)-1)], want[min(i, len(want)-1)])
		}
	}
	if want[0].About == "" {
		t.Error("the statuses are not described")
	}
}

package json_test

import (
	"testing"

	"docket/domain/json"
)

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

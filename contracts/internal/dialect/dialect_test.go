package dialect

import (
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/domain/canonical"
)

// A value that the library cannot check does not fit.
func TestAFailureOfTheLibraryIsAFault(t *testing.T) {
	schema, err := Compile("https://example.org/any", []byte(`{"type": "object"}`))
	if err != nil {
		t.Fatal(err)
	}
	var doc canonical.Document
	if fault := doc.Parse([]byte(`{}`), canonical.Limits{}); fault != nil {
		t.Fatal(fault)
	}
	if found := Validate(schema, doc.Root()); len(found) != 0 {
		t.Errorf("an object: %v", found)
	}
	endless := &jsonschema.Schema{Location: "https://example.org/endless"}
	endless.Ref = endless
	if found := Validate(endless, doc.Root()); len(found) != 1 || found[0].InstanceLocation != "" || found[0].KeywordLocation != "" {
		t.Errorf("a schema without an end: %v", found)
	}
}

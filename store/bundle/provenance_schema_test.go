package bundle_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/store/verify/verifytest"
)

// schemaVariable names the file of the W3C's schema, which is not part of this project and in no package that CI can install:
// https://www.w3.org/Submission/2013/SUBM-prov-json-20130424/schema; ProvToolbox has it as prov-json-schema-v4.json.
const schemaVariable = "DOCKET_PROV_SCHEMA"

// provSchema compiles the schema. It is draft 4, in which formats are asserted.
func provSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	path := os.Getenv(schemaVariable)
	if path == "" {
		t.Skip(schemaVariable + " does not name the W3C's schema of PROV-JSON")
	}
	text := need(os.ReadFile(path))(t)
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft4
	must(t, compiler.AddResource("prov.json", strings.NewReader(string(text))))
	schema := need(compiler.Compile("prov.json"))(t)
	return schema
}

func TestTheProvenanceFollowsTheSchemaOfTheW3C(t *testing.T) {
	t.Parallel()
	schema := provSchema(t)
	validate := func(text string) error {
		var document any
		must(t, json.Unmarshal([]byte(text), &document))
		return schema.Validate(document)
	}
	text := need(os.ReadFile(at(written(t, sampleLog(t)), "provenance.json")))(t)
	must(t, validate(string(text)))
	empty := need(os.ReadFile(at(written(t, verifytest.New(t)), "provenance.json")))(t)
	if err := validate(string(empty)); err != nil {
		t.Errorf("of an empty log: %v", err)
	}
	for name, change := range map[string][2]string{
		"an entity that is text":    {`"entity":{`, `"entity":{"record:x":"x",`},
		"a use by nothing":          {`"used":{`, `"used":{"_:x":{"prov:entity":"record:x"},`},
		"a generation of nothing":   {`"wasGeneratedBy":{`, `"wasGeneratedBy":{"_:x":{"prov:activity":"record:x"},`},
		"a derivation from nothing": {`"wasDerivedFrom":{`, `"wasDerivedFrom":{"_:x":{"prov:generatedEntity":"record:x"},`},
		"a number as a name":        {`"prov:activity":"`, `"prov:activity":7,"x:y":"`},
		"a time that is none":       {`"prov:endTime":"2`, `"prov:endTime":"x`},
		"a member of no kind":       {`"entity":{`, `"entity":{"record:x":{"x:y":{"a":"b"}},`},
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Fatalf("%s changes nothing", name)
		}
		if err := validate(changed); err == nil {
			t.Errorf("%s: it is accepted", name)
		}
	}
}

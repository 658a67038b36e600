package incident

import (
	"slices"
	"testing"

	"docket/contracts/internal/dialect"
)

func TestAFaultThatOnlyTheSchemaFindsIsAProblem(t *testing.T) {
	for name, c := range map[string]struct {
		schema string
		want   []Problem
	}{
		"nothing":       {`{}`, nil},
		"its own words": {`{"properties":{"version":{"pattern":"^[0-9]$"}}}`, []Problem{{"/version", AgainstSchema, rules[AgainstSchema-1].Broken}}},
		"a known rule":  {`{"properties":{"version":{"type":"number"}}}`, []Problem{{"/version", WrongType, rules[WrongType-1].Broken}}},
	} {
		profile, problems, root := read(sampleText)
		schema, err := dialect.Compile("urn:test:"+name, []byte(c.schema))
		if err != nil {
			t.Fatal(err)
		}
		problems.hold(schema, root)
		if !slices.Equal(problems.List, c.want) || problems.Shown != (c.want == nil) || profile.Version == "" {
			t.Errorf("%s: %v, shown %v", name, problems.List, problems.Shown)
		}
	}
}

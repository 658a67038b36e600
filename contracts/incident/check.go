package incident

import (
	_ "embed" // the descriptions are part of the program
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts/internal/dialect"
	"docket/contracts/internal/schemagen"
	"docket/domain/canonical"
)

// SchemaFile is the file under schemas/ that holds the schema of profiles.
const SchemaFile = schemaName + ".schema.json"

const schemaName = "incident_response_profile"

// descriptionsFile describes the members of profiles.
//
//go:embed descriptions.json
var descriptionsFile []byte

// GenerateSchema writes the JSON Schema of profiles from their shape, in the 2020-12 dialect (source 9): the same bytes every time. It
// requires all of source 2.2 except that the named severity keys exist, which no schema can compare.
func GenerateSchema() []byte {
	texts := schemagen.ReadTexts(descriptionsFile)
	g := schemagen.Of(ProfileShape(), texts)
	return schemagen.Document(schemaName, texts.Of("title", schemaName), texts[schemaName], g.Object(ProfileShape(), "profile"), g.Defs())
}

// compiledSchema is the published schema, compiled once and only where a profile is checked.
var compiledSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return dialect.Compile(schemagen.ID(schemaName), GenerateSchema()) })

// Check is Read, and also checks the profile against the published JSON Schema: each of its faults is a problem, even if Read
// does not find it. The error is about the schema that the program ships.
func Check(document []byte) (Profile, Problems, error) {
	profile, problems, root := read(document)
	if !root.Exists() {
		return profile, problems, nil
	}
	schema, err := compiledSchema()
	if err != nil {
		return Profile{}, Problems{}, fmt.Errorf("the profile was not checked: %w", err)
	}
	if problems.hold(schema, root); problems.Shown {
		return profile, problems, nil
	}
	return Profile{}, problems, nil
}

// keywordRules maps each keyword of the schema to the rule of the source that it checks.
var keywordRules = map[string]Rule{
	"type": WrongType, "additionalProperties": UnknownMember, "required": MemberMissing, "minLength": EmptyText,
	"minItems": EmptyArray, "exclusiveMinimum": HoursNotPositive,
}

// hold adds the faults that the schema finds and that are no problems yet. It does not use the library's texts, which repeat
// values.
func (p *Problems) hold(schema *jsonschema.Schema, root canonical.Value) {
	for _, leaf := range dialect.Validate(schema, root) {
		rule, worded := keywordRules[path.Base(leaf.KeywordLocation)]
		if !worded {
			rule = AgainstSchema
		}
		if !p.has(leaf.InstanceLocation, rule) {
			p.object(Problem{leaf.InstanceLocation, rule, rules[rule-1].Broken})
		}
	}
}

// has reports whether a place is known to break a rule. A missing member stands at its own place in the list, and at its object
// for the schema. A list that was cut short counts as having every place.
func (p *Problems) has(at string, rule Rule) bool {
	return p.Total > len(p.List) || slices.ContainsFunc(p.List, func(known Problem) bool {
		return known.Rule == rule && (known.Pointer == at || rule == MemberMissing && path.Dir(known.Pointer) == path.Dir(at+"/x"))
	})
}

// object adds a problem that keeps the profile from being shown.
func (p *Problems) object(problem Problem) {
	p.Total++
	p.Shown = false
	if len(p.List) < MaxProblems {
		p.List = append(p.List, problem)
	}
}

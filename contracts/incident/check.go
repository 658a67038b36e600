package incident

import (
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts/internal/dialect"
	"docket/domain/canonical"
)

// compiledSchema is the published schema, compiled once and only where a profile is checked.
var compiledSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return dialect.Compile(schemaID, schemaText) })

// Check is Read, and holds the profile to the published JSON Schema, too: what the schema objects to is a problem, whether
// Read finds it or not. The error is of the schema that the program ships.
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

// keywordRules say which rule of the source a keyword of the schema holds a profile to.
var keywordRules = map[string]Rule{
	"type": WrongType, "additionalProperties": UnknownMember, "required": MemberMissing, "minLength": EmptyText,
	"minItems": EmptyArray, "exclusiveMinimum": HoursNotPositive,
}

// hold adds what the schema objects to and is no problem yet. The library's own texts are not used: they repeat values.
func (p *Problems) hold(schema *jsonschema.Schema, root canonical.Value) {
	leaves, known := dialect.Validate(schema, root)
	if !known {
		p.object(Problem{"", AgainstSchema, rules[AgainstSchema-1].Broken})
	}
	for _, leaf := range leaves {
		rule, worded := keywordRules[path.Base(leaf.KeywordLocation)]
		if !worded {
			rule = AgainstSchema
		}
		if !p.has(leaf.InstanceLocation, rule) {
			p.object(Problem{leaf.InstanceLocation, rule, rules[rule-1].Broken})
		}
	}
}

// has tells whether a place is known to break a rule. A missing member stands at its own place in the list, and at its
// object for the schema. A list that was cut short knows of no place behind its end, so that everything is in it.
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

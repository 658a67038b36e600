package report

import (
	"strings"

	"docket/contracts/internal/dialect"
	"docket/domain"
	"docket/domain/canonical"
)

// EnvelopeFile is the file under schemas/ that holds the schema of any contract report.
const EnvelopeFile = "envelope.schema.json"

// SchemaFile is the file under schemas/ that holds the schema of a kind of report.
func SchemaFile(kind Kind) string { return kind.String() + ".schema.json" }

// vocabularyAt says where a body holds some words of a vocabulary rather than all of it.
func vocabularyAt(place string) []string {
	switch place {
	case "/sampleDecision/status":
		return domain.DecisionStatuses.Texts()
	case "/sampleDecision/outcome":
		return domain.Outcomes.Texts()
	case "/sampleDecision/factorCodes":
		return domain.FactorCodes.Texts()
	case "/sampleDecision/reviewScope":
		return domain.Subjects.Texts()
	case "/sampleDecision/blockers":
		return failClosedStatuses(domain.Appeals)
	case "/transitionDefinitions/*/key":
		return domain.Transitions.Texts()
	case "/transitionDefinitions/*/blocksTransitions":
		return domain.GuardedActions.Texts()
	}
	if strings.HasPrefix(place, "/appealCaseSampleEvaluationStatuses/") ||
		strings.HasPrefix(place, "/agreementAmendmentSampleEvaluationStatuses/") {
		return domain.Gates()
	}
	return nil
}

// GenerateSchema writes the JSON Schema of a kind of report: the same bytes every time, with a line feed at the end. It
// derives from the built-in body, and so from the vocabularies.
func GenerateSchema(kind Kind) ([]byte, error) {
	body, err := bodySchema(kind)
	if err != nil {
		return nil, err
	}
	spec := kind.spec()
	return envelopeSchema(kind.String(), kind.Title()+": contract report", body, []*kindSpec{spec}).indented(), nil
}

// GenerateEnvelopeSchema writes the JSON Schema of any contract report.
func GenerateEnvelopeSchema() ([]byte, error) {
	var bodies []object
	var specs []*kindSpec
	for _, kind := range Kinds() {
		body, err := bodySchema(kind)
		if err != nil {
			return nil, err
		}
		bodies, specs = append(bodies, body), append(specs, kind.spec())
	}
	return envelopeSchema("envelope", "Contract report", object{{"oneOf", bodies}}, specs).indented(), nil
}

// envelopeSchema is seed 2.1 for the given contracts.
func envelopeSchema(name, title string, body object, specs []*kindSpec) object {
	var checkIDs, versions []string
	nonClaim, always := false, true
	for _, spec := range specs {
		versions = append(versions, spec.contract.Version)
		for _, check := range spec.checks {
			checkIDs = append(checkIDs, check.id)
		}
		nonClaim, always = nonClaim || spec.nonClaim != "", always && spec.nonClaim != ""
	}
	properties := object{
		{"ok", describedAt("ok", object{{"const", true}})},
		{"checkedAt", describedAt("checkedAt", object{{"type", "string"}, {"pattern", utcPattern}})},
		{"contractVersion", describedAt("contractVersion", oneOf(versions))},
		{"purpose", describedAt("purpose", sentenceSchema())},
		{"validation", describedAt("validation", validationSchema(specs, checkIDs, versions))},
		{bodyMember, describedAt(bodyMember, body)},
		{"blockers", describedAt("blockers", listSchema(oneOf(checkIDs)))},
	}
	required := names(properties)
	if nonClaim {
		properties = append(properties, member{"publicNonClaim", describedAt("publicNonClaim", sentenceSchema())})
	}
	if always {
		required = names(properties)
	}
	return append(object{
		{"$schema", dialect.URI},
		{"$id", schemaID(name)},
		{"title", title},
	}, closed(properties, required)...)
}

func schemaID(name string) string { return "urn:docket:schema:report:" + name }

func validationSchema(specs []*kindSpec, checkIDs, versions []string) object {
	var validators, validatorVersions []string
	live, always, fewest, most := false, true, len(checkIDs), 0
	for _, spec := range specs {
		validators = append(validators, spec.contract.ValidatorName)
		validatorVersions = append(validatorVersions, spec.contract.ValidatorVersion)
		live, always = live || spec.liveReady, always && spec.liveReady
		fewest, most = min(fewest, len(spec.checks)), max(most, len(spec.checks))
	}
	check := object{
		{"id", describedAt("check/id", oneOf(checkIDs))},
		{"label", describedAt("check/label", sentenceSchema())},
		{"status", describedAt("check/status", oneOf(domain.Gates()))},
		{"evidence", describedAt("check/evidence", sentenceSchema())},
	}
	properties := object{
		{"status", describedAt("status", oneOf(domain.Gates()))},
		{"validatorName", describedAt("validatorName", oneOf(validators))},
		{"validatorVersion", describedAt("validatorVersion", oneOf(validatorVersions))},
		{"contractVersion", describedAt("validation/contractVersion", oneOf(versions))},
		{"checks", describedAt("checks", append(listSchema(closed(check, names(check))),
			member{"minItems", fewest}, member{"maxItems", most}))},
		{"blockers", describedAt("validation/blockers", listSchema(oneOf(checkIDs)))},
	}
	required := names(properties)
	if live {
		properties = append(properties, member{"liveReady", describedAt("liveReady", object{{"const", false}})})
	}
	if always {
		required = names(properties)
	}
	return closed(properties, required)
}

// bodySchema writes the schema of a body from the built-in one.
func bodySchema(kind Kind) (object, error) {
	body, err := kind.builtin()
	if err != nil {
		return nil, err
	}
	return valueSchema(body, ""), nil
}

func valueSchema(v canonical.Value, place string) object {
	if free := libertyAt(bodyPlace + place); free != nil && free.schema != nil {
		return free.schema([]canonical.Value{v})
	}
	switch v.Kind() {
	case canonical.Object:
		var properties object
		for _, entry := range entries(v) {
			at := place + "/" + entry.Name()
			properties = append(properties, member{entry.Name(), describedAt(at, valueSchema(entry, at))})
		}
		return closed(properties, names(properties))
	case canonical.Array:
		return arraySchema(v, place)
	case canonical.String:
		return textSchema(v.Text(), place)
	}
	if place == "/sampleDecision/standingAccepted" {
		return object{{"type", "boolean"}}
	}
	return object{{"const", v.Kind() == canonical.True}}
}

func textSchema(text, place string) object {
	switch words := vocabularyAt(place); {
	case words != nil:
		return oneOf(words)
	}
	return oneOf([]string{text})
}

// arraySchema allows the entries that the built-in array has, and as many of them; of objects, what their members may be.
func arraySchema(v canonical.Value, place string) object {
	if words := vocabularyAt(place); words != nil {
		return listSchema(oneOf(words))
	}
	list := entries(v)
	var items object
	switch free := libertyAt(bodyPlace + place + "/*"); {
	case list[0].Kind() == canonical.Object:
		items = mergedSchema(list, place+"/*")
	case free != nil:
		items = free.schema(list)
	default:
		items = oneOf(listTexts(v))
	}
	schema := listSchema(items)
	return append(schema, member{"minItems", len(list)}, member{"maxItems", len(list)})
}

// mergedSchema is the schema of objects that have the same members: each may be what it is in one of them.
func mergedSchema(list []canonical.Value, place string) object {
	var properties object
	for _, first := range entries(list[0]) {
		at := place + "/" + first.Name()
		schema := valueSchema(first, at)
		if free := libertyAt(bodyPlace + at); free != nil {
			var wants []canonical.Value
			for _, entry := range list {
				wants = append(wants, entry.Member(first.Name()))
			}
			schema = free.schema(wants)
		} else if first.Kind() == canonical.String && vocabularyAt(at) == nil {
			var codes []string
			seen := map[string]bool{}
			for _, entry := range list {
				if code := entry.Member(first.Name()).Text(); !seen[code] {
					codes, seen[code] = append(codes, code), true
				}
			}
			schema = oneOf(codes)
		}
		properties = append(properties, member{first.Name(), describedAt(at, schema)})
	}
	return closed(properties, names(properties))
}

func sentenceSchema() object { return object{{"type", "string"}, {"minLength", 1}} }

func listSchema(items object) object { return object{{"type", "array"}, {"items", items}} }

// oneOf allows these texts and nothing else.
func oneOf(texts []string) object {
	if len(texts) == 1 {
		return object{{"const", texts[0]}}
	}
	return object{{"enum", texts}}
}

func closed(properties object, required []string) object {
	return object{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
}

func names(o object) []string {
	var list []string
	for _, m := range o {
		list = append(list, m.name)
	}
	return list
}

// describedAt puts a description before what a member may hold.
func describedAt(place string, schema object) object {
	return append(object{{"description", description(place)}}, schema...)
}

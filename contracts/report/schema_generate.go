package report

import (
	_ "embed" // the descriptions are part of the program
	"fmt"
	"strings"
	"sync"

	"docket/contracts/internal/schemagen"
	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/rules"
	"docket/domain/terms"
)

// descriptionsFile describes the members of a report by their places: those of the envelope by their names, those of a body by
// their pointers, "*" standing for any entry.
//
//go:embed descriptions.json
var descriptionsFile []byte

var descriptions = sync.OnceValue(func() schemagen.Texts { return schemagen.ReadTexts(descriptionsFile) })

// description is the text for a place; entries of a map of samples share one.
func description(place string) string {
	if text, there := descriptions()[place]; there {
		return text
	}
	if strings.HasPrefix(place, "/appealCaseSample") || strings.HasPrefix(place, "/agreementAmendmentSample") {
		return "What this sample comes to."
	}
	return ""
}

// EnvelopeFile is the file under schemas/ that holds the schema of any contract report.
const EnvelopeFile = "envelope.schema.json"

// SchemaFile is the file under schemas/ that holds the schema of a kind of report.
func SchemaFile(kind Kind) string { return kind.String() + ".schema.json" }

// vocabularyAt lists the places of a body that hold some words of a vocabulary rather than all of it.
func vocabularyAt(place string) []string {
	switch place {
	case "/sampleDecision/status":
		return terms.DecisionStatuses.Texts()
	case "/sampleDecision/outcome":
		return terms.Outcomes.Texts()
	case "/sampleDecision/factorCodes":
		return terms.FactorCodes.Texts()
	case "/sampleDecision/reviewScope":
		return terms.Subjects.Texts()
	case "/sampleDecision/blockers":
		return failClosedStatuses(terms.Appeals)
	case "/transitionDefinitions/*/key":
		return terms.Transitions.Texts()
	case "/transitionDefinitions/*/blocksTransitions":
		return terms.GuardedActions.Texts()
	}
	if strings.HasPrefix(place, "/appealCaseSampleEvaluationStatuses/") ||
		strings.HasPrefix(place, "/agreementAmendmentSampleEvaluationStatuses/") {
		return terms.Gates()
	}
	return nil
}

// failClosedStatuses are the codes of an area's rule book, in its order (source 7).
func failClosedStatuses(area terms.Area) []string {
	var codes []string
	for _, rule := range rules.Book(area) {
		codes = append(codes, rule.Code.String())
	}
	return codes
}

// GenerateSchema writes the JSON Schema of a kind of report: the same bytes every time, with a line feed at the end. It
// derives from the built-in body, and so from the vocabularies.
func GenerateSchema(kind Kind) []byte {
	return envelopeSchema(kind.String(), fmt.Sprintf("%s: contract report", kind.Title()), valueSchema(kind.builtin(), ""), []Kind{kind})
}

// GenerateEnvelopeSchema writes the JSON Schema of any contract report.
func GenerateEnvelopeSchema() []byte {
	var bodies []ordered.Object
	for _, kind := range Kinds() {
		bodies = append(bodies, valueSchema(kind.builtin(), ""))
	}
	return envelopeSchema("envelope", "Contract report", ordered.Of("oneOf", bodies), Kinds())
}

// envelopeSchema is source 2.1 for the given contracts.
func envelopeSchema(name, title string, body ordered.Object, kinds []Kind) []byte {
	var checkIDs, versions []string
	nonClaim, always := false, true
	for _, kind := range kinds {
		versions = append(versions, kind.Contract().Version)
		for _, check := range kind.checks() {
			checkIDs = append(checkIDs, check.id)
		}
		nonClaim, always = nonClaim || kind.PublicNonClaim() != "", always && kind.PublicNonClaim() != ""
	}
	properties := ordered.Of(
		"ok", describedAt("ok", ordered.Of("const", true)),
		"checkedAt", describedAt("checkedAt", schemagen.Pattern(utcPattern)),
		"contractVersion", describedAt("contractVersion", schemagen.OneOf(versions)),
		"purpose", describedAt("purpose", schemagen.Sentence()),
		"validation", describedAt("validation", validationSchema(kinds, checkIDs, versions)),
		bodyMember, describedAt(bodyMember, body),
		"blockers", describedAt("blockers", schemagen.List(schemagen.OneOf(checkIDs))),
	)
	required := properties.Names()
	if nonClaim {
		properties = properties.With("publicNonClaim", describedAt("publicNonClaim", schemagen.Sentence()))
	}
	if always {
		required = properties.Names()
	}
	return schemagen.Document(schemaName(name), title, "", schemagen.Closed(properties, required), nil)
}

func schemaName(name string) string { return "report:" + name }

func validationSchema(kinds []Kind, checkIDs, versions []string) ordered.Object {
	var validators, validatorVersions []string
	live, always, fewest, most := false, true, len(checkIDs), 0
	for _, kind := range kinds {
		validators = append(validators, kind.Contract().ValidatorName)
		validatorVersions = append(validatorVersions, kind.Contract().ValidatorVersion)
		live, always = live || kind.spec().liveReady, always && kind.spec().liveReady
		fewest, most = min(fewest, len(kind.checks())), max(most, len(kind.checks()))
	}
	check := ordered.Of(
		"id", describedAt("check/id", schemagen.OneOf(checkIDs)),
		"label", describedAt("check/label", schemagen.Sentence()),
		"status", describedAt("check/status", schemagen.OneOf(terms.Gates())),
		"evidence", describedAt("check/evidence", schemagen.Sentence()),
	)
	properties := ordered.Of(
		"status", describedAt("status", schemagen.OneOf(terms.Gates())),
		"validatorName", describedAt("validatorName", schemagen.OneOf(validators)),
		"validatorVersion", describedAt("validatorVersion", schemagen.OneOf(validatorVersions)),
		"contractVersion", describedAt("validation/contractVersion", schemagen.OneOf(versions)),
		"checks", describedAt("checks", schemagen.List(schemagen.Closed(check, check.Names())).With("minItems", fewest).With("maxItems", most)),
		"blockers", describedAt("validation/blockers", schemagen.List(schemagen.OneOf(checkIDs))),
	)
	required := properties.Names()
	if live {
		properties = properties.With("liveReady", describedAt("liveReady", ordered.Of("const", false)))
	}
	if always {
		required = properties.Names()
	}
	return schemagen.Closed(properties, required)
}

func valueSchema(v canonical.Value, place string) ordered.Object {
	if free := libertyAt(bodyPlace + place); free != nil && free.schema != nil {
		return free.schema([]canonical.Value{v})
	}
	switch v.Kind() {
	case canonical.Object:
		var properties ordered.Object
		for _, entry := range entries(v) {
			at := place + "/" + entry.Name()
			properties = properties.With(entry.Name(), describedAt(at, valueSchema(entry, at)))
		}
		return schemagen.Closed(properties, properties.Names())
	case canonical.Array:
		return arraySchema(v, place)
	case canonical.String:
		return textSchema(v.Text(), place)
	}
	if place == "/sampleDecision/standingAccepted" {
		return ordered.Of("type", "boolean")
	}
	return ordered.Of("const", v.Kind() == canonical.True)
}

func textSchema(text, place string) ordered.Object {
	if words := vocabularyAt(place); words != nil {
		return schemagen.OneOf(words)
	}
	return schemagen.OneOf([]string{text})
}

// arraySchema allows the entries that the built-in array has, and as many of them; of objects, what their members may be.
func arraySchema(v canonical.Value, place string) ordered.Object {
	if words := vocabularyAt(place); words != nil {
		return schemagen.List(schemagen.OneOf(words))
	}
	list := entries(v)
	var items ordered.Object
	switch free := libertyAt(bodyPlace + place + "/*"); {
	case list[0].Kind() == canonical.Object:
		items = mergedSchema(list, place+"/*")
	case free != nil:
		items = free.schema(list)
	default:
		items = schemagen.OneOf(listTexts(v))
	}
	schema := schemagen.List(items)
	return schema.With("minItems", len(list)).With("maxItems", len(list))
}

// mergedSchema is the schema of objects that have the same members: each may be what it is in one of them.
func mergedSchema(list []canonical.Value, place string) ordered.Object {
	var properties ordered.Object
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
			schema = schemagen.OneOf(codes)
		}
		properties = properties.With(first.Name(), describedAt(at, schema))
	}
	return schemagen.Closed(properties, properties.Names())
}

// describedAt puts a description before the schema of a member.
func describedAt(place string, schema ordered.Object) ordered.Object {
	return schemagen.Described(description(place), schema)
}

package report

import (
	"bytes"
	"embed"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"docket/domain/overlap"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// pages/ holds the prose of the pages about the three areas; the tables in them come from the vocabularies.
//
//go:embed pages/*.md.tmpl
var pageFiles embed.FS

// PageFile is the name of the page about a contract, under contracts/docs.
func PageFile(kind Kind) string { return kind.String() + ".md" }

// GeneratePage writes the page about a contract in Markdown: the same bytes every time.
func GeneratePage(kind Kind) ([]byte, error) {
	name := kind.String() + ".md.tmpl"
	page, err := template.New(name).Funcs(pageFunctions(kind)).ParseFS(pageFiles, "pages/"+name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := page.Execute(&out, nil); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// pageFunctions are the functions of a page's template: tables and lists, from the contract itself.
func pageFunctions(kind Kind) template.FuncMap {
	return template.FuncMap{
		"contract":    kind.Contract,
		"purpose":     kind.Purpose,
		"checks":      func() string { return checkTable(kind) },
		"hooks":       func() string { return bullets(coded(kind.ContractTests())) },
		"words":       func(member string) string { return memberWords(kind, member) },
		"text":        func(member string) string { return memberText(kind, member) },
		"sentences":   func(member string) string { return memberSentences(kind, member) },
		"sample":      func() string { return sampleTable(kind) },
		"rules":       func() string { return ruleTable(kind) },
		"outcomes":    outcomeTable,
		"factors":     factorTable,
		"transitions": transitionTable,
		"namespaces":  namespaceTable,
		"endpoints":   endpointTable,
		"reviews":     reviewTable,
		"blockers":    overlapBlockerTable,
		"freeText":    func() string { return overlap.FreeTextRule },
	}
}

// rows writes a table in Markdown.
func rows(heads string, lines ...[]string) string {
	names := strings.Split(heads, "|")
	out := "| " + strings.Join(names, " | ") + " |\n|" + strings.Repeat("---|", len(names))
	for _, line := range lines {
		out += "\n| " + strings.Join(line, " | ") + " |"
	}
	return out
}

// texts are words as they stand in a report; never nil.
func texts[W fmt.Stringer](words []W) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = word.String()
	}
	return list
}

func code(word string) string { return "`" + word + "`" }

func coded(words []string) []string {
	var list []string
	for _, word := range words {
		list = append(list, code(word))
	}
	return list
}

func codes(words []string) string { return strings.Join(coded(words), ", ") }

func bullets(lines []string) string { return "- " + strings.Join(lines, "\n- ") }

// memberWords lists the codes of a member of the body, in its order.
func memberWords(kind Kind, name string) string {
	body := kind.builtin()
	return codes(listTexts(pointed(body, name)))
}

// memberText is a text of the body.
func memberText(kind Kind, name string) string {
	return pointed(kind.builtin(), name).Text()
}

// memberSentences lists the sentences of a member of the body, numbered if there are several.
func memberSentences(kind Kind, name string) string {
	body := kind.builtin()
	value := pointed(body, name)
	if list := listTexts(value); list != nil {
		for i := range list {
			list[i] = strconv.Itoa(i+1) + ". " + list[i]
		}
		return strings.Join(list, "\n")
	}
	return "> " + value.Text()
}

func checkTable(kind Kind) string {
	var lines [][]string
	for _, check := range kind.CheckTitles() {
		lines = append(lines, []string{code(check.ID), check.Label})
	}
	return rows("check|what it holds the contract to", lines...)
}

// sampleTable lists the samples with their results.
func sampleTable(kind Kind) string {
	member := "appealCaseSampleEvaluationStatuses"
	if kind == Amendments {
		member = "agreementAmendmentSampleEvaluationStatuses"
	}
	body := kind.builtin()
	var lines [][]string
	for _, entry := range entries(body.Member(member)) {
		lines = append(lines, []string{code(entry.Name()), code(entry.Text())})
	}
	return rows("sample|comes to", lines...)
}

func ruleTable(kind Kind) string {
	area := terms.Appeals
	if kind == Amendments {
		area = terms.Amendments
	}
	var lines [][]string
	for _, rule := range rules.Book(area) {
		lines = append(lines, []string{code(rule.Code.String()), rule.Meaning, rule.Cure})
	}
	return rows("status|what it means|what cures it", lines...)
}

func outcomeTable() string {
	var lines [][]string
	for _, outcome := range terms.Outcomes.All() {
		effect := views.EffectOf(outcome)
		lines = append(lines, []string{code(outcome.String()), effect.Meaning, code(effect.ProvenanceActivity),
			code(effect.TraceabilityStep)})
	}
	return rows("outcome|what it means|provenance activity|business step", lines...)
}

func factorTable() string {
	var lines [][]string
	for _, factor := range terms.FactorCodes.All() {
		lines = append(lines, []string{code(factor.String()), views.FactorMeaning(factor)})
	}
	return rows("factor code|what it states", lines...)
}

func transitionTable() string {
	var lines [][]string
	for _, definition := range rules.TransitionDefinitions() {
		lines = append(lines, []string{code(definition.Key.String()), definition.ProtectedBoundary, codes(texts(definition.Blocks))})
	}
	return rows("transition|protected boundary|blocks", lines...)
}

func namespaceTable() string {
	var lines [][]string
	for _, rule := range overlap.NamespaceRules() {
		lines = append(lines, []string{code(rule.Key.String()), rule.AllowedSource, code(rule.RawValueRetention.String()),
			code(rule.StoredRepresentation.String())})
	}
	return rows("namespace|allowed source|raw values|stored as", lines...)
}

func endpointTable() string {
	var lines [][]string
	for _, endpoint := range overlap.PlannedEndpoints() {
		lines = append(lines, []string{endpoint.Method, code(endpoint.Path), code(endpoint.Status.String())})
	}
	return rows("method|path|status", lines...)
}

func reviewTable() string {
	var lines [][]string
	for _, review := range overlap.RequiredReviews() {
		lines = append(lines, []string{code(review.Key.String()), review.Text, code(review.State.String())})
	}
	return rows("review|what it is|state", lines...)
}

func overlapBlockerTable() string {
	var lines [][]string
	for _, rule := range overlap.BlockerRules() {
		lines = append(lines, []string{code(rule.Code.String()), rule.Meaning, rule.Cure})
	}
	return rows("blocker|what it means|what would cure it", lines...)
}

package contracts

import (
	_ "embed" // the texts are part of the program
	"fmt"
	"sync"

	"docket/contracts/internal/schemagen"
	"docket/domain/ordered"
	"docket/domain/packets"
	"docket/domain/private"
	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/terms"
)

//go:embed descriptions.json
var descriptionsFile []byte

// descriptions describe tables and their members.
var descriptions = sync.OnceValue(func() schemagen.Texts { return schemagen.ReadTexts(descriptionsFile) })

func tableTitle(table terms.Table) string       { return descriptions().Of("title", table.String()) }
func tableDescription(table terms.Table) string { return descriptions()[table.String()] }

// GenerateSchema writes the JSON Schema of the table's records, from the shape by which package domain reads them. It returns
// nil for any other table.
func GenerateSchema(table terms.Table) []byte {
	info, ok := packets.Info(table)
	if !ok {
		return nil
	}
	g := schemagen.Of(&info.Shape, descriptions())
	return document(g, table.String(), tableTitle(table), tableDescription(table), g.Object(&info.Shape, table.String()))
}

// GenerateStoredSchema writes the JSON Schema of the table's packets as they are stored and given out: redacted, with
// hashesMatched, and with masks in the place of texts that held private details. It returns nil for any other table.
func GenerateStoredSchema(table terms.Table) []byte {
	info, ok := packets.Info(table)
	if !ok {
		return nil
	}
	hashes := []string{info.HashMember}
	if info.Shape.Member("scopeHash") != nil {
		hashes = append(hashes, "scopeHash")
	}
	g := schemagen.Of(&info.Shape, descriptions()).Masks(maskKinds(), hashes...)
	properties := ordered.Of(
		"digests", digestsSchema(g),
		"hashesMatched", matchedSchema(hashes),
		"record", schemagen.Described(tableDescription(table), g.Object(&info.Shape, table.String())),
		"redactions", redactionsSchema(g),
		"table", ordered.Of("const", table.String()),
	)
	return document(g, table.String()+":stored", fmt.Sprintf("%s, redacted", tableTitle(table)),
		"A packet as docket keeps it: the private members are gone, their categories and counts are left.", schemagen.Closed(properties, properties.Names()))
}

// maskKinds are the kinds of private details that a mask may name.
func maskKinds() []string {
	var kinds []string
	for _, kind := range private.AllKinds.List() {
		kinds = append(kinds, kind.String())
	}
	return kinds
}

func digestsSchema(g *schemagen.Generator) ordered.Object {
	return schemagen.Described("Of the record as it is stored, with marks in the places of its texts: it identifies the content.",
		schemagen.Closed(ordered.Of("record", g.Scalar(shape.FormHash, false)), []string{"record"}))
}

func matchedSchema(hashes []string) ordered.Object {
	var properties ordered.Object
	for _, name := range hashes {
		properties = properties.With(name, ordered.Of("type", "boolean"))
	}
	return schemagen.Described("Which hashes of the record were those recomputed over it as it came in. Where a text is masked, the hashes "+
		"themselves are null: a text could be guessed by them.", schemagen.Closed(properties, properties.Names()))
}

func redactionsSchema(g *schemagen.Generator) ordered.Object {
	properties := ordered.Of(
		"category", schemagen.Word(terms.PrivateCategories.Texts(), false),
		"count", g.Scalar(shape.FormCount, false),
	)
	return schemagen.Described("How many private values of each category were dropped.",
		schemagen.List(schemagen.Closed(properties, properties.Names())))
}

// GenerateEnforcementSchema writes the JSON Schema of the enforcement records of an area; nil for no area.
func GenerateEnforcementSchema(area terms.Area) []byte {
	described := records.EnforcementShape(area)
	if len(described.Members) == 0 {
		return nil
	}
	g := schemagen.Of(&described, descriptions())
	table := terms.EnforcementTable(area).String()
	return document(g, table, fmt.Sprintf("Enforcement record about %s", area),
		"What a reviewer decided, as it is signed and logged. Members that follow from others have to say what follows.",
		g.Object(&described, table))
}

func document(g *schemagen.Generator, name, title, description string, asks ordered.Object) []byte {
	return schemagen.Document(name, title, description, asks, g.Defs())
}

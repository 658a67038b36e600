package serve

import (
	"docket/contracts/report"
	"docket/domain"
)

// The names of the schemas of the OpenAPI document that are not those of an area, a table or a kind.
const (
	schemaID            = "Id"
	schemaHash          = "Hash"
	schemaTime          = "Time"
	schemaRecordID      = "RecordId"
	schemaCount         = "Count"
	schemaDocument      = "Document"
	schemaProblem       = "Problem"
	schemaReceipt       = "Receipt"
	schemaEnforced      = "Enforced"
	schemaProfile       = "IncidentProfile"
	schemaHealth        = "Health"
	schemaOverlapAnswer = "OverlapAnswer"
	schemaPage          = "Page"
	schemaLodging       = "Lodging"
	schemaCosigned      = "Cosigned"
	schemaState         = "State"
)

// areaNames begin the names of the schemas of an area.
var areaNames = map[domain.Area]string{domain.Appeals: "Appeal", domain.Amendments: "Amendment"}

func schemaRecord(area domain.Area) string     { return areaNames[area] + "Record" }
func schemaEnforce(area domain.Area) string    { return areaNames[area] + "Enforce" }
func schemaQuestion(area domain.Area) string   { return areaNames[area] + "EvaluationInput" }
func schemaEvaluation(area domain.Area) string { return areaNames[area] + "EvaluationResult" }
func schemaReport(kind report.Kind) string     { return "report_" + kind.String() }
func schemaInput(table domain.Table) string    { return table.String() }
func schemaStored(table domain.Table) string   { return table.String() + "_redacted" }

func schemaRef(name string) object { return object{{"$ref", "#/components/schemas/" + name}} }

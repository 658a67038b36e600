package serve

import (
	"encoding/json"

	"docket/contracts/report"
)

// The names of the schemas of the OpenAPI document.
const (
	schemaAny            = "Any"
	schemaEnforce        = "Enforce"
	schemaEnforced       = "Enforced"
	schemaQuestion       = "EvaluationInput"
	schemaEvaluation     = "EvaluationResult"
	schemaProfile        = "IncidentProfile"
	schemaHealth         = "Health"
	schemaOverlapRequest = "OverlapRequest"
	schemaOverlapAnswer  = "OverlapAnswer"
	schemaPage           = "Page"
	schemaLodging        = "Lodging"
	schemaCosigned       = "Cosigned"
	schemaState          = "State"
)

// schemaReport names the schema of a contract report.
func schemaReport(kind report.Kind) string { return "Report_" + kind.String() }

// OpenAPI describes the routes.
func OpenAPI([]Route, string) ([]byte, error) {
	return json.Marshal(map[string]any{"openapi": "3.1.0"})
}

// handleOpenAPI is the route of the description.
func handleOpenAPI(s *Service, _ *call) (answer, error) { return s.openapi.answer(), nil }

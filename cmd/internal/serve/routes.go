package serve

import (
	"net/http"
	"slices"

	"docket/cmd/internal/api"
	"docket/contracts/report"
	"docket/domain/overlap"
	"docket/domain/terms"
)

// Routes is the one table of routes: the source's in its order, then those for consoles, then the operator's.
func Routes() []Route {
	return slices.Concat(enforcementRoutes(), evaluationRoutes(), publicRoutes(), overlapRoutes(), consoleRoutes(), recordRoutes(), logRoutes(), operatorRoutes())
}

// granted is the only answer of a route that has no others except problems.
var granted = []int{http.StatusOK}

// enforcementRoutes append one enforcement record (source 4.1 and 4.2).
func enforcementRoutes() []Route {
	answers := []int{http.StatusOK, http.StatusCreated}
	problems := []api.ProblemKind{api.NotTheReviewer, api.KeyNotRegistered, api.SignatureInvalid,
		api.NotFound, api.PacketStale, api.RecordSuperseded, api.RecordConflict, api.Early, api.Setback,
		api.RulesUnknown, api.EvaluationDiffers, api.RecordRefused, api.KeyRevoked}
	return []Route{
		{Method: http.MethodPost, Path: api.AppealEnforcePath, Access: Bearer, reads: true, place: placeEnforcing, answers: answers,
			problems: problems, handle: enforce(terms.Appeals)},
		{Method: http.MethodPost, Path: api.AmendmentEnforcePath, Access: Bearer, reads: true, place: placeEnforcing, answers: answers,
			problems: append([]api.ProblemKind{api.NotTheOwner}, problems...), handle: enforce(terms.Amendments)},
	}
}

// evaluationRoutes evaluate a case or an amendment and write nothing (source 4.4).
func evaluationRoutes() []Route {
	return []Route{
		{Method: http.MethodPost, Path: api.AppealEvaluatePath, Access: Bearer, reads: true, answers: granted,
			place: placeReading, handle: evaluate(terms.Appeals)},
		{Method: http.MethodPost, Path: api.AmendmentEvaluatePath, Access: Bearer, reads: true, answers: granted,
			place: placeReading, handle: evaluate(terms.Amendments)},
	}
}

// cached lists the answers of a route whose document may be cached.
var cached = []int{http.StatusOK, http.StatusNotModified}

// publicRoutes return public documents (source 2.1, 2.2, 2.5.4 and 4.4).
func publicRoutes() []Route {
	contract := func(path string, kind report.Kind) Route {
		return Route{Method: http.MethodGet, Path: path, Access: Anybody, answers: cached, handle: publishReport(kind)}
	}
	return []Route{
		contract(api.AppealContractPath, report.Appeals),
		contract(api.AmendmentContractPath, report.Amendments),
		contract(api.OverlapContractPath, report.Overlap),
		{Method: http.MethodGet, Path: api.IncidentProfilePath, Access: Anybody, answers: cached,
			problems: []api.ProblemKind{api.NotFound}, handle: handleProfile},
		{Method: http.MethodGet, Path: api.AmendmentHealthPath, Access: Anybody, answers: granted,
			problems: []api.ProblemKind{api.Unavailable}, handle: handleHealth},
	}
}

// overlapRoutes are the planned routes of the private-overlap pilot (source 3.4 and 4.3), which are blocked for all
// callers.
func overlapRoutes() []Route {
	route := func(path string, planned overlap.Endpoint) Route {
		return Route{Method: planned.Method, Path: path, Access: Anybody, answers: []int{http.StatusForbidden},
			handle: answerOverlap(planned)}
	}
	return []Route{
		route(api.OverlapCheckPath, overlap.CheckOverlap),
		route(api.OverlapRefreshPath, overlap.RefreshTokens),
		route(api.OverlapTokensPath, overlap.DeleteTokens),
	}
}

// consoleRoutes are the routes from which consoles pull packets.
func consoleRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: api.QueuePath, Access: Bearer, parameters: []string{api.CursorParameter},
			answers: granted, problems: []api.ProblemKind{api.Malformed}, place: placeReading, handle: handleQueue},
		{Method: http.MethodGet, Path: api.PacketPath, Access: Bearer, answers: granted,
			problems: []api.ProblemKind{api.NotFound}, place: placeReading, handle: handlePacket},
	}
}

// logRoutes give the log out as C2SP tlog-tiles has it. Sizes, hashes and the restores that led to the log are for everybody, witnesses
// included; records are for those who may read all of them.
func logRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: api.CheckpointPath, Access: Anybody, answers: cached,
			problems: []api.ProblemKind{api.Unavailable}, place: placeReading, handle: handleCheckpoint},
		{Method: http.MethodGet, Path: api.CosignedPath, Access: Anybody, answers: cached,
			problems: []api.ProblemKind{api.NotFound, api.Unavailable}, place: placeReading, handle: handleCosigned},
		{Method: http.MethodGet, Path: api.StatementsPath, Access: Anybody, answers: cached,
			problems: []api.ProblemKind{api.Unavailable}, place: placeReading, handle: handleStatements},
		{Method: http.MethodGet, Path: api.TilePath, Access: Anybody, answers: cached, rest: true,
			problems: []api.ProblemKind{api.NotFound, api.Unavailable}, place: placeReading, handle: handleTile},
		{Method: http.MethodGet, Path: api.EntriesPath, Access: Bearer, answers: cached, rest: true,
			problems: []api.ProblemKind{api.Forbidden, api.NotFound}, place: placeReading, handle: handleEntries},
	}
}

// recordRoutes return the records of the log to callers who may see their packets (source 4.1 (2), 4.2 (1) and 5 (2)).
func recordRoutes() []Route {
	route := func(path string, handle func(*Service, *call) (answer, error), parameters ...string) Route {
		problems := []api.ProblemKind{api.NotFound}
		if parameters != nil {
			problems = append(problems, api.Malformed)
		}
		return Route{Method: http.MethodGet, Path: path, Access: Bearer, parameters: parameters, answers: cached, problems: problems,
			place: placeReading, handle: handle}
	}
	return []Route{
		route(api.RecordsPath, handleRecords, api.AfterParameter, api.CaseParameter, api.AmendmentParameter),
		route(api.RecordPath, handleRecord),
		route(api.RecordProofPath, handleRecordProof),
		route(api.AppealGatePath, handleGate(terms.Appeals)),
		route(api.AmendmentGatePath, handleGate(terms.Amendments)),
	}
}

// operatorRoutes are for the operator of the service.
func operatorRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: api.LivePath, Access: Anybody, unlimited: true, answers: granted, handle: handleLive},
		{Method: http.MethodGet, Path: api.ReadyPath, Access: Anybody, unlimited: true, answers: granted,
			problems: []api.ProblemKind{api.Unavailable}, handle: handleReady},
		{Method: http.MethodGet, Path: api.MetricsPath, Access: Operator, answers: granted, handle: handleMetrics},
	}
}

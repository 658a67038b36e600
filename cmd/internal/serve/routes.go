package serve

import (
	"net/http"
	"slices"

	"docket/cmd/internal/exchange"
	"docket/contracts/report"
	"docket/domain"
	"docket/domain/overlap"
)

// Routes is the one table of routes: the source's in its order, then those that consoles need, then the operator's.
func Routes() []Route {
	return slices.Concat(enforcementRoutes(), evaluationRoutes(), publicRoutes(), overlapRoutes(), consoleRoutes(), operatorRoutes())
}

// granted is the answer of a route that has no other, but for problems.
var granted = []int{http.StatusOK}

// enforcementRoutes append one enforcement record (source 4.1 and 4.2).
func enforcementRoutes() []Route {
	answers := []int{http.StatusOK, http.StatusCreated}
	problems := []exchange.ProblemKind{exchange.NotTheReviewer, exchange.KeyNotRegistered, exchange.SignatureInvalid,
		exchange.NotFound, exchange.PacketStale, exchange.RecordSuperseded, exchange.RecordConflict, exchange.Early,
		exchange.RulesUnknown, exchange.EvaluationDiffers, exchange.RecordRefused}
	return []Route{
		{Method: http.MethodPost, Path: exchange.AppealEnforcePath, Access: Bearer, reads: true, answers: answers,
			problems: problems, tally: tallyRecords, handle: enforce(domain.Appeals)},
		{Method: http.MethodPost, Path: exchange.AmendmentEnforcePath, Access: Bearer, reads: true, answers: answers,
			problems: append([]exchange.ProblemKind{exchange.NotTheOwner}, problems...), tally: tallyRecords, handle: enforce(domain.Amendments)},
	}
}

// evaluationRoutes judge a case or an amendment and write nothing (source 4.4).
func evaluationRoutes() []Route {
	return []Route{
		{Method: http.MethodPost, Path: exchange.AppealEvaluatePath, Access: Bearer, reads: true, answers: granted,
			handle: evaluate(domain.Appeals)},
		{Method: http.MethodPost, Path: exchange.AmendmentEvaluatePath, Access: Bearer, reads: true, answers: granted,
			handle: evaluate(domain.Amendments)},
	}
}

// cached are the answers of a route whose document may be cached.
var cached = []int{http.StatusOK, http.StatusNotModified}

// publicRoutes return documents that are for everybody (source 2.1, 2.2, 2.5.4 and 4.4).
func publicRoutes() []Route {
	contract := func(path string, kind report.Kind) Route {
		return Route{Method: http.MethodGet, Path: path, Access: Anybody, answers: cached, handle: publishReport(kind)}
	}
	return []Route{
		contract(exchange.AppealContractPath, report.Appeals),
		contract(exchange.AmendmentContractPath, report.Amendments),
		contract(exchange.OverlapContractPath, report.Overlap),
		{Method: http.MethodGet, Path: exchange.IncidentProfilePath, Access: Anybody, answers: cached,
			problems: []exchange.ProblemKind{exchange.NotFound}, handle: handleProfile},
		{Method: http.MethodGet, Path: exchange.AmendmentHealthPath, Access: Anybody, answers: granted,
			problems: []exchange.ProblemKind{exchange.Unavailable}, handle: handleHealth},
	}
}

// overlapRoutes are the planned routes of the private-overlap pilot (source 3.4 and 4.3), which are blocked for everybody.
func overlapRoutes() []Route {
	route := func(method, path string, action overlap.Action) Route {
		return Route{Method: method, Path: path, Access: Anybody, answers: []int{http.StatusForbidden},
			problems: []exchange.ProblemKind{exchange.Unavailable}, handle: answerOverlap(action)}
	}
	return []Route{
		route(http.MethodPost, exchange.OverlapCheckPath, overlap.CheckOverlap),
		route(http.MethodPost, exchange.OverlapRefreshPath, overlap.RefreshTokens),
		route(http.MethodDelete, exchange.OverlapTokensPath, overlap.DeleteTokens),
	}
}

// consoleRoutes are what consoles need to pull packets and to submit checkpoints.
func consoleRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: exchange.QueuePath, Access: Bearer, parameters: []string{exchange.CursorParameter},
			answers: granted, problems: []exchange.ProblemKind{exchange.Malformed}, handle: handleQueue},
		{Method: http.MethodGet, Path: exchange.PacketPath, Access: Bearer, answers: granted,
			problems: []exchange.ProblemKind{exchange.NotFound}, handle: handlePacket},
		{Method: http.MethodPost, Path: exchange.CheckpointsPath, Access: Bearer, reads: true, answers: granted,
			problems: []exchange.ProblemKind{exchange.CheckpointForked, exchange.CheckpointShorter},
			tally:    tallyCheckpoints, handle: handleCheckpoint},
	}
}

// operatorRoutes are for the operator of the service.
func operatorRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: exchange.OpenAPIPath, Access: Anybody, answers: cached, handle: handleOpenAPI},
		{Method: http.MethodGet, Path: exchange.LivePath, Access: Anybody, unlimited: true, answers: granted, handle: handleLive},
		{Method: http.MethodGet, Path: exchange.ReadyPath, Access: Anybody, unlimited: true, answers: granted,
			problems: []exchange.ProblemKind{exchange.Unavailable}, handle: handleReady},
		{Method: http.MethodGet, Path: exchange.MetricsPath, Access: Operator, answers: granted, handle: handleMetrics},
	}
}

package serve

import (
	"net/http"

	"docket/cmd/internal/exchange"
	"docket/contracts/report"
	"docket/domain"
	"docket/domain/overlap"
)

// Routes is the one table of routes: the source's in its order, then those that consoles need, then the operator's.
func Routes() []Route {
	routes := enforcementRoutes()
	routes = append(routes, evaluationRoutes()...)
	routes = append(routes, publicRoutes()...)
	routes = append(routes, overlapRoutes()...)
	routes = append(routes, consoleRoutes()...)
	return append(routes, operatorRoutes()...)
}

// enforceProblems are those of the enforce routes that another route does not answer with.
var enforceProblems = []exchange.ProblemKind{exchange.NotTheReviewer, exchange.KeyNotRegistered, exchange.SignatureInvalid,
	exchange.NotFound, exchange.PacketStale, exchange.RecordSuperseded, exchange.RecordConflict, exchange.Early, exchange.RulesUnknown,
	exchange.EvaluationDiffers,
	exchange.RecordRefused}

func enforcementRoutes() []Route {
	answers := []reply{
		{status: http.StatusCreated, schema: schemaEnforced, text: "The record was appended to the log; the receipt says where it stands."},
		{status: http.StatusOK, schema: schemaEnforced, text: "The very same record is in the log already; this is where."},
	}
	return []Route{{
		Method: http.MethodPost, Path: exchange.AppealEnforcePath, Access: Bearer, Source: "seed 4.1",
		Summary: "Append one enforcement record about an appeal, and do nothing else",
		request: &body{schemaEnforce(domain.Appeals)}, answers: answers, problems: enforceProblems, tally: tallyRecords, handle: enforce(domain.Appeals),
	}, {
		Method: http.MethodPost, Path: exchange.AmendmentEnforcePath, Access: Bearer, Source: "seed 4.2",
		Summary: "Append one enforcement record about an amendment of the caller's owners, and do nothing else",
		request: &body{schemaEnforce(domain.Amendments)}, answers: answers, problems: append([]exchange.ProblemKind{exchange.NotTheOwner}, enforceProblems...),
		tally: tallyRecords, handle: enforce(domain.Amendments),
	}}
}

func evaluationRoutes() []Route {
	answers := func(area domain.Area) []reply {
		return []reply{{status: http.StatusOK, schema: schemaEvaluation(area), text: "The gate, every blocker and what follows from them."}}
	}
	return []Route{{
		Method: http.MethodPost, Path: exchange.AppealEvaluatePath, Access: Bearer, Source: "seed 4.4",
		Summary: "Judge an appeal case under a policy; nothing is written",
		request: &body{schemaQuestion(domain.Appeals)}, answers: answers(domain.Appeals), handle: evaluate(domain.Appeals),
	}, {
		Method: http.MethodPost, Path: exchange.AmendmentEvaluatePath, Access: Bearer,
		Summary: "Judge an agreement amendment under a policy; nothing is written",
		request: &body{schemaQuestion(domain.Amendments)}, answers: answers(domain.Amendments), handle: evaluate(domain.Amendments),
	}}
}

func publicRoutes() []Route {
	contract := func(path string, kind report.Kind, summary string) Route {
		return Route{Method: http.MethodGet, Path: path, Access: Anybody, Source: "seed 2.1, 4.4", Summary: summary,
			answers: cached(schemaReport(kind), "The report, as `docket report` prints it."), handle: publishReport(kind)}
	}
	return []Route{
		contract(exchange.AppealContractPath, report.Appeals, "The contract report on challenges and appeals"),
		contract(exchange.AmendmentContractPath, report.Amendments, "The contract report on agreement amendments"),
		contract(exchange.OverlapContractPath, report.Overlap, "The contract report on the private-overlap pilot, which is not live"),
		{
			Method: http.MethodGet, Path: exchange.IncidentProfilePath, Access: Anybody, Source: "seed 2.2",
			Summary: "The incident response profile, where the operator configured one",
			answers: cached(schemaProfile, "The profile."), problems: []exchange.ProblemKind{exchange.NotFound}, handle: handleProfile,
		}, {
			Method: http.MethodGet, Path: exchange.AmendmentHealthPath, Access: Anybody, Source: "seed 2.5.4, 4.4",
			Summary:  "Whether the amendment contract and the store are well; it names nobody and nothing",
			answers:  []reply{{status: http.StatusOK, schema: schemaHealth, text: "What is known; `ok` says whether it is well."}},
			problems: []exchange.ProblemKind{exchange.Unavailable}, handle: handleHealth,
		},
	}
}

// cached are the answers of a route whose document may be cached.
func cached(schema, text string) []reply {
	return []reply{{status: http.StatusOK, schema: schema, text: text, cached: true},
		{status: http.StatusNotModified, text: "The document is still the one of If-None-Match.", cached: true}}
}

func overlapRoutes() []Route {
	route := func(method, path string, action overlap.Action, summary string) Route {
		return Route{Method: method, Path: path, Access: Anybody, Source: "source 3.4, 4.3", Summary: summary, handle: answerOverlap(action),
			answers: []reply{{status: http.StatusForbidden, schema: schemaOverlapAnswer,
				text: "The request is blocked. Nothing of it was read, and nothing is stored; the receipt is signed with the key of the service's log."}},
			problems: []exchange.ProblemKind{exchange.Unavailable}}
	}
	return []Route{
		route(http.MethodPost, exchange.OverlapCheckPath, overlap.CheckOverlap,
			"Governance-gated: always blocked with 403, whatever is sent"),
		route(http.MethodPost, exchange.OverlapRefreshPath, overlap.RefreshTokens,
			"Blocked with 403 until the cryptographic design is reviewed, whatever is sent"),
		route(http.MethodDelete, exchange.OverlapTokensPath, overlap.DeleteTokens,
			"Blocked with 403 until the cryptographic design is reviewed, whatever is sent"),
	}
}

func consoleRoutes() []Route {
	return []Route{{
		Method: http.MethodGet, Path: exchange.QueuePath, Access: Bearer,
		Summary:  "The redacted packets that the caller may see, page by page",
		query:    []parameter{{exchange.CursorParameter, "What the page before was answered with; none for the first page."}},
		answers:  []reply{{status: http.StatusOK, schema: schemaPage, text: "At most 100 packets and the cursor after them."}},
		problems: []exchange.ProblemKind{exchange.Malformed}, handle: handleQueue,
	}, {
		Method: http.MethodGet, Path: exchange.PacketPath, Access: Bearer,
		Summary:  "All revisions of one case or amendment, after the policies that they name",
		answers:  []reply{{status: http.StatusOK, schema: schemaPage, text: "The packets, redacted."}},
		problems: []exchange.ProblemKind{exchange.NotFound}, handle: handlePacket,
	}, {
		Method: http.MethodPost, Path: exchange.CheckpointsPath, Access: Bearer,
		Summary:  "Submit the checkpoint of a console's log, and get it cosigned",
		request:  &body{schemaLodging},
		answers:  []reply{{status: http.StatusOK, schema: schemaCosigned, text: "The log extends what was seen of it; the service says so."}},
		problems: []exchange.ProblemKind{exchange.CheckpointForked, exchange.CheckpointShorter},
		tally:    tallyCheckpoints, handle: handleCheckpoint,
	}}
}

func operatorRoutes() []Route {
	return []Route{{
		Method: http.MethodGet, Path: exchange.OpenAPIPath, Access: Anybody,
		Summary: "This description of the routes, OpenAPI 3.1",
		answers: cached(schemaDocument, "The document."), handle: handleOpenAPI,
	}, {
		Method: http.MethodGet, Path: exchange.LivePath, Access: Anybody, unlimited: true,
		Summary: "The process answers",
		answers: []reply{{status: http.StatusOK, schema: schemaState, text: "It does."}}, handle: handleLive,
	}, {
		Method: http.MethodGet, Path: exchange.ReadyPath, Access: Anybody, unlimited: true,
		Summary:  "The service can take records: its contract and its store are well",
		answers:  []reply{{status: http.StatusOK, schema: schemaState, text: "It can."}},
		problems: []exchange.ProblemKind{exchange.Unavailable}, handle: handleReady,
	}, {
		Method: http.MethodGet, Path: exchange.MetricsPath, Access: Operator,
		Summary: "Counts and durations for Prometheus; no id is among them",
		answers: []reply{{status: http.StatusOK, media: metricsMedia, text: "The text format of Prometheus."}}, handle: handleMetrics,
	}}
}

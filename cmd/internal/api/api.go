// Package api declares the HTTP interface between a service and its clients: the paths, the bodies
// of requests and responses, and the problem documents. The service and the client both import it.
//
// The source leaves the payloads of its routes open (source 4.1 to 4.4): the shapes here are this
// project's choice.
//
// Paths and media types are in api.go, bodies in bodies.go, and the table of problems in
// problem.go.
package api

// The paths of the routes: those of the areas in source 4.1 to 4.4; the others are this project's.
const (
	AppealEnforcePath     = "/api/trade/challenge-appeal/enforce"
	AppealEvaluatePath    = "/api/trade/challenge-appeal/evaluate"
	AppealContractPath    = "/api/trade/challenge-appeal/contract"
	AmendmentEnforcePath  = "/api/trade/agreement-amendments/enforce"
	AmendmentEvaluatePath = "/api/trade/agreement-amendments/evaluate"
	AmendmentContractPath = "/api/trade/agreement-amendments/contract"
	AmendmentHealthPath   = "/api/trade/agreement-amendments/health"
	OverlapContractPath   = "/api/background/private-overlap/contract"
	OverlapCheckPath      = "/api/background/private-overlap/check"
	OverlapRefreshPath    = "/api/background/private-overlap/refresh-tokens"
	OverlapTokensPath     = "/api/background/private-overlap/tokens"
	IncidentProfilePath   = "/api/trade/incident-response/profile"
	QueuePath             = "/api/trade/queue"
	PacketPath            = "/api/trade/packets/{id}"
	CheckpointPath        = "/checkpoint"
	TilePath              = "/tile/{level}/{index}"
	EntriesPath           = "/tile/entries/{index}"
	RecordsPath           = "/api/trade/records"
	RecordPath            = "/api/trade/records/{id}"
	RecordProofPath       = "/api/trade/records/{id}/proof"
	AppealGatePath        = "/api/trade/challenge-appeal/gate/{id}"
	AmendmentGatePath     = "/api/trade/agreement-amendments/gate/{id}"
	LivePath              = "/healthz"
	ReadyPath             = "/readyz"
	MetricsPath           = "/metrics"
)

// The media types of bodies.
const (
	JSON        = "application/json"
	ProblemJSON = "application/problem+json" // RFC 9457
	Text        = "text/plain; charset=utf-8"
	Octets      = "application/octet-stream"
)

// MaxBody is the maximum size of a request body in bytes: 1 MiB.
const MaxBody = 1 << 20

// The form of tokens: their prefix, and their maximum length in bytes.
const (
	TokenPrefix  = "docket_"
	LongestToken = 128
)

// The query parameters.
const (
	CursorParameter    = "cursor"      // of the queue route: the cursor of the page before
	AfterParameter     = "after"       // of the records route
	CaseParameter      = "caseId"      // of the records route: only records on this case
	AmendmentParameter = "amendmentId" // the same, on this amendment
)

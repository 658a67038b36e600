// Package api is what a service and a console say to one another: the paths, the bodies of requests and answers, the
// problems by which a service refuses, and the statement that it signs when it refuses a record for good. Both sides
// import it, so that neither can say what the other does not read.
//
// Payloads of the source's routes are "not shown" (seed 4.1 to 4.4): the shapes here are this project's choice.
//
// Where to look: path.go for the paths, problem.go for the one table of problems, body.go for the bodies.
package api

// The paths of the routes. Those of the source are in seed 4.1 to 4.4; the others are this project's choice.
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
	CheckpointsPath       = "/api/trade/checkpoints"
	OpenAPIPath           = "/openapi.json"
	LivePath              = "/healthz"
	ReadyPath             = "/readyz"
	MetricsPath           = "/metrics"
)

// The media types of bodies.
const (
	JSON        = "application/json"
	ProblemJSON = "application/problem+json" // RFC 9457
)

// MaxBody is the size in bytes of the largest body that a service takes: 1 MiB.
const MaxBody = 1 << 20

// The form of tokens: what begins each of them, and how many bytes the longest has. What is not of it is no token.
const (
	TokenPrefix  = "docket_"
	LongestToken = 128
)

// CursorParameter is the one parameter of the queue route: what the page before was answered with.
const CursorParameter = "cursor"

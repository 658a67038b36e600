package serve

import (
	"net/http"

	"docket/cmd/internal/api"
	"docket/contracts/report"
	"docket/domain/overlap"
	"docket/domain/terms"
)

// Routes is the one table of routes: the source's in its order, then those for consoles, then the operator's.
func Routes() []Route {
	const get, post, remove = http.MethodGet, http.MethodPost, http.MethodDelete
	return []Route{
		// One enforcement record is appended (source 4.1 and 4.2), or a case or an amendment is evaluated and nothing is
		// written (source 4.4).
		{Method: post, Path: api.AppealEnforcePath, Access: Bearer, reads: true, place: placeEnforcing, handle: enforce(terms.Appeals)},
		{Method: post, Path: api.AmendmentEnforcePath, Access: Bearer, reads: true, place: placeEnforcing, handle: enforce(terms.Amendments)},
		{Method: post, Path: api.AppealEvaluatePath, Access: Bearer, reads: true, place: placeReading, handle: evaluate(terms.Appeals)},
		{Method: post, Path: api.AmendmentEvaluatePath, Access: Bearer, reads: true, place: placeReading, handle: evaluate(terms.Amendments)},

		// Public documents (source 2.1, 2.2, 2.5.4 and 4.4).
		{Method: get, Path: api.AppealContractPath, Access: Anybody, handle: publishReport(report.Appeals)},
		{Method: get, Path: api.AmendmentContractPath, Access: Anybody, handle: publishReport(report.Amendments)},
		{Method: get, Path: api.OverlapContractPath, Access: Anybody, handle: publishReport(report.Overlap)},
		{Method: get, Path: api.IncidentProfilePath, Access: Anybody, handle: handleProfile},
		{Method: get, Path: api.AmendmentHealthPath, Access: Anybody, handle: handleHealth},

		// The planned routes of the private-overlap pilot (source 3.4 and 4.3), which are blocked for all callers.
		{Method: post, Path: api.OverlapCheckPath, Access: Anybody, handle: answerOverlap(overlap.CheckOverlap)},
		{Method: post, Path: api.OverlapRefreshPath, Access: Anybody, handle: answerOverlap(overlap.RefreshTokens)},
		{Method: remove, Path: api.OverlapTokensPath, Access: Anybody, handle: answerOverlap(overlap.DeleteTokens)},

		// What consoles pull, and the records of the log for those who may see their packets (source 4.1 (2), 4.2 (1) and 5 (2)).
		{Method: get, Path: api.QueuePath, Access: Bearer, place: placeReading, handle: handleQueue},
		{Method: get, Path: api.PacketPath, Access: Bearer, place: placeReading, handle: handlePacket},
		{Method: get, Path: api.RecordsPath, Access: Bearer, place: placeReading, handle: handleRecords},
		{Method: get, Path: api.RecordPath, Access: Bearer, place: placeReading, handle: handleRecord},
		{Method: get, Path: api.RecordProofPath, Access: Bearer, place: placeReading, handle: handleRecordProof},
		{Method: get, Path: api.AppealGatePath, Access: Bearer, place: placeReading, handle: handleGate(terms.Appeals)},
		{Method: get, Path: api.AmendmentGatePath, Access: Bearer, place: placeReading, handle: handleGate(terms.Amendments)},

		// The log as C2SP tlog-tiles has it. Sizes, hashes and the restores that led to the log are for everybody,
		// witnesses included; records are for those who may read all of them.
		{Method: get, Path: api.CheckpointPath, Access: Anybody, place: placeReading, handle: giveCheckpoint(Store.PublishedCheckpoint)},
		{Method: get, Path: api.CosignedPath, Access: Anybody, place: placeReading, handle: giveCheckpoint(Store.CosignedCheckpoint)},
		{Method: get, Path: api.StatementsPath, Access: Anybody, place: placeReading, handle: handleStatements},
		{Method: get, Path: api.TilePath, Access: Anybody, rest: true, place: placeReading, handle: handleTile},
		{Method: get, Path: api.EntriesPath, Access: Bearer, rest: true, place: placeReading, handle: handleEntries},

		{Method: get, Path: api.LivePath, Access: Anybody, unlimited: true, handle: handleLive},
		{Method: get, Path: api.ReadyPath, Access: Anybody, unlimited: true, handle: handleReady},
		{Method: get, Path: api.MetricsPath, Access: Operator, handle: handleMetrics},
	}
}

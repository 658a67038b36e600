package serve

import (
	"net/http"

	"docket/cmd/internal/api"
	"docket/contracts/report"
	"docket/domain/overlap"
	"docket/domain/terms"
)

// Routes is the one table of routes: the source's, those for consoles, and the operator's.
func Routes() []Route {
	const get, post, remove = http.MethodGet, http.MethodPost, http.MethodDelete
	send := func(path string, place place, handle handler) Route {
		return Route{Method: post, Path: path, Access: Bearer, reads: true, place: place,
			handle: handle}
	}
	ask := func(path string, handle handler) Route {
		return Route{Method: get, Path: path, Access: Bearer, place: placeReading, handle: handle}
	}
	public := func(method, path string, place place, handle handler) Route {
		return Route{Method: method, Path: path, Access: Anybody, place: place, handle: handle}
	}
	return []Route{
		// One enforcement record is appended (source 4.1 and 4.2), or a case or an amendment is
		// evaluated and nothing is written (source 4.4).
		send(api.AppealEnforcePath, placeEnforcing, enforce(terms.Appeals)),
		send(api.AmendmentEnforcePath, placeEnforcing, enforce(terms.Amendments)),
		send(api.AppealEvaluatePath, placeReading, evaluate(terms.Appeals)),
		send(api.AmendmentEvaluatePath, placeReading, evaluate(terms.Amendments)),

		// Public documents (source 2.1, 2.2, 2.5.4 and 4.4).
		public(get, api.AppealContractPath, placeNone, publishReport(report.Appeals)),
		public(get, api.AmendmentContractPath, placeNone, publishReport(report.Amendments)),
		public(get, api.OverlapContractPath, placeNone, publishReport(report.Overlap)),
		public(get, api.IncidentProfilePath, placeNone, handleProfile),
		public(get, api.AmendmentHealthPath, placeNone, handleHealth),

		// The planned routes of the private-overlap pilot (source 3.4 and 4.3), blocked for all.
		public(post, api.OverlapCheckPath, placeNone, answerOverlap(overlap.CheckOverlap)),
		public(post, api.OverlapRefreshPath, placeNone, answerOverlap(overlap.RefreshTokens)),
		public(remove, api.OverlapTokensPath, placeNone, answerOverlap(overlap.DeleteTokens)),

		// What consoles pull, and the records of the log for those who may see their packets
		// (source 4.1 (2), 4.2 (1) and 5 (2)).
		ask(api.QueuePath, handleQueue),
		ask(api.PacketPath, handlePacket),
		ask(api.RecordsPath, handleRecords),
		ask(api.RecordPath, handleRecord),
		ask(api.RecordProofPath, handleRecordProof),
		ask(api.AppealGatePath, handleGate(terms.Appeals)),
		ask(api.AmendmentGatePath, handleGate(terms.Amendments)),

		// The log as C2SP tlog-tiles has it. Sizes and hashes are for everybody, witnesses included;
		// entries are for those who may read all of a tile.
		public(get, api.CheckpointPath, placeReading, handleCheckpoint),
		public(get, api.TilePath, placeReading, handleTile),
		ask(api.EntriesPath, handleEntries),

		// For monitoring, which asks often.
		{Method: get, Path: api.LivePath, Access: Anybody, unlimited: true, handle: handleLive},
		{Method: get, Path: api.ReadyPath, Access: Anybody, unlimited: true, handle: handleReady},
		{Method: get, Path: api.MetricsPath, Access: Operator, handle: handleMetrics},
	}
}

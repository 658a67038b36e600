package serve

import (
	"encoding/json"
	"fmt"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
)

// handleRecords returns the next records that the caller may see, in the order of the log.
func handleRecords(s *Service, c *call) (answer, error) {
	query, err := readQuery(c, api.AfterParameter, api.CaseParameter, api.AmendmentParameter)
	if err != nil {
		return answer{}, err
	}
	about, err := readAbout(query)
	if err != nil {
		return answer{}, err
	}
	feed, err := s.store.Feed(c.request.Context(), permissionsOf(&c.caller), about,
		query[api.AfterParameter], pageSize)
	document := api.RecordFeed{Records: make([]api.Record, len(feed.Records)), After: feed.Cursor, More: feed.More}
	for i := range feed.Records {
		document.Records[i] = recordOf(&feed.Records[i])
	}
	return conditional(document, err)
}

// readAbout reads the case or amendment; an invalid id names nothing that the store holds.
func readAbout(query map[string]string) (about store.About, err error) {
	byCase, isCase := query[api.CaseParameter]
	byAmendment, isAmendment := query[api.AmendmentParameter]
	switch {
	case isCase && isAmendment:
		return about, malformed("", fmt.Sprintf("the query may have %s or %s, not both", api.CaseParameter, api.AmendmentParameter))
	case isCase:
		return aboutOf(terms.Appeals, byCase)
	case isAmendment:
		return aboutOf(terms.Amendments, byAmendment)
	}
	return about, nil
}

func aboutOf(area terms.Area, text string) (store.About, error) {
	id, ok := terms.ParseID(text)
	if !ok {
		return store.About{}, api.NotFound.New("")
	}
	return store.About{Area: area, ID: id}, nil
}

func recordOf(r *store.ServedRecord) api.Record {
	record := api.Record{Record: r.Record.Document(), Signature: string(r.Signature), PacketSalt: r.PacketSalt, Receipt: r.Receipt,
		ReceivedAt: receivedAt(&r.Receipt), InForce: r.SupersededBy == "" &&
			!r.Void(), SupersededBy: r.SupersededBy, Erasures: api.Statements(r.Erasures)}
	if r.Statement.Present() {
		record.Statement = &r.Statement
	}
	return record
}

func handleRecord(s *Service, c *call) (answer, error) {
	id, err := recordID(c)
	if err != nil {
		return answer{}, err
	}
	record, err := s.store.ReadRecord(c.request.Context(), permissionsOf(&c.caller), id)
	return conditional(recordOf(&record), err)
}

func recordID(c *call) (records.RecordID, error) {
	id := records.RecordID(c.request.PathValue("id"))
	if !id.Valid() {
		return "", api.NotFound.New("")
	}
	return id, nil
}

func handleRecordProof(s *Service, c *call) (answer, error) {
	id, err := recordID(c)
	if err != nil {
		return answer{}, err
	}
	proof, checkpoint, err := s.store.ProveRecord(c.request.Context(), permissionsOf(&c.caller), id)
	return conditional(api.RecordProof{RecordID: id, Sequence: proof.Sequence, LeafHash: proof.LeafHash, TreeSize: proof.TreeSize,
		Root: proof.Root, Proof: proof.Path, Checkpoint: string(checkpoint)}, err)
}

// handleGate returns what may be relied on, and the record in force (source 4.1 (2) and 4.2 (1)).
func handleGate(area terms.Area) handler {
	return func(s *Service, c *call) (answer, error) {
		about, err := aboutOf(area, c.request.PathValue("id"))
		if err != nil {
			return answer{}, err
		}
		permissions := permissionsOf(&c.caller)
		found, err := s.store.Reliance(c.request.Context(), &permissions, about)
		gate := api.Reliance{Table: terms.RecordTable(area), ID: about.ID, Revision: found.Revision,
			RelianceGate: found.Gate, RelianceReasons: found.Reasons}
		if record := found.Record; record != nil {
			gate.Recorded, gate.Gate = true, record.Gate
			gate.RecordID, gate.Outcome, gate.RecordedAt = record.RecordID, record.Outcome, record.RecordedAt
		}
		return conditional(gate, err)
	}
}

// readerCacheControl is for documents that only the caller may see: caches ask for them each time.
const readerCacheControl = "private, no-cache"

// conditional returns the answer with a document that its caller may request conditionally.
func conditional(document any, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	text, err := json.Marshal(document)
	given := documentOf(text).answer()
	given.cache = readerCacheControl
	return given, err
}

func receivedAt(receipt *records.Receipt) terms.Instant {
	at, _ := records.ParseLogTime(receipt.At)
	return at
}

package serve

import (
	stdjson "encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/hiddeco/sshsig"

	"docket/cmd/internal/api"
	"docket/domain/json"
	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
)

var enforceReader = api.NewReader[api.Enforce]()

// enforce appends one enforcement record of the area and does nothing else (source 4.1 and 4.2).
func enforce(area terms.Area) handler {
	names, record := map[string]bool{}, records.EnforcementShape(area)
	record.Names(names)
	enforceReader.Shape().Names(names)
	return func(s *Service, c *call) (answer, error) {
		handed, err := readSubmitted(area, c, names)
		if err != nil {
			return answer{}, err
		}
		if err := s.authorizeRecord(c, handed.Record.Members()); err != nil {
			return answer{}, err
		}
		handed.Token = c.caller.ID
		taken, err := s.store.HandIn(c.request.Context(), handed)
		err = s.logAnchorError(err)
		s.appended(err)
		if err != nil {
			return answer{}, s.refuse(c, handed.Record, s.hideUnseenPacket(c, handed.Record.Members(), err))
		}
		status := http.StatusCreated
		if taken.Again {
			status = http.StatusOK
		}
		return written(status, api.Enforced{Receipt: taken.Receipt, Checkpoint: string(taken.Checkpoint),
			Proof: taken.Proof, ReceivedAt: taken.ReceivedAt})
	}
}

// logAnchorError logs an error that only says that the checkpoint outside the store is not up to
// date, because the record is durable, and returns any other error.
func (s *Service) logAnchorError(err error) error {
	var anchor *store.AnchorError
	if !errors.As(err, &anchor) {
		return err
	}
	s.log.Error("the checkpoint outside the store is not up to date", "error", anchor)
	return nil
}

// hideUnseenPacket returns store.ErrNotFound for an error that would reveal more of a packet that
// the caller may not see than the record states.
func (s *Service) hideUnseenPacket(c *call, m *records.Members, err error) error {
	var differs *records.DiffersError
	row := refusalOf(err)
	refused := row != nil && row.kind == api.RecordRefused
	if !refused && !errors.As(err, &differs) && !errors.Is(err, store.ErrRulesUnknown) && !errors.Is(err, store.ErrPacketSalt) {
		return err
	}
	sees, failed := s.store.Sees(c.request.Context(), permissionsOf(&c.caller), terms.RecordTable(m.Area), m.Key.ID)
	switch {
	case failed != nil:
		return failed
	case !sees:
		return store.ErrNotFound
	}
	return err
}

// readSubmitted reads the record from its canonical form, which is signed and logged; a pointer to
// a fault has only names that are known.
func readSubmitted(area terms.Area, c *call, known map[string]bool) (store.Submission, error) {
	var doc json.Document
	if fault := doc.Parse(c.body, json.Limits{}); fault != nil {
		at := doc.Where(json.NamesOrIndices(func(name string) bool { return known[name] }))
		return store.Submission{}, malformed(at, fault.Reason)
	}
	parts, fault := enforceReader.Read(doc.Root())
	if fault != nil {
		return store.Submission{}, malformed(fault.Pointer, fault.Reason)
	}
	if _, err := sshsig.Unarmor([]byte(parts.Signature)); err != nil {
		return store.Submission{}, malformed("/signature", "is no armored SSH signature")
	}
	handed := store.Submission{Signature: []byte(parts.Signature), PacketSalt: parts.PacketSalt}
	if !handed.PacketSalt.Valid() {
		return store.Submission{}, malformed("/packetSalt", "must have 22 to 128 ASCII letters and digits")
	}
	if given := parts.Acknowledged; given != nil {
		handed.Acknowledged = &store.Acknowledgment{Receipt: given.Receipt, Proof: given.Proof, Checkpoint: []byte(given.Checkpoint)}
	}
	record, err := records.ReadEnforcement(&packets.Reader{}, area, parts.Record)
	if errors.As(err, &fault) {
		return store.Submission{}, malformed("/record"+fault.Pointer, fault.Reason)
	}
	if err != nil {
		return store.Submission{}, malformed("/record", "is no enforcement record of this route")
	}
	handed.Record = record
	if parts.Statement != nil {
		handed.Statement = *parts.Statement
	}
	// The record is not at fault, so this is not a rejection.
	if handed.Statement.Digest() != record.Members().StatementDigest {
		return store.Submission{}, malformed("/statement", "is not the one whose digest the record holds")
	}
	return handed, nil
}

// authorizeRecord checks the right to hand the record in, before its packet is revealed.
func (s *Service) authorizeRecord(c *call, m *records.Members) error {
	who := &c.caller
	if m.Reviewer.ID != who.Principal || m.Reviewer.Role != who.Role || !m.Reviewer.Known() {
		return api.NotTheReviewer.New("Hand it in with a token of the record's reviewer, in the record's role.")
	}
	state, err := s.store.KeyState(c.request.Context(), who.Principal, m.Reviewer.KeyFingerprint)
	switch {
	case err != nil:
		return problemOf(err)
	case state == keys.Unknown:
		return api.KeyNotRegistered.New(askToRegister)
	case m.Area == terms.Amendments && !(m.OwnerID.Present() && slices.Contains(who.Owners, m.OwnerID)):
		return api.NotTheOwner.New("Ask the operator of the service for a token of that owner.")
	}
	return nil
}

func written(status int, document any) (answer, error) {
	text, err := stdjson.Marshal(document)
	return answer{status: status, document: visible.JSON(text)}, err
}

// refuse returns the problem: a rejection with the present state and the record in force if it is
// final; if its statement cannot be signed, the client hands the record in again.
func (s *Service) refuse(c *call, record records.Enforcement, err error) error {
	row := refusalOf(err)
	if row == nil {
		return err
	}
	problem := row.problem(err)
	reason := row.kind.Rejects()
	if !reason.Present() {
		return problem
	}
	now, err := s.standing(c, record, row.kind)
	if err != nil {
		return problemOf(err)
	}
	problem.Rejection, err = s.store.SignRejection(c.request.Context(), records.Rejection{
		RecordID: record.Members().RecordID, Digest: terms.HashOf(record.Document()), Reason: reason, InForce: now.InForce,
		Carried: now.Carried, At: c.at,
	})
	if err != nil {
		return problemOf(err)
	}
	if row.now != nil {
		row.now(problem, now)
	}
	if problem.InForce.Present() {
		served, err := s.store.ReadRecord(c.request.Context(), permissionsOf(&c.caller), problem.InForce)
		switch {
		case err == nil:
			record := recordOf(&served)
			problem.Record = &record
		case !errors.Is(err, store.ErrNotFound): // else it is on what the caller may not see
			return problemOf(err)
		}
	}
	if problem.Latest <= record.Members().Key.Number {
		problem.Latest = 0
	}
	return problem
}

// standing returns the present state of the record's revision, zero for a caller that may not see
// the packet: a conflict of ids and a revoked key are found before that right is checked.
func (s *Service) standing(c *call, record records.Enforcement, kind api.ProblemKind) (store.RevisionState, error) {
	ctx, m := c.request.Context(), record.Members()
	if kind == api.RecordConflict || kind == api.KeyRevoked {
		_, err := s.store.Packet(ctx, permissionsOf(&c.caller), m.Key.ID)
		if errors.Is(err, store.ErrNotFound) {
			return store.RevisionState{}, nil
		}
		if err != nil {
			return store.RevisionState{}, err
		}
	}
	return s.store.RevisionState(ctx, m.Area, m.Key)
}

package serve

import (
	"errors"

	"docket/cmd/internal/api"
	"docket/domain"
	"docket/store"
)

// refuse tells why a record is not taken. A record that never will be is turned away for good: the problem says what holds
// now and carries the signed statement. Where that statement cannot be made, the record is not turned away, and handing it
// in again will find out.
func (s *Service) refuse(c *call, record domain.Enforcement, err error) error {
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
	problem.Rejection, err = s.store.SignRejection(c.request.Context(), domain.Rejection{
		RecordID: record.Members().RecordID, LeafHash: leafHash(record), Reason: reason, InForce: now.InForce,
		Carried: now.Carried, At: c.at,
	})
	if err != nil {
		return problemOf(err)
	}
	if row.now != nil {
		row.now(problem, now)
	}
	if problem.Latest <= record.Members().Key.Number {
		problem.Latest = 0
	}
	return problem
}

// standing is what holds now on the record's revision. A record under an id that is taken is turned away before anybody
// asked whether the caller may judge its packet, so then it is told only to those who may see the packet.
func (s *Service) standing(c *call, record domain.Enforcement, kind api.ProblemKind) (store.Standing, error) {
	ctx, m := c.request.Context(), record.Members()
	if kind == api.RecordConflict {
		_, err := s.store.Packet(ctx, rightsOf(&c.caller), m.Key.ID)
		if errors.Is(err, store.ErrNotFound) {
			return store.Standing{}, nil
		}
		if err != nil {
			return store.Standing{}, err
		}
	}
	return s.store.Standing(ctx, m.Area, m.Key)
}

// leafPrefix stands before a leaf of a log when it is hashed (RFC 6962, section 2.1).
const leafPrefix = 0

func leafHash(record domain.Enforcement) domain.Hash {
	return domain.HashOf(append([]byte{leafPrefix}, record.Document()...))
}

package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/statement"
	"docket/domain/terms"
	"docket/store/verify"
)

// standings holds what came of the records, and is read before them: later ones determine it.
type standings struct {
	on       map[verify.Ref]records.Statuses // with revision 0: only those with something to say
	rejected map[records.RecordID]records.Rejection
	ring     *keys.Ring // which keys count; nil if none was revoked
	erasures map[records.Erasure]records.LogStatement
	erased   verify.Erasures
}

// readStandings ignores unreadable parts, which the verifier finds.
func readStandings(ctx context.Context, log verify.Source) (*standings, error) {
	s := &standings{on: map[verify.Ref]records.Statuses{}, rejected: map[records.RecordID]records.Rejection{}}
	if err := s.readStatements(ctx, log); err != nil {
		return nil, err
	}
	err := log.Rejections(ctx, func(r verify.Rejection) error {
		if rejection, err := signed.Unverified(string(r.Signed)); err == nil && rejection.RecordID == r.RecordID {
			s.rejected[r.RecordID] = rejection
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the rejections: %w", err)
	}
	var reader packets.Reader
	err = log.ServiceRecords(ctx, func(r signed.ServiceRecord) error {
		if record, err := r.Unproven(&reader); err == nil {
			s.add(record.Members(), records.Entry{Elsewhere: true})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the records of the service's log: %w", err)
	}
	return s, log.Entries(ctx, 0, func(e verify.Entry) error {
		if e.Kind != records.RecordEntry || s.ring == nil && len(s.rejected) == 0 && bytes.Contains(e.Document, []byte(`"supersedes":null`)) {
			return nil
		}
		if record, err := records.ReadEnforcement(&reader, terms.AreaOf(e.Table), e.Document); err == nil {
			s.take(&e, record.Members())
		}
		return nil
	})
}

func (s *standings) readStatements(ctx context.Context, log verify.Source) error {
	head, err := log.Head(ctx)
	if err != nil {
		return fmt.Errorf("read the head of the log: %w", err)
	}
	ring := keys.New(records.OfService(head.Origin))
	_, statements := head.Lineage()
	s.erasures, s.erased = verify.ErasuresOf(statements, false), verify.ReadErasures(statements)
	for i := range statements {
		if statements[i].OK {
			ring.State(&statements[i].Statement)
		}
	}
	if len(ring.Revocations()) > 0 {
		s.ring = ring
	}
	return nil
}

// revoked reports whether a revoked key signed the next record, for which there may be a receipt.
func (s *standings) revoked(e *verify.Entry, m *records.Members) bool {
	if s.ring == nil {
		return false
	}
	received := int64(keys.NotReceived)
	if e.Acceptance != nil {
		if receipt, err := records.ReadReceipt([]byte(e.Acceptance.Receipt)); err == nil {
			received = receipt.Sequence
		}
	}
	holder := keys.Holder{Reviewer: m.Reviewer.ID, Fingerprint: m.Reviewer.KeyFingerprint}
	s.ring.First(holder, e.Sequence)
	return s.ring.At(holder, e.Sequence, received).State == keys.Revoked
}

func (s *standings) take(of *verify.Entry, m *records.Members) {
	e := records.Entry{Sequence: of.Sequence, Revoked: s.revoked(of, m)}
	if rejection, rejected := s.rejected[m.RecordID]; rejected {
		e.Rejection = &rejection
	}
	if m.Supersedes.Present() || e.Rejection != nil || e.Revoked {
		s.add(m, e)
	}
}

func (s *standings) add(m *records.Members, e records.Entry) {
	e.Addition, e.Supersedes = records.AdditionOf(m), m.Supersedes
	on := onID(m)
	statuses := s.on[on]
	statuses.Add(e)
	s.on[on] = statuses
}

func onID(m *records.Members) verify.Ref {
	return verify.Ref{Table: terms.RecordTable(m.Area), Key: packets.Key{ID: m.Key.ID}}
}

func (s *standings) of(sequence int64, m *records.Members) (standing statement.Standing) {
	status := s.on[onID(m)].Of(m.RecordID, m.Key.Number, sequence)
	standing.SupersededBy = status.SupersededBy
	if standing.Rejected = status.Rejection != nil; standing.Rejected {
		standing.Rejection = *status.Rejection
	}
	standing.Revoked = status.Revoked && !standing.Rejected
	return standing
}

func (s *standings) statementOf(origin string, c *verify.Checked) (in statement.Input, err error) {
	m := c.Record.Members()
	in = statement.Input{Record: c.Record, Reasons: c.Entry.Statement, Standing: s.of(c.Entry.Sequence, m)}
	in.Standing.TakeErasures(s.erasures, m)
	if len(c.Packets) > 0 {
		in.Packet = c.Packets[0]
	}
	in.Advised, _ = m.Advised(func() (policy, packet packets.Packet, err error) {
		if len(c.Packets) < len(c.Refs) || len(c.Refs) < 2 {
			return policy, packet, errNotRead
		}
		return c.Packets[1], c.Packets[0], nil
	})
	root, err := c.Tree.Root()
	if err != nil {
		return in, fmt.Errorf("take the root of record %d: %w", c.Entry.Sequence, err)
	}
	in.Place = statement.Place{Origin: origin, Receipt: records.Receipt{RecordID: m.RecordID,
		Sequence: c.Entry.Sequence, At: c.Entry.At, LeafHash: signed.FromTree(verify.LeafOf(&c.Entry)),
		TreeSize: c.Tree.Size(), Root: signed.FromTree(root)}}
	return in, nil
}

var errNotRead = errors.New("a packet of the record was not read")

package bundle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// A selection is the part of a log that an export holds: for an owner of agreements, the owner's
// amendments with their records and policies, and the statements on the log, on those reviewers'
// keys and on erasures of what is the owner's; since a checkpoint, every case and amendment decided
// since, with all records, revisions and policies, and every statement; for a reviewer, the packets
// assigned to them. Of each other entry it has the leaf hash, of another statement the digest.
type selection struct {
	Source
	of       *Options       // Owner; if absent, Assigned; if absent, Since
	entries  map[int64]bool // by sequence
	records  map[records.RecordID]bool
	packets  map[verify.Ref]bool // number 0: all with the id
	reviewer map[terms.ID]bool
}

func newSelection(ctx context.Context, log Source, o *Options) (*selection, error) {
	s := &selection{log, o, map[int64]bool{}, map[records.RecordID]bool{}, map[verify.Ref]bool{}, map[terms.ID]bool{}}
	if s.of.Owner.Present() {
		return s, errors.Join(s.eachRecord(ctx, 0, func(m *records.Members) bool { return m.OwnerID == s.of.Owner }), s.addAmendments(ctx))
	}
	if s.of.Assigned.Present() {
		return s, s.addAssigned(ctx)
	}
	decided := map[verify.Ref]bool{}
	err := s.eachRecord(ctx, verify.SizeOf(s.of.Since), func(m *records.Members) bool {
		decided[allOf(terms.RecordTable(m.Area), m.Key.ID)] = true
		return true
	})
	if err == nil {
		err = s.eachRecord(ctx, 0, func(m *records.Members) bool { return decided[allOf(terms.RecordTable(m.Area), m.Key.ID)] })
	}
	maps.Copy(s.packets, decided)
	return s, err
}

func allOf(table terms.Table, id terms.ID) verify.Ref {
	return verify.Ref{Table: table, Key: packets.Key{ID: terms.ID(strings.Clone(string(id)))}}
}

// eachRecord adds the records from a sequence on that are chosen.
func (s *selection) eachRecord(ctx context.Context, from int64, chosen func(*records.Members) bool) error {
	var reader packets.Reader
	err := s.Source.Entries(ctx, from, func(e verify.Entry) error {
		if e.Kind != records.RecordEntry {
			return nil
		}
		record, err := records.ReadEnforcement(&reader, terms.AreaOf(e.Table), e.Document)
		if err != nil || !chosen(record.Members()) {
			return nil
		}
		m := record.Members()
		s.entries[e.Sequence] = true
		s.records[records.RecordID(strings.Clone(string(m.RecordID)))], s.reviewer[terms.ID(strings.Clone(string(m.Reviewer.ID)))] = true, true
		if _, policy, has := verify.RefsOf(m); has {
			s.packets[allOf(policy.Table, policy.Key.ID)] = true
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("choose the records: %w", err)
	}
	return nil
}

// addAmendments adds the owner's amendments, decided or not, with their policies.
func (s *selection) addAmendments(ctx context.Context) error {
	var reader packets.Reader
	return eachPacket(ctx, s.Source, func(ref verify.Ref, document []byte) error {
		if ref.Table != terms.AmendmentRecords {
			return nil
		}
		packet, err := reader.ReadStored(document)
		if a := packet.Amendment(); err == nil && a.Record().OwnerID == s.of.Owner {
			s.packets[ref] = true
			s.packets[allOf(terms.AmendmentPolicies, a.Record().PolicyID)] = true
		}
		return nil
	})
}

// addAssigned adds what is assigned to the reviewer in its latest revision, with the policies.
func (s *selection) addAssigned(ctx context.Context) error {
	var reader packets.Reader
	latest := map[verify.Ref]int64{}
	err := s.Source.Refs(ctx, func(ref verify.Ref) error {
		latest[allOf(ref.Table, ref.Key.ID)] = max(latest[allOf(ref.Table, ref.Key.ID)], ref.Key.Number)
		return nil
	})
	if err != nil {
		return fmt.Errorf("choose the packets: %w", err)
	}
	policies := map[verify.Ref]terms.ID{} // by case and revision
	err = eachPacket(ctx, s.Source, func(ref verify.Ref, document []byte) error {
		packet, err := reader.ReadStored(document)
		if err != nil || ref.Table != terms.RecordTable(terms.AreaOf(ref.Table)) {
			return nil
		}
		policies[ref] = terms.ID(strings.Clone(string(packet.PolicyKey().ID)))
		if ref.Key.Number == latest[allOf(ref.Table, ref.Key.ID)] && packet.AssignedTo() == s.of.Assigned {
			s.packets[allOf(ref.Table, ref.Key.ID)] = true
		}
		return nil
	})
	for ref, policy := range policies {
		if s.holds(ref) {
			s.packets[allOf(terms.PolicyTable(terms.AreaOf(ref.Table)), policy)] = true
		}
	}
	return err
}

func (s *selection) holds(ref verify.Ref) bool {
	return s.packets[ref] || s.packets[verify.Ref{Table: ref.Table, Key: packets.Key{ID: ref.Key.ID}}]
}

// Head implements verify.Source.
func (s *selection) Head(ctx context.Context) (verify.Head, error) {
	head, err := s.Source.Head(ctx)
	head.Assigned = s.of.Assigned
	head.Partial, head.Since, head.Anchor, head.Reviewer, head.KeepsNotes = true, s.of.Since, nil, records.Reviewer{}, false
	for i := range head.Signers {
		head.Signers[i].Since = terms.Instant{}
	}
	statements := make([]signed.Statement, len(head.Statements))
	for i, kept := range head.Statements {
		if statements[i] = kept; s.of.Since == nil && !s.about(kept.Text) {
			statements[i] = signed.Statement{LeftOut: terms.HashOf([]byte(kept.Text))}
		}
	}
	head.Statements = statements
	if s.of.Assigned.Present() && !s.of.Stated {
		head.ServiceKey, head.EarlierServiceKeys = "", nil // it has no answer of a service
	}
	return head, err
}

// about reports whether the owner, or the reviewer, may see a statement.
func (s *selection) about(text string) bool {
	stated, err := records.ReadLogStatement(text)
	if err != nil || s.of.Assigned.Present() && !s.of.Stated {
		return false
	}
	if e, is := stated.Erasure(); is {
		return s.records[e.Record] || s.holds(verify.Ref{Table: e.Table, Key: e.Key})
	}
	return !stated.AboutKey() || s.reviewer[stated.By] || s.of.Assigned.Present() && stated.By == s.of.Assigned
}

// Entries implements verify.Source.
func (s *selection) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	return s.Source.Entries(ctx, from, func(e verify.Entry) error {
		ref := verify.Ref{Table: e.Table, Key: e.Key}
		came := s.of.Since != nil && e.Sequence >= verify.SizeOf(s.of.Since)
		if !s.entries[e.Sequence] && !(e.Kind == records.PacketEntry && (came || s.holds(ref))) {
			leaf := verify.LeafOf(&e)
			e = verify.Entry{Sequence: e.Sequence, LeafHash: leaf[:], LeftOut: true}
		}
		return yield(e)
	})
}

// Refs implements Source.
func (s *selection) Refs(ctx context.Context, yield func(verify.Ref) error) error {
	return s.Source.Refs(ctx, func(ref verify.Ref) error {
		if !s.holds(ref) {
			return nil
		}
		return yield(ref)
	})
}

// Rejections implements verify.Source.
func (s *selection) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	return s.Source.Rejections(ctx, func(r verify.Rejection) error {
		if !s.records[r.RecordID] {
			return nil
		}
		return yield(r)
	})
}

// ServiceRecords implements verify.Source.
func (s *selection) ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error {
	var reader packets.Reader
	return s.Source.ServiceRecords(ctx, func(r signed.ServiceRecord) error {
		record, err := r.Unproven(&reader)
		if err != nil {
			return nil
		}
		m := record.Members()
		if s.of.Owner.Present() && m.OwnerID == s.of.Owner || s.of.Since != nil && s.packets[allOf(terms.RecordTable(m.Area), m.Key.ID)] {
			return yield(r)
		}
		return nil
	})
}

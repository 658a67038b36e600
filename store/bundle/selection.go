package bundle

import (
	"context"
	"fmt"
	"maps"
	"slices"
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
// assigned to them. Of each other entry it has the leaf hash.
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
	var err error
	switch {
	case o.Owner.Present():
		err = s.each(ctx, 0, func(sequence int64, m *records.Members) {
			if m.OwnerID == o.Owner {
				s.add(sequence, m)
			}
		}, s.addOwned)
	case o.Assigned.Present():
		err = s.addAssigned(ctx)
	default:
		decided := map[verify.Ref]bool{}
		none := func(verify.Ref, packets.Packet) {}
		err = s.each(ctx, verify.SizeOf(o.Since), func(_ int64, m *records.Members) {
			decided[allOf(terms.RecordTable(m.Area), m.Key.ID)] = true
		}, none)
		if err == nil {
			err = s.each(ctx, 0, func(sequence int64, m *records.Members) {
				if decided[onID(m)] {
					s.add(sequence, m)
				}
			}, none)
		}
		maps.Copy(s.packets, decided)
	}
	if err != nil {
		return nil, fmt.Errorf("choose the entries: %w", err)
	}
	return s, nil
}

func allOf(table terms.Table, id terms.ID) verify.Ref {
	return verify.Ref{Table: table, Key: packets.Key{ID: terms.ID(strings.Clone(string(id)))}}
}

// each yields the records and the packets from a sequence on, as far as they can be read.
func (s *selection) each(ctx context.Context, from int64, record func(int64, *records.Members),
	packet func(verify.Ref, packets.Packet)) error {
	var reader packets.Reader
	return s.Source.Entries(ctx, from, func(e verify.Entry) error {
		switch e.Kind {
		case records.RecordEntry:
			if read, err := records.ReadEnforcement(&reader, terms.AreaOf(e.Table), e.Document); err == nil {
				record(e.Sequence, read.Members())
			}
		case records.PacketEntry:
			if read, err := reader.ReadStored(packets.Joined(e.Document, e.Texts)); err == nil {
				packet(verify.Ref{Table: e.Table, Key: e.Key}, read)
			}
		}
		return nil
	})
}

// add adds a record with the policy that it names.
func (s *selection) add(sequence int64, m *records.Members) {
	s.entries[sequence] = true
	s.records[records.RecordID(strings.Clone(string(m.RecordID)))], s.reviewer[terms.ID(strings.Clone(string(m.Reviewer.ID)))] = true, true
	if _, policy, has := verify.RefsOf(m); has {
		s.packets[allOf(policy.Table, policy.Key.ID)] = true
	}
}

// addOwned adds an amendment of the owner, decided or not, with its policy.
func (s *selection) addOwned(ref verify.Ref, packet packets.Packet) {
	if a := packet.Amendment().Record(); a.OwnerID == s.of.Owner {
		s.packets[verify.Ref{Table: ref.Table, Key: packets.Key{
			ID: terms.ID(strings.Clone(string(ref.Key.ID))), Number: ref.Key.Number}}] = true
		s.packets[allOf(terms.AmendmentPolicies, a.PolicyID)] = true
	}
}

// addAssigned adds what is assigned to the reviewer in its latest revision, with the policies.
func (s *selection) addAssigned(ctx context.Context) error {
	type packet struct {
		number   int64 // the highest
		mine     bool  // in that revision
		policies []verify.Ref
	}
	all := map[verify.Ref]packet{}
	err := s.each(ctx, 0, func(int64, *records.Members) {}, func(ref verify.Ref, read packets.Packet) {
		if ref.Table != terms.RecordTable(terms.AreaOf(ref.Table)) {
			return
		}
		on := allOf(ref.Table, ref.Key.ID)
		of := all[on]
		of.policies = append(of.policies, allOf(terms.PolicyTable(terms.AreaOf(ref.Table)), read.PolicyKey().ID))
		if ref.Key.Number >= of.number {
			of.number, of.mine = ref.Key.Number, read.AssignedTo() == s.of.Assigned
		}
		all[on] = of
	})
	for on, of := range all {
		if of.mine {
			s.packets[on] = true
			for _, policy := range of.policies {
				s.packets[policy] = true
			}
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
	head.Statements = slices.DeleteFunc(slices.Clone(head.Statements), func(kept signed.Statement) bool { return !s.about(kept.Text) })
	if s.of.Assigned.Present() && !s.of.Stated {
		head.ServiceKey, head.EarlierServiceKeys = "", nil // it has no answer of a service
	}
	return head, err
}

// about reports whether the owner, or the reviewer, may see a statement.
func (s *selection) about(text string) bool {
	if s.of.Since != nil {
		return true
	}
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
		since := s.of.Since != nil && e.Sequence >= verify.SizeOf(s.of.Since)
		held := s.entries[e.Sequence] ||
			e.Kind == records.PacketEntry && s.holds(verify.Ref{Table: e.Table, Key: e.Key}) ||
			e.Kind == records.StatementEntry && s.about(string(e.Document))
		if !since && !held {
			leaf := verify.LeafOf(&e)
			e = verify.Entry{Sequence: e.Sequence, LeafHash: leaf[:], LeftOut: true}
		}
		return yield(e)
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
		if s.of.Owner.Present() && m.OwnerID == s.of.Owner || s.of.Since != nil && s.packets[onID(m)] {
			return yield(r)
		}
		return nil
	})
}

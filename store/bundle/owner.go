package bundle

import (
	"bytes"
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// owned is the part of a log that the owner of agreements may see: the owner's amendments and the records on them, the
// policies that these name, and the statements on the log itself, on the keys of the reviewers of these records, and on
// erasures of what is theirs. Of every other entry the leaf hash is left, of another statement the digest.
type owned struct {
	Source
	owner    terms.ID
	records  map[records.RecordID]bool
	packets  map[verify.Ref]bool
	reviewer map[terms.ID]bool
}

func newOwned(ctx context.Context, log Source, owner terms.ID) (*owned, error) {
	o := &owned{Source: log, owner: owner, records: map[records.RecordID]bool{}, packets: map[verify.Ref]bool{}, reviewer: map[terms.ID]bool{}}
	var reader packets.Reader
	err := log.Entries(ctx, 0, func(e verify.Entry) error {
		if m := o.theirs(&reader, e.Document); m != nil {
			o.records[m.RecordID], o.reviewer[m.Reviewer.ID] = true, true
			if _, policy, has := verify.RefsOf(m); has {
				o.packets[policy] = true
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the records of the owner: %w", err)
	}
	err = eachPacket(ctx, log, func(ref verify.Ref, document []byte) error {
		if ref.Table != terms.AmendmentRecords {
			return nil
		}
		packet, err := reader.ReadStored(document)
		if a := packet.Amendment(); err == nil && a.Record().OwnerID == owner {
			o.packets[ref] = true
			policy := packets.Key{ID: a.Record().PolicyID, Number: a.Record().PolicyVersion}
			o.packets[verify.Ref{Table: terms.AmendmentPolicies, Key: policy}] = true
		}
		return nil
	})
	return o, err
}

// theirs returns the members of a record on an amendment of the owner; nil for any other.
func (o *owned) theirs(reader *packets.Reader, document []byte) *records.Members {
	if !bytes.Contains(document, []byte(`"ownerId":"`+string(o.owner)+`"`)) {
		return nil
	}
	record, err := records.ReadEnforcement(reader, terms.Amendments, document)
	if err != nil || record.Members().OwnerID != o.owner {
		return nil
	}
	return record.Members()
}

// Head implements verify.Source.
func (o *owned) Head(ctx context.Context) (verify.Head, error) {
	head, err := o.Source.Head(ctx)
	head.Partial, head.Anchor, head.Reviewer, head.KeepsNotes = true, nil, records.Reviewer{}, false
	for i := range head.Signers {
		head.Signers[i].Since = terms.Instant{}
	}
	statements := make([]signed.Statement, len(head.Statements))
	for i, s := range head.Statements {
		if statements[i] = s; !o.about(s.Text) {
			statements[i] = signed.Statement{LeftOut: terms.HashOf([]byte(s.Text))}
		}
	}
	head.Statements = statements
	return head, err
}

// about reports whether the owner may see a statement.
func (o *owned) about(text string) bool {
	s, err := records.ReadLogStatement(text)
	if err != nil {
		return false
	}
	if e, is := s.Erasure(); is {
		return o.records[e.Record] || o.packets[verify.Ref{Table: e.Table, Key: e.Key}]
	}
	return !s.AboutKey() || o.reviewer[s.By]
}

// Entries implements verify.Source.
func (o *owned) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	var reader packets.Reader
	return o.Source.Entries(ctx, from, func(e verify.Entry) error {
		if o.theirs(&reader, e.Document) == nil {
			leaf := tlog.RecordHash(e.Document)
			e = verify.Entry{Sequence: e.Sequence, LeafHash: leaf[:], LeftOut: true}
		}
		return yield(e)
	})
}

// Refs implements Source.
func (o *owned) Refs(ctx context.Context, yield func(verify.Ref) error) error {
	return o.Source.Refs(ctx, func(ref verify.Ref) error {
		if !o.packets[ref] {
			return nil
		}
		return yield(ref)
	})
}

// Rejections implements verify.Source.
func (o *owned) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	return o.Source.Rejections(ctx, func(r verify.Rejection) error {
		if !o.records[r.RecordID] {
			return nil
		}
		return yield(r)
	})
}

// ServiceRecords implements verify.Source.
func (o *owned) ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error {
	var reader packets.Reader
	return o.Source.ServiceRecords(ctx, func(r signed.ServiceRecord) error {
		record, err := r.Unproven(&reader)
		if err != nil || record.Members().OwnerID != o.owner {
			return nil
		}
		return yield(r)
	})
}

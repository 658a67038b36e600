package domain

import (
	"errors"
	"fmt"

	"docket/domain/canonical"
)

// ErrStoredPacket says that a document is not a packet as Redact wrote it: it was damaged or edited.
var ErrStoredPacket = errors.New("the stored packet cannot be read")

// storedParts are the members of a stored packet.
type storedParts struct {
	digests    Digests
	record     canonical.Value
	redactions []Redaction
	table      Table
}

var storedShape = newShape(
	required(objectMember(digestsMember, newShape(
		required(hashMember("content", func(d *Digests) *Hash { return &d.Content })),
		required(hashMember("record", func(d *Digests) *Hash { return &d.Record })),
		hashMember("scope", func(d *Digests) *Hash { return &d.Scope }),
	), func(p *storedParts) *Digests { return &p.digests })),
	required(valueMember(recordMember, func(p *storedParts) *canonical.Value { return &p.record })),
	required(listMember(redactionsMember, newShape(
		required(wordMember("category", func(r *Redaction) *PrivateCategory { return &r.Category })),
		required(countMember("count", func(r *Redaction) *int64 { return &r.Count })),
	), func(p *storedParts) *[]Redaction { return &p.redactions })),
	required(wordMember(tableMember, func(p *storedParts) *Table { return &p.table })),
)

// countMember reads an integer of 0 or more.
func countMember[R any](name string, at func(*R) *int64) member[R] {
	return newMember(name, Form{Kind: FormCount}, func(r *R, v canonical.Value, _ *reading) *Fault {
		number, ok := v.Integer()
		*at(r) = number
		return faultUnless(ok && number >= 0, v, reasonWantCount)
	})
}

// ReadStored reads a document that Redact built. The digests are recomputed and compared, but for a record with a
// masked text, of which only the stored ones exist; such a record is blocked in any case. The error wraps
// ErrStoredPacket and holds no value.
func (r *Reader) ReadStored(document []byte) (Packet, error) {
	p, fault := r.readStored(document)
	if fault != nil {
		return Packet{}, fmt.Errorf("%w: %s", ErrStoredPacket, fault.Error())
	}
	return p, nil
}

func (r *Reader) readStored(document []byte) (Packet, *Fault) {
	if fault := r.doc.Parse(document, canonical.Limits{Depth: maxDepth}); fault != nil {
		return Packet{}, fromCanonical(fault, isKnownName)
	}
	var parts storedParts
	if fault := storedShape.read(&parts, r.doc.Root(), &reading{stored: true}); fault != nil {
		return Packet{}, fault
	}
	p := Packet{table: parts.table, redactions: parts.redactions, digests: parts.digests,
		document: append([]byte(nil), document...)}
	var fault *Fault
	switch parts.table {
	case AppealPolicies:
		fault = rereadInto(&p, &appealPolicyTable, parts.record, &r.buf)
	case AppealCases:
		fault = rereadInto(&p, &appealCaseTable, parts.record, &r.buf)
	case AmendmentPolicies:
		fault = rereadInto(&p, &amendmentPolicyTable, parts.record, &r.buf)
	case AmendmentRecords:
		fault = rereadInto(&p, &amendmentTable, parts.record, &r.buf)
	default:
		fault = &Fault{Pointer: "/" + tableMember, Reason: reasonPacketTable}
	}
	if fault != nil {
		return Packet{}, fault
	}
	return p, nil
}

func rereadInto[R Record](p *Packet, k *kindOf[R], record canonical.Value, buf *[]byte) *Fault {
	content, fault := k.read(record, true, buf)
	if fault != nil {
		return fault.under(recordMember)
	}
	if content.masked {
		content.digests = p.digests
	} else {
		*buf = record.AppendCanonical((*buf)[:0], "")
		content.digests.Record = HashOf(*buf)
		if content.digests != p.digests {
			return faultAt(record, "does not match its digests").under(recordMember)
		}
	}
	p.content, p.key = content, k.key(&content.record)
	return nil
}

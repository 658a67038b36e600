package domain

import (
	"errors"
	"fmt"

	"docket/domain/canonical"
	"docket/domain/shape"
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

var storedShape = shape.New(
	shape.Required(shape.ObjectMember(digestsMember, shape.New(
		shape.Required(hashMember("content", func(d *Digests) *Hash { return &d.Content })),
		shape.Required(hashMember("record", func(d *Digests) *Hash { return &d.Record })),
		hashMember("scope", func(d *Digests) *Hash { return &d.Scope }),
	), func(p *storedParts) *Digests { return &p.digests })),
	shape.Required(shape.ValueMember[reading](recordMember, func(p *storedParts) *canonical.Value { return &p.record })),
	shape.Required(shape.ListMember(redactionsMember, shape.New(
		shape.Required(wordMember("category", func(r *Redaction) *PrivateCategory { return &r.Category })),
		shape.Required(shape.CountMember[reading]("count", func(r *Redaction) *int64 { return &r.Count })),
	), func(p *storedParts) *[]Redaction { return &p.redactions })),
	shape.Required(wordMember(tableMember, func(p *storedParts) *Table { return &p.table })),
)

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
	root, fault := r.Parse(document)
	if fault != nil {
		return Packet{}, fault
	}
	var parts storedParts
	if fault := storedShape.Read(&parts, root, &reading{stored: true}); fault != nil {
		return Packet{}, fault
	}
	p := Packet{table: parts.table, redactions: parts.redactions, digests: parts.digests,
		document: append([]byte(nil), document...)}
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
		return fault.Under(recordMember)
	}
	if content.masked {
		content.digests = p.digests
	} else {
		*buf = record.AppendCanonical((*buf)[:0], "")
		content.digests.Record = HashOf(*buf)
		if content.digests != p.digests {
			return shape.FaultAt(record, "does not match its digests").Under(recordMember)
		}
	}
	p.content, p.key = content, k.key(&content.record)
	return nil
}

// Package packets reads packets, redacts them and reads them back as they are stored.
//
//	bytes      --Reader.Read-->       Unredacted   strict reading, shape, digests of the bytes as they came
//	Unredacted --Redact-->            Packet       private members dropped, private texts masked
//	bytes      --Reader.ReadStored--> Packet       digests compared
//
// A packet is a policy, a case or an amendment: appeal.go and amendment.go have the four records and their shapes. An
// [Unredacted] packet can only be redacted. A [Packet] has no other makers than Redact and ReadStored, and a [Redacted] record
// none but reading; their zero values count as no packet and no record. No error of this package holds a value that was read.
//
// Start at [Reader].
package packets

import (
	"errors"
	"fmt"

	"docket/domain/canonical"
	"docket/domain/shape"
	"docket/domain/terms"
)

// The members of a packet (privateMember), of a stored packet, and of an input as it is read.
const (
	TableMember      = "table"
	RecordMember     = "record"
	privateMember    = "private"
	digestsMember    = "digests"
	redactionsMember = "redactions"

	AtMember                  = "at"
	PolicyMember              = "policy"
	LatestPolicyVersionMember = "latestPolicyVersion"
	LatestRevisionMember      = "latestRevision"
)

// A Reader reads packets. It reuses its memory, so it serves one goroutine, and what Read returned is good until the
// next Read. The zero value is ready to use.
type Reader struct {
	doc canonical.Document
	buf []byte
}

// An Unredacted packet has been read and found well-formed, but still holds what is private. All that can be done with
// it is to redact it.
type Unredacted struct {
	table   terms.Table
	content any // *Redacted[R]; the members are scanned already, the text in record is not
	key     Key
	masked  bool
	digests Digests
	record  canonical.Value
	private canonical.Value
}

// packetParts are the members of a packet, unread but for the table.
type packetParts struct {
	table           terms.Table
	record, private canonical.Value
}

var packetShape = shape.New(
	shape.Required(TermMember(TableMember, func(p *packetParts) *terms.Table { return &p.table })),
	shape.Required(shape.ValueMember[Reading](RecordMember, func(p *packetParts) *canonical.Value { return &p.record })),
	shape.ValueMember[Reading](privateMember, func(p *packetParts) *canonical.Value { return &p.private }),
)

// Read reads one packet, strictly: {"table": …, "record": {…}, "private": {…}}. The text must stay unchanged until the
// packet is redacted.
func (r *Reader) Read(text []byte) (Unredacted, *shape.Fault) {
	root, fault := r.Parse(text)
	if fault != nil {
		return Unredacted{}, fault
	}
	var parts packetParts
	if fault := packetShape.Read(&parts, root, &Reading{}); fault != nil {
		return Unredacted{}, fault
	}
	u := Unredacted{table: parts.table, record: parts.record, private: parts.private}
	switch parts.table {
	case terms.AppealPolicies:
		fault = readInto(&u, &appealPolicyTable, &r.buf)
	case terms.AppealCases:
		fault = readInto(&u, &appealCaseTable, &r.buf)
	case terms.AmendmentPolicies:
		fault = readInto(&u, &amendmentPolicyTable, &r.buf)
	case terms.AmendmentRecords:
		fault = readInto(&u, &amendmentTable, &r.buf)
	default:
		return Unredacted{}, &shape.Fault{Pointer: "/" + TableMember, Reason: reasonPacketTable}
	}
	if fault != nil {
		return Unredacted{}, fault.Under(RecordMember)
	}
	return u, nil
}

// Parse reads JSON strictly, as packets are, and returns its outermost value, which is good until the Reader is used again.
func (r *Reader) Parse(text []byte) (canonical.Value, *shape.Fault) {
	if fault := r.doc.Parse(text, canonical.Limits{Depth: maxDepth}); fault != nil {
		return canonical.Value{}, fromCanonical(fault, isKnownName)
	}
	return r.doc.Root(), nil
}

// maxDepth is how many containers may lie within one another, the packet itself included.
const maxDepth = 64

func readInto[R Record](u *Unredacted, k *kindOf[R], buf *[]byte) *shape.Fault {
	content, fault := k.read(u.record, false, buf)
	if fault != nil {
		return fault
	}
	*buf = u.record.AppendCanonical((*buf)[:0], "")
	content.digests.Record = terms.HashOf(*buf)
	u.content, u.key, u.masked, u.digests = content, k.key(&content.record), content.masked, content.digests
	return nil
}

// Table tells which table the packet is for.
func (u *Unredacted) Table() terms.Table { return u.table }

// A Packet is a redacted packet: it may be stored, judged and shown. Only Redact and ReadStored make one, and the zero
// value is refused where a packet is taken.
type Packet struct {
	table      terms.Table
	key        Key
	content    any // *Redacted[R]
	digests    Digests
	redactions []Redaction
	document   []byte
}

// Table tells which table the packet is for; the zero Table for the zero Packet.
func (p Packet) Table() terms.Table { return p.table }

// Key is the record's id and its version or revision.
func (p Packet) Key() Key { return p.key }

// Digests are those of the record as it came in.
func (p Packet) Digests() Digests { return p.digests }

// Redactions say what was dropped: category and count, in the vocabulary's order; never nil.
func (p Packet) Redactions() []Redaction { return append([]Redaction{}, p.redactions...) }

// Document is the packet as it is stored, in canonical form:
//
//	{"digests": {"content", "record", "scope"}, "record": {…}, "redactions": [{"category", "count"}], "table": "…"}
//
// A text in which private details were found stands as {"masked": ["<kind>", …]}. The bytes must not be changed.
func (p Packet) Document() []byte { return p.document }

// AppealPolicy returns the packet's record if it is one, else nil. So do the three methods below.
func (p Packet) AppealPolicy() *Redacted[AppealPolicy] { return contentAs[AppealPolicy](p) }

// AppealCase returns the packet's record if it is an appeal case, else nil.
func (p Packet) AppealCase() *Redacted[AppealCase] { return contentAs[AppealCase](p) }

// AmendmentPolicy returns the packet's record if it is an amendment policy, else nil.
func (p Packet) AmendmentPolicy() *Redacted[AmendmentPolicy] { return contentAs[AmendmentPolicy](p) }

// Amendment returns the packet's record if it is an amendment, else nil.
func (p Packet) Amendment() *Redacted[Amendment] { return contentAs[Amendment](p) }

func contentAs[R Record](p Packet) *Redacted[R] {
	content, _ := p.content.(*Redacted[R])
	return content
}

// knownNames are all member names that may appear in a pointer: those of packets, of every shape, and of inputs.
var knownNames = func() map[string]bool {
	names := map[string]bool{
		TableMember: true, RecordMember: true, privateMember: true, PolicyMember: true, AtMember: true,
		LatestPolicyVersionMember: true, LatestRevisionMember: true,
	}
	for _, t := range terms.PacketTables.Terms() {
		info, _ := Info(t)
		info.Shape.Names(names)
	}
	return names
}()

func isKnownName(name string) bool { return knownNames[name] }

// ErrStoredPacket says that a document is not a packet as Redact wrote it: it was damaged or edited.
var ErrStoredPacket = errors.New("the stored packet cannot be read")

// storedParts are the members of a stored packet.
type storedParts struct {
	digests    Digests
	record     canonical.Value
	redactions []Redaction
	table      terms.Table
}

var storedShape = shape.New(
	shape.Required(shape.ObjectMember(digestsMember, shape.New(
		shape.Required(HashMember("content", func(d *Digests) *terms.Hash { return &d.Content })),
		shape.Required(HashMember("record", func(d *Digests) *terms.Hash { return &d.Record })),
		HashMember("scope", func(d *Digests) *terms.Hash { return &d.Scope }),
	), func(p *storedParts) *Digests { return &p.digests })),
	shape.Required(shape.ValueMember[Reading](RecordMember, func(p *storedParts) *canonical.Value { return &p.record })),
	shape.Required(shape.ListMember(redactionsMember, shape.New(
		shape.Required(TermMember("category", func(r *Redaction) *terms.PrivateCategory { return &r.Category })),
		shape.Required(shape.CountMember[Reading]("count", func(r *Redaction) *int64 { return &r.Count })),
	), func(p *storedParts) *[]Redaction { return &p.redactions })),
	shape.Required(TermMember(TableMember, func(p *storedParts) *terms.Table { return &p.table })),
)

// ReadStored reads a document that Redact built. The digests are recomputed and compared, but for a record with a
// masked text, which exists in stored records only; such a record is always blocked. The error wraps
// ErrStoredPacket and holds no value.
func (r *Reader) ReadStored(document []byte) (Packet, error) {
	p, fault := r.readStored(document)
	if fault != nil {
		return Packet{}, fmt.Errorf("%w: %s", ErrStoredPacket, fault.Error())
	}
	return p, nil
}

func (r *Reader) readStored(document []byte) (Packet, *shape.Fault) {
	root, fault := r.Parse(document)
	if fault != nil {
		return Packet{}, fault
	}
	var parts storedParts
	if fault := storedShape.Read(&parts, root, &Reading{stored: true}); fault != nil {
		return Packet{}, fault
	}
	p := Packet{table: parts.table, redactions: parts.redactions, digests: parts.digests,
		document: append([]byte(nil), document...)}
	switch parts.table {
	case terms.AppealPolicies:
		fault = rereadInto(&p, &appealPolicyTable, parts.record, &r.buf)
	case terms.AppealCases:
		fault = rereadInto(&p, &appealCaseTable, parts.record, &r.buf)
	case terms.AmendmentPolicies:
		fault = rereadInto(&p, &amendmentPolicyTable, parts.record, &r.buf)
	case terms.AmendmentRecords:
		fault = rereadInto(&p, &amendmentTable, parts.record, &r.buf)
	default:
		fault = &shape.Fault{Pointer: "/" + TableMember, Reason: reasonPacketTable}
	}
	if fault != nil {
		return Packet{}, fault
	}
	return p, nil
}

func rereadInto[R Record](p *Packet, k *kindOf[R], record canonical.Value, buf *[]byte) *shape.Fault {
	content, fault := k.read(record, true, buf)
	if fault != nil {
		return fault.Under(RecordMember)
	}
	if content.masked {
		content.digests = p.digests
	} else {
		*buf = record.AppendCanonical((*buf)[:0], "")
		content.digests.Record = terms.HashOf(*buf)
		if content.digests != p.digests {
			return shape.FaultAt(record, "does not match its digests").Under(RecordMember)
		}
	}
	p.content, p.key = content, k.key(&content.record)
	return nil
}

package domain

import (
	"docket/domain/canonical"
	"docket/domain/shape"
)

// The members of a packet (privateMember), of a stored packet, and of a question as it is read.
const (
	tableMember      = "table"
	recordMember     = "record"
	privateMember    = "private"
	digestsMember    = "digests"
	redactionsMember = "redactions"

	atMember                  = "at"
	policyMember              = "policy"
	latestPolicyVersionMember = "latestPolicyVersion"
	latestRevisionMember      = "latestRevision"
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
	table   Table
	content any // *Redacted[R]; the members are scanned already, the text in record is not
	key     Key
	masked  bool
	digests Digests
	record  canonical.Value
	private canonical.Value
}

// packetParts are the members of a packet, unread but for the table.
type packetParts struct {
	table           Table
	record, private canonical.Value
}

var packetShape = shape.New(
	shape.Required(wordMember(tableMember, func(p *packetParts) *Table { return &p.table })),
	shape.Required(shape.ValueMember[reading](recordMember, func(p *packetParts) *canonical.Value { return &p.record })),
	shape.ValueMember[reading](privateMember, func(p *packetParts) *canonical.Value { return &p.private }),
)

// Read reads one packet, strictly: {"table": …, "record": {…}, "private": {…}}. The text must stay unchanged until the
// packet is redacted.
func (r *Reader) Read(text []byte) (Unredacted, *Fault) {
	root, fault := r.Parse(text)
	if fault != nil {
		return Unredacted{}, fault
	}
	var parts packetParts
	if fault := packetShape.Read(&parts, root, &reading{}); fault != nil {
		return Unredacted{}, fault
	}
	u := Unredacted{table: parts.table, record: parts.record, private: parts.private}
	switch parts.table {
	case AppealPolicies:
		fault = readInto(&u, &appealPolicyTable, &r.buf)
	case AppealCases:
		fault = readInto(&u, &appealCaseTable, &r.buf)
	case AmendmentPolicies:
		fault = readInto(&u, &amendmentPolicyTable, &r.buf)
	case AmendmentRecords:
		fault = readInto(&u, &amendmentTable, &r.buf)
	default:
		return Unredacted{}, &Fault{Pointer: "/" + tableMember, Reason: reasonPacketTable}
	}
	if fault != nil {
		return Unredacted{}, fault.Under(recordMember)
	}
	return u, nil
}

// Parse reads JSON strictly, as packets are, and returns its outermost value, which is good until the Reader is used again.
func (r *Reader) Parse(text []byte) (canonical.Value, *Fault) {
	if fault := r.doc.Parse(text, canonical.Limits{Depth: maxDepth}); fault != nil {
		return canonical.Value{}, fromCanonical(fault, isKnownName)
	}
	return r.doc.Root(), nil
}

// maxDepth is how many containers may lie within one another, the packet itself included.
const maxDepth = 64

func readInto[R Record](u *Unredacted, k *kindOf[R], buf *[]byte) *Fault {
	content, fault := k.read(u.record, false, buf)
	if fault != nil {
		return fault
	}
	*buf = u.record.AppendCanonical((*buf)[:0], "")
	content.digests.Record = HashOf(*buf)
	u.content, u.key, u.masked, u.digests = content, k.key(&content.record), content.masked, content.digests
	return nil
}

// Table tells which table the packet is for.
func (u *Unredacted) Table() Table { return u.table }

// A Packet is a redacted packet: it may be stored, judged and shown. Only Redact and ReadStored make one, and the zero
// value is refused wherever a packet is taken.
type Packet struct {
	table      Table
	key        Key
	content    any // *Redacted[R]
	digests    Digests
	redactions []Redaction
	document   []byte
}

// Table tells which table the packet is for; the zero Table for the zero Packet.
func (p Packet) Table() Table { return p.table }

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

// knownNames are all member names that may appear in a pointer: those of the packet, of every shape, of a question.
var knownNames = func() map[string]bool {
	names := map[string]bool{
		tableMember: true, recordMember: true, privateMember: true, policyMember: true, atMember: true,
		latestPolicyVersionMember: true, latestRevisionMember: true,
	}
	for _, t := range PacketTables.Words() {
		info, _ := Info(t)
		info.Shape.Names(names)
	}
	return names
}()

func isKnownName(name string) bool { return knownNames[name] }

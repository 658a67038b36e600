// Package packets reads packets, redacts them and reads them back as they are stored.
//
//	bytes      --Reader.Read-->       Unredacted   strict reading, shape, digests of the bytes as
//	                                               they came
//	Unredacted --Redact-->            Packet       private members dropped, private texts masked,
//	                                               those of a case that is not redacted withheld
//	bytes      --Reader.ReadStored--> Packet       digests compared
//
// A packet is a policy, a case or an amendment: appeal.go and amendment.go have the four records
// and their shapes. An [Unredacted] packet can only be redacted. A [Packet] has no other makers
// than Redact and ReadStored, and a [Redacted] record none but reading; their zero values count as
// no packet and no record. No error of this package holds a value that was read.
//
// Start at [Reader].
package packets

import (
	"docket/domain/json"
	"docket/domain/terms"
)

// The members of a packet (privateMember), of a stored packet, and of an input as it is read.
const (
	TableMember      = "table"
	RecordMember     = "record"
	privateMember    = "private"
	digestsMember    = "digests"
	matchedMember    = "hashesMatched"
	textsMember      = "texts"
	redactionsMember = "redactions"

	AtMember                  = "at"
	PolicyMember              = "policy"
	LatestPolicyVersionMember = "latestPolicyVersion"
	LatestRevisionMember      = "latestRevision"
)

// A Reader reads packets. It reuses its memory, so it serves one goroutine, and what Read returned
// is good until the next Read. The zero value is ready to use.
type Reader struct {
	doc json.Document
	buf []byte
}

// An Unredacted packet is well-formed, but still holds what is private. It can only be redacted.
type Unredacted struct {
	table    terms.Table
	content  content // the members are scanned already, the text in record is not
	key      Key
	masked   bool
	withheld bool // every text is masked: the source does not call the case redacted
	digests  Digests
	sums     Digests
	matched  HashesMatched
	hash     string // the member that seals the record
	record   json.Value
	private  json.Value
	buf      *[]byte // scratch memory of the Reader
}

type packetParts struct {
	table           terms.Table
	record, private json.Value
}

var packetShape = json.NewReader(
	json.Required(TermMember(TableMember, func(p *packetParts) *terms.Table { return &p.table })),
	json.Required(json.ValueMember[Reading](RecordMember, func(p *packetParts) *json.Value { return &p.record })),
	json.ValueMember[Reading](privateMember, func(p *packetParts) *json.Value { return &p.private }),
)

// Read reads one packet, strictly: {"table": …, "record": {…}, "private": {…}}. The text must stay
// unchanged until the packet is redacted.
func (r *Reader) Read(text []byte) (Unredacted, *json.Fault) {
	root, fault := r.ParseIncoming(text)
	if fault != nil {
		return Unredacted{}, fault
	}
	var parts packetParts
	if fault := packetShape.Read(&parts, root, &Reading{}); fault != nil {
		return Unredacted{}, fault
	}
	u := Unredacted{table: parts.table, record: parts.record, private: parts.private, buf: &r.buf}
	table, is := recordTables[parts.table]
	if !is {
		return Unredacted{}, &json.Fault{Pointer: "/" + TableMember, Reason: reasonPacketTable}
	}
	if fault := table.readInto(&u, &r.buf); fault != nil {
		return Unredacted{}, fault.Under(RecordMember)
	}
	return u, nil
}

// CheckPacket reports every fault of the shape of a packet that Read refuses. No fault holds a
// value or an unknown member's name.
func CheckPacket(root json.Value, tell json.Tell) {
	var parts packetParts
	if packetShape.Check(&parts, root, &Reading{}, "", tell) && parts.record.Exists() {
		CheckRecord(parts.table, parts.record, "/"+RecordMember, tell)
	}
}

// CheckRecord does the same for a record of a packet table that stands at a place.
func CheckRecord(table terms.Table, record json.Value, at string, tell json.Tell) {
	if known, is := recordTables[table]; is {
		known.check(record, at, tell)
	}
}

// Parse reads JSON as strictly as packets; the value is good until the Reader is used again.
func (r *Reader) Parse(text []byte) (json.Value, *json.Fault) {
	return r.parse(text, json.Limits{Depth: MaxDepth})
}

// ParseIncoming is Parse for a text that others wrote, with at most maxValues values.
func (r *Reader) ParseIncoming(text []byte) (json.Value, *json.Fault) {
	return r.parse(text, json.Limits{Depth: MaxDepth, Values: maxValues})
}

func (r *Reader) parse(text []byte, limits json.Limits) (json.Value, *json.Fault) {
	fault := r.doc.Parse(text, limits)
	switch {
	case fault == nil:
		return r.doc.Root(), nil
	case fault.Reason == json.ReasonValues:
		return json.Value{}, &json.Fault{Reason: reasonValues}
	}
	// Only known names stand in the pointer, and none below the private member.
	private := false
	fault.Pointer = r.doc.Where(func(step json.Step) bool {
		shown := !private && (step.IsIndex || knownNames[step.Name])
		private = private || !step.IsIndex && step.Name == privateMember
		return shown
	})
	return json.Value{}, fault
}

// maxValues bounds the values of an incoming packet, which take many times the room of their text.
const maxValues = 1 << 20

const reasonValues = "has more than 1,048,576 values"

// MaxDepth is how many containers may lie within one another, the packet itself included.
const MaxDepth = 64

func (k *kindOf[R]) readInto(u *Unredacted, buf *[]byte) *json.Fault {
	in := Reading{}
	content, fault := k.read(u.record, &in, buf)
	if fault != nil {
		return fault
	}
	u.sums = in.sums
	u.content, u.key, u.hash = content, k.key(&content.record), k.hashMember
	u.masked, u.withheld, u.digests, u.matched = content.masked, in.withheld, content.digests, content.matched
	return nil
}

// Table tells which table the packet is for.
func (u *Unredacted) Table() terms.Table { return u.table }

// Seal returns, for authors of packets, the hashes that the record has to state: its own and a
// case's scopeHash. They are over the texts as they came; Redact keeps none of them.
func (u *Unredacted) Seal() (own, scope terms.Hash) { return u.sums.Content, u.sums.Scope }

// AppealPolicy returns the packet's record if it is an appeal policy, else nil.
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

// knownNames are the names that may appear in a pointer: of packets, of every shape, of inputs.
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

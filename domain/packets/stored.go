package packets

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"docket/domain/json"
	"docket/domain/terms"
)

// A Packet is a redacted packet: it may be stored, judged and shown. Only Redact and ReadStored
// make one, and the zero value is refused where a packet is taken.
type Packet struct {
	table      terms.Table
	key        Key
	content    content // nil for the zero Packet
	digests    Digests
	matched    HashesMatched
	redactions []Redaction
	document   []byte // as it is stored, without the texts
	texts      []namedText
	leaked     bool // it was stored with a text that is masked now
}

// A namedText is a text of a record, under a name that no other text of the record has.
type namedText struct{ name, text string }

// Table tells which table the packet is for; the zero Table for the zero Packet.
func (p Packet) Table() terms.Table { return p.table }

// Key is the record's id and its version or revision.
func (p Packet) Key() Key { return p.key }

// Digests are those of the record.
func (p Packet) Digests() Digests { return p.digests }

// Redactions say what was dropped: category and count, in the vocabulary's order; never nil.
func (p Packet) Redactions() []Redaction { return append([]Redaction{}, p.redactions...) }

// Masked reports whether a text of the record is masked.
func (p Packet) Masked() bool { return p.content != nil && p.content.Masked() }

// Erased reports whether the record's texts were erased.
func (p Packet) Erased() bool { return p.content != nil && p.content.Erased() }

// PolicyKey names the policy of a case or an amendment; zero for a policy and the zero Packet.
func (p Packet) PolicyKey() Key {
	if p.content == nil {
		return Key{}
	}
	return p.content.policyKey()
}

// AssignedTo is the neutral reviewer whom a case or an amendment names, absent for none.
func (p Packet) AssignedTo() terms.ID {
	if c := p.AppealCase().Pointer(); c != nil {
		return c.NeutralReview.ReviewerID
	}
	if a := p.Amendment().Pointer(); a != nil {
		return a.NeutralReview.ReviewerID
	}
	return ""
}

// ErasedWith returns the packet with a note, when and why they were erased, in place of its erased
// texts. A packet whose texts are there is returned as it is.
func (p Packet) ErasedWith(note string) Packet {
	content, is := p.content.(*Redacted[AppealCase])
	if !is || !content.erased {
		return p
	}
	noted := *content
	for _, text := range []*Text{&noted.record.Standing.PrivacySafeSummary,
		&noted.record.EvidenceScope.Statement, &noted.record.RemedyGap} {
		if text.erased {
			text.value = note
		}
	}
	p.content = &noted
	return p
}

// HasTexts reports whether the record has texts that are kept apart from the document.
func (p Packet) HasTexts() bool { return len(p.texts) > 0 }

// Document is the packet as it is shown, sent and exported, in canonical form:
//
//	{"digests": {"record"}, "hashesMatched", "record", "redactions": [{"category","count"}], "table"}
//
// A masked text stands as {"masked": ["<kind>", …]}, and then the hashes over the record are null;
// an erased one as {"text": true}. The bytes must not be changed. It is nil for the zero Packet.
func (p Packet) Document() []byte {
	if len(p.texts) == 0 {
		return p.document
	}
	return Shown(Joined(p.Stored("")))
}

// Stored is the packet as a store keeps it: the document, in which {"text": true} stands for each
// text, and the texts, which can be erased while the document stays; nil if there are none.
//
//	{"digests": {"record", "texts"}, "hashesMatched", "record", "redactions", "table"}
//	{"salt": "…", "texts": {"<member>": "<text>", …}}
//
// The digest of the texts is H of the second document; the salt keeps the texts from being guessed.
func (p Packet) Stored(salt Salt) (document, texts []byte) {
	if len(p.texts) == 0 {
		return p.document, nil
	}
	sorted := p.textsByName()
	w := json.Writer{}
	w.Open().Name("salt").String(string(salt)).Name(textsMember).Open()
	for i := range sorted {
		w.Name(sorted[i].name).String(sorted[i].text)
	}
	texts = w.Close().Close().Text()
	from := len(storedStart) + hashLength
	digest := textsDigestStart + terms.HashOf(texts).String()
	document = make([]byte, 0, len(p.document)+len(digest))
	document = append(document, p.document[:from]...)
	document = append(document, digest...)
	return append(document, p.document[from:]...), texts
}

// Joined puts the texts of a stored packet beside its document, for ReadStored. Where the texts
// were erased, it is the document alone.
//
//	{"digests", "hashesMatched", "record", "redactions", "table", "texts": {"salt", "texts"}}
func Joined[T ~string | ~[]byte](document, texts T) []byte {
	if len(texts) == 0 || len(document) == 0 {
		return []byte(document)
	}
	joined := make([]byte, 0, len(document)+len(texts)+len(textsMember)+4)
	joined = append(joined, document[:len(document)-1]...)
	joined = append(joined, `,"`+textsMember+`":`...)
	joined = append(joined, texts...)
	return append(joined, '}')
}

// Shown returns the Document of a packet from what Joined returned. It checks nothing: it is for
// bytes that ReadStored took before.
func Shown(joined []byte) []byte { return givenOut(joined, true) }

// Rest returns the Document of a packet without its texts, from what Joined returned, unchecked.
func Rest(joined []byte) []byte { return givenOut(joined, false) }

func givenOut(joined []byte, withTexts bool) []byte {
	var stored json.Document
	var in Reading
	if stored.Parse(joined, json.Limits{Depth: MaxDepth}) != nil {
		return joined
	}
	if withTexts {
		in.texts = stored.Root().Member(textsMember).Member(textsMember)
	}
	return stored.Root().AppendCanonicalWith(make([]byte, 0, len(joined)), textsMember,
		func(dst []byte, v json.Value) ([]byte, bool) {
			if v.Kind() == json.KindObject && v.Name() == digestsMember {
				return v.AppendMembers(dst, nil, "record"), true
			}
			return in.restore(dst, v)
		})
}

// saltStart is what stands before the salt in what Joined returns.
const saltStart = `,"` + textsMember + `":{"salt":"`

// HeldAs reports whether what Joined returned is this packet byte for byte, under its stored salt.
// It is a fast form of SameRecord: true means the same record, false means nothing.
func (p Packet) HeldAs(joined []byte) bool {
	if len(p.texts) == 0 {
		return bytes.Equal(joined, p.document)
	}
	_, rest, _ := bytes.Cut(joined, []byte(saltStart))
	salt, _, found := bytes.Cut(rest, []byte(`"`))
	return found && bytes.Equal(joined, Joined(p.Stored(Salt(salt))))
}

// SameRecord reports whether two packets are of the same record, except for the words of masked
// texts. If the texts of one were erased, only the rest is compared.
func (p Packet) SameRecord(q Packet) bool {
	if p.table != q.table || p.key != q.key || !p.digests.Record.Matches(q.digests.Record) {
		return false
	}
	return p.Erased() || q.Erased() || slices.Equal(p.textsByName(), q.textsByName())
}

func (p Packet) textsByName() []namedText {
	texts := slices.Clone(p.texts)
	json.Sort(texts, func(a, b namedText) int { return cmp.Compare(a.name, b.name) })
	return texts
}

// storedStart is how every stored document begins; the digest of the record follows.
const storedStart = `{"` + digestsMember + `":{"record":"`

// textsDigestStart stands between the digest of the record and that of the texts.
const textsDigestStart = `","` + textsMember + `":"`

const hashLength = len("sha256:") + 64

func (p *Packet) build(record []byte, hashMember string) {
	w := json.Append(make([]byte, 0, len(record)+512))
	w.Open().Name(digestsMember).Open().Name("record").String(p.digests.Record.String()).Close()
	w.Name(matchedMember).Open().Name(hashMember).Bool(p.matched.Own)
	if p.table == terms.AppealCases {
		w.Name(scopeHashMember).Bool(p.matched.Scope)
	}
	w.Close().Name(RecordMember).Raw(record)
	w.Name(redactionsMember).OpenList()
	for i := range p.redactions {
		p.redactions[i].Write(&w)
	}
	p.document = w.CloseList().Name(TableMember).StringOrNull(p.table.String()).Close().Text()
}

// ErrStoredPacket says that a document is not a packet as Redact wrote it: damaged or edited.
var ErrStoredPacket = errors.New("the stored packet cannot be read")

type storedParts struct {
	digests    storedDigests
	matched    json.Value
	record     json.Value
	redactions []Redaction
	table      terms.Table
	texts      json.Value
}

type storedDigests struct{ record, texts terms.Hash }

var storedShape = json.NewReader(
	json.Required(json.ObjectMember(digestsMember, json.NewReader(
		json.Required(HashMember("record", func(d *storedDigests) *terms.Hash { return &d.record })),
		HashMember(textsMember, func(d *storedDigests) *terms.Hash { return &d.texts }),
	), func(p *storedParts) *storedDigests { return &p.digests })),
	json.Required(json.ValueMember[Reading](matchedMember, func(p *storedParts) *json.Value { return &p.matched })),
	json.Required(json.ValueMember[Reading](RecordMember, func(p *storedParts) *json.Value { return &p.record })),
	json.Required(json.ListMember(redactionsMember, false, redactionCodec.ShapeOf,
		func(p *storedParts) *[]Redaction { return &p.redactions })),
	json.Required(TermMember(TableMember, func(p *storedParts) *terms.Table { return &p.table })),
	json.ValueMember[Reading](textsMember, func(p *storedParts) *json.Value { return &p.texts }),
)

type storedTexts struct {
	salt  Salt
	texts json.Value
}

var storedTextsShape = json.NewReader(
	json.Required(saltMember("salt", func(s *storedTexts) *Salt { return &s.salt })),
	json.Required(json.ValueMember[Reading](textsMember, func(s *storedTexts) *json.Value { return &s.texts })),
)

var matchedScope = json.Required(json.FlagMember[Reading](scopeHashMember, func(m *HashesMatched) *bool { return &m.Scope }))

func matchedShape(hash string, more ...Member[*HashesMatched]) *ShapeOf[*HashesMatched] {
	own := json.Required(json.FlagMember[Reading](hash, func(m *HashesMatched) *bool { return &m.Own }))
	return json.NewReader(append([]Member[*HashesMatched]{own}, more...)...)
}

// ReadStored reads a packet that Redact built, as Document shows it or Stored and Joined give it.
// It compares recomputed digests and stated hashes; with a masked or missing text, what was found
// when the record came in stands. A masked text exists in stored records only, and such a record is
// always blocked. The error wraps ErrStoredPacket and holds no value.
func (r *Reader) ReadStored(document []byte) (Packet, error) {
	p, fault := r.readStored(document)
	if fault != nil {
		return Packet{}, fmt.Errorf("%w: %s", ErrStoredPacket, fault.Error())
	}
	return p, nil
}

func (r *Reader) readStored(document []byte) (Packet, *json.Fault) {
	root, fault := r.Parse(document)
	if fault != nil {
		return Packet{}, fault
	}
	var parts storedParts
	if fault := storedShape.Read(&parts, root, &Reading{stored: true}); fault != nil {
		return Packet{}, fault
	}
	in := Reading{stored: true}
	if parts.texts.Exists() {
		var side storedTexts
		if fault := storedTextsShape.Read(&side, parts.texts, &in); fault != nil {
			return Packet{}, fault.Under(textsMember)
		}
		if !terms.HashOf(document[parts.texts.Offset():parts.texts.End()]).Matches(parts.digests.texts) {
			return Packet{}, json.FaultAt(parts.texts, "do not match their digest").Under(textsMember)
		}
		in.texts = side.texts
	}
	p := Packet{table: parts.table, redactions: parts.redactions}
	table, is := recordTables[parts.table]
	if !is {
		return Packet{}, &json.Fault{Pointer: "/" + TableMember, Reason: reasonPacketTable}
	}
	if fault := table.rereadInto(&p, &parts, &in, &r.buf); fault != nil {
		return Packet{}, fault
	}
	separate := in.placed > 0 || p.Erased()
	if parts.digests.texts.Present() && !separate || !parts.digests.texts.Present() && !bytes.Equal(p.Document(), document) {
		return Packet{}, json.FaultAt(root, "is not in the form in which packets are written")
	}
	return p, nil
}

func (k *kindOf[R]) rereadInto(p *Packet, parts *storedParts, in *Reading, buf *[]byte) *json.Fault {
	var stated HashesMatched
	if fault := k.matched.Read(&stated, parts.matched, in); fault != nil {
		return fault.Under(matchedMember)
	}
	content, fault := k.read(parts.record, in, buf)
	if fault != nil {
		return fault.Under(RecordMember)
	}
	if content.masked || content.erased {
		content.matched = stated
	}
	own, scope := k.hashes(&content.record)
	stating := own.Present() || scope != nil && scope.Present()
	lost := !content.masked && (stated.Own && !own.Present() || stated.Scope && !scope.Present())
	if content.matched != stated || lost || stating && content.masked && !in.leaked || in.placed != in.texts.Len() {
		return json.FaultAt(parts.record, "does not match its hashes").Under(RecordMember)
	}
	if content.masked {
		*own = terms.Hash{}
		if scope != nil {
			*scope = terms.Hash{}
		}
	}
	m := masker{stored: true, fixed: true}
	*buf = parts.record.AppendCanonicalWith((*buf)[:0], "", m.replace)
	content.digests.Record = terms.HashOf(*buf)
	if content.digests.Record != parts.digests.record {
		return json.FaultAt(parts.record, "does not match its digest").Under(RecordMember)
	}
	if content.masked {
		m = masker{stored: true}
		*buf = parts.record.AppendCanonicalWith((*buf)[:0], "", m.replace)
	}
	p.texts = m.texts
	for text := in.texts.First(); text.Exists(); text = text.Next() {
		p.texts = append(p.texts, namedText{text.Name(), text.Text()})
	}
	p.content, p.key, p.digests, p.matched, p.leaked = content, k.key(&content.record), content.digests, stated, in.leaked
	p.build(*buf, k.hashMember)
	return nil
}

// HoldsPrivate reports whether a text or contract version ought to be masked: the packet was stored
// before the scan could find the detail.
func (p Packet) HoldsPrivate() bool { return p.leaked }

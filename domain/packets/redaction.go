package packets

import (
	"docket/domain/json"
	"docket/domain/private"
	"docket/domain/terms"
)

// A Redaction is all that is kept of private members of one category.
type Redaction struct {
	Category terms.PrivateCategory `json:"category"`
	Count    int64                 `json:"count"` // of leaf values
}

// Redact drops the private members, masks every text with private details and all texts of a case
// that its source does not call redacted, and takes the other texts out of the stored document.
// Nothing private is reachable from the result. It is the zero Packet if u was not read, or not by
// the Reader's latest Read.
func (u *Unredacted) Redact() Packet {
	if !u.record.Exists() {
		return Packet{}
	}
	p := Packet{table: u.table, key: u.key, content: u.content, digests: u.digests, matched: u.matched,
		redactions: countPrivate(u.private)}
	m := masker{masked: u.masked, withheld: u.withheld, hash: u.hash, fixed: true}
	*u.buf = u.record.AppendCanonicalWith((*u.buf)[:0], "", m.replace)
	p.digests.Record, p.texts = terms.HashOf(*u.buf), m.texts
	if u.masked {
		m = masker{masked: true, withheld: u.withheld, hash: u.hash}
		*u.buf = u.record.AppendCanonicalWith((*u.buf)[:0], "", m.replace)
	}
	p.build(*u.buf, u.hash)
	return p
}

type masker struct {
	masked   bool   // a text is masked: no hash over what it said is kept
	withheld bool   // every text is masked
	stored   bool   // the record is from a store: only masks there are masks, nothing is scanned
	hash     string // the member that seals the record
	fixed    bool   // every mask is the fixed marker
	texts    []namedText
}

func (t *masker) replace(dst []byte, v json.Value) ([]byte, bool) {
	name := v.Name()
	if v.Kind() == json.KindObject {
		if t.fixed && t.stored && textNames[name] && v.Member(maskMember).Exists() {
			return append(dst, fixedMask...), true
		}
		return dst, false
	}
	switch {
	case t.masked && (name == t.hash || name == scopeHashMember):
		return append(dst, "null"...), true
	case !textNames[name]:
		return dst, false
	}
	text := v.Text()
	if t.masked && !t.stored {
		if kinds := keptBack(v, t.withheld); !kinds.Empty() {
			if t.fixed {
				return append(dst, fixedMask...), true
			}
			return appendMask(dst, kinds, freeTexts[name] && !Legible(text)), true
		}
	}
	if !freeTexts[name] {
		return dst, false
	}
	t.texts = append(t.texts, namedText{name, text})
	return appendPlace(dst, Legible(text)), true
}

// fixedMask stands for a masked text in what identifies the content.
const fixedMask = `{"` + maskMember + `":true}`

const scopeHashMember = "scopeHash"

var redactionCodec = NewCodec(
	TermField("category", func(r *Redaction) *terms.PrivateCategory { return &r.Category }),
	CountField("count", func(r *Redaction) *int64 { return &r.Count }),
)

// Write writes the redaction in canonical form.
func (r *Redaction) Write(w *json.Writer) { redactionCodec.Write(r, w) }

// appendMask writes the mask that says why a text is not kept, and whether it counts as absent.
func appendMask(dst []byte, kinds private.Kinds, absent bool) []byte {
	w := json.Append(dst)
	w.Open()
	if absent {
		w.Name(absentMember).Bool(true)
	}
	return w.Name(maskMember).Strings(kinds.Texts()).Close().Text()
}

// A MaskedText is a text of a packet that is not kept: where it stands, and why.
type MaskedText struct {
	Pointer string // RFC 6901, from the packet down
	Offset  int    // of the text's first byte in what was read
	Kinds   private.Kinds
}

// Masked lists the texts that Redact masks, in their order. Their words are not in it.
func (u *Unredacted) Masked() []MaskedText {
	if !u.masked {
		return nil
	}
	return appendMasked(nil, u.record, "/"+RecordMember, u.withheld)
}

func appendMasked(found []MaskedText, v json.Value, at string, withheld bool) []MaskedText {
	for value := v.First(); value.Exists(); value = value.Next() {
		inside := at + "/" + value.Name()
		switch {
		case value.Kind() == json.KindObject:
			found = appendMasked(found, value, inside, withheld)
		case value.Kind() == json.KindString && textNames[value.Name()]:
			if kinds := keptBack(value, withheld); !kinds.Empty() {
				found = append(found, MaskedText{inside, value.Offset(), kinds})
			}
		}
	}
	return found
}

// textNames are the members with texts or other free strings, freeTexts those with texts.
var textNames, freeTexts = func() (all, free map[string]bool) {
	all, free = map[string]bool{}, map[string]bool{}
	for _, t := range terms.PacketTables.Terms() {
		info, _ := Info(t)
		collectTexts(&info.Shape, all, free)
	}
	return all, free
}()

func collectTexts(s *json.Shape, all, free map[string]bool) {
	for i := range s.Members {
		switch s.Members[i].Form.Kind {
		case json.FormText:
			all[s.Members[i].Name], free[s.Members[i].Name] = true, true
		case json.FormString:
			all[s.Members[i].Name] = true
		}
		if nested := s.Members[i].Form.Shape; nested != nil {
			collectTexts(nested, all, free)
		}
	}
}

// countPrivate counts leaf values by category; what is no category counts as other.
func countPrivate(private json.Value) []Redaction {
	if !private.Exists() || private.Len() == 0 {
		return nil
	}
	var counts [terms.PrivateOther + 1]int64
	var seen terms.PrivateCategorySet
	for value := private.First(); value.Exists(); value = value.Next() {
		category, err := terms.PrivateCategories.Parse(value.Name())
		if err != nil {
			category = terms.PrivateOther
		}
		counts[category] += int64(value.Leaves())
		seen = seen.With(category)
	}
	redactions := make([]Redaction, 0, seen.Len())
	for _, category := range seen.Terms() {
		redactions = append(redactions, Redaction{category, counts[category]})
	}
	return redactions
}

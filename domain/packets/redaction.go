package packets

import (
	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/private"
	"docket/domain/shape"
	"docket/domain/terms"
)

// A Redaction is all that is kept of private members of one category.
type Redaction struct {
	Category terms.PrivateCategory `json:"category"`
	Count    int64                 `json:"count"` // of leaf values
}

// Redact drops the private members, keeping category and count, masks every text that holds private details, and
// builds the document to be stored. Nothing private is reachable from the result. Of what was not read, or was read
// before the Reader's latest Read, the zero Packet is made.
func (u *Unredacted) Redact() Packet {
	if !u.record.Exists() {
		return Packet{}
	}
	redactions := countPrivate(u.private)
	p := Packet{table: u.table, key: u.key, content: u.content, digests: u.digests, redactions: redactions}
	size := u.record.End() - u.record.Offset() + 512
	w := ordered.Append(make([]byte, 0, size))
	u.digests.write(w.Open().Name("digests"))
	if u.masked {
		w.Name("record").CanonicalWith(u.record, maskPrivate)
	} else {
		w.Name("record").Canonical(u.record)
	}
	w.Name("redactions").OpenList()
	for i := range redactions {
		redactions[i].Write(&w)
	}
	p.document = w.CloseList().Name("table").Word(u.table.String()).Close().Text()
	return p
}

// Write writes the redaction in canonical form.
func (r *Redaction) Write(w *ordered.Writer) {
	WriteTerm(w.Open().Name("category"), r.Category)
	w.Name("count").Int(r.Count).Close()
}

// maskPrivate replaces a string value that holds private details by the mask that says which. It is asked for every
// string of a record in which a text was found to hold some; ids, words, times and hashes are never masked.
func maskPrivate(dst []byte, v canonical.Value) ([]byte, bool) {
	if !textNames[v.Name()] {
		return dst, false
	}
	kinds := private.ScanString(v.Text())
	if kinds.Empty() {
		return dst, false
	}
	w := ordered.Append(dst)
	w.Open().Name(maskMember).OpenList()
	for _, kind := range kinds.List() {
		w.String(kind.String())
	}
	return w.CloseList().Close().Text(), true
}

// A MaskedText is a text of a packet that holds private details: where it stands, and which kinds of them it holds.
type MaskedText struct {
	Pointer string // RFC 6901, from the packet down
	Offset  int    // of the text's first byte in what was read
	Kinds   private.Kinds
}

// Masked lists the texts that Redact masks, in their order. What they say is not in it.
func (u *Unredacted) Masked() []MaskedText {
	if !u.masked {
		return nil
	}
	return appendMasked(nil, u.record, "/"+RecordMember)
}

func appendMasked(found []MaskedText, v canonical.Value, at string) []MaskedText {
	for value := v.First(); value.Exists(); value = value.Next() {
		inside := at + "/" + value.Name()
		switch {
		case value.Kind() == canonical.Object:
			found = appendMasked(found, value, inside)
		case value.Kind() == canonical.String && textNames[value.Name()]:
			if kinds := private.ScanString(value.Text()); !kinds.Empty() {
				found = append(found, MaskedText{inside, value.Offset(), kinds})
			}
		}
	}
	return found
}

// textNames are the names of the members that hold texts or other free strings, from the shapes.
var textNames = func() map[string]bool {
	names := map[string]bool{}
	for _, t := range terms.PacketTables.Terms() {
		info, _ := Info(t)
		collectTexts(&info.Shape, names)
	}
	return names
}()

func collectTexts(s *shape.Shape, names map[string]bool) {
	for i := range s.Members {
		if kind := s.Members[i].Form.Kind; kind == shape.FormText || kind == shape.FormString {
			names[s.Members[i].Name] = true
		}
		if nested := s.Members[i].Form.Shape; nested != nil {
			collectTexts(nested, names)
		}
	}
}

// countPrivate counts leaf values by category; what is no category counts as other.
func countPrivate(private canonical.Value) []Redaction {
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

// write writes the digests in canonical form.
func (d *Digests) write(w *ordered.Writer) {
	w.Open().Name("content").String(d.Content.String()).Name("record").String(d.Record.String())
	if d.Scope.Present() {
		w.Name("scope").String(d.Scope.String())
	}
	w.Close()
}

// HoldsPrivate tells whether a text of the stored document holds private details that are not masked: somebody put
// them there afterwards, since Redact leaves none.
func (p Packet) HoldsPrivate() bool {
	version, masked := p.looseTexts()
	if !private.ScanString(version).Empty() {
		return true
	}
	if !masked {
		return false
	}
	// A masked text and one that ought to be masked read alike; only the document tells them apart.
	var doc canonical.Document
	if doc.Parse(p.document, canonical.Limits{Depth: maxDepth}) != nil {
		return true
	}
	found := false
	doc.Root().Member(RecordMember).AppendCanonicalWith(nil, "", func(dst []byte, v canonical.Value) ([]byte, bool) {
		dst, private := maskPrivate(dst, v)
		found = found || private
		return dst, private
	})
	return found
}

// looseTexts returns the contract version, a string of no fixed form, and whether any text reads as masked.
func (p Packet) looseTexts() (version string, masked bool) {
	switch content := p.content.(type) {
	case *Redacted[AppealPolicy]:
		return content.record.ContractVersion, content.masked
	case *Redacted[AppealCase]:
		return content.record.ContractVersion.String(), content.masked
	case *Redacted[AmendmentPolicy]:
		return content.record.ContractVersion, content.masked
	case *Redacted[Amendment]:
		return content.record.ContractVersion, content.masked
	}
	return "", false
}

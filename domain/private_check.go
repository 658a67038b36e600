package domain

import (
	"docket/domain/canonical"
	"docket/domain/private"
)

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
	doc.Root().Member(recordMember).AppendCanonicalWith(nil, "", func(dst []byte, v canonical.Value) ([]byte, bool) {
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

package packet

import (
	"docket/domain"
	"docket/ui/screen"
)

func (p *Screen) Copies(*screen.Scene) []screen.CopyItem {
	if p.Dossier == nil {
		return []screen.CopyItem{{What: "id", Text: string(p.Request.ID)}}
	}
	if p.items != nil {
		return p.items // the digest of a large packet takes its time
	}
	p.items = Copies(&p.Dossier.View)
	for i := range p.Dossier.Records {
		p.items = append(p.items, screen.CopyItem{What: "record", Text: string(p.Dossier.Records[i].Receipt.RecordID)})
	}
	for i := range p.Dossier.Elsewhere {
		p.items = append(p.items, screen.CopyItem{What: "record on another revision", Text: string(p.Dossier.Elsewhere[i].Receipt.RecordID)})
	}
	return p.items
}

// Copies are the ids and hashes of a packet in view.
func Copies(v *domain.View) []screen.CopyItem {
	items := []screen.CopyItem{{What: "id", Text: string(v.Key().ID)}}
	if c := v.Record().AppealCase(); c.Held() {
		record := c.Record()
		items = append(items, screen.CopyItem{What: "subject id", Text: string(record.SubjectID)}, screen.CopyItem{What: "case hash", Text: record.CaseHash.String()},
			screen.CopyItem{What: "scope hash", Text: record.ScopeHash.String()}, screen.CopyItem{What: "policy id", Text: string(record.PolicyID)},
			screen.CopyItem{What: "policy hash", Text: record.PolicyHash.String()})
	}
	if a := v.Record().Amendment(); a.Held() {
		record := a.Record()
		items = append(items, screen.CopyItem{What: "agreement id", Text: string(record.AgreementID)}, screen.CopyItem{What: "owner id", Text: string(record.OwnerID)},
			screen.CopyItem{What: "amendment hash", Text: record.AmendmentHash.String()}, screen.CopyItem{What: "terms before", Text: record.BeforeTermsHash.String()},
			screen.CopyItem{What: "terms after", Text: record.AfterTermsHash.String()}, screen.CopyItem{What: "policy id", Text: string(record.PolicyID)},
			screen.CopyItem{What: "policy hash", Text: record.PolicyHash.String()})
	}
	return append(items, screen.CopyItem{What: "recomputed hash", Text: v.Record().Digests().Content.String()})
}

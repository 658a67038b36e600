package ui

import "docket/domain"

func (p *packetScreen) copies(*scene) []copyItem {
	if p.dossier == nil {
		return []copyItem{{"id", string(p.request.id)}}
	}
	if p.items != nil {
		return p.items // the digest of a large packet takes its time
	}
	p.items = viewCopies(&p.dossier.View)
	for i := range p.dossier.Records {
		p.items = append(p.items, copyItem{"record", string(p.dossier.Records[i].Receipt.RecordID)})
	}
	for i := range p.dossier.Elsewhere {
		p.items = append(p.items, copyItem{"record on another revision", string(p.dossier.Elsewhere[i].Receipt.RecordID)})
	}
	return p.items
}

// viewCopies are the ids and hashes of a packet in view.
func viewCopies(v *domain.View) []copyItem {
	items := []copyItem{{"id", string(v.Key().ID)}}
	if c := v.Record().AppealCase(); c.Held() {
		record := c.Record()
		items = append(items, copyItem{"subject id", string(record.SubjectID)}, copyItem{"case hash", record.CaseHash.String()},
			copyItem{"scope hash", record.ScopeHash.String()}, copyItem{"policy id", string(record.PolicyID)},
			copyItem{"policy hash", record.PolicyHash.String()})
	}
	if a := v.Record().Amendment(); a.Held() {
		record := a.Record()
		items = append(items, copyItem{"agreement id", string(record.AgreementID)}, copyItem{"owner id", string(record.OwnerID)},
			copyItem{"amendment hash", record.AmendmentHash.String()}, copyItem{"terms before", record.BeforeTermsHash.String()},
			copyItem{"terms after", record.AfterTermsHash.String()}, copyItem{"policy id", string(record.PolicyID)},
			copyItem{"policy hash", record.PolicyHash.String()})
	}
	return append(items, copyItem{"recomputed hash", v.Record().Digests().Content.String()})
}

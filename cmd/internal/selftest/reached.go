package selftest

import (
	"fmt"
	"strings"

	"docket/domain"
)

// reached judges every case or amendment of the sample docket and counts the codes that come up. All have to; none may
// come up in one that passes.
func (b *bench) reached(area domain.Area) (codes, judged int, err error) {
	policies, latest, err := b.policies(area)
	if err != nil {
		return 0, 0, err
	}
	var all domain.BlockerSet
	info, _ := domain.Info(domain.RecordTable(area))
	newest := map[any]int64{}
	for _, p := range b.docket {
		if p.table == domain.RecordTable(area) {
			newest[p.record[info.IDMember]] = max(newest[p.record[info.IDMember]], p.number())
		}
	}
	for _, p := range b.docket {
		if p.table != domain.RecordTable(area) {
			continue
		}
		record, fault := b.read(p.text())
		if fault != nil {
			return 0, 0, fault
		}
		key := namedPolicy(record)
		question := domain.PacketQuestion(policies[key], record,
			domain.Latest{PolicyVersion: latest[key.ID], Revision: newest[p.record[info.IDMember]]}, b.instant())
		found := b.judge(&question)
		if (len(found.blockers) == 0) != (found.gate == domain.Pass) {
			return 0, 0, fmt.Errorf("a sample's gate is %s with %s", found.gate, counted(len(found.blockers), "blocker"))
		}
		all = all.Union(domain.SetOf(found.blockers...))
		judged++
	}
	if unseen := domain.AllBlockers(area).Minus(all); !unseen.Empty() {
		return 0, 0, fmt.Errorf("no sample reaches %s", strings.Join(unseen.Texts(), ", "))
	}
	return all.Len(), judged, nil
}

// policies are those of the sample docket, and the latest version of each.
func (b *bench) policies(area domain.Area) (map[domain.Key]domain.Packet, map[domain.ID]int64, error) {
	policies, latest := map[domain.Key]domain.Packet{}, map[domain.ID]int64{}
	for _, p := range b.docket {
		if p.table != domain.PolicyTable(area) {
			continue
		}
		policy, fault := b.read(p.text())
		if fault != nil {
			return nil, nil, fault
		}
		key := policy.Key()
		policies[key], latest[key.ID] = policy, max(latest[key.ID], key.Number)
	}
	return policies, latest, nil
}

// namedPolicy is the key of the policy that a record names.
func namedPolicy(record domain.Packet) domain.Key {
	if c := record.AppealCase(); c.Held() {
		return domain.Key{ID: c.Record().PolicyID, Number: c.Record().PolicyVersion}
	}
	if a := record.Amendment(); a.Held() {
		return domain.Key{ID: a.Record().PolicyID, Number: a.Record().PolicyVersion}
	}
	return domain.Key{}
}

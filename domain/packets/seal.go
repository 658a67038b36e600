package packets

import (
	stdjson "encoding/json"
	"strings"

	"docket/domain/json"
	"docket/domain/terms"
)

// A Sealer writes the policyHash, scopeHash, caseHash and amendmentHash of packets that are written
// by hand, and the absent policy hash of a case or amendment whose policy it has sealed before. The
// zero value is ready to use.
type Sealer struct {
	reader   Reader
	policies map[policyRef]terms.Hash
}

type policyRef struct {
	area terms.Area
	key  Key
}

// Seal returns the packet {"record", "table"} in canonical form with its hashes, without private
// members. A text that holds private details is a fault: its author has to take them out.
func (s *Sealer) Seal(text []byte) ([]byte, *json.Fault) {
	u, fault := s.reader.Read(text)
	if fault != nil {
		return nil, fault
	}
	u.withheld = false // its author may seal a case before it is redacted
	if found := u.Masked(); len(found) > 0 {
		return nil, &json.Fault{Pointer: found[0].Pointer, Reason: reasonPrivateText +
			strings.Join(found[0].Kinds.Texts(), ", "), Offset: found[0].Offset}
	}
	record := map[string]stdjson.RawMessage{}
	for value := u.record.First(); value.Exists(); value = value.Next() {
		record[value.Name()] = value.AppendCanonical(nil, "")
	}
	s.fillPolicy(&u, record)
	info, _ := Info(u.table)
	if u.table == terms.AppealCases {
		put(record, "scopeHash", u.sums.Scope)
	}
	delete(record, info.HashMember)
	content := terms.HashOf(json.Canonical(record))
	put(record, info.HashMember, content)
	if u.table == terms.AppealPolicies || u.table == terms.AmendmentPolicies {
		if s.policies == nil {
			s.policies = map[policyRef]terms.Hash{}
		}
		s.policies[policyRef{terms.AreaOf(u.table), u.key}] = content
	}
	return json.Canonical(map[string]any{RecordMember: record, TableMember: u.table}), nil
}

func (s *Sealer) fillPolicy(u *Unredacted, record map[string]stdjson.RawMessage) {
	hash, known := s.policies[policyRef{terms.AreaOf(u.table), u.content.policyKey()}]
	if !known {
		return
	}
	if _, there := record["policyHash"]; !there {
		put(record, "policyHash", hash)
	}
	bundle, there := record["policySnapshotBundle"]
	if !there {
		return
	}
	members := map[string]stdjson.RawMessage{}
	if stdjson.Unmarshal(bundle, &members) != nil {
		return
	}
	if _, there := members["policyHash"]; !there {
		put(members, "policyHash", hash)
		record["policySnapshotBundle"] = json.Canonical(members)
	}
}

func put(members map[string]stdjson.RawMessage, name string, hash terms.Hash) {
	members[name] = stdjson.RawMessage(`"` + hash.String() + `"`)
}

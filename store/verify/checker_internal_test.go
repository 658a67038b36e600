package verify

import (
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
)

func TestPoliciesAreHeldForTheBatchesToCome(t *testing.T) {
	x := &entryChecker{policies: map[Ref]packetState{}}
	for _, table := range terms.Tables.All() {
		ref := Ref{Table: table, Key: packets.Key{ID: "one", Number: 1}}
		x.hold(ref, packetState{})
		if _, held := x.policies[ref]; held != (table == terms.AppealPolicies || table == terms.AmendmentPolicies) {
			t.Errorf("%s held: %v", table, held)
		}
	}
}

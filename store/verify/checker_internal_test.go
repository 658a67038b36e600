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

func TestNoMorePoliciesAreHeldThanADocketHas(t *testing.T) {
	x := &entryChecker{policies: map[Ref]packetState{}}
	for n := range int64(3 * heldPolicies) {
		ref := Ref{Table: terms.AppealPolicies, Key: packets.Key{ID: "policy", Number: n + 1}}
		x.hold(ref, packetState{})
		if _, held := x.policies[ref]; !held || len(x.policies) > heldPolicies {
			t.Fatalf("%d policies are held after %d, the newest among them: %t", len(x.policies), n+1, held)
		}
	}
}

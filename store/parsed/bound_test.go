package parsed

import (
	"encoding/binary"
	"encoding/json"
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
)

// policies are small packets, each with a key of its own.
func policies(t *testing.T, count int) (list []packets.Packet) {
	t.Helper()
	var sealer packets.Sealer
	var reader packets.Reader
	for version := 1; version <= count; version++ {
		text, err := json.Marshal(map[string]any{"table": terms.AmendmentPolicies, "record": map[string]any{
			"policyId": "pol-amend", "policyVersion": version, "contractVersion": terms.AmendmentContract.Version,
			"status": "frozen", "frozenAt": "2026-01-01T00:00:00Z", "transitions": terms.Transitions.Texts(),
		}})
		if err != nil {
			t.Fatal(err)
		}
		sealed, fault := sealer.Seal(text)
		if fault != nil {
			t.Fatal(fault)
		}
		unredacted, fault := reader.Read(sealed)
		if fault != nil {
			t.Fatal(fault)
		}
		list = append(list, unredacted.Redact())
	}
	return list
}

func TestACacheDoesNotGrow(t *testing.T) {
	var c Cache
	for _, packet := range policies(t, 3*cachePackets) {
		if _, err := c.Read(packet.Document(), packet.Table(), packet.Key()); err != nil {
			t.Fatal(err)
		}
		if len(c.held) > cachePackets {
			t.Fatalf("it holds %d packets", len(c.held))
		}
	}
}

func TestWhatIsRememberedOfCheckedPacketsHasABound(t *testing.T) {
	var c Checked
	digest := func(i int) (d [32]byte) {
		binary.BigEndian.PutUint64(d[:], uint64(i))
		return d
	}
	for i := range 5 * mostYoung {
		c.put(digest(i))
		if i == 0 {
			continue
		}
		if len(c.young)+len(c.old) > checkedBytes/64 {
			t.Fatalf("%d digests are kept", len(c.young)+len(c.old))
		}
	}
	if _, there := c.old[digest(5*mostYoung-mostYoung-1)]; !there {
		t.Error("those that were met before the newest are gone")
	}
}

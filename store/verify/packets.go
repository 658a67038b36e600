package verify

import (
	"context"
	"fmt"

	"docket/domain/packets"
	"docket/domain/terms"
)

// packetState is a packet as it was found.
type packetState struct {
	packet packets.Packet
	kind   Code // what is wrong with it; 0: nothing
}

// heldPolicies is how many policies an entryChecker keeps. A docket has few.
const heldPolicies = 64

// packets reads what the batch takes to judge it again.
func (x *entryChecker) packets(ctx context.Context, batch []entryResult) (map[Ref]packetState, error) {
	states := map[Ref]packetState{}
	var wanted []Ref
	for i := range batch {
		for _, ref := range batch[i].refs {
			if _, there := states[ref]; there {
				continue
			}
			state, held := x.policies[ref]
			states[ref] = state
			if !held {
				wanted = append(wanted, ref)
			}
		}
	}
	if len(wanted) == 0 {
		return states, nil
	}
	documents, err := x.log.Packets(ctx, wanted)
	if err != nil {
		return nil, fmt.Errorf("read packets of the log: %w", err)
	}
	if len(documents) != len(wanted) {
		return nil, fmt.Errorf("the log gave %d packets for %d names", len(documents), len(wanted))
	}
	for i, ref := range wanted {
		states[ref] = x.open(ref, documents[i])
		x.hold(ref, states[ref])
	}
	return states, nil
}

// hold keeps a policy for the batches to come.
func (x *entryChecker) hold(ref Ref, state packetState) {
	if ref.Table != terms.AppealPolicies && ref.Table != terms.AmendmentPolicies {
		return
	}
	if len(x.policies) >= heldPolicies {
		clear(x.policies)
	}
	x.policies[ref] = state
}

// open reads a stored packet, and holds it to being what its name says.
func (x *entryChecker) open(ref Ref, document []byte) packetState {
	if document == nil {
		return packetState{kind: PacketMissing}
	}
	packet, err := x.reader.ReadStored(document)
	switch {
	case err != nil || packet.Table() != ref.Table || packet.Key() != ref.Key:
		return packetState{kind: PacketAltered}
	case packet.HoldsPrivate():
		return packetState{kind: PrivatePresent}
	}
	return packetState{packet: packet}
}

// refName names a packet. Ids are opaque and not private.
func refName(ref Ref) string { return fmt.Sprintf("%s %s %d", ref.Table, ref.Key.ID, ref.Key.Number) }

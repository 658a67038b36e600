package backfake

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/domain"
)

// Hold takes a packet in, as an operator imports it.
func (b *Backing) Hold(t testing.TB, text []byte) {
	t.Helper()
	var reader domain.Reader
	unredacted, fault := reader.Read(text)
	if fault != nil {
		t.Fatal(fault)
	}
	packet := unredacted.Redact()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shelf = append(b.shelf, packet)
}

// Page implements serve.Library.
func (b *Backing) Page(_ context.Context, who serve.Principal, cursor string, most int) (exchange.Page, error) {
	unlock, err := b.lock()
	if err != nil {
		return exchange.Page{}, err
	}
	defer unlock()
	position, err := readCursor(cursor, who)
	if err != nil {
		return exchange.Page{}, err
	}
	page, taken := exchange.Page{Key: b.verifier, Packets: []json.RawMessage{}}, []domain.Packet{}
	for ; position < len(b.shelf); position++ {
		if !b.sees(who, b.shelf[position]) {
			continue
		}
		if len(taken) == most {
			page.More = true
			break
		}
		taken = append(taken, b.shelf[position])
	}
	page.Cursor = writeCursor(position, who)
	page.Packets = documents(taken)
	return page, nil
}

// Packet implements serve.Library.
func (b *Backing) Packet(_ context.Context, who serve.Principal, id domain.ID) (exchange.Page, error) {
	unlock, err := b.lock()
	if err != nil {
		return exchange.Page{}, err
	}
	defer unlock()
	var taken []domain.Packet
	for _, packet := range b.shelf {
		if packet.Key().ID != id || isPolicy(packet) || !b.sees(who, packet) {
			continue
		}
		if policy, held := b.policyOf(packet); held && !slices.ContainsFunc(taken, sameAs(policy)) {
			taken = append(taken, policy)
		}
		taken = append(taken, packet)
	}
	if len(taken) == 0 {
		return exchange.Page{}, serve.ErrNotHeld
	}
	return exchange.Page{Key: b.verifier, Packets: documents(taken)}, nil
}

func sameAs(packet domain.Packet) func(domain.Packet) bool {
	return func(other domain.Packet) bool { return other.Table() == packet.Table() && other.Key() == packet.Key() }
}

// documents puts policies first.
func documents(packets []domain.Packet) []json.RawMessage {
	texts := []json.RawMessage{}
	for _, policies := range []bool{true, false} {
		for _, packet := range packets {
			if isPolicy(packet) == policies {
				texts = append(texts, packet.Document())
			}
		}
	}
	return texts
}

func isPolicy(packet domain.Packet) bool {
	return packet.Table() == domain.AppealPolicies || packet.Table() == domain.AmendmentPolicies
}

// sees tells whether the packet is there for the principal. Who a case is assigned to is for its latest revision to say.
func (b *Backing) sees(who serve.Principal, packet domain.Packet) bool {
	if isPolicy(packet) {
		return true
	}
	if amendment := packet.Amendment(); amendment.Held() && !who.Owns(amendment.Record().OwnerID) {
		return false
	}
	return who.Role == domain.SafetyAdmin || reviewOf(b.latestOf(packet)).ReviewerID == who.ID && who.ID.Present()
}

func reviewOf(packet domain.Packet) domain.NeutralReview {
	if c := packet.AppealCase(); c.Held() {
		return c.Record().NeutralReview
	}
	return packet.Amendment().Record().NeutralReview
}

func (b *Backing) latestOf(packet domain.Packet) domain.Packet {
	latest := packet
	for _, other := range b.shelf {
		if other.Table() == packet.Table() && other.Key().ID == packet.Key().ID && other.Key().Number > latest.Key().Number {
			latest = other
		}
	}
	return latest
}

// find is a packet that is held.
func (b *Backing) find(table domain.Table, key domain.Key) (domain.Packet, bool) {
	for _, packet := range b.shelf {
		if packet.Table() == table && packet.Key() == key {
			return packet, true
		}
	}
	return domain.Packet{}, false
}

// policyOf is the policy that a case or amendment names, where it is held.
func (b *Backing) policyOf(packet domain.Packet) (domain.Packet, bool) {
	if c := packet.AppealCase(); c.Held() {
		return b.find(domain.AppealPolicies, domain.Key{ID: c.Record().PolicyID, Number: c.Record().PolicyVersion})
	}
	a := packet.Amendment().Record()
	return b.find(domain.AmendmentPolicies, domain.Key{ID: a.PolicyID, Number: a.PolicyVersion})
}

// numbers are those of all that is held under an id.
func (b *Backing) numbers(packet domain.Packet) (numbers []int64) {
	for _, other := range b.shelf {
		if other.Table() == packet.Table() && other.Key().ID == packet.Key().ID {
			numbers = append(numbers, other.Key().Number)
		}
	}
	return numbers
}

// A cursor is a position on the shelf and a digest of the rights for which it was given.
const cursorSize = 8 + 8

func rights(who serve.Principal) []byte {
	text := domain.HashOf(fmt.Appendf(nil, "%q %q %q", who.ID, who.Role, who.Owners)).String()
	return []byte(text[len(text)-8:])
}

func writeCursor(position int, who serve.Principal) string {
	return base64.RawURLEncoding.EncodeToString(append(binary.BigEndian.AppendUint64(nil, uint64(position)), rights(who)...))
}

func readCursor(cursor string, who serve.Principal) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(text) != cursorSize || binary.BigEndian.Uint64(text) > 1<<40 {
		return 0, serve.ErrCursor
	}
	if string(text[8:]) != string(rights(who)) {
		return 0, nil
	}
	return int(binary.BigEndian.Uint64(text)), nil
}

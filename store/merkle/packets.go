package merkle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/domain/terms"
)

// A PacketHead covers what a store keeps besides its log: the packets as they were imported, of each table how many there are with a
// hash chain over them, and when the store was made. Every import signs one with the log's key, and the anchor keeps the newest, so
// that packets that nobody judged yet are not changed or removed unseen. Heads are numbered from 0, which a new store signs.
type PacketHead struct {
	Position int64
	MadeAt   terms.Instant // the store
	Chains   map[terms.Table]PacketChain
	Note     []byte // as it was signed; nil if it is not yet
}

// A PacketChain covers the packets of one table. The zero value covers none.
type PacketChain struct {
	Count int64
	Sum   [sha256.Size]byte
}

// Add appends a packet, by its document and the time at which it came in as they are stored.
func (c *PacketChain) Add(document []byte, importedAt string) {
	digest := sha256.New()
	fmt.Fprintf(digest, "%s\n", importedAt)
	digest.Write(document)
	c.Sum = sha256.Sum256(digest.Sum(c.Sum[:]))
	c.Count++
}

const packetHeadLine = "docket-packets/v2"

// text is what is signed: a line for each table.
func (h *PacketHead) text(origin string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s\n%d\n%s\n", packetHeadLine, origin, h.Position, h.MadeAt)
	for _, table := range terms.PacketTables.Terms() {
		chain := h.Chains[table]
		fmt.Fprintf(&text, "%s %d %s\n", table, chain.Count, hex.EncodeToString(chain.Sum[:]))
	}
	return text.String()
}

// SignPackets signs the head.
func (k *Key) SignPackets(h *PacketHead) (err error) {
	if h.Note, err = k.SignNote(h.text(k.Origin)); err != nil {
		return fmt.Errorf("sign the head of the packets: %w", err)
	}
	return nil
}

// ErrPacketHead says that a head of the packets is none that the key signed.
var ErrPacketHead = errors.New("it is no head of the packets that this store signed")

// OpenPackets reads a head of this log, and only as the key signs one.
func (k *Key) OpenPackets(signed []byte) (PacketHead, error) {
	head, _, err := ReadPackets(signed)
	if err != nil || !k.Verify(signed, head.text(k.Origin)) {
		return PacketHead{}, ErrPacketHead
	}
	return head, nil
}

// ReadPackets reads a head of any log, and the log's origin. Its signature is not verified.
func ReadPackets(signed []byte) (head PacketHead, origin string, err error) {
	text, _, _ := bytes.Cut(signed, []byte("\n\n"))
	lines := strings.Split(string(text), "\n")
	if head, err = readPacketHead(lines); err != nil {
		return PacketHead{}, "", err
	}
	head.Note = bytes.Clone(signed)
	return head, lines[1], nil
}

// headLines is how many lines of a head are before those of the tables.
const headLines = 4

// readPacketHead reads the lines of a text. That they are written as text writes them is for the caller to see.
func readPacketHead(lines []string) (PacketHead, error) {
	tables := terms.PacketTables.Terms()
	if len(lines) != headLines+len(tables) {
		return PacketHead{}, ErrPacketHead
	}
	position, err := strconv.ParseInt(lines[2], 10, 64)
	made, timed := terms.ParseInstant(lines[3])
	if err != nil || position < 0 || !timed {
		return PacketHead{}, ErrPacketHead
	}
	head := PacketHead{Position: position, MadeAt: made, Chains: map[terms.Table]PacketChain{}}
	for i, table := range tables {
		words := strings.Split(lines[headLines+i], " ")
		if len(words) != 3 {
			return PacketHead{}, ErrPacketHead
		}
		var chain PacketChain
		sum, err := hex.DecodeString(words[2])
		if err != nil || len(sum) != len(chain.Sum) {
			return PacketHead{}, ErrPacketHead
		}
		if chain.Count, err = strconv.ParseInt(words[1], 10, 64); err != nil || chain.Count < 0 {
			return PacketHead{}, ErrPacketHead
		}
		chain.Sum = [sha256.Size]byte(sum)
		head.Chains[table] = chain
	}
	return head, nil
}

// Anchored is what an anchor keeps: the newest checkpoint of the log, and the newest head of the packets.
type Anchored struct {
	Checkpoint            // without a Note: unknown
	Packets    PacketHead // without a Note: none
}

// text is what a slot holds of it.
func (a *Anchored) text() string { return string(a.Note) + string(a.Packets.Note) }

// with takes over what is newer in another one. The error is ErrAnchorForked if they contradict each other.
func (a *Anchored) with(other *Anchored) (Anchored, error) {
	merged := *a
	switch {
	case other.Note == nil || a.Note != nil && other.Size < a.Size:
	case a.Note != nil && other.Size == a.Size && other.Root != a.Root:
		return Anchored{}, ErrAnchorForked
	case a.Note == nil || other.Size > a.Size:
		merged.Checkpoint = other.Checkpoint
	}
	switch {
	case other.Packets.Note == nil || a.Packets.Note != nil && other.Packets.Position < a.Packets.Position:
	case a.Packets.Note != nil && other.Packets.Position == a.Packets.Position && !bytes.Equal(other.Packets.Note, a.Packets.Note):
		return Anchored{}, ErrAnchorForked
	default:
		merged.Packets = other.Packets
	}
	return merged, nil
}

// newerThan orders what the two slots of an anchor hold: the later one has the longer log, or more heads of the packets.
func (a *Anchored) newerThan(other *Anchored) bool {
	if a.Size != other.Size {
		return a.Size > other.Size
	}
	return a.Packets.Position > other.Packets.Position
}

// openAnchored reads what a slot holds.
func openAnchored(k *Key, text []byte) (held Anchored, err error) {
	signed := text
	if at := bytes.Index(text, []byte("\n"+packetHeadLine+"\n")); at >= 0 {
		signed = text[:at+1]
		if held.Packets, err = k.OpenPackets(slices.Clone(text[at+1:])); err != nil {
			return Anchored{}, err
		}
	}
	if held.Checkpoint, err = k.Open(signed); err != nil {
		return Anchored{}, err
	}
	return held, nil
}

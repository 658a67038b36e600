package merkle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"docket/domain/terms"
)

// A PacketHead covers the packets that a store keeps beside its log: for each table the number of packets and a hash
// chain over them as they were imported, and the time at which the store was made. Every import signs one with the
// log's key, and the anchor keeps the newest, so that a change or removal of packets without a record on them is found.
// Heads are numbered from 0, which a new store signs.
type PacketHead struct {
	Position int64
	MadeAt   terms.Instant // the store
	Chains   map[terms.Table]Chain
	Note     []byte // as it was signed; nil if it is not yet
}

// A Chain covers rows in their order: their number, with a hash chain over them. The zero value covers none.
type Chain struct {
	Count int64
	sum   [sha256.Size]byte
}

// Add appends a row, by its columns as they are stored. A packet has two: the time at which it came in, and its document.
func (c *Chain) Add(columns ...[]byte) {
	digest := sha256.New()
	var size [8]byte
	for _, column := range columns {
		binary.BigEndian.PutUint64(size[:], uint64(len(column)))
		digest.Write(size[:])
		digest.Write(column)
	}
	c.sum = sha256.Sum256(digest.Sum(c.sum[:]))
	c.Count++
}

// line is a line of a head: the name of a table, and its chain.
func (c *Chain) line(name string) string {
	return fmt.Sprintf("%s %d %s\n", name, c.Count, hex.EncodeToString(c.sum[:]))
}

// readChain reads a line. The caller checks that it is written as line writes it.
func readChain(line string) (name string, c Chain, ok bool) {
	words := strings.Split(line, " ")
	if len(words) != 3 {
		return "", Chain{}, false
	}
	sum, err := hex.DecodeString(words[2])
	if err != nil || len(sum) != len(c.sum) {
		return "", Chain{}, false
	}
	count, err := strconv.ParseInt(words[1], 10, 64)
	return words[0], Chain{count, [sha256.Size]byte(sum)}, err == nil && count >= 0
}

const packetHeadLine = "docket-packets/v3"

// text returns the signed text: a line for each table.
func (h *PacketHead) text(origin string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s\n%d\n%s\n", packetHeadLine, origin, h.Position, h.MadeAt)
	for _, table := range terms.PacketTables.Terms() {
		chain := h.Chains[table]
		text.WriteString(chain.line(table.String()))
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
	if err != nil || !k.verify(signed, head.text(k.Origin)) {
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

// headLines is the number of lines of a head before those of the tables.
const headLines = 4

// readPacketHead reads the lines of a text. The caller checks that they are written as text writes them.
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
	head := PacketHead{Position: position, MadeAt: made, Chains: map[terms.Table]Chain{}}
	for i, table := range tables {
		_, chain, ok := readChain(lines[headLines+i])
		if !ok {
			return PacketHead{}, ErrPacketHead
		}
		head.Chains[table] = chain
	}
	return head, nil
}

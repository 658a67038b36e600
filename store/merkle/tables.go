package merkle

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A TableHead covers the append-only tables that a store keeps beside its log: the statements about the log, the
// service's answers, cosignatures, tokens. It is signed with the log's key and lies in the anchor alone, so that a
// removal or change of rows that this machine has seen is found. Rows are added before they are covered: the tables may
// have more than the head says.
type TableHead struct {
	Chains map[string]Chain // by the name of the table
	Note   []byte           // as it was signed; nil if it is not yet
}

const tableHeadLine = "docket-tables/v1"

// text returns the signed text: a line for each table, in the order of their names.
func (h *TableHead) text(origin string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s\n", tableHeadLine, origin)
	for _, name := range slices.Sorted(maps.Keys(h.Chains)) {
		chain := h.Chains[name]
		text.WriteString(chain.line(name))
	}
	return text.String()
}

// SignTables signs the head.
func (k *Key) SignTables(h *TableHead) (err error) {
	if h.Note, err = k.SignNote(h.text(k.Origin)); err != nil {
		return fmt.Errorf("sign the head of the tables: %w", err)
	}
	return nil
}

// errTableHead says that a head of the tables is none that the key signed.
var errTableHead = errors.New("it is no head of the tables that this store signed")

// openTables reads a head of this log, and only as the key signs one.
func (k *Key) openTables(signed []byte) (TableHead, error) {
	text, _, _ := bytes.Cut(signed, []byte("\n\n"))
	lines := strings.Split(string(text), "\n")
	head := TableHead{Chains: map[string]Chain{}, Note: bytes.Clone(signed)}
	for _, line := range lines[min(2, len(lines)):] {
		name, chain, ok := readChain(line)
		if !ok {
			return TableHead{}, errTableHead
		}
		head.Chains[name] = chain
	}
	if !k.verify(signed, head.text(k.Origin)) {
		return TableHead{}, errTableHead
	}
	return head, nil
}

// covers reports whether the head covers all rows that another one does.
func (h *TableHead) covers(other *TableHead) bool {
	for name, chain := range other.Chains {
		if held := h.Chains[name]; held.Count < chain.Count || held.Count == chain.Count && held != chain {
			return false
		}
	}
	return true
}

// rows returns how many rows the head covers in all tables.
func (h *TableHead) rows() (count int64) {
	for _, chain := range h.Chains {
		count += chain.Count
	}
	return count
}

// Anchored is what an anchor keeps: the newest checkpoint of the log, and the newest heads of the packets and of the
// tables. In its file all three are signed. A part without a Note is not known, and leaves the kept one as it is.
type Anchored struct {
	Checkpoint
	Packets PacketHead
	Tables  TableHead
	Older   []byte // the checkpoint of the other slot as it was signed, if that can be read
}

// text returns the text of a slot.
func (a *Anchored) text() string {
	return string(a.Note) + string(a.Packets.Note) + string(a.Tables.Note)
}

// with returns the anchor with the newer parts of another one. The error is ErrAnchorForked if they contradict each
// other.
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
	switch {
	case other.Tables.Note == nil || a.Tables.Note != nil && a.Tables.covers(&other.Tables):
	case a.Tables.Note != nil && !other.Tables.covers(&a.Tables):
		return Anchored{}, ErrAnchorForked
	default:
		merged.Tables = other.Tables
	}
	return merged, nil
}

// newerThan orders the contents of the two slots of an anchor: the later one has the longer log, more heads of the
// packets, or more rows.
func (a *Anchored) newerThan(other *Anchored) bool {
	switch {
	case a.Size != other.Size:
		return a.Size > other.Size
	case a.Packets.Position != other.Packets.Position:
		return a.Packets.Position > other.Packets.Position
	}
	return a.Tables.rows() > other.Tables.rows()
}

// openAnchored reads the text of a slot.
func openAnchored(k *Key, text []byte) (held Anchored, err error) {
	signed := text
	packets, tables := bytes.Index(text, []byte("\n"+packetHeadLine+"\n")), bytes.Index(text, []byte("\n"+tableHeadLine+"\n"))
	if packets >= 0 {
		signed = text[:packets+1]
	}
	held.Checkpoint, err = k.Open(signed)
	if err == nil && (packets < 0 || tables < packets) {
		err = errNoHeads
	}
	if err == nil {
		held.Packets, err = k.OpenPackets(text[packets+1 : tables+1])
	}
	if err == nil {
		held.Tables, err = k.openTables(text[tables+1:])
	}
	if err != nil {
		return Anchored{}, err
	}
	return held, nil
}

// errNoHeads says that a checkpoint is kept without the heads that belong to it.
var errNoHeads = errors.New("it holds a checkpoint without what covers the packets and the tables")

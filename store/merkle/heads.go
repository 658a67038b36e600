package merkle

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Chain is a number of rows in their order, with a hash chain over them. Zero covers none.
type Chain struct {
	Count int64
	sum   [sha256.Size]byte
}

// Add appends a row by its stored columns.
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

// A TableHead covers the append-only tables that a store keeps beside its log: the statements about
// the log, the service's answers, cosignatures, tokens. It is signed with the log's key and lies in
// the anchor alone, so that a removal or change of rows that this machine has seen is found. Rows
// are added before they are covered: the tables may have more.
type TableHead struct {
	Chains map[string]Chain // by the name of the table
	Note   []byte           // as it was signed; nil if it is not yet
}

const tableHeadLine = "docket-tables/v1"

// text returns the signed text: a line for each table, in the order of their names.
func (h *TableHead) text(origin string) string {
	return h.write(slices.Sorted(maps.Keys(h.Chains)), tableHeadLine, origin)
}

func (h *TableHead) write(tables []string, lines ...string) string {
	for _, name := range tables {
		chain := h.Chains[name]
		lines = append(lines, fmt.Sprintf("%s %d %s", name, chain.Count, hex.EncodeToString(chain.sum[:])))
	}
	return strings.Join(lines, "\n") + "\n"
}

// SignTables signs the head.
func (k *Key) SignTables(h *TableHead) (err error) {
	if h.Note, err = k.SignNote(h.text(k.Origin)); err != nil {
		return fmt.Errorf("sign the head of the tables: %w", err)
	}
	return nil
}

var errTableHead = errors.New("it is no head of the tables that this store signed")

func (k *Key) openTables(signed []byte) (head TableHead, err error) {
	if _, ok := head.read(signed, 2); !ok || !k.verify(signed, head.text(k.Origin)) {
		return TableHead{}, errTableHead
	}
	return head, nil
}

// read reads the lines of the tables and returns those before them; the caller compares the text.
func (h *TableHead) read(signed []byte, before int) (lines []string, ok bool) {
	text, _, _ := bytes.Cut(signed, []byte("\n\n"))
	h.Note, h.Chains = bytes.Clone(signed), map[string]Chain{}
	if lines = strings.Split(string(text), "\n"); len(lines) < before {
		return make([]string, before), false
	}
	for _, line := range lines[before:] {
		words := strings.Split(line, " ")
		if len(words) != 3 {
			return lines, false
		}
		count, err := strconv.ParseInt(words[1], 10, 64)
		sum, failed := hex.DecodeString(words[2])
		if err != nil || failed != nil || count < 0 || len(sum) != sha256.Size {
			return lines, false
		}
		h.Chains[words[0]] = Chain{count, [sha256.Size]byte(sum)}
	}
	return lines, true
}

// covers reports whether the head covers all rows that other does.
func (h *TableHead) covers(other *TableHead) bool {
	for name, chain := range other.Chains {
		if held := h.Chains[name]; held.Count < chain.Count || held.Count == chain.Count && held != chain {
			return false
		}
	}
	return true
}

func (h *TableHead) rows() (count int64) {
	for _, chain := range h.Chains {
		count += chain.Count
	}
	return count
}

// Anchored is what an anchor keeps, each part signed: the newest checkpoint of the log, and the
// newest head of the tables. A part without a Note leaves the kept one as it is.
type Anchored struct {
	Checkpoint
	Tables TableHead
	Older  []byte // the checkpoint of the other slot as it was signed, if that can be read
}

func (a *Anchored) text() string {
	return string(a.Note) + string(a.Tables.Note)
}

// with returns the anchor with the newer parts of other; ErrAnchorForked if they contradict.
func (a *Anchored) with(other *Anchored) (Anchored, error) {
	merged := *a
	switch {
	case other.Note == nil || a.Note != nil && other.Size < a.Size:
	case a.Note != nil && other.Size == a.Size && other.Root != a.Root:
		return Anchored{}, ErrAnchorForked
	case a.Note == nil || other.Size > a.Size:
		merged.Checkpoint = other.Checkpoint
	}
	switch held, more := &a.Tables, &other.Tables; {
	case more.Note == nil || held.Note != nil && held.covers(more):
	case held.Note != nil && !more.covers(held):
		return Anchored{}, ErrAnchorForked
	default:
		merged.Tables = *more
	}
	return merged, nil
}

// newerThan: the later slot has the longer log, or more rows.
func (a *Anchored) newerThan(other *Anchored) bool {
	return cmp.Or(cmp.Compare(a.Size, other.Size), cmp.Compare(a.Tables.rows(), other.Tables.rows())) > 0
}

func openAnchored(k *Key, text []byte) (held Anchored, err error) {
	tables := bytes.Index(text, []byte("\n"+tableHeadLine+"\n")) + 1
	signed := text
	if tables > 0 {
		signed = text[:tables]
	}
	held.Checkpoint, err = k.Open(signed)
	if err == nil && tables == 0 {
		err = errors.New("it holds a checkpoint without what covers the tables")
	}
	if err == nil {
		held.Tables, err = k.openTables(text[tables:])
	}
	if err != nil {
		return Anchored{}, err
	}
	return held, nil
}

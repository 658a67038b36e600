package domain

import "encoding/binary"

// A docket keeps its ids in their order, in leaves, each id as what differs from the one before it: ids of one kind
// have long beginnings in common, so that a million of them take a few megabytes.
const (
	leafRows  = 256 // of a leaf
	blockRows = 16  // ids of a leaf that are read one after the other; the first of them stands in full
)

// A docketLeaf holds up to leafRows rows.
type docketLeaf struct {
	ids    []byte // for each: length of what it shares with the one before, length of the rest, the rest
	blocks [leafRows / blockRows]uint32
	rows   []docketRow
}

// add appends an id that comes after last, the one before it.
func (l *docketLeaf) add(id, last ID) {
	shared := 0
	if at := len(l.rows); at%blockRows == 0 {
		l.blocks[at/blockRows] = uint32(len(l.ids))
	} else {
		for n := min(len(id), len(last)); shared < n && id[shared] == last[shared]; {
			shared++
		}
	}
	l.ids = binary.AppendUvarint(l.ids, uint64(shared))
	l.ids = binary.AppendUvarint(l.ids, uint64(len(id)-shared))
	l.ids = append(l.ids, id[shared:]...)
}

// A idCursor reads the ids of a leaf one after the other.
type idCursor struct {
	leaf *docketLeaf
	next int    // where the next id begins
	id   []byte // the one read last
}

// block starts reading at the first id of a block.
func (c *idCursor) block(l *docketLeaf, block int) {
	c.leaf, c.next = l, int(l.blocks[block])
}

func (c *idCursor) read() []byte {
	shared, n := binary.Uvarint(c.leaf.ids[c.next:])
	c.next += n
	rest, n := binary.Uvarint(c.leaf.ids[c.next:])
	c.next += n
	c.id = append(c.id[:shared], c.leaf.ids[c.next:c.next+int(rest)]...)
	c.next += int(rest)
	return c.id
}

// id returns the id of a row.
func (l *docketLeaf) id(at int) ID {
	var c idCursor
	c.block(l, at/blockRows)
	for range at % blockRows {
		c.read()
	}
	return ID(c.read())
}

// find returns the row of an id within a block; false if it is not in it.
func (l *docketLeaf) find(block int, id ID) (int, bool) {
	var c idCursor
	c.block(l, block)
	first := block * blockRows
	for i := range l.rows[first:min(first+blockRows, len(l.rows))] {
		if string(c.read()) == string(id) {
			return first + i, true
		}
	}
	return 0, false
}

package bundle

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"docket/store/merkle"
	"docket/store/verify"
)

type tiles struct {
	out        *output
	hashesOnly bool   // no tile of leaves is written
	entries    []byte // of the tile under way
}

func (t *tiles) add(leaf []byte, tree *verify.Tree) error {
	if !t.hashesOnly {
		t.entries = merkle.AppendEntry(t.entries, leaf)
	}
	return t.cut(tree, false)
}

// finish cuts the partial tiles at the tree's right edge.
func (t *tiles) finish(tree *verify.Tree) error { return t.cut(tree, true) }

// cut cuts the full tiles that the newest leaf ends or, at the end of the log, the partial ones.
func (t *tiles) cut(tree *verify.Tree, end bool) error {
	size := tree.Size()
	for level := -1; size > 0; level++ {
		number, width := size>>merkle.TileHeight, int(size%merkle.TileWidth)
		switch {
		case !end && width > 0:
			return nil
		case !end:
			number, width = number-1, merkle.TileWidth
		}
		if width > 0 {
			if err := t.put(level, number, width, tree); err != nil {
				return err
			}
		}
		size >>= merkle.TileHeight * min(level+1, 1)
	}
	return nil
}

// put writes a tile; level -1 holds the leaves of which level 0 holds the hashes.
func (t *tiles) put(level int, number int64, width int, tree *verify.Tree) error {
	tile := tlog.Tile{H: merkle.TileHeight, L: level, N: number, W: width}
	if tile.L < 0 {
		if t.hashesOnly {
			return nil
		}
		err := t.out.put(merkle.TilePath(tile), t.entries)
		t.entries = t.entries[:0]
		return err
	}
	data, err := tlog.ReadTileData(tile, tree)
	if err != nil {
		return fmt.Errorf("cut %s: %w", merkle.TilePath(tile), err)
	}
	return t.out.put(merkle.TilePath(tile), data)
}

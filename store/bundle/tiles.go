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

// add adds a leaf, which is the newest of the tree, and writes the tiles that it fills.
func (t *tiles) add(leaf []byte, tree *verify.Tree) error {
	if !t.hashesOnly {
		t.entries = merkle.AppendEntry(t.entries, leaf)
	}
	if size := tree.Size(); size%merkle.TileWidth == 0 {
		return t.cut(tree, size-merkle.TileWidth, true)
	}
	return nil
}

// finish writes the partial tiles at the tree's right edge.
func (t *tiles) finish(tree *verify.Tree) error { return t.cut(tree, 0, false) }

// cut writes the tiles of the tree that are new since a size: the full ones, or the partial ones.
func (t *tiles) cut(tree *verify.Tree, since int64, full bool) error {
	if last := tree.Size() - 1; len(t.entries) > 0 {
		width := int(last%merkle.TileWidth) + 1
		tile := tlog.Tile{H: merkle.TileHeight, L: -1, N: last / merkle.TileWidth, W: width}
		if err := t.out.put(merkle.TilePath(tile), t.entries); err != nil {
			return err
		}
		t.entries = t.entries[:0]
	}
	for _, tile := range tlog.NewTiles(merkle.TileHeight, since, tree.Size()) {
		if full != (tile.W == merkle.TileWidth) {
			continue
		}
		data, err := tlog.ReadTileData(tile, tree)
		if err != nil {
			return fmt.Errorf("cut %s: %w", merkle.TilePath(tile), err)
		}
		if err := t.out.put(merkle.TilePath(tile), data); err != nil {
			return err
		}
	}
	return nil
}

package bundle

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"docket/store/merkle"
	"docket/store/verify"
)

// tiles cuts tiles from a growing tree.
type tiles struct {
	out        *output
	hashesOnly bool   // no tile of leaves is written
	entries    []byte // of the tile under way
}

// add takes the leaf that was just added to the tree.
func (t *tiles) add(leaf []byte, tree *verify.Tree) error {
	if !t.hashesOnly {
		t.entries = merkle.AppendEntry(t.entries, leaf)
	}
	size := tree.Size()
	if size%merkle.TileWidth != 0 {
		return nil
	}
	if err := t.put(tlog.Tile{H: merkle.TileHeight, L: -1, N: size>>merkle.TileHeight - 1, W: merkle.TileWidth}, tree); err != nil {
		return err
	}
	for level := 0; size%merkle.TileWidth == 0; level++ {
		size >>= merkle.TileHeight
		if err := t.put(tlog.Tile{H: merkle.TileHeight, L: level, N: size - 1, W: merkle.TileWidth}, tree); err != nil {
			return err
		}
	}
	return nil
}

// finish cuts the partial tiles at the tree's right edge.
func (t *tiles) finish(tree *verify.Tree) error {
	size := tree.Size()
	if width := int(size % merkle.TileWidth); width > 0 {
		if err := t.put(tlog.Tile{H: merkle.TileHeight, L: -1, N: size >> merkle.TileHeight, W: width}, tree); err != nil {
			return err
		}
	}
	for level := 0; size > 0; level++ {
		if width := int(size % merkle.TileWidth); width > 0 {
			if err := t.put(tlog.Tile{H: merkle.TileHeight, L: level, N: size >> merkle.TileHeight, W: width}, tree); err != nil {
				return err
			}
		}
		size >>= merkle.TileHeight
	}
	return nil
}

func (t *tiles) put(tile tlog.Tile, tree *verify.Tree) error {
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

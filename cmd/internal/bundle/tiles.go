package bundle

import (
	"encoding/binary"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/store/verify"
)

// Tiles as C2SP tlog-tiles has them: 256 hashes wide; an entry is its length in two bytes, big-endian, and its bytes.
const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
)

// tilePath is the path of a tile in a bundle. Level -1 holds the entries.
func tilePath(t tlog.Tile) string {
	path := strings.TrimPrefix(t.Path(), fmt.Sprintf("tile/%d/", tileHeight))
	if rest, entries := strings.CutPrefix(path, "data/"); entries {
		path = "entries/" + rest
	}
	return tilesFolder + "/" + path
}

// isTile tells whether the path is that of a tile in the bundle of a log of that size.
func isTile(path string, size int64) bool {
	rest, ok := strings.CutPrefix(path, tilesFolder+"/")
	if entries, found := strings.CutPrefix(rest, "entries/"); found {
		rest = "data/" + entries
	}
	tile, err := tlog.ParseTilePath(fmt.Sprintf("tile/%d/%s", tileHeight, rest))
	if !ok || err != nil || tilePath(tile) != path || tile.L > 7 {
		return false
	}
	wide := size >> (tileHeight * max(tile.L, 0)) // hashes at the tile's level
	if tile.W == tileWidth {
		return tile.N < wide>>tileHeight
	}
	return tile.N == wide>>tileHeight && int64(tile.W) == wide%tileWidth
}

// tiles cuts tiles from a tree as it grows.
type tiles struct {
	out     output
	entries []byte // of the tile under way
}

// add takes the leaf that was just added to the tree.
func (t *tiles) add(leaf []byte, tree *verify.Tree) error {
	t.entries = binary.BigEndian.AppendUint16(t.entries, uint16(len(leaf)))
	t.entries = append(t.entries, leaf...)
	size := tree.Size()
	if size%tileWidth != 0 {
		return nil
	}
	if err := t.put(tlog.Tile{H: tileHeight, L: -1, N: size>>tileHeight - 1, W: tileWidth}, tree); err != nil {
		return err
	}
	for level := 0; size%tileWidth == 0 && size > 0; level++ {
		size >>= tileHeight
		if err := t.put(tlog.Tile{H: tileHeight, L: level, N: size - 1, W: tileWidth}, tree); err != nil {
			return err
		}
	}
	return nil
}

// finish cuts the partial tiles at the tree's right edge.
func (t *tiles) finish(tree *verify.Tree) error {
	size := tree.Size()
	if width := int(size % tileWidth); width > 0 {
		if err := t.put(tlog.Tile{H: tileHeight, L: -1, N: size >> tileHeight, W: width}, tree); err != nil {
			return err
		}
	}
	for level := 0; size > 0; level++ {
		if width := int(size % tileWidth); width > 0 {
			if err := t.put(tlog.Tile{H: tileHeight, L: level, N: size >> tileHeight, W: width}, tree); err != nil {
				return err
			}
		}
		size >>= tileHeight
	}
	return nil
}

func (t *tiles) put(tile tlog.Tile, tree *verify.Tree) error {
	if tile.L < 0 {
		err := t.out.put(tilePath(tile), t.entries)
		t.entries = t.entries[:0]
		return err
	}
	data, err := tlog.ReadTileData(tile, tree)
	if err != nil {
		return fmt.Errorf("cut %s: %w", tilePath(tile), err)
	}
	return t.out.put(tilePath(tile), data)
}

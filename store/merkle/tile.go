package merkle

import (
	"encoding/binary"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Tiles are 256 hashes wide (C2SP tlog-tiles); an entry follows its length, two bytes, big-endian.
const (
	TileHeight = 8
	TileWidth  = 1 << TileHeight

	highestLevel = 7 // of a tile: eight levels hold more than any log has
)

// TilePath returns "tile/<L>/<N>" or, partial, "tile/<L>/<N>.p/<W>". Level -1 holds the entries.
func TilePath(t tlog.Tile) string {
	rest := strings.TrimPrefix(t.Path(), fmt.Sprintf("tile/%d/", TileHeight))
	if entries, is := strings.CutPrefix(rest, "data/"); is {
		rest = "entries/" + entries
	}
	return "tile/" + rest
}

// ParseTilePath reads what TilePath writes, and nothing else.
func ParseTilePath(path string) (tlog.Tile, bool) {
	rest, ok := strings.CutPrefix(path, "tile/")
	if entries, is := strings.CutPrefix(rest, "entries/"); is {
		rest = "data/" + entries
	}
	tile, err := tlog.ParseTilePath(fmt.Sprintf("tile/%d/%s", TileHeight, rest))
	return tile, ok && err == nil && TilePath(tile) == path && tile.L <= highestLevel
}

// HasTile reports whether the tree of a size has all of the hashes, or entries, of a tile.
func HasTile(t tlog.Tile, size int64) bool {
	wide := size >> (TileHeight * max(t.L, 0)) // at the tile's level
	full := wide >> TileHeight
	return t.N < full || t.N == full && int64(t.W) <= wide%TileWidth
}

// AppendEntry appends an entry of at most 65,535 bytes, as a record has, to those of a tile.
func AppendEntry(tile, document []byte) []byte {
	return append(binary.BigEndian.AppendUint16(tile, uint16(len(document))), document...)
}

package bundle_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/store/peertest"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// tileFolder reads the tiles of a bundle as any client of C2SP tlog-tiles does.
type tileFolder string

func (f tileFolder) Height() int { return 8 }

func (f tileFolder) path(t tlog.Tile) string {
	path := strings.TrimPrefix(t.Path(), "tile/8/")
	return filepath.Join(string(f), "tile", strings.Replace(path, "data/", "entries/", 1))
}

func (f tileFolder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for i, t := range tiles {
		var err error
		if data[i], err = os.ReadFile(f.path(t)); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func (f tileFolder) SaveTiles([]tlog.Tile, [][]byte) {}

func TestTilesProveEveryEntry(t *testing.T) {
	t.Parallel()
	for _, size := range [...]int{1, 127, 128} { // with their packets and two policies 4, 256 and 258 entries
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			l := verifytest.Crowd(t, size)
			dir := written(t, l)
			tree := tlog.Tree{N: int64(len(l.List)), Hash: l.Root()}
			hashes := tlog.TileHashReader(tree, tileFolder(dir))
			var entries []verify.Entry
			must(t, l.Entries(t.Context(), 0, func(e verify.Entry) error { entries = append(entries, e); return nil }))
			for n := range tree.N {
				proof := need(tlog.ProveRecord(tree.N, n, hashes))(t)
				must(t, tlog.CheckRecord(proof, tree.N, tree.Hash, n, verify.LeafOf(&entries[n])))
			}
			checkEntries(t, dir, l)
			wantKinds(t, dir, verify.Options{})
		})
	}
}

// A checker of tile logs that nobody here wrote reads every entry, computes the root and each tile, and finds each that was changed.
func TestTesserasCheckerReadsTheTilesAndFindsEachThatWasChanged(t *testing.T) {
	t.Parallel()
	check := peertest.Fsck(t)
	l := verifytest.Crowd(t, 300)
	dir := written(t, l)
	key := l.Says.VerifierKeys[0]
	fsck := func() error {
		if out, err := check("file://"+dir+"/", key); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	must(t, fsck())
	var tiles []string
	for _, name := range files(t, filepath.Join(dir, "tile")) {
		tiles = append(tiles, filepath.Join(dir, "tile", name))
	}
	if len(tiles) != 7 { // three of entries, three of level 0, one of level 1
		t.Fatal(tiles)
	}
	for _, path := range append(tiles, filepath.Join(dir, "checkpoint")) {
		content := need(os.ReadFile(path))(t)
		flipped := slices.Clone(content)
		flipped[len(flipped)/2] ^= 1
		must(t, os.WriteFile(path, flipped, 0o600))
		if fsck() == nil {
			t.Errorf("%s was changed, and nothing is found", path)
		}
		must(t, os.WriteFile(path, content, 0o600))
	}
	must(t, fsck())
}

func checkEntries(t *testing.T, dir string, l *verifytest.Log) {
	t.Helper()
	for n := 0; n < len(l.List); n += 256 {
		width := min(256, len(l.List)-n)
		data := need(os.ReadFile(tileFolder(dir).path(tlog.Tile{H: 8, L: -1, N: int64(n / 256), W: width})))(t)
		for i := range width {
			length := int(binary.BigEndian.Uint16(data))
			if entry := string(data[2 : 2+length]); entry != string(l.List[n+i].Leaf()) {
				t.Fatalf("entry %d differs", n+i)
			}
			data = data[2+length:]
		}
		if len(data) > 0 {
			t.Errorf("%d bytes follow the last entry", len(data))
		}
	}
}

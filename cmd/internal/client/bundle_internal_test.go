package client

import (
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

func TestHashesOfATreeAreReadWithinItsBoundsOnly(t *testing.T) {
	tree := hashes{{1}, {2}, {3}}
	for position, want := range map[int64]bool{-1: false, 0: true, 2: true, 3: false, 4: false} {
		read, err := tree.ReadHashes([]int64{1, position})
		if (err == nil) != want || want && (len(read) != 2 || read[1] != tree[position]) || !want && read != nil {
			t.Errorf("%d: %v, %v", position, read, err)
		}
	}
	var _ tlog.HashReader = tree
}

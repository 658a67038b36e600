// Command fsck checks the tiles of a bundle with the checker of tile logs of github.com/transparency-dev/tessera: it hashes every
// entry, computes the root and every tile from them, and compares. It knows nothing of docket.
//
//	fsck DIR KEY
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera/api"
	"github.com/transparency-dev/tessera/client"
	"github.com/transparency-dev/tessera/fsck"
	"golang.org/x/mod/sumdb/note"
)

func main() {
	if err := check(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("every entry and tile is what the checkpoint signs")
}

func check(dir, key string) error {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	checker := fsck.New(verifier.Name(), verifier, &client.FileFetcher{Root: dir}, leaves, fsck.Opts{N: 2})
	return checker.Check(context.Background())
}

// leaves are the leaf hashes of a bundle of entries.
func leaves(bundle []byte) ([][]byte, error) {
	var entries api.EntryBundle
	if err := entries.UnmarshalText(bundle); err != nil {
		return nil, err
	}
	hashes := make([][]byte, 0, len(entries.Entries))
	for _, entry := range entries.Entries {
		hashes = append(hashes, rfc6962.DefaultHasher.HashLeaf(entry))
	}
	return hashes, nil
}

// Command fsck checks the tiles of a bundle or of a service with the checker of tile logs of github.com/transparency-dev/tessera: it hashes every
// entry, computes the root and every tile from them, and compares. It knows nothing of docket.
//
//	fsck DIR KEY
//	fsck URL KEY TOKEN
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"

	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera/api"
	"github.com/transparency-dev/tessera/client"
	"github.com/transparency-dev/tessera/fsck"
	"golang.org/x/mod/sumdb/note"
)

func main() {
	if err := check(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("every entry and tile is what the checkpoint signs")
}

func check(log, key string, token []string) error {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	var fetcher fsck.Fetcher = &client.FileFetcher{Root: log}
	if len(token) > 0 {
		root, err := url.Parse(log)
		if err != nil {
			return err
		}
		over, err := client.NewHTTPFetcher(root, nil)
		if err != nil {
			return err
		}
		over.SetAuthorizationHeader("Bearer " + token[0])
		fetcher = over
	}
	checker := fsck.New(verifier.Name(), verifier, fetcher, leaves, fsck.Opts{N: 2})
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

package backfake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"

	checkpoint "github.com/transparency-dev/formats/log"
	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/domain"
)

// lodged is what the witness last saw of a log.
type lodged struct {
	principal domain.ID
	key       string
	size      int64
	root      tlog.Hash
}

// cosigner is the key of the service's own for cosignatures.
type cosigner struct {
	signer *cosignature.Signer
	key    string
}

func newCosigner() (*cosigner, error) {
	private, public, err := note.GenerateKey(seeded("witness"), Origin+"/witness")
	if err != nil {
		return nil, err
	}
	signer, err := cosignature.NewSignerForCosignatureV1(private)
	if err != nil {
		return nil, err
	}
	key, err := cosignature.VKeyToCosignatureV1(public)
	return &cosigner{signer, key}, err
}

// seeded makes the same key in every run.
func seeded(seed string) io.Reader {
	sum := sha256.Sum256([]byte(seed))
	return bytes.NewReader(sum[:])
}

// consoleOrigin stands before the name of a console's log.
const consoleOrigin = "docket/"

// Cosign implements serve.Witness.
func (b *Backing) Cosign(_ context.Context, who serve.Principal, lodging exchange.Lodging) (exchange.Cosigned, error) {
	unlock, err := b.lock()
	if err != nil {
		return exchange.Cosigned{}, err
	}
	defer unlock()
	signed, seen, err := opened(lodging)
	if err != nil {
		return exchange.Cosigned{}, &serve.CheckpointError{Kind: exchange.Malformed}
	}
	seen.principal = who.ID
	before, met := b.lodged[seen.key]
	switch {
	case met && before.principal != who.ID:
		return exchange.Cosigned{}, &serve.CheckpointError{Kind: exchange.Forbidden}
	case seen.size < before.size:
		return exchange.Cosigned{}, &serve.CheckpointError{Kind: exchange.CheckpointShorter, Size: before.size}
	case lodging.OldSize != before.size || !extends(lodging, before, seen):
		return exchange.Cosigned{}, &serve.CheckpointError{Kind: exchange.CheckpointForked, Size: before.size}
	}
	b.lodged[seen.key] = seen
	both, err := note.Sign(signed, b.cosigner.signer)
	if err != nil {
		return exchange.Cosigned{}, err
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(both), "\n"), "\n")
	return exchange.Cosigned{Size: seen.size, Cosignature: lines[len(lines)-1] + "\n", Key: b.cosigner.key}, nil
}

// opened verifies that the checkpoint is one of the log whose key comes with it.
func opened(lodging exchange.Lodging) (*note.Note, lodged, error) {
	verifier, err := note.NewVerifier(lodging.Key)
	if err != nil {
		return nil, lodged{}, err
	}
	head, rest, signed, err := checkpoint.ParseCheckpoint([]byte(lodging.Checkpoint), verifier.Name(), verifier)
	if err != nil {
		return nil, lodged{}, err
	}
	hex, console := strings.CutPrefix(head.Origin, consoleOrigin)
	if !console || !isHex(hex) || len(head.Hash) != tlog.HashSize || len(rest) > 0 || head.Size > 1<<53 {
		return nil, lodged{}, errors.New("it is no checkpoint of a console")
	}
	return signed, lodged{key: lodging.Key, size: int64(head.Size), root: tlog.Hash(head.Hash)}, nil
}

func isHex(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil
}

// extends tells whether the proof shows that the log goes on from what was seen before.
func extends(lodging exchange.Lodging, before, now lodged) bool {
	if before.size == now.size || before.size == 0 {
		return len(lodging.Proof) == 0 && (before.size == 0 || before.root == now.root)
	}
	proof := make(tlog.TreeProof, len(lodging.Proof))
	for i, hash := range lodging.Proof {
		sum, err := hex.DecodeString(strings.TrimPrefix(hash.String(), "sha256:"))
		if err != nil || len(sum) != tlog.HashSize {
			return false
		}
		proof[i] = tlog.Hash(sum)
	}
	return tlog.CheckTree(proof, now.size, now.root, before.size, before.root) == nil
}

package backfake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	checkpoint "github.com/transparency-dev/formats/log"
	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
)

// lodged is what the witness last saw of a log.
type lodged struct {
	key  string
	size int64
	root tlog.Hash
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

// consoleOrigin stands before the 32 hex digits that name a console's log.
const consoleOrigin = "docket/"

// Cosign implements serve.Witness.
func (b *Backing) Cosign(_ context.Context, _ serve.Principal, lodging exchange.Lodging) (exchange.Cosigned, error) {
	unlock, err := b.lock()
	if err != nil {
		return exchange.Cosigned{}, err
	}
	defer unlock()
	signed, origin, now, err := opened(lodging)
	if err != nil || lodging.OldSize == 0 && len(lodging.Proof) > 0 {
		return exchange.Cosigned{}, &serve.CheckpointError{Kind: exchange.Malformed}
	}
	before, met := b.lodged[lodging.Key]
	if kind := faultOf(lodging, before, met, now); kind != exchange.Internal {
		return exchange.Cosigned{}, &serve.CheckpointError{Kind: kind, Size: before.size}
	}
	if !met || now.size > before.size {
		b.lodged[lodging.Key] = now
		b.seen = append(b.seen, fmt.Sprintf("%s %v", origin, now))
	}
	both, err := note.Sign(signed, b.cosigner.signer)
	if err != nil {
		return exchange.Cosigned{}, err
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(both), "\n"), "\n")
	return exchange.Cosigned{Size: now.size, Cosignature: lines[len(lines)-1] + "\n", Key: b.cosigner.key}, nil
}

// opened verifies that the checkpoint is one of a console's log, signed with the key that comes with it.
func opened(lodging exchange.Lodging) (signed *note.Note, origin string, seen lodged, err error) {
	verifier, err := note.NewVerifier(lodging.Key)
	if err != nil {
		return nil, "", lodged{}, err
	}
	origin = verifier.Name()
	head, rest, signed, err := checkpoint.ParseCheckpoint([]byte(lodging.Checkpoint), origin, verifier)
	if err != nil {
		return nil, "", lodged{}, err
	}
	name, console := strings.CutPrefix(origin, consoleOrigin)
	if !console || len(name) != 32 || strings.Trim(name, "0123456789abcdef") != "" || len(head.Hash) != tlog.HashSize ||
		len(rest) > 0 || head.Size >= 1<<53 {
		return nil, "", lodged{}, errors.New("it is no checkpoint of a console")
	}
	return signed, origin, lodged{key: lodging.Key, size: int64(head.Size), root: tlog.Hash(head.Hash)}, nil
}

// faultOf says why the log does not go on from what was seen of it; the zero kind if it does.
func faultOf(lodging exchange.Lodging, before lodged, met bool, now lodged) exchange.ProblemKind {
	switch {
	case now.size < before.size:
		return exchange.CheckpointShorter
	case met && now.size == before.size && now.root != before.root:
		return exchange.CheckpointForked
	case met && now.size == before.size:
		return exchange.Internal
	case lodging.OldSize != before.size:
		return exchange.CheckpointShorter
	case before.size > 0 && !extends(lodging, before, now):
		return exchange.CheckpointForked
	}
	return exchange.Internal
}

// extends tells whether the proof shows that the log goes on from what was seen before.
func extends(lodging exchange.Lodging, before, now lodged) bool {
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

package merkle

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"docket/domain/records"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A Checkpoint is a signed statement of what the log was at one size: a C2SP tlog-checkpoint.
type Checkpoint struct {
	Size int64
	Root tlog.Hash
	Note []byte // as it was signed
}

// Sign makes the checkpoint of a tree.
func (k *Key) Sign(size int64, root tlog.Hash) (Checkpoint, error) {
	if k.signer == nil {
		return Checkpoint{}, ErrNoKey
	}
	text := log.Checkpoint{Origin: k.Origin, Size: uint64(size), Hash: root[:]}.Marshal()
	signed, err := note.Sign(&note.Note{Text: string(text)}, k.signer)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("sign the checkpoint of %d records: %w", size, err)
	}
	return Checkpoint{Size: size, Root: root, Note: signed}, nil
}

var (
	ErrOtherOrigin  = errors.New("it is of another log")
	errBadSignature = errors.New("it is not signed with this store's key")
	errNoCheckpoint = errors.New("it is no checkpoint")
)

// Open reads a checkpoint of this log, and only as this store writes one: any other byte is an
// error. Signing is deterministic: with the private key in memory the signature is compared with a
// new one, at half the cost of verifying it.
func (k *Key) Open(signed []byte) (Checkpoint, error) {
	if origin, _, _ := strings.Cut(string(signed), "\n"); origin != k.Origin {
		if !strings.HasPrefix(origin, records.OriginPrefix) {
			return Checkpoint{}, errNoCheckpoint
		}
		return Checkpoint{}, ErrOtherOrigin
	}
	parsed, ok := readCheckpoint(signed)
	if !ok {
		return Checkpoint{}, errNoCheckpoint
	}
	c := Checkpoint{Size: int64(parsed.Size), Root: tlog.Hash(parsed.Hash), Note: bytes.Clone(signed)}
	if k.signer == nil || k.asked {
		text := log.Checkpoint{Origin: k.Origin, Size: parsed.Size, Hash: parsed.Hash}.Marshal()
		if !k.verify(signed, string(text)) {
			return Checkpoint{}, errBadSignature
		}
		return c, nil
	}
	again, err := k.Sign(c.Size, c.Root)
	switch {
	case err != nil:
		return Checkpoint{}, err
	case string(again.Note) != string(signed):
		return Checkpoint{}, errBadSignature
	}
	return c, nil
}

func readCheckpoint(signed []byte) (c log.Checkpoint, ok bool) {
	_, err := c.Unmarshal(signed)
	return c, err == nil && len(c.Hash) == tlog.HashSize && c.Size <= math.MaxInt64
}

package verify

import (
	"docket/domain/records"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A Checkpoint is a checkpoint whose signature verified.
type Checkpoint struct {
	Origin      string
	Size        int64
	Root        tlog.Hash
	VerifierKey string // that verified it
}

var (
	errNoCheckpoint = errors.New("the checkpoint is missing")
	errForm         = errors.New("the checkpoint does not have the one form of a signed checkpoint")
	errSignature    = errors.New("the signature of the checkpoint does not match its text")
	errUnknownKey   = errors.New("no known key signed the checkpoint")
	errOtherLog     = errors.New("the checkpoint belongs to another log")
)

// OpenCheckpoint verifies a signed checkpoint of the origin with one of the keys, which are in the
// form of golang.org/x/mod/sumdb/note. The error quotes nothing of it.
func OpenCheckpoint(signed []byte, origin string, keys []string) (Checkpoint, error) {
	if len(signed) == 0 {
		return Checkpoint{}, errNoCheckpoint
	}
	verifiers := make([]note.Verifier, 0, len(keys))
	byHash := map[uint32]string{}
	for _, key := range keys {
		verifier, err := note.NewVerifier(key)
		if err != nil {
			return Checkpoint{}, fmt.Errorf("%w: a verifier key cannot be read", errUnknownKey)
		}
		verifiers = append(verifiers, verifier)
		byHash[verifier.KeyHash()] = canonicalKey(verifier, key)
	}
	opened, err := note.Open(signed, note.VerifierList(verifiers...))
	var forged *note.InvalidSignatureError
	var unknown *note.UnverifiedNoteError
	switch {
	case errors.As(err, &forged):
		return Checkpoint{}, errSignature
	case errors.As(err, &unknown):
		return Checkpoint{}, errUnknownKey
	case err != nil:
		return Checkpoint{}, errForm
	}
	if !isCanonical(signed, opened) {
		return Checkpoint{}, errForm
	}
	c, err := readCheckpoint(opened, origin)
	if err != nil {
		return Checkpoint{}, err
	}
	c.VerifierKey = byHash[opened.Sigs[0].Hash]
	return c, nil
}

// canonicalKey writes the key as note.GenerateKey does: readers also accept capital hex digits.
func canonicalKey(verifier note.Verifier, key string) string {
	parts := strings.SplitN(key, "+", 3)
	return fmt.Sprintf("%s+%08x+%s", verifier.Name(), verifier.KeyHash(), parts[len(parts)-1])
}

// isCanonical reports whether the note is as note.Sign writes it: base64 has unused bits, and
// note.Open ignores a repeated line.
func isCanonical(signed []byte, opened *note.Note) bool {
	size := len(opened.Text) + len("\n")
	for _, signature := range slices.Concat(opened.Sigs, opened.UnverifiedSigs) {
		if _, err := base64.StdEncoding.Strict().DecodeString(signature.Base64); err != nil {
			return false
		}
		size += len("— ") + len(signature.Name) + len(" ") + len(signature.Base64) + len("\n")
	}
	return size == len(signed)
}

// readCheckpoint is strict: there is one way to write a checkpoint.
func readCheckpoint(opened *note.Note, origin string) (Checkpoint, error) {
	var parsed log.Checkpoint
	rest, err := parsed.Unmarshal([]byte(opened.Text))
	if err != nil || len(rest) > 0 || len(parsed.Hash) != tlog.HashSize || parsed.Size > math.MaxInt64 ||
		string(parsed.Marshal()) != opened.Text {
		return Checkpoint{}, errForm
	}
	if parsed.Origin != origin {
		return Checkpoint{}, errOtherLog
	}
	c := Checkpoint{Origin: parsed.Origin, Size: int64(parsed.Size)}
	copy(c.Root[:], parsed.Hash)
	return c, nil
}

// An Earlier is a checkpoint, kept outside the store's folder, that the log must extend.
type Earlier struct {
	Name   string // in findings: the file's name, or what it is
	Signed []byte
}

// wantCheckpoints are the checkpoints that the tree has to pass through.
type wantCheckpoints struct {
	list   []wantCheckpoint
	bySize map[int64][]int // places in list
}

type wantCheckpoint struct {
	Checkpoint
	name  string
	found Code // the finding if the root at this size differs
	kept  bool // the tree was compared at this size
	met   bool // and it has this root
}

// add takes a checkpoint that the tree is not past, with the finding if the root differs.
func (p *wantCheckpoints) add(c Checkpoint, name string, found Code) {
	if p.bySize == nil {
		p.bySize = map[int64][]int{}
	}
	p.bySize[c.Size] = append(p.bySize[c.Size], len(p.list))
	p.list = append(p.list, wantCheckpoint{Checkpoint: c, name: name, found: found})
}

func (c *check) compare() error {
	places := c.wantCheckpoints.bySize[c.tree.Size()]
	if len(places) == 0 {
		return nil
	}
	root, err := c.tree.Root()
	for i := 0; i < len(places) && err == nil; i++ {
		c.hold(&c.wantCheckpoints.list[places[i]], root == c.wantCheckpoints.list[places[i]].Root)
	}
	return err
}

func (c *check) hold(want *wantCheckpoint, met bool) {
	if want.kept, want.met = true, met; !met {
		c.logFound(want.found, fmt.Sprintf("%s signs %s", want.name, records.Count(want.Size)))
	}
}

func (p *wantCheckpoints) passed(c Checkpoint) bool {
	return slices.ContainsFunc(p.bySize[c.Size], func(i int) bool { return p.list[i].met && p.list[i].Root == c.Root })
}

// unmet reports the checkpoints that the tree never reached.
func (c *check) unmet(size int64) {
	for _, want := range c.wantCheckpoints.list {
		if !want.kept {
			code := RolledBack
			if want.found == RootDiffers {
				code = TailMissing
			}
			c.logFound(code, fmt.Sprintf("%s signs %s, there are %d", want.name, records.Count(want.Size), size))
		}
	}
}

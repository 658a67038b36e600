package store

import (
	"bytes"
	"strings"
	"testing"

	"docket/store/merkle"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
)

func TestACheckpointIsWhatOtherProgramsRead(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	signed := need(d.store.Checkpoint(t.Context()))(t)
	encoded := need(d.store.Verifier(t.Context()))(t)
	verifier := need(note.NewVerifier(encoded))(t)
	meta, err := d.store.Meta(t.Context())
	if err != nil || strings.ContainsAny(meta.Origin, " +\n") || verifier.Name() != meta.Origin {
		t.Errorf("origin %q, key of %q, %v", meta.Origin, verifier.Name(), err)
	}
	head := need(d.store.Head(t.Context()))(t)
	parsed, rest, _, err := log.ParseCheckpoint(signed, meta.Origin, verifier)
	if err != nil || len(rest) > 0 || parsed.Size != 4 {
		t.Fatalf("%+v, %q, %v", parsed, rest, err)
	}
	if root := merkle.ToTree(head.Root); !bytes.Equal(parsed.Hash, root[:]) {
		t.Error("it is not of the log's root")
	}
}

func TestAnEmptyLogHasACheckpoint(t *testing.T) {
	t.Parallel()
	s := newFixture(t).store
	signed, err := s.Checkpoint(t.Context())
	if err != nil || !strings.Contains(string(signed), "\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n") {
		t.Errorf("%s, %v", signed, err)
	}
}

package serve_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	checkpoint "github.com/transparency-dev/formats/log"
	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain/terms"
)

// A console is the log of a console, as far as a witness sees it.
type console struct {
	hashes []tlog.Hash
	size   int64
	signer note.Signer
	key    string
}

func newConsole(t testing.TB, name string) *console {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	return consoleOf(t, fmt.Sprintf("docket/%x", seed[:16]), name)
}

func consoleOf(t testing.TB, origin, seed string) *console {
	t.Helper()
	sum := sha256.Sum256([]byte(seed))
	private, public, err := note.GenerateKey(bytes.NewReader(sum[:]), origin)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return &console{signer: signer, key: public}
}

// ReadHashes implements tlog.HashReader.
func (c *console) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		hashes[i] = c.hashes[position]
	}
	return hashes, nil
}

func (c *console) grow(t testing.TB, records ...string) {
	t.Helper()
	for _, record := range records {
		hashes, err := tlog.StoredHashes(c.size, []byte(record), c)
		if err != nil {
			t.Fatal(err)
		}
		c.hashes = append(c.hashes, hashes...)
		c.size++
	}
}

// submission is the log at a size, after what was seen of it at an older one.
func (c *console) submission(t testing.TB, old, size int64) api.CheckpointSubmission {
	t.Helper()
	root, err := tlog.TreeHash(size, c)
	if err != nil {
		t.Fatal(err)
	}
	text := checkpoint.Checkpoint{Origin: c.signer.Name(), Size: uint64(size), Hash: root[:]}.Marshal()
	signed, err := note.Sign(&note.Note{Text: string(text)}, c.signer)
	if err != nil {
		t.Fatal(err)
	}
	submission := api.CheckpointSubmission{Checkpoint: string(signed), Key: c.key, OldSize: old}
	if old == 0 || old >= size {
		return submission
	}
	proof, err := tlog.ProveTree(size, old, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, hash := range proof {
		submission.Proof = append(submission.Proof, hashOf(hash[:]))
	}
	return submission
}

// submit submits a checkpoint.
func (s *harness) submit(t testing.TB, who person, submission api.CheckpointSubmission) reply {
	t.Helper()
	text, err := json.Marshal(submission)
	if err != nil {
		t.Fatal(err)
	}
	return s.post(t, api.CheckpointsPath, who, text)
}

// cosigned verifies that the answer is a cosignature of the submitted checkpoint.
func cosigned(t testing.TB, r reply, submission api.CheckpointSubmission) {
	t.Helper()
	answer := read[api.Cosigned](t, r, http.StatusOK)
	witness, err := cosignature.NewVerifierForCosignatureV1(answer.Key)
	if err != nil {
		t.Fatal(err)
	}
	log, err := note.NewVerifier(submission.Key)
	if err != nil {
		t.Fatal(err)
	}
	head, _, signed, err := checkpoint.ParseCheckpoint([]byte(submission.Checkpoint+answer.Cosignature), log.Name(), log, witness)
	if err != nil || len(signed.Sigs) != 2 || int64(head.Size) != answer.Size {
		t.Errorf("the cosignature is not one of the checkpoint: %v, %+v", err, answer)
	}
}

func TestACheckpointIsCosignedIfItExtendsWhatWasSeen(t *testing.T) {
	onHarness(t, func(t *testing.T, s *harness) {
		c := newConsole(t, "one")
		c.grow(t, strings.Fields("a b c d e f g h i j k")...)
		for _, step := range [][2]int64{{0, 3}, {3, 3}, {3, 4}, {4, 11}, {11, 11}} {
			submission := c.submission(t, step[0], step[1])
			cosigned(t, s.submit(t, Reviewer, submission), submission)
		}
	})
}

func TestAnEmptyLogIsCosigned(t *testing.T) {
	onHarness(t, func(t *testing.T, s *harness) {
		c := newConsole(t, "one")
		empty := c.submission(t, 0, 0)
		cosigned(t, s.submit(t, Reviewer, empty), empty)
		c.grow(t, "a")
		grown := c.submission(t, 0, 1)
		cosigned(t, s.submit(t, Reviewer, grown), grown)
	})
}

func TestAForkIsRefusedAndTheSizeThatWasSeenIsTold(t *testing.T) {
	onHarness(t, func(t *testing.T, s *harness) {
		c, fork := newConsole(t, "one"), newConsole(t, "one")
		c.grow(t, "a", "b", "c")
		fork.grow(t, "a", "B", "c", "d", "e")
		first := c.submission(t, 0, 3)
		cosigned(t, s.submit(t, Reviewer, first), first)
		for _, size := range []int64{3, 5} {
			problem := s.submit(t, Reviewer, fork.submission(t, 3, size)).is(t, api.CheckpointForked)
			if problem.Size == nil || *problem.Size != 3 {
				t.Errorf("of the fork with %d records, size %v is told", size, problem.Size)
			}
		}
		c.grow(t, "d")
		wrong := c.submission(t, 3, 4)
		wrong.Proof[0] = terms.HashOf(nil)
		s.submit(t, Reviewer, wrong).is(t, api.CheckpointForked)
		right := c.submission(t, 3, 4)
		cosigned(t, s.submit(t, Reviewer, right), right)
	})
}

func TestAShortenedLogIsRefused(t *testing.T) {
	onHarness(t, func(t *testing.T, s *harness) {
		c := newConsole(t, "one")
		c.grow(t, "a", "b", "c", "d")
		first := c.submission(t, 0, 3)
		cosigned(t, s.submit(t, Reviewer, first), first)
		for _, submission := range []api.CheckpointSubmission{c.submission(t, 0, 2), c.submission(t, 0, 0), c.submission(t, 0, 4)} {
			problem := s.submit(t, Reviewer, submission).is(t, api.CheckpointShorter)
			if problem.Size == nil || *problem.Size != 3 {
				t.Errorf("size %v is told", problem.Size)
			}
		}
		unseen := newConsole(t, "two")
		unseen.grow(t, "a", "b")
		if problem := s.submit(t, Reviewer, unseen.submission(t, 1, 2)).is(t, api.CheckpointShorter); *problem.Size != 0 {
			t.Errorf("of a log that nobody saw, size %d is told", *problem.Size)
		}
	})
}

func TestALogIsItsKeyForEverySubmitter(t *testing.T) {
	onHarness(t, func(t *testing.T, s *harness) {
		c := newConsole(t, "one")
		c.grow(t, "a", "b")
		first := c.submission(t, 0, 1)
		cosigned(t, s.submit(t, Reviewer, first), first)
		otherKey := consoleOf(t, c.signer.Name(), "another key")
		otherKey.grow(t, "a", "b")
		theirs := otherKey.submission(t, 0, 2)
		cosigned(t, s.submit(t, Stranger, theirs), theirs)
		next := c.submission(t, 1, 2)
		cosigned(t, s.submit(t, Stranger, next), next)
		cosigned(t, s.submit(t, Reviewer, next), next)
	})
}

func TestWhatIsNoCheckpointOfAConsoleIsMalformed(t *testing.T) {
	onHarness(t, func(t *testing.T, s *harness) {
		c, other := newConsole(t, "one"), newConsole(t, "two")
		c.grow(t, "a")
		other.grow(t, "a")
		good := c.submission(t, 0, 1)
		service := consoleOf(t, "docket/service/0123456789abcdef0123456789abcdef", "three")
		elsewhere := consoleOf(t, "example.org/log", "four")
		proof := good
		proof.Proof = []terms.Hash{terms.HashOf(nil)}
		otherKey := good
		otherKey.Key = other.key
		cut := good
		cut.Checkpoint = strings.TrimSuffix(good.Checkpoint, "\n")
		for name, submission := range map[string]api.CheckpointSubmission{
			"a proof from nothing": proof, "another log's key": otherKey, "cut off": cut, "a service's log": service.submission(t, 0, 0),
			"somebody else's log": elsewhere.submission(t, 0, 0), "none": {}, "no key": {Checkpoint: good.Checkpoint},
		} {
			problem := s.submit(t, Reviewer, submission)
			if problem.status != http.StatusBadRequest {
				t.Errorf("%s: %d %s", name, problem.status, problem.body)
			}
		}
		cosigned(t, s.submit(t, Reviewer, good), good)
	})
}

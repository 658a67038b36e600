// Package witness submits the checkpoints of a log to the witnesses of a policy, by C2SP
// tlog-witness, and keeps the cosignatures.
//
//   - Submit goes to all witnesses at once and waits for each no longer than Options.Patience. The
//     failure of a witness is a Result, never an error: no other work waits for a witness or fails
//     with it.
//   - A cosignature counts only if it verifies with the key in the policy, over exactly the
//     checkpoint that was sent (submit.go).
//   - A witness that saw another size of the log reports it, and is asked again with the proof from
//     that size. A witness that saw more entries than the log has, or that does not take the proof,
//     says that the log was rolled back or forked. That claim is not signed, so it is reported and
//     does not stop any work; an earlier cosignature is the proof of it.
//   - Background submits while a program goes on working (background.go).
//
// An answer is read to a small bound, a redirect is refused, and addresses are https, or http on
// this machine (request.go).
package witness

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"docket/cmd/internal/client"
	"docket/domain/terms"
	"docket/store/verify"
)

// A Log is the log whose checkpoints are submitted; in the program it is a *store.Store.
type Log interface {
	// Checkpoint returns the newest checkpoint, signed by the log.
	Checkpoint(ctx context.Context) (signed []byte, err error)
	// Consistency returns the proof that one size of the log is a prefix of a later one (RFC 6962).
	Consistency(ctx context.Context, from, to int64) ([]terms.Hash, error)
	// CosignedSize returns the newest size that the witness with the key cosigned; 0 for none.
	CosignedSize(ctx context.Context, key string) (int64, error)
	// KeepCosignature keeps a checkpoint with a cosignature. When it returns nil, that is durable.
	KeepCosignature(ctx context.Context, c verify.Cosigned) error
}

// A State is the result of submitting a checkpoint to one witness. There is no zero state.
type State uint8

// The states.
const (
	Cosigned    State = iota + 1 // the cosignature is kept
	Unanswered                   // the witness cannot be reached, or its answer cannot be used
	Refused                      // the witness does not take the checkpoint
	NotAsked                     // the policy has no address for it
	SawMore                      // the witness says that it saw more entries than the log has
	SawAnother                   // the witness says that the log does not extend what it saw
	NotVerified                  // the cosignature does not verify with the key of the policy
)

var stateWords = [...]string{Cosigned: "cosigned", Unanswered: "unanswered", Refused: "refused", NotAsked: "not_asked",
	SawMore: "rolled_back", SawAnother: "forked", NotVerified: "not_verified"}

// String returns the state's word.
func (s State) String() string { return stateWords[s] }

// MarshalJSON writes the state's word.
func (s State) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }

// Contradicts reports whether the witness says that the log was rolled back or forked.
func (s State) Contradicts() bool { return s == SawMore || s == SawAnother }

// A Result is the result of submitting a checkpoint to one witness.
type Result struct {
	Witness string `json:"witness"` // its name in the policy
	State   State  `json:"state"`
	Size    int64  `json:"size"`          // of the checkpoint
	Saw     int64  `json:"saw,omitempty"` // entries that the witness says it saw, where it contradicts
	Why     string `json:"why,omitempty"` // a clause, safe to print; "" if it cosigned
	Cause   error  `json:"-"`             // where the cosignature could not be kept
}

// Options configure a submission.
type Options struct {
	Log       Log
	Policy    *verify.Policy
	Patience  time.Duration     // with each witness; 0: DefaultPatience
	transport http.RoundTripper // makes the requests; nil: that of package client
}

// DefaultPatience is how long a witness has to answer, all requests together.
const DefaultPatience = 10 * time.Second

// Submit submits the newest checkpoint to all witnesses of the policy at once, and returns the
// results in the order of the policy. The error says that the log could not be read.
func Submit(ctx context.Context, o Options) ([]Result, error) {
	checkpoint, err := o.Log.Checkpoint(ctx)
	if err != nil {
		return nil, err
	}
	size, err := sizeOf(checkpoint)
	if err != nil {
		return nil, err
	}
	if o.Patience == 0 {
		o.Patience = DefaultPatience
	}
	witnesses := o.Policy.Witnesses()
	results := make([]Result, len(witnesses))
	var asked sync.WaitGroup
	for i, w := range witnesses {
		s := &submission{Options: o, witness: w, checkpoint: checkpoint, size: size}
		asked.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					results[i] = s.result(Unanswered, fmt.Sprintf("the submission panicked: %T", r))
				}
			}()
			results[i] = s.run(ctx)
		})
	}
	asked.Wait()
	return results, ctx.Err()
}

// sizeOf reads the size of a checkpoint, which is its second line.
func sizeOf(checkpoint []byte) (int64, error) {
	lines := append(strings.SplitN(string(checkpoint), "\n", 3), "")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if len(lines) < 4 || err != nil || size < 0 {
		return 0, errors.New("the newest checkpoint of the log cannot be read; run `docket verify`")
	}
	return size, nil
}

type submission struct {
	Options
	witness    verify.Witness
	checkpoint []byte
	size       int64
	base       *url.URL // of the witness
	http       *http.Client
}

func (s *submission) result(state State, why string) Result {
	return Result{Witness: s.witness.Name, State: state, Size: s.size, Why: why}
}

func (s *submission) run(ctx context.Context) Result {
	if s.witness.URL == "" {
		return s.result(NotAsked, "the policy has no address for it; write the address after its key")
	}
	var err error
	if s.base, s.http, err = client.NewHTTP(s.witness.URL, s.transport, nil); err != nil {
		return s.result(NotAsked, fmt.Sprintf("its address in the policy cannot be used: %s", err.Error()))
	}
	defer s.http.CloseIdleConnections()
	old, err := s.Log.CosignedSize(ctx, s.witness.Key)
	if err != nil {
		return s.failed(err)
	}
	if old > s.size {
		// A program has recorded since, or the log was rolled back: the witness tells.
		old = 0
	}
	asking, cancel := context.WithTimeout(ctx, s.Patience)
	defer cancel()
	lines, err := s.offer(asking, old)
	var saw *conflict
	if errors.As(err, &saw) && saw.size != old && saw.size <= s.size {
		old = saw.size
		lines, err = s.offer(asking, old)
	}
	if err != nil {
		return s.refused(err, old)
	}
	return s.keep(ctx, lines)
}

func (s *submission) failed(err error) Result {
	r := s.result(Unanswered, fmt.Sprintf("the store failed: %s", err.Error()))
	r.Cause = err
	return r
}

func (s *submission) offer(ctx context.Context, old int64) ([]byte, error) {
	var proof []terms.Hash
	if old > 0 && old < s.size {
		var err error
		if proof, err = s.Log.Consistency(ctx, old, s.size); err != nil {
			return nil, err
		}
	}
	if len(proof) > mostProof {
		return nil, fmt.Errorf("%w: the proof has %d hashes", errUnreadable, len(proof))
	}
	return s.add(ctx, old, proof)
}

// refused returns the result for an error of a request that began at the old size.
func (s *submission) refused(err error, old int64) Result {
	var saw *conflict
	var said *refusal
	switch {
	case errors.As(err, &saw) && saw.size > s.size:
		r := s.result(SawMore, fmt.Sprintf("it saw %d entries of this log, and the log has %d", saw.size, s.size))
		r.Saw = saw.size
		return r
	case errors.As(err, &saw):
		return s.result(Refused, "another program is submitting to it at the same time; submit again")
	case errors.As(err, &said) && said.status == http.StatusUnprocessableEntity && old > 0:
		r := s.result(SawAnother, fmt.Sprintf("the log does not extend the %d entries that it saw of it", old))
		r.Saw = old
		return r
	case errors.As(err, &said) && (said.status == http.StatusNotFound || said.status == http.StatusForbidden):
		return s.result(Refused, fmt.Sprintf(
			"it does not know this log or its key (%s); give its operator the log's verifier key, which `docket witness submit` prints",
			said.Error()))
	case errors.As(err, &said):
		return s.result(Refused, said.Error())
	}
	return s.result(Unanswered, err.Error())
}

// keep verifies and keeps the cosignature of this witness among the lines.
func (s *submission) keep(ctx context.Context, lines []byte) Result {
	for line := range strings.Lines(string(lines)) {
		cosigned := verify.Cosigned{Checkpoint: s.checkpoint, Line: []byte(line), Key: s.witness.Key}
		if _, err := verify.OpenCosignature(cosigned); err != nil {
			continue
		}
		// It is kept even if the context has ended by now.
		if err := s.Log.KeepCosignature(context.WithoutCancel(ctx), cosigned); err != nil {
			return s.failed(err)
		}
		return s.result(Cosigned, "")
	}
	return s.result(NotVerified,
		"its answer has no cosignature of the checkpoint by the key in the policy; compare the key with its operator's")
}

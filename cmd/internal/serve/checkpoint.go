package serve

import (
	"errors"
	"net/http"

	"docket/cmd/internal/api"
	"docket/domain/shape"
	"docket/domain/terms"
	"docket/store"
)

// The limits of a submission. A checkpoint is three lines and its signatures; a consistency proof has at most two hashes for
// each level of the tree.
const (
	maxCheckpoint  = 16 << 10 // bytes
	maxVerifierKey = 1 << 10  // bytes
	maxProof       = 2 * 63   // hashes
)

var submissionShape = newBody(
	shortMember("checkpoint", maxCheckpoint, func(l *api.CheckpointSubmission) *string { return &l.Checkpoint }),
	shortMember("key", maxVerifierKey, func(l *api.CheckpointSubmission) *string { return &l.Key }),
	shape.CountMember[none]("oldSize", func(l *api.CheckpointSubmission) *int64 { return &l.OldSize }),
	hashesMember("proof", maxProof, func(l *api.CheckpointSubmission) *[]terms.Hash { return &l.Proof }),
)

// handleCheckpoint cosigns the checkpoint of a console's log.
func handleCheckpoint(s *Service, c *call) (answer, error) {
	submission, err := s.readSubmission(c)
	if err != nil {
		return answer{}, err
	}
	cosigned, err := s.store.Cosign(c.request.Context(), store.CheckpointSubmission{Principal: c.caller.Principal, Key: submission.Key,
		Checkpoint: []byte(submission.Checkpoint), OldSize: submission.OldSize, Proof: submission.Proof})
	if err != nil {
		s.logDispute(c, err)
		return answer{}, err
	}
	return written(http.StatusOK, api.Cosigned{Size: cosigned.Size, Cosignature: cosigned.Cosignature, Key: cosigned.Key})
}

// faultKinds maps each store.WitnessFault to its problem.
var faultKinds = [...]api.ProblemKind{
	store.WitnessUnreadable: api.Malformed,
	store.WitnessForked:     api.CheckpointForked,
	store.WitnessShorter:    api.CheckpointShorter,
}

// logDispute logs that a log does not extend the checkpoint that the service saw of it.
func (s *Service) logDispute(c *call, err error) {
	var fault *store.WitnessError
	if errors.As(err, &fault) && fault.Fault != store.WitnessUnreadable {
		s.log.Warn("a log does not extend the checkpoint that was seen of it", "principal", c.caller.Principal, "token", c.caller.ID,
			"fault", fault.Fault.String(), "held", fault.Size)
	}
}

func (s *Service) readSubmission(c *call) (api.CheckpointSubmission, error) {
	reader := s.readers.take()
	defer s.readers.give(reader, len(c.body))
	return readBody(&reader.document, c.body, submissionShape, noNames)
}

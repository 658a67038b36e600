package serve

import (
	"net/http"

	"docket/cmd/internal/exchange"
	"docket/domain"
)

// The limits of a lodging. A checkpoint is three lines and its signatures; a consistency proof has at most two hashes for
// each level of the tree.
const (
	largestCheckpoint  = 16 << 10 // bytes
	largestVerifierKey = 1 << 10  // bytes
	longestProof       = 2 * 63   // hashes
)

var lodgingMembers = []bodyMember[exchange.Lodging]{
	stringMember("checkpoint", largestCheckpoint, func(l *exchange.Lodging) *string { return &l.Checkpoint }),
	stringMember("key", largestVerifierKey, func(l *exchange.Lodging) *string { return &l.Key }),
	countMember("oldSize", func(l *exchange.Lodging) *int64 { return &l.OldSize }),
	hashesMember("proof", longestProof, func(l *exchange.Lodging) *[]domain.Hash { return &l.Proof }),
}

// handleCheckpoint is the route that cosigns the checkpoint of a console's log.
func handleCheckpoint(s *Service, c *call) (answer, error) {
	lodging, err := s.readLodging(c)
	if err != nil {
		return answer{}, err
	}
	cosigned, err := s.backing.Witness.Cosign(c.request.Context(), c.principal, lodging)
	if err != nil {
		return answer{}, problemOf(err)
	}
	return written(http.StatusOK, cosigned)
}

func (s *Service) readLodging(c *call) (exchange.Lodging, error) {
	reader := s.readers.take()
	defer s.readers.give(reader, len(c.body))
	return readBody(&reader.document, c.body, lodgingMembers, noNames)
}

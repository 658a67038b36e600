package serve

import (
	"crypto/rand"
	"net/http"
	"time"

	"docket/domain/overlap"
	"docket/domain/terms"
)

// answerOverlap answers a planned route of the private-overlap pilot (source 3.4 and 4.3). It does not read the
// request: all answers are the same except for the receipt, which is signed and not stored.
func answerOverlap(action overlap.Action) func(*Service, *call) (answer, error) {
	return func(s *Service, c *call) (answer, error) {
		receipt := overlap.Receipt{Action: action, At: terms.InstantOf(c.at.Time().Truncate(time.Second))}
		rand.Read(receipt.Nonce[:])
		id, err := s.store.SignReceipt(c.request.Context(), receipt)
		if err != nil {
			return answer{}, err
		}
		return written(http.StatusForbidden, overlap.AnswerTo(action, id))
	}
}

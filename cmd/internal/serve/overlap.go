package serve

import (
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"docket/cmd/internal/exchange"
	"docket/domain"
	"docket/domain/overlap"
)

// answerOverlap is a planned route of the private-overlap pilot (seed 3.4 and 4.3). An answer that blocks is an answer;
// it is given once its receipt is durable.
func answerOverlap(action overlap.Action) func(*Service, *call) (answer, error) {
	return func(s *Service, c *call) (answer, error) {
		request, refusal := overlap.ReadRequest(c.body)
		if refusal != nil {
			problem := exchange.Malformed.New(refusal.Code.String() + ": it " + overlap.RefusalMeaning(refusal.Code))
			problem.Pointer = refusal.Pointer
			return answer{}, problem
		}
		id, err := uuid.NewV7()
		if err != nil {
			return answer{}, fmt.Errorf("make a receipt id: %w", err)
		}
		told, entry := overlap.Respond(action, request, overlap.Call{ReceiptID: domain.RecordID(id.String()), At: c.at})
		if err := s.backing.Receipts.AppendReceipt(c.request.Context(), entry); err != nil {
			return answer{}, err
		}
		return written(http.StatusOK, told)
	}
}

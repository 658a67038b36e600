package overlap

import "docket/domain"

// An Answer is all that a participant is told (seed 2.4, participantOutput). Its JSON has these three members and no
// others.
type Answer struct {
	ResultBucket ResultBucket    `json:"result_bucket"`
	ReceiptID    domain.RecordID `json:"receipt_id"`
	Blockers     []Blocker       `json:"blockers"`
}

// Gate is blocked: there is no other gate while a review is open, and no review can be anything else here.
func (Answer) Gate() domain.Gate { return domain.Blocked }

// A Call is what the caller brings: this package draws no ids and reads no clock.
type Call struct {
	ReceiptID domain.RecordID // a UUIDv7 drawn for this call
	At        domain.Instant  // now
}

// Check answers a check request (seed 4.3): blocked with governance_gated.
func Check(request Request, call Call) (Answer, Entry) { return Respond(CheckOverlap, request, call) }

// Refresh answers a request to refresh tokens: blocked with blocked_pending_crypto_review.
func Refresh(request Request, call Call) (Answer, Entry) {
	return Respond(RefreshTokens, request, call)
}

// Delete answers a request to delete tokens: blocked with blocked_pending_crypto_review. There is nothing to delete,
// because no token is ever kept.
func Delete(request Request, call Call) (Answer, Entry) { return Respond(DeleteTokens, request, call) }

// Respond answers a request to the planned route of the action, and gives the entry from which the store makes the
// receipt. The answer depends on the action and on the receipt's id, and on nothing else.
func Respond(action Action, request Request, call Call) (Answer, Entry) {
	endpoint, _ := EndpointOf(action)
	return Answer{ResultBucket: NotEvaluated, ReceiptID: call.ReceiptID, Blockers: blockersOf(endpoint.Status)},
		Entry{read: request.read, call: call, action: action, reason: endpoint.Reason}
}

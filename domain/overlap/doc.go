// Package overlap is the guardrail of the private-overlap pilot (seed 2.4, 3.3, 3.4 and 4.3): what the contract says of
// it, the strict reader of requests, the answer that each of them gets and the receipt that it leaves.
//
// The pilot is not live, and this package has no way to make it so. Production use is blocked until five reviews are
// complete; the only state that a review can have here is open, so that no call, file, flag or row can say otherwise.
// Every request is therefore answered alike: blocked, not evaluated, with the same blockers for the same route.
//
//	bytes            --ReadRequest-->  Request   refused unless it is blinded tokens and nothing else
//	Request, Call    --Answer-->       Answer    result_bucket, receipt_id and blockers
//	the same         --Answer-->       Entry     what the store chains to the receipts before it
//
// Nothing of a token outlives ReadRequest: neither its tag nor anything else of it can reach an answer or a receipt,
// because no value of this package holds it.
//
// Package domain does not know this package: no overlap result can reach the queue, a packet or a decision.
//
// Where to look: words.go for the vocabularies, contract.go for what the contract says of them, request.go for what a
// request may hold, answer.go for the answers, receipt.go for the chain.
package overlap

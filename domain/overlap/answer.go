package overlap

import "docket/domain/terms"

// An Answer is all that a participant is told (source 2.4, participantOutput). Its JSON has these three members and no
// others.
type Answer struct {
	ResultBucket ResultBucket `json:"result_bucket"`
	ReceiptID    ReceiptID    `json:"receipt_id"`
	Blockers     []Blocker    `json:"blockers"`
}

// Gate is blocked: there is no other gate while a review is open, and no review can be anything else here.
func (Answer) Gate() terms.Gate { return terms.Blocked }

// AnswerTo answers a request to the planned route of the action. It depends on the action and the receipt, and on nothing
// else.
func AnswerTo(action Action, receipt ReceiptID) Answer {
	endpoint, _ := EndpointOf(action)
	return Answer{ResultBucket: NotEvaluated, ReceiptID: receipt, Blockers: blockersOf(endpoint.Status)}
}

// A BlockerRule says what a blocker means and what would cure it. Nothing in this program is a cure.
type BlockerRule struct {
	Code    Blocker
	Meaning string
	Cure    string
}

// blockerRules is indexed by Blocker less one.
var blockerRules = [...]BlockerRule{
	{BlockerGovernanceGated, "The check route is governance-gated: nothing is checked.",
		"The contract's owners would have to publish another release state."},
	{BlockerPendingCryptoReview, "Tokens are neither refreshed nor deleted before the cryptographic design is reviewed.",
		"The formal cryptographic design review would have to be complete."},
	{BlockerLiveEndpointDisabled, "The live endpoint is disabled.",
		"The contract's owners would have to enable it, after all five reviews."},
	{BlockerPrivacyDesignReviewOpen, "There is no DPIA with a documented privacy-design review yet.",
		"That review would have to be complete; docket cannot record that it is."},
	{BlockerCryptographicDesignReviewOpen, "There is no formal cryptographic design review yet.",
		"That review would have to be complete; docket cannot record that it is."},
	{BlockerThreatModelReviewOpen, "There is no narrow threat-model and abuse-case review yet.",
		"That review would have to be complete; docket cannot record that it is."},
	{BlockerExternalReviewOpen, "There is no external security/privacy review yet.",
		"That review would have to be complete before the pilot; docket cannot record that it is."},
	{BlockerPropertyTestsOpen, "The property tests for non-overlap redaction and token deletion are not accepted yet.",
		"They would have to be accepted against the real service; docket cannot record that they are."},
}

// BlockerRules lists the blockers in their order.
func BlockerRules() []BlockerRule { return append([]BlockerRule(nil), blockerRules[:]...) }

// RuleFor returns what a blocker means; false for an absent one.
func RuleFor(code Blocker) (BlockerRule, bool) {
	if !code.Present() {
		return BlockerRule{}, false
	}
	return blockerRules[code-1], true
}

// routeBlockers is indexed by RouteStatus less one: what the status of a route blocks with.
var routeBlockers = [...]Blocker{BlockerGovernanceGated, BlockerPendingCryptoReview}

// blockersOf lists why a request to the route is blocked: its status, the disabled endpoint, each open review. It does not depend
// on the request.
func blockersOf(status RouteStatus) []Blocker {
	blockers := []Blocker{}
	if status.Present() {
		blockers = append(blockers, routeBlockers[status-1])
	}
	blockers = append(blockers, BlockerLiveEndpointDisabled)
	for i := range requiredReviews {
		blockers = append(blockers, requiredReviews[i].Blocker)
	}
	return blockers
}

// Package overlap is the guardrail of the private-overlap pilot (source 2.4, 3.3, 3.4 and 4.3): the
// contract's state, the three gated routes and the answer that each of them gives to every request.
//
// The pilot is not live, and this package has no way to make it so: production use waits for five
// reviews, and no review can be marked complete. An answer is made from a route and a receipt id,
// so that nothing of a request can reach it. The packages that make queues, packets and decisions
// do not import this one.
package overlap

import (
	"slices"

	"docket/domain/terms"
)

// Contract is the revision of the private-overlap contract, source 9.
var Contract = terms.Contract{
	Version:          "background-private-overlap-pilot-v0.2-2026-06",
	ValidatorName:    "background-private-overlap-design",
	ValidatorVersion: "background-private-overlap-validator-v0.2",
}

// The only release state there is, source 3.3: the endpoint is disabled and not ready to go live.
const (
	ReleaseState = "governance_gated_pilot"
	StorageState = "pilot_schema_created"
)

// FallbackBehavior says what is done in place of overlap checks, source 3.3.
const FallbackBehavior = "When the private-overlap service is unavailable, unreviewed or disabled, the current " +
	"deterministic broad-preview matching is used."

// Rules lists the rules of the release state in the source's words and order (source 3.3).
func Rules() []string {
	return []string{
		"The check route stays governance-gated.",
		"Production use is blocked until all five reviews are complete.",
		"No raw or canonical tags are stored.",
		"No overlap result can change matching, disclosure, ranking or outreach state.",
		FallbackBehavior,
	}
}

// An Endpoint is a planned route, source 4.3. A service answers it with 403, for every caller.
type Endpoint struct {
	Method string
	Path   string  // the base address is written {base_url}, as in the source
	Status Blocker // source 3.4; the first of the blockers with which the route answers
}

// The planned routes.
var (
	CheckOverlap = Endpoint{"POST", "{base_url}/api/background/private-overlap/check",
		"governance_gated"}
	RefreshTokens = Endpoint{"POST", "{base_url}/api/background/private-overlap/refresh-tokens",
		"blocked_pending_crypto_review"}
	DeleteTokens = Endpoint{"DELETE", "{base_url}/api/background/private-overlap/tokens",
		"blocked_pending_crypto_review"}
)

// PlannedEndpoints lists the planned routes in the source's order.
func PlannedEndpoints() []Endpoint { return []Endpoint{CheckOverlap, RefreshTokens, DeleteTokens} }

// A Blocker is a code for why a request is blocked: for routes those of source 3.4, the others this
// project's choice, since source 7.3 shows none.
type Blocker string

// A BlockerRule says what a blocker means and what would cure it; this program has no cure.
type BlockerRule struct {
	Code    Blocker
	Meaning string
	Cure    string
}

const notHere = "That review would have to be complete; docket cannot record that it is."

var blockerRules = []BlockerRule{
	{CheckOverlap.Status, "The check route is governance-gated: nothing is checked.",
		"The contract's owners would have to publish another release state."},
	{RefreshTokens.Status, "Tokens are neither refreshed nor deleted before the cryptographic design is reviewed.",
		"The formal cryptographic design review would have to be complete."},
	{"live_endpoint_disabled", "The live endpoint is disabled.",
		"The contract's owners would have to enable it, after all five reviews."},
	{"dpia_privacy_design_review_open", "There is no DPIA with a documented privacy-design review yet.", notHere},
	{"cryptographic_design_review_open", "There is no formal cryptographic design review yet.", notHere},
	{"threat_model_abuse_case_review_open", "There is no narrow threat-model and abuse-case review yet.", notHere},
	{"external_security_privacy_review_open", "There is no external security/privacy review yet.", notHere},
	{"redaction_and_deletion_property_tests_open",
		"The property tests for non-overlap redaction and token deletion are not accepted yet.",
		"They would have to be accepted against the real service; docket cannot record that they are."},
}

// BlockerRules lists the blockers: the statuses of the routes, the disabled endpoint, each review.
func BlockerRules() []BlockerRule { return slices.Clone(blockerRules) }

// always is the place of the first blocker that every route answers; before it are the routes'.
const always = 2

// RequiredReviews lists the five reviews, all open, in the source's words and order (source 3.3).
// The first four are the conditions of blockedUntil (source 2.4): those that people carry out.
func RequiredReviews() []string {
	return []string{
		"a DPIA with a documented privacy-design review",
		"a formal cryptographic design review",
		"a narrow threat-model and abuse-case review",
		"an external security/privacy review before the pilot",
		"property tests for non-overlap redaction and token deletion",
	}
}

// NotEvaluated is the only result bucket (this project's choice).
const NotEvaluated = "not_evaluated"

// An Answer is all that a participant is told (source 2.4, participantOutput).
type Answer struct {
	ResultBucket string    `json:"result_bucket"`
	ReceiptID    string    `json:"receipt_id"` // random, and kept by the caller alone
	Blockers     []Blocker `json:"blockers"`
}

// AnswerTo answers a planned route: blocked by its status, the disabled endpoint and each review.
func AnswerTo(route Endpoint, receipt string) Answer {
	blockers := []Blocker{}
	if route.Status != "" {
		blockers = append(blockers, route.Status)
	}
	for _, rule := range blockerRules[always:] {
		blockers = append(blockers, rule.Code)
	}
	return Answer{ResultBucket: NotEvaluated, ReceiptID: receipt, Blockers: blockers}
}

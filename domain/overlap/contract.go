// Package overlap is the guardrail of the private-overlap pilot (source 2.4, 3.3, 3.4 and 4.3): what the contract says of
// it, the strict reader of requests, the answer that each of them gets and the receipt that proves it.
//
// The pilot is not live, and this package has no way to make it so. Production use is blocked until five reviews are
// complete; the only state that a review can have here is open, so that no call, file, flag or row can say otherwise.
// Every request is therefore answered alike: blocked, not evaluated, with the same blockers for the same route. Nothing of a
// request can reach an answer or a receipt, because neither is made from one.
//
// Package domain does not know this package: no overlap result can reach the queue, a packet or a decision.
//
// Start at words.go for the vocabularies, contract.go for what the contract says of them, request.go for what a
// request may hold, answer.go for the answers, receipt.go for their receipts and the chain of them.
package overlap

import "docket/domain/terms"

// Contract is the revision of the private-overlap contract, source 9.
var Contract = terms.Contract{
	Version:          "background-private-overlap-pilot-v0.2-2026-06",
	ValidatorName:    "background-private-overlap-design",
	ValidatorVersion: "background-private-overlap-validator-v0.2",
}

// A Release is the pilot's release state, source 3.3.
type Release struct {
	ReleaseState        ReleaseState
	LiveEndpointEnabled bool
	LiveReady           bool
	StorageState        StorageState
}

// CurrentRelease returns the only release state there is. The transitions out of it are not shown in the source, and
// this program makes none.
func CurrentRelease() Release {
	return Release{ReleaseState: GovernanceGatedPilot, StorageState: PilotSchemaCreated}
}

// A NamespaceRule says what may be blinded under a namespace, source 2.4. Free text may not be under any.
type NamespaceRule struct {
	Key                  Namespace
	Label                string // this project's choice; the source shows none
	AllowedSource        string
	RawValueRetention    RawValueRetention
	StoredRepresentation StoredRepresentation
}

// namespaceRules is indexed by Namespace less one.
var namespaceRules = [...]NamespaceRule{
	{ExactCapabilityTag, "Exact capability tag", "approved exact capability tags only", RetentionForbidden, BlindedTokenOnly},
	{ExactConstraintTag, "Exact constraint tag", "approved exact constraint tags only", RetentionForbidden, BlindedTokenOnly},
	{ExactVerificationTag, "Exact verification tag", "approved exact verification tags only", RetentionForbidden,
		BlindedTokenOnly},
}

// NamespaceRules lists the rules in the source's order.
func NamespaceRules() []NamespaceRule { return append([]NamespaceRule(nil), namespaceRules[:]...) }

// FreeTextRule excludes free text, source 2.4.
const FreeTextRule = "Free text is excluded from every namespace."

// Rules lists the rules that hold in the current release state, in the source's words and order (source 3.3).
func Rules() []string {
	return []string{
		"The check route stays governance-gated.",
		"Production use is blocked until all five reviews are complete.",
		"No raw or canonical tags are stored.",
		"No overlap result can change matching, disclosure, ranking or outreach state.",
		FallbackBehavior,
	}
}

// FallbackBehavior says what is done in place of overlap checks, source 3.3.
const FallbackBehavior = "When the private-overlap service is unavailable, unreviewed or disabled, the current " +
	"deterministic broad-preview matching is used."

// An Endpoint is a planned route, source 4.3. A service answers it with 403, for every caller: there is nothing behind it.
type Endpoint struct {
	Action Action
	Method string
	Path   string // the base address is written {base_url}, as in the source
	Status RouteStatus
}

// endpoints is indexed by Action less one.
var endpoints = [...]Endpoint{
	{CheckOverlap, "POST", "{base_url}/api/background/private-overlap/check", GovernanceGated},
	{RefreshTokens, "POST", "{base_url}/api/background/private-overlap/refresh-tokens", BlockedPendingCryptoReview},
	{DeleteTokens, "DELETE", "{base_url}/api/background/private-overlap/tokens", BlockedPendingCryptoReview},
}

// PlannedEndpoints lists the planned routes in the source's order.
func PlannedEndpoints() []Endpoint { return append([]Endpoint(nil), endpoints[:]...) }

// EndpointOf returns the planned route of an action; false for an absent one.
func EndpointOf(action Action) (Endpoint, bool) {
	if !action.Present() {
		return Endpoint{}, false
	}
	return endpoints[action-1], true
}

// A RequiredReview is one of the five reviews with what the contract says of it.
type RequiredReview struct {
	Key   Review
	Text  string // the source's words (source 3.3, rule 2)
	State ReviewState
	// Condition marks the four that blockedUntil lists (source 2.4): those that people carry out. Property
	// tests are run, not carried out; they are required all the same.
	Condition bool
	Blocker   Blocker // what is reported while the review is open
}

// requiredReviews is indexed by Review less one. There is no other state than ReviewOpen to write here.
var requiredReviews = [...]RequiredReview{
	{PrivacyDesignReview, "a DPIA with a documented privacy-design review", ReviewOpen, true,
		BlockerPrivacyDesignReviewOpen},
	{CryptographicDesignReview, "a formal cryptographic design review", ReviewOpen, true,
		BlockerCryptographicDesignReviewOpen},
	{ThreatModelReview, "a narrow threat-model and abuse-case review", ReviewOpen, true, BlockerThreatModelReviewOpen},
	{ExternalReview, "an external security/privacy review before the pilot", ReviewOpen, true, BlockerExternalReviewOpen},
	{PropertyTests, "property tests for non-overlap redaction and token deletion", ReviewOpen, false,
		BlockerPropertyTestsOpen},
}

// RequiredReviews lists the five reviews in the source's order, each with its state.
func RequiredReviews() []RequiredReview { return append([]RequiredReview(nil), requiredReviews[:]...) }

// BlockedUntil lists the four conditions of the contract in the source's words: the reviews that are carried out.
func BlockedUntil() []string {
	var conditions []string
	for i := range requiredReviews {
		if requiredReviews[i].Condition {
			conditions = append(conditions, requiredReviews[i].Text)
		}
	}
	return conditions
}

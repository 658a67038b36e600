package overlap

import "docket/domain"

// Contract is the revision of the private-overlap contract, seed 9.
var Contract = domain.Contract{
	Version:          "background-private-overlap-pilot-v0.2-2026-06",
	ValidatorName:    "background-private-overlap-design",
	ValidatorVersion: "background-private-overlap-validator-v0.2",
}

// A Release is the pilot's release state, seed 3.3.
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

// A NamespaceRule says what may be blinded under a namespace, seed 2.4. Free text may not be under any.
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

// FreeTextRule excludes free text, seed 2.4.
const FreeTextRule = "Free text is excluded from every namespace."

// Rules lists the rules that hold in the current release state, in the source's words and order (seed 3.3).
func Rules() []string {
	return []string{
		"The check route stays governance-gated.",
		"Production use is blocked until all five reviews are complete.",
		"No raw or canonical tags are stored.",
		"No overlap result can change matching, disclosure, ranking or outreach state.",
		FallbackBehavior,
	}
}

// FallbackBehavior says what is done in place of overlap checks, seed 3.3.
const FallbackBehavior = "When the private-overlap service is unavailable, unreviewed or disabled, the current " +
	"deterministic broad-preview matching is used."

// An Endpoint is a planned route, seed 4.3. None of them is served.
type Endpoint struct {
	Action Action
	Method string
	Path   string // the base address is written {base_url}, as in the source
	Status RouteStatus
	Reason AuditReason // of the receipts that its requests leave
}

// endpoints is indexed by Action less one.
var endpoints = [...]Endpoint{
	{CheckOverlap, "POST", "{base_url}/api/background/private-overlap/check", GovernanceGated, ReasonReleaseGated},
	{RefreshTokens, "POST", "{base_url}/api/background/private-overlap/refresh-tokens", BlockedPendingCryptoReview,
		ReasonCryptoReviewOpen},
	{DeleteTokens, "DELETE", "{base_url}/api/background/private-overlap/tokens", BlockedPendingCryptoReview,
		ReasonCryptoReviewOpen},
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

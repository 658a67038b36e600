package report

import (
	"strings"

	"docket/domain/ordered"
	"docket/domain/overlap"
)

// What only the overlap report states, in the words of seed 1 and 3.3.
const (
	overlapPurpose = "A governance-gated pilot for exact-tag overlap checks over blinded tokens only, which is not live, " +
		"accepts no free text and reveals no raw tags."
	overlapNonClaim = "The private-overlap pilot is not live, production use is blocked until all five reviews are complete, " +
		"and no overlap result can change matching, disclosure, ranking or outreach state."
	baseURL = "{base_url}"
)

// overlapBody is the body of seed 2.4.
func overlapBody() (ordered.Object, error) {
	release := overlap.CurrentRelease()
	return ordered.Of(
		"releaseState", release.ReleaseState.String(),
		"liveEndpointEnabled", release.LiveEndpointEnabled,
		"liveReady", release.LiveReady,
		"storageState", release.StorageState.String(),
		"namespaceRules", namespaceRules(),
		"forbiddenInputs", overlap.ForbiddenInputs.Texts(),
		"forbiddenStoredFields", overlap.ForbiddenStoredFields.Texts(),
		"futureStoredFields", overlap.FutureStoredFields.Texts(),
		"participantOutput", ordered.Of(
			"allowed", overlap.AllowedOutputs.Texts(),
			"forbidden", overlap.ForbiddenOutputs.Texts(),
		),
		"plannedEndpoints", plannedEndpoints(),
		"blockedUntil", overlap.BlockedUntil(),
		"requiredReviews", requiredReviews(),
		"fallbackBehavior", overlap.FallbackBehavior,
		"contractTests", overlapHooks,
	), nil
}

func namespaceRules() []ordered.Object {
	var list []ordered.Object
	for _, rule := range overlap.NamespaceRules() {
		list = append(list, ordered.Of(
			"key", rule.Key.String(),
			"label", rule.Label,
			"allowedSource", rule.AllowedSource,
			"rawValueRetention", rule.RawValueRetention.String(),
			"storedRepresentation", rule.StoredRepresentation.String(),
		))
	}
	return list
}

// plannedEndpoints lists the routes with paths relative to the base address, as the enforcement routes are.
func plannedEndpoints() []ordered.Object {
	var list []ordered.Object
	for _, endpoint := range overlap.PlannedEndpoints() {
		list = append(list, ordered.Of(
			"method", endpoint.Method,
			"path", strings.TrimPrefix(endpoint.Path, baseURL),
			"status", endpoint.Status.String(),
		))
	}
	return list
}

func requiredReviews() []string {
	var list []string
	for _, review := range overlap.RequiredReviews() {
		list = append(list, review.Text)
	}
	return list
}

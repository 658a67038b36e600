package report

import "docket/domain/canonical"

// overlapChecks are those of seed 2.6 for the private-overlap pilot, in their order.
var overlapChecks = []check{
	{id: "governance-gated-release-state", label: "The pilot is governance-gated and not live",
		watches: []string{"/releaseState", "/liveEndpointEnabled", "/liveReady", "/storageState"}, moreover: nothingLive},
	{id: "review-gates", label: "Five reviews and the contract tests come before production use",
		watches: []string{"/requiredReviews", "/blockedUntil", "/contractTests"}, moreover: reviewsAreCounted},
	{id: "curated-tags-only", label: "Every namespace takes approved exact tags only, and no free text",
		watches: []string{"/namespaceRules/*/key", "/namespaceRules/*/label", "/namespaceRules/*/allowedSource",
			"/namespaceRules/*/?", "/namespaceRules/-", "/forbiddenInputs"}},
	{id: "raw-values-forbidden", label: "No raw or canonical value is kept",
		watches: []string{"/namespaceRules/*/rawValueRetention", "/forbiddenStoredFields"}},
	{id: "future-storage-is-blinded-only", label: "What may be stored one day is metadata of blinded tokens",
		watches: []string{"/namespaceRules/*/storedRepresentation", "/futureStoredFields"}, moreover: storageIsBlinded},
	{id: "blocked-live-endpoints", label: "Every planned route is gated or blocked",
		watches: []string{"/plannedEndpoints"}, moreover: nothingLive},
	{id: "counts-only-output", label: "A participant learns a bucket, a receipt and blockers, and nothing of tags",
		watches: []string{"/participantOutput"}, moreover: outputIsApart},
	{id: "deterministic-fallback", label: "Without the pilot, matching stays deterministic and broad",
		watches: []string{"/fallbackBehavior"}},
}

// nothingLive asks that nothing says that the pilot is live.
func nothingLive(b *body) []Problem {
	var problems []Problem
	for _, name := range []string{"liveEndpointEnabled", "liveReady"} {
		if b.Member(name).Kind() != canonical.False {
			problems = append(problems, Problem{"/" + name, "the pilot is not live"})
		}
	}
	return problems
}

// reviewsAreCounted asks that no review and no condition stands there twice.
func reviewsAreCounted(b *body) []Problem {
	return append(distinct("requiredReviews")(b), distinct("blockedUntil")(b)...)
}

// storageIsBlinded asks that nothing that may be stored is forbidden.
func storageIsBlinded(b *body) []Problem {
	return apart("/futureStoredFields", b.Member("futureStoredFields"), b.Member("forbiddenStoredFields"))
}

// outputIsApart asks that nothing that may be told is forbidden.
func outputIsApart(b *body) []Problem {
	output := b.Member("participantOutput")
	return apart("/participantOutput/allowed", output.Member("allowed"), output.Member("forbidden"))
}

// apart objects if the two lists share an entry.
func apart(at string, allowed, forbidden canonical.Value) []Problem {
	never := textSet(forbidden)
	for _, text := range listTexts(allowed) {
		if never[text] {
			return []Problem{{at, "holds what the body itself forbids"}}
		}
	}
	return nil
}

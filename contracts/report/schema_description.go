package report

import "strings"

// descriptions say what a member of a report is, by its place: those of the envelope by their names, those of a body by
// their pointers, "*" standing for any entry.
var descriptions = map[string]string{
	"ok":                         "That the report was produced.",
	"checkedAt":                  "The time of the check: ISO 8601, in UTC.",
	"contractVersion":            "The contract's revision.",
	"purpose":                    "The contract's purpose in one sentence.",
	"validation":                 "What the contract's validator found.",
	bodyMember:                   "The contract itself.",
	"blockers":                   "The ids of the checks that fall short; empty when the contract passes.",
	"publicNonClaim":             "What the contract does not claim.",
	"status":                     "pass if every check passes.",
	"validatorName":              "The name of the validator.",
	"validatorVersion":           "The version of the validator.",
	"validation/contractVersion": "The report's contractVersion, again.",
	"checks":                     "The contract's checks, in its order.",
	"validation/blockers":        "The ids of the checks that fall short; empty when the status is pass.",
	"liveReady":                  "Whether the pilot could go live. It could not.",
	"check/id":                   "The id of the check.",
	"check/label":                "What the check holds the contract to, in words.",
	"check/status":               "pass, or blocked if the check falls short.",
	"check/evidence":             "The codes or rules that were checked, joined in one text.",

	"/decisioningMode":                         "How decisions are made: by scope only.",
	"/stateMutation":                           "The contract report changes no state.",
	"/subjects":                                "What an appeal may target.",
	"/standingCategories":                      "As whom somebody may appeal.",
	"/appealTriggers":                          "The grounds of an appeal.",
	"/allowedOutcomes":                         "What an appeal may lead to; advisory until a human routes it.",
	"/firstClassRecordTables":                  "The tables of policies and of what they judge.",
	"/policySnapshotSubjects":                  "What a policy snapshot is taken for.",
	"/enforcementRule":                         "What an enforcement record can and cannot do.",
	"/enforcementRecordTables":                 "The table to which enforcement records are appended.",
	"/enforcementRoute":                        "The one route that writes.",
	"/enforcementRoute/method":                 "The HTTP method.",
	"/enforcementRoute/path":                   "The path below the service's base address.",
	"/enforcementRoute/auth":                   "Who may call it.",
	"/enforcementRoute/stateMutation":          "All that it changes.",
	"/appealCaseStatuses":                      "The statuses of an appeal case.",
	"/noticeStates":                            "How far the notice to the parties may have come.",
	"/failClosedStatuses":                      "The conditions each of which blocks, in the order in which they are reported.",
	"/approvedFactorCodes":                     "The reason codes that a decision may name.",
	"/invariants":                              "What holds for every appeal.",
	"/sampleDecision":                          "The advisory decision on the complete sample case.",
	"/sampleDecision/status":                   "Whether a human may review the case on its merits.",
	"/sampleDecision/outcome":                  "The advised outcome.",
	"/sampleDecision/factorCodes":              "The factor codes that the evaluation supports.",
	"/sampleDecision/humanReviewRequired":      "A human reviews every decision.",
	"/sampleDecision/stateMutation":            "A decision changes no state.",
	"/sampleDecision/standingAccepted":         "Whether standing is established.",
	"/sampleDecision/reviewScope":              "The subjects in scope.",
	"/sampleDecision/requiredArtifacts":        "What the reviewer needs to see.",
	"/sampleDecision/privacyActions":           "What is redacted before the reviewer sees it.",
	"/sampleDecision/provenanceActivity":       "The activity's name in the provenance trail.",
	"/sampleDecision/traceabilityBusinessStep": "The step's name in the business trail.",
	"/sampleDecision/appealScopeStatement":     "That nothing but the one reviewed item is appealed.",
	"/sampleDecision/blockers":                 "The fail-closed statuses that hold; none when ready.",
	"/appealCaseSampleEvaluationStatuses":      "What sample cases come to, by <subject>:<trigger>:<pass or blocked>.",
	"/contractTests":                           "The names of the contract's tests.",

	"/releaseState":                          "The state of the pilot.",
	"/liveEndpointEnabled":                   "Whether the live endpoint is enabled. It is not.",
	"/liveReady":                             "Whether the pilot could go live. It could not.",
	"/storageState":                          "The state of the pilot's storage.",
	"/namespaceRules":                        "What may be blinded, by namespace.",
	"/namespaceRules/*/key":                  "The namespace.",
	"/namespaceRules/*/label":                "The namespace in words.",
	"/namespaceRules/*/allowedSource":        "What its tags may be taken from.",
	"/namespaceRules/*/rawValueRetention":    "What is kept of raw values.",
	"/namespaceRules/*/storedRepresentation": "As what a tag may be stored.",
	"/forbiddenInputs":                       "What no request may hold.",
	"/forbiddenStoredFields":                 "What is never stored.",
	"/futureStoredFields":                    "What may be stored of a blinded token one day.",
	"/participantOutput":                     "What a participant is told.",
	"/participantOutput/allowed":             "The members of an answer.",
	"/participantOutput/forbidden":           "What no answer holds.",
	"/plannedEndpoints":                      "The routes of the pilot, none of them live.",
	"/plannedEndpoints/*/method":             "The HTTP method.",
	"/plannedEndpoints/*/path":               "The path below the service's base address.",
	"/plannedEndpoints/*/status":             "Why the route is not open.",
	"/blockedUntil":                          "The conditions that block production use.",
	"/requiredReviews":                       "The reviews that have to be complete before production use.",
	"/fallbackBehavior":                      "What is done in place of overlap checks.",

	"/privacyRule":                                "What public responses never carry.",
	"/failClosedRule":                             "What blocks material changes after lock.",
	"/transitions":                                "What an amendment may set out to do.",
	"/subjectTypes":                               "The kinds of locked agreements.",
	"/amendmentTypes":                             "The kinds of change.",
	"/amendmentStates":                            "The states of an amendment.",
	"/confirmationStates":                         "How far the renewed confirmations may have come.",
	"/transitionDefinitions":                      "What each transition protects, needs and blocks.",
	"/transitionDefinitions/*/key":                "The transition.",
	"/transitionDefinitions/*/protectedBoundary":  "What it may not cross.",
	"/transitionDefinitions/*/requiredRecords":    "The tables of which it needs a record.",
	"/transitionDefinitions/*/blocksTransitions":  "What may not proceed while the gate is blocked.",
	"/agreementAmendmentSampleEvaluationStatuses": "What sample amendments come to, by transition.",
}

// description is the text for a place; entries of a map of samples share one.
func description(place string) string {
	if text, there := descriptions[place]; there {
		return text
	}
	if strings.HasPrefix(place, "/appealCaseSample") || strings.HasPrefix(place, "/agreementAmendmentSample") {
		return "What this sample comes to."
	}
	return ""
}

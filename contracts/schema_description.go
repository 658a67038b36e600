package contracts

import (
	"strings"

	"docket/domain"
)

// tableTexts are the titles and descriptions of the schemas.
var tableTexts = map[domain.Table]struct{ title, description string }{
	domain.AppealPolicies: {"Appeal policy", "The frozen rules by which appeal cases are judged: which outcome each " +
		"ground of appeal suggests, and which others fit it. Keyed by policyId and policyVersion."},
	domain.AppealCases: {"Appeal case", "One challenge to one reviewed item. Only the key, contractVersion and status " +
		"must be there: any other control that is absent blocks the case, it does not make it invalid. Keyed by " +
		"caseId and revision."},
	domain.AmendmentPolicies: {"Agreement amendment policy", "The frozen rules by which amendments are judged, and the " +
		"transitions they cover. Keyed by policyId and policyVersion."},
	domain.AmendmentRecords: {"Agreement amendment record", "One change to a locked donation offset or pledge swap. " +
		"Only the key, contractVersion, ownerId and state must be there: any other control that is absent blocks the " +
		"amendment, it does not make it invalid. Keyed by amendmentId and revision."},
}

// descriptions say what a member means. A key is a member's name, or, where the same name means different things, the
// name of what it stands in, a dot and its name.
var descriptions = map[string]string{
	"policyId":        "The frozen policy that this record names.",
	"policyVersion":   "The version of the frozen policy that this record names.",
	"policyHash":      "The hash of the frozen policy that this record names; it must be that policy's own.",
	"contractVersion": "The revision of the published contract that the record was written for.",
	"revision":        "Counts up with each change; a revision is never edited.",
	"frozenAt":        "When the policy was frozen. A policy that is not frozen judges nothing.",

	"trade_appeal_policies.policyId":      "Names the policy over all its versions.",
	"trade_appeal_policies.policyVersion": "Counts up with each change; a version is never edited.",
	"trade_appeal_policies.policyHash":    "SHA-256 over the canonical form (RFC 8785) of this record without this member.",
	"trade_appeal_policies.status":        "Only a frozen policy judges.",
	"effectiveFrom":                       "From when on the policy judges.",
	"effectiveUntil":                      "Until when the policy judges; null or absent is without end.",
	"outcomeRules":                        "For each ground of appeal, what the policy suggests. A ground without a rule blocks its cases.",
	"outcomeRules.*":                      "The rule for appeals on the ground: ",
	"advisory":                            "The outcome that is suggested. It must be among the compatible ones.",
	"compatible":                          "The outcomes that fit the ground.",

	"caseId":                       "Names the case over all its revisions.",
	"trade_appeal_cases.status":    "How far the case has come.",
	"subject":                      "What kind of item the appeal targets.",
	"subjectId":                    "The one reviewed item that the appeal targets.",
	"trigger":                      "The ground of the appeal.",
	"standing":                     "As whom somebody appeals. It must be accepted.",
	"category":                     "The standing category. An affected party also needs a privacy-safe summary.",
	"accepted":                     "Whether the standing has been accepted.",
	"privacySafeSummary":           "How the appellant is affected, in words that identify nobody.",
	"notice":                       "The notice to the parties.",
	"notice.state":                 "How far the notice has come.",
	"deliveredAt":                  "When the notice was delivered.",
	"filedAt":                      "When the case was filed.",
	"deadline":                     "Until when the case may be decided.",
	"evidenceScope":                "The evidence that counts in this case, and no other.",
	"items":                        "The items of evidence, at least one to pass.",
	"statement":                    "What the evidence is to show.",
	"scopeHash":                    "SHA-256 over the canonical form of {subject, subjectId, evidenceScope}, absent ones left out.",
	"nonRetaliation":               "The promise that nobody suffers for appealing.",
	"acknowledged":                 "Whether the promise has been given.",
	"partyIds":                     "The appellant and others with a stake in the appeal. They may not judge it.",
	"originalDeciderId":            "Who took the decision, or drafted or approved the change, that is under review. They may not judge it.",
	"neutralReview":                "Who judges, and that nothing speaks against them.",
	"assigned":                     "Whether a reviewer has been assigned.",
	"reviewerId":                   "The assigned reviewer.",
	"conflictChecked":              "Whether a conflict of interest has been looked for.",
	"conflictFound":                "Whether one was found. Only a plain false lets the record pass.",
	"recusedReviewerIds":           "Reviewers who have withdrawn from this record. They may not judge it.",
	"requestedOutcome":             "The outcome that is asked for; null or absent asks for none.",
	"requestedEffects":             "Effects that are asked for although no appeal may have them; [] says none, absent blocks.",
	"remedyGap":                    "What the remedy left open; needed where the ground is an externality remedy gap.",
	"redaction":                    "What the source says of its own redaction.",
	"redaction.status":             "Whether private details have been taken out.",
	"caseHash":                     "SHA-256 over the canonical form of this record without this member.",
	"policySnapshotBundle":         "The policy as it stood when the amendment was made.",
	"policySnapshotBundle.subject": "What the snapshot is for; for amendments it must be agreement_amendment.",

	"trade_agreement_amendment_policies.policyId":      "Names the policy over all its versions.",
	"trade_agreement_amendment_policies.policyVersion": "Counts up with each change; a version is never edited.",
	"trade_agreement_amendment_policies.policyHash":    "SHA-256 over the canonical form (RFC 8785) of this record without this member.",
	"trade_agreement_amendment_policies.status":        "Only a frozen policy judges.",
	"staleAfter":  "From when on the policy no longer judges.",
	"transitions": "The transitions that the policy covers.",

	"amendmentId": "Names the amendment over all its revisions.",
	"ownerId":     "The owner to whom the enforcement record will be scoped.",
	"trade_agreement_amendment_records.state": "How far the amendment has come.",
	"agreementId":                        "The agreement that is changed.",
	"transition":                         "Which guarded step of the contract the amendment takes.",
	"subjectType":                        "What kind of agreement is changed; it must suit the transition.",
	"amendmentType":                      "How it is changed; it must suit the transition.",
	"confirmationState":                  "How far the renewed confirmations have come.",
	"beforeTermsHash":                    "The hash of the terms before the change; only its form is checked.",
	"afterTermsHash":                     "The hash of the terms after the change; only its form is checked.",
	"changedTerms":                       "Which terms are changed. A correction after lock may change the wording only.",
	"parentRecord":                       "The parent record, which nothing may edit: both hashes must be the same.",
	"hashAtLock":                         "The parent record's hash when it was locked.",
	"hashObserved":                       "The parent record's hash as it is now.",
	"effects":                            "What the change brings about. An effect is off only if it is present and false.",
	"effects.retroactivePerformance":     "It changes what performance in the past counts for.",
	"effects.evidenceClaimRetyped":       "It turns old evidence into a different claim type.",
	"effects.exposureIncrease":           "It adds to what a party is exposed to.",
	"effects.fundsRedirect":              "It sends funds elsewhere.",
	"effects.compensationChange":         "It changes compensation.",
	"effects.cancellationRightsNarrowed": "It narrows cancellation rights; no confirmation cures that.",
	"effects.privacyChange":              "It changes what is private.",
	"effects.donorOfRecordChange":        "It changes the donor of record.",
	"effects.thirdPartyObligationChange": "It changes obligations of third parties.",
	"requiredParties":                    "The parties whose renewed confirmation is needed.",
	"confirmations":                      "The renewed confirmations.",
	"partyRef":                           "The party that confirms.",
	"covers":                             "The effects that the party confirms.",
	"termsHash":                          "The terms that the party confirms; it must be afterTermsHash.",
	"confirmedAt":                        "When the party confirmed.",
	"expiresAt":                          "When the confirmation ends; absent is without end.",
	"reviewerQuality":                    "Whether the reviewers are good enough.",
	"criteriaMet":                        "Whether the criteria for reviewers are met.",
	"baselineIntegrity":                  "Whether the baseline still stands.",
	"verified":                           "Whether the baseline has been verified.",
	"destinationReview":                  "The review of a new destination; needed for a change of destination.",
	"completed":                          "Whether the review has been completed.",
	"amendmentHash":                      "SHA-256 over the canonical form of this record without this member.",

	"recordId":                 "Names the record: a UUIDv7 in lower case, of the millisecond of recordedAt.",
	"rulesVersion":             "The rules by which the packet was judged: the validator's version, +docket. and the revision of the rule book.",
	"computedBlockers":         "What the rules found to block, in the order of the rule book.",
	"reviewerBlockers":         "What the reviewer added to it. Nobody can take a blocker away.",
	"gate":                     "pass only if nothing blocks: neither computed, nor added, nor carried over.",
	"factorCodes":              "The factors that the reviewer gave as grounds.",
	"reviewer":                 "Who recorded, in which role and with which key.",
	"reviewer.id":              "The reviewer, as cases name them.",
	"role":                     "The reviewer's role.",
	"keyFingerprint":           "The key that signs the record, in OpenSSH's SHA256:… form.",
	"logHead":                  "The reviewer's log as it was before this record, so that each record vouches for those before it.",
	"size":                     "How many records the log had.",
	"root":                     "The RFC 6962 root of the log at that size.",
	"supersedes":               "The record that was in force on the same revision until now; null for none.",
	"packetDigest":             "SHA-256 of {salt, view}: the redacted packet and its policy, and what was concluded, as the reviewer saw it; the salt is kept beside the record.",
	"sectionsViewed":           "The sections of the packet that the reviewer had in view.",
	"openedAt":                 "When the reviewer opened the packet.",
	"evaluatedAt":              "For when the rules were asked.",
	"recordedAt":               "When the reviewer recorded.",
	"statementDigest":          "SHA-256 of {salt, statement}: the public statement of reasons, which is kept beside the record; null for none.",
	"carriedBlockers":          "What people added to block in earlier records on this revision. It stands until a new revision comes.",
	"latestPolicyVersion":      "The highest version of the policy that was known when the packet was judged; null for none.",
	"latestRevision":           "The highest revision that was known when the packet was judged.",
	"origin":                   "The name of the log in its checkpoints.",
	"noteDigest":               "SHA-256 of a private note, which stays with the reviewer; null for none.",
	"stateMutation":            "What the record does to the state of the service: it is appended, and nothing else.",
	"caseRevision":             "The revision of the case that was judged.",
	"advisoryOutcome":          "What the policy suggests.",
	"preliminaryOutcome":       "What the reviewer held before the advice was shown; null where that was not asked.",
	"outcome":                  "What the reviewer decided.",
	"reviewScope":              "What the decision is about, and nothing besides.",
	"provenanceActivity":       "The contract's provenance activity.",
	"traceabilityBusinessStep": "The contract's traceability step.",
	"amendmentRevision":        "The revision of the amendment that was judged.",
	"blockedTransitions":       "The steps that may not be taken while the gate is blocked.",
}

// description finds what a member means within what it stands in.
func description(within, name string) string {
	if text, ok := descriptions[within+"."+name]; ok {
		return text
	}
	if text, ok := descriptions[within+".*"]; ok {
		return text + strings.ReplaceAll(name, "_", " ") + "."
	}
	return descriptions[name]
}

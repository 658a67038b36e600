package domain

// The plain sentences of a decision (seed 2.3.7: requiredArtifacts, privacyActions, appealScopeStatement). Their
// wording is this project's choice; it depends on words of the vocabularies only and holds no text of the case.

// artifactsOf is indexed by Trigger: what a reviewer needs for it besides what every appeal needs.
var artifactsOf = [...]string{
	DuplicateProof:         "Both uses of the proof, with the claims they were accepted for.",
	CoerciveBaseline:       "The baseline as it was accepted, and how it was agreed.",
	WrongScopeEvidence:     "The scope statement that the evidence was reviewed under.",
	MaterialFactualError:   "The statement of fact that is disputed, and the source it was taken from.",
	PrivacyDisclosureError: "The disclosure decision, with what was shown and to which audience, redacted.",
	ExternalityRemedyGap:   "The remedy on record and the gap that the case names.",
	ReviewerConflict:       "The conflict check of the reviewer who took the challenged decision.",
	PolicyMisapplied:       "The policy version that was applied and the one that should have been.",
}

func requiredArtifacts(t Trigger, gate Gate) []string {
	artifacts := []string{
		"The reviewed item as it stood when the challenged decision was taken.",
		"The frozen appeal policy that the case names, with its hash.",
		"The notice of the appeal and the proof of its delivery.",
	}
	if t.Present() {
		artifacts = append(artifacts, artifactsOf[t])
	}
	if gate != Pass {
		artifacts = append(artifacts, "What cures each blocker, published by the service as a new revision.")
	}
	return artifacts
}

func privacyActions(blockers BlockerSet) []string {
	actions := []string{
		"Keep private members out of the packet; their category and count is all that is kept.",
		"Show no contact data, exact wishes, raw notes or sensitive constraints to the reviewer.",
	}
	if blockers.Has(PrivateDetailsUnredacted) {
		actions = append(actions, "Have the source redact the case before it is routed to a reviewer.")
	}
	return actions
}

func scopeStatement(subject Subject, hasID bool) string {
	if !subject.Present() || !hasID {
		return "No specific reviewed item is named, so nothing is under appeal."
	}
	return "Only the one reviewed item named by the case, of the kind " + subject.Label() +
		", is under appeal; nothing else is reopened."
}

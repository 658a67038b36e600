package domain

// An OutcomeEffect is what an outcome is called in the provenance trail and in the business steps, and what choosing it
// means in plain words. The names of seed 2.3.7 and 6 are given for open_challenge_window; the others are this
// project's choice.
type OutcomeEffect struct {
	ProvenanceActivity string
	TraceabilityStep   string
	Meaning            string
}

// outcomeEffects is indexed by Outcome.
var outcomeEffects = [...]OutcomeEffect{
	UpholdDecision: {"decision_upheld", "challenge_closed",
		"The challenged decision stands."},
	RequestEvidence: {"evidence_requested", "evidence_pending",
		"More evidence is asked for before anything is decided."},
	RouteHumanReview: {"human_review_routed", "review_routed",
		"Another human reviewer has to look at it."},
	OpenChallengeWindow: {"challenge_window_opened", "challenge_opened",
		"A window should open in which the item can be challenged."},
	BlockReliance: {"reliance_blocked", "reliance_held",
		"Nothing may rely on the item for now."},
	RecordRemedy: {"remedy_recorded", "remedy_recorded",
		"A remedy should be put on record."},
	CloseUnresolved: {"challenge_closed_unresolved", "challenge_closed",
		"The appeal ends without being resolved."},
	CorrectRecord: {"record_correction_proposed", "correction_proposed",
		"The record should be corrected; the correction itself is made elsewhere."},
}

// EffectOf describes an outcome; the zero OutcomeEffect for an absent one.
func EffectOf(o Outcome) OutcomeEffect {
	if !o.Present() {
		return OutcomeEffect{}
	}
	return outcomeEffects[o]
}

// FactorMeaning says in plain words what a factor code states.
func FactorMeaning(code FactorCode) string {
	if !code.Present() {
		return ""
	}
	return factorMeanings[code]
}

// factorMeanings is indexed by FactorCode.
var factorMeanings = [...]string{
	SpecificReviewedClaim:        "The appeal names one specific reviewed item.",
	StandingEstablished:          "Standing is stated and accepted.",
	AffectedPartyStanding:        "The appellant stands as an affected party, with a privacy-safe summary.",
	EvidenceScopeNamed:           "The evidence that the appeal is about is listed.",
	DuplicateProofReview:         "Proof was reviewed for being used twice.",
	CoerciveBaselineReview:       "The baseline was reviewed for coercion.",
	WrongScopeEvidenceReview:     "The evidence was reviewed for being of another scope.",
	MaterialFactualErrorReview:   "The facts were reviewed for a material error.",
	PrivacyDisclosureReview:      "A disclosure was reviewed for privacy.",
	ExternalityRemedyReview:      "The remedy of an externality was reviewed.",
	ReviewerConflictReview:       "A reviewer's conflict of interest was reviewed.",
	PolicyFlagReview:             "The application of a policy was reviewed.",
	ChallengeWindowRequired:      "A challenge window has to open.",
	HumanReviewRequired:          "A human decides.",
	NoUnrelatedMoralDisagreement: "Nothing but the reviewed item is argued about.",
	ProvenanceActivityRequired:   "The step goes into the provenance trail.",
	PrivateDetailsRedacted:       "Private details are redacted.",
}

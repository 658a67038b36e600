package overlap

// A RequiredReview is one of the five reviews with what the contract says of it.
type RequiredReview struct {
	Key   Review
	Text  string // the source's words (seed 3.3, rule 2)
	State ReviewState
	// Condition marks the four that blockedUntil lists (seed 2.4): those that somebody has to carry out. Property
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

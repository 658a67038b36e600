package sample

import (
	"fmt"
	"time"

	"docket/domain/terms"
)

// generatedReview is the part that generated cases and amendments share: the reviewer and the notice.
type generatedReview struct {
	assigned, checked, conflict bool
	reviewer, decider           string
	recused                     []string
	noticeState                 string
	deliveredAt                 time.Time
}

func (r *generatedReview) writeReview(w *jsonWriter) {
	w.open("neutralReview")
	w.bool("assigned", r.assigned)
	w.bool("conflictChecked", r.checked)
	w.bool("conflictFound", r.conflict)
	w.strings("recusedReviewerIds", r.recused)
	w.string("reviewerId", r.reviewer)
	w.close()
}

func (r *generatedReview) writeNotice(w *jsonWriter) {
	w.open("notice")
	w.time("deliveredAt", r.deliveredAt)
	w.string("state", r.noticeState)
	w.close()
}

// generatedPolicy is the reference of a generated record to its policy.
type generatedPolicy struct {
	id      string
	version int64
	hash    string
}

// statement composes the evidence statement of a generated case: the challenge, its place, and the extent of the
// evidence.
func (g *generator) statement(trigger terms.Trigger) string {
	return fmt.Sprintf("%s It concerns %d %s in %s. %s", challenges[trigger], 2+g.random.IntN(4998), pick(g, causes), pick(g, places), pick(g, reaches))
}

// challenges is indexed by trigger.
var challenges = [...]string{
	terms.DuplicateProof:         "The receipt was already counted for another claim: same serial, same amount.",
	terms.CoerciveBaseline:       "The baseline was filled in by the other side, and the match was made to depend on it.",
	terms.WrongScopeEvidence:     "The row documents another activity than the one that the claim is about.",
	terms.MaterialFactualError:   "The count in the record and the count on the field sheet differ by a factor of ten.",
	terms.PrivacyDisclosureError: "The public receipt shows enough of the surroundings to single out one household.",
	terms.ExternalityRemedyGap:   "The side effect was noted and closed; nothing was arranged for those who bear it.",
	terms.ReviewerConflict:       "The reviewer who accepted the row had worked for the recipient and did not declare it.",
	terms.PolicyMisapplied:       "The flag was raised under the rule for cash transfers, and no money moves here.",
}

var causes = []string{
	"cooking stoves", "school meals", "mosquito nets", "tree seedlings", "solar lamps", "rainwater tanks",
	"hours of tutoring", "bus trips", "kilograms of compost", "vaccination visits", "metres of hedge", "library hours",
	"water filters", "flights avoided", "meals without meat",
}

var places = []string{
	"Kisumu", "Iringa", "the Saloum delta", "Łódź", "Anantapur", "Cusco", "Medellín", "Ouagadougou", "Porto", "Tbilisi",
	"Sylhet", "Nakuru", "Tallinn", "Da Nang", "Beira", "Ghent", "Aalborg", "Ljubljana", "Puebla", "Hobart", "高松",
}

var reaches = []string{
	"Both sides have been asked for the originals.",
	"The rest of the claim is not disputed.",
	"A second row covers the same weeks and has not been opened yet.",
	"The dates fit; the quantity does not.",
	"Nobody but the recipient has seen the place so far.",
	"The question was raised before the agreement was locked and was not answered.",
}

var summaries = []string{
	"Farms next to the site and is not a party to the agreement.",
	"Lives in a building that the public page shows.",
	"Uses the same well as the recipient.",
	"Works for a supplier whose orders fell when the swap began.",
}

var remedyGaps = []string{
	"No remedy is on record for those who had to walk further once the old path was planted over.",
	"Nobody is named who pays for the repairs, and no date is set.",
	"The replacement that was promised covers half of the households concerned.",
}

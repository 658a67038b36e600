package domain

// A SectionName names a part of the packet view. Enforcement records list the sections that were on screen.
type SectionName = Word[sectionKind]

type sectionKind struct{}

// SectionNames lists the parts of packet views, for parsing and listing.
var SectionNames Vocabulary[sectionKind]

// Section names. The first three and the last three stand in every view.
const (
	SectionGate SectionName = iota + 1
	SectionBlockers
	SectionAdvisory
	SectionItem
	SectionStanding
	SectionNotice
	SectionEvidence
	SectionRequest
	SectionChange
	SectionTerms
	SectionEffects
	SectionConfirmations
	SectionReview
	SectionPolicy
	SectionIntegrity
	SectionRedactions
)

var sectionWords = NewWordList("packet section",
	"gate", "blockers", "advisory", "item", "standing", "notice", "evidence", "request", "change", "terms", "effects",
	"confirmations", "review", "policy", "integrity", "redactions",
)

func (sectionKind) WordList() *WordList { return sectionWords }

// sectionTitles is indexed by SectionName.
var sectionTitles = [...]string{
	SectionGate:          "Gate",
	SectionBlockers:      "Blockers",
	SectionAdvisory:      "Advisory",
	SectionItem:          "Reviewed item",
	SectionStanding:      "Standing",
	SectionNotice:        "Notice and deadline",
	SectionEvidence:      "Evidence scope",
	SectionRequest:       "What is asked for",
	SectionChange:        "Change",
	SectionTerms:         "Terms",
	SectionEffects:       "Effects",
	SectionConfirmations: "Confirmations",
	SectionReview:        "Neutral review",
	SectionPolicy:        "Policy",
	SectionIntegrity:     "Integrity",
	SectionRedactions:    "Redactions",
}

// SectionTitle returns the heading of a section.
func SectionTitle(name SectionName) string {
	if !name.Present() {
		return ""
	}
	return sectionTitles[name]
}

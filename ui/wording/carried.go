package wording

import (
	"slices"

	"docket/domain"
)

// UntilRevised is how long a blocker stands that a human has added.
const UntilRevised = "stays until the platform sends a new revision"

// Carried says of each carried blocker of a packet where it comes from.
func Carried(d *domain.Dossier) []string {
	var said []string
	for _, code := range (domain.Codes{Area: d.View.Area(), Set: d.View.Carried()}).List() {
		said = append(said, code.String()+": "+CarriedFrom(d, code))
	}
	return said
}

// CarriedFrom says by which record a carried blocker was added, and how long it stands.
func CarriedFrom(d *domain.Dossier, code domain.Blocker) string {
	by := "another record"
	for i := range d.Records {
		logged := &d.Records[i]
		if logged.Unreadable == "" && logged.HandIn.State != domain.Rejected && slices.Contains(logged.Record.Members().ReviewerBlockers, code) {
			by = "record " + string(logged.Receipt.RecordID)
			break
		}
	}
	return "added by a human in " + by + "; " + UntilRevised
}

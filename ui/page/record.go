package page

import (
	"fmt"

	"docket/domain/pages"
	"docket/domain/records"
	"docket/ui/wording"
)

func Record(logged *records.LoggedRecord) string {
	text := fmt.Sprintf("Record %s", wording.Thousands(int(logged.Receipt.Sequence)))
	if logged.Unreadable != "" {
		return fmt.Sprintf("%s cannot be read: %s", text, wording.Sentence(logged.Unreadable))
	}
	m := logged.Record.Members()
	text += fmt.Sprintf(", %s, %s, revision %s: %s", wording.Moment(m.RecordedAt), m.Key.ID, wording.Thousands(int(m.Key.Number)), m.Gate)
	if m.Outcome.Present() {
		text += ", " + m.Outcome.Label()
	} else if m.Transition.Present() {
		text += ", " + m.Transition.Label()
	}
	if n := len(m.ReviewerBlockers); n > 0 {
		text += fmt.Sprintf(", with %s", wording.Plural(n, "added blocker", "added blockers"))
	}
	return fmt.Sprintf("%s, by %s, %s.", text, m.Reviewer.ID, standing(logged))
}

func standing(logged *records.LoggedRecord) string {
	text := "in force"
	switch {
	case logged.Revoked:
		text = wording.RevokedKey + wording.NotInForce
	case logged.SupersededBy.Present():
		text = "superseded"
	}
	switch logged.HandIn.State {
	case records.Kept:
		return text + ", " + wording.KeptHere
	case records.Accepted:
		return fmt.Sprintf("%s, handed in as number %s", text, wording.Thousands(int(logged.HandIn.Receipt.Sequence)))
	case records.Rejected:
		return wording.RejectedByService + ": " + wording.WhyRejected(logged.HandIn.Rejection.Reason)
	}
	if logged.HandIn.By.Present() {
		return fmt.Sprintf("%s, not handed in and to be handed in by %s", text, wording.Moment(logged.HandIn.By))
	}
	return fmt.Sprintf("%s, not handed in", text)
}

// WholeRecord writes a record out: what was decided and why, what was checked of it, the answer of
// the service, the rest. states is that of the record; none if it could not be checked.
func WholeRecord(logged *records.LoggedRecord, reasons string, states []records.State) []pages.Row {
	groups, service := wording.RecordGroups(logged, reasons), wording.AtService(logged)
	rows := []pages.Row{{Label: "record", Value: string(logged.Receipt.RecordID)}}
	for _, r := range groups[0].Rows {
		rows = append(rows, r)
		if r.Label != wording.Standing {
			continue
		}
		for i := range states {
			for j := range wording.Sides {
				side := &wording.Sides[j]
				rows = append(rows, pages.Row{Label: side.Label, Value: side.Said(&states[i])})
			}
		}
	}
	service.Rows[0].Label = service.Title
	groups[0] = service
	for _, group := range groups {
		rows = append(rows, group.Rows...)
	}
	for i := range states {
		rows = append(rows, wording.ErasedMembers(states[i].Erased)...)
	}
	return rows
}

package page

import (
	"cmp"
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// Asks says in one sentence what the reviewer is asked to decide.
func Asks(v *views.View) string {
	if c := v.Record().AppealCase(); c.Held() {
		r := c.Record()
		return fmt.Sprintf("Decide the appeal of %s on %s for %s; asked for: %s.",
			article(r.Standing.Category.Label(), "a person whose standing is absent"),
			cmp.Or(strings.TrimSpace(r.Subject.Label()+" "+string(r.SubjectID)), "an item that is not named"),
			cmp.Or(r.Trigger.Label(), "no trigger"), cmp.Or(r.RequestedOutcome.Label(), "no outcome"))
	}
	r := v.Record().Amendment().Record()
	changed := cmp.Or(wording.Labels(r.ChangedTerms.Set.Terms()), "no term is named")
	return fmt.Sprintf("Decide on the %s of %s %s of %s: %s; parties: %s.", cmp.Or(r.AmendmentType.Label(), "amendment"),
		cmp.Or(r.SubjectType.Label(), "agreement"), cmp.Or(string(r.AgreementID),
			"without an id"), cmp.Or(string(r.OwnerID), "an owner who is not named"),
		changed, cmp.Or(wording.IDs(r.RequiredParties, Few), "none named"))
}

// Few is how many parties a line names.
const Few = 3

func article(noun, absent string) string {
	switch {
	case noun == "":
		return absent
	case strings.ContainsAny(noun[:1], "aeiou"):
		return "an " + noun
	}
	return "a " + noun
}

// Advice says what docket advises for an appeal, and how the request differs; "" for an amendment.
func Advice(v *views.View, blind bool) string {
	switch {
	case v.Area() != terms.Appeals:
		return ""
	case blind:
		return "The advice is held back until you have given an outcome of your own. " + wording.HeldBackHow
	}
	return fmt.Sprintf("docket advises: %s.", records.Advised(v, 0).Label())
}

// Deadline says until when a case has to be decided, and how long that is; "" where there is none.
func Deadline(d *queue.CaseFile, r Reader) string {
	row := d.Row()
	if d.View.Area() != terms.Appeals {
		return ""
	}
	text := wording.Capital(wording.RowDue(&row, r.Now, wording.TimeLeftInWords))
	if row.Deadline.Present() {
		text += ", deadline " + joined(", ", wording.Moment(row.Deadline), wording.Local(row.Deadline, r.Zone))
	}
	return text + "."
}

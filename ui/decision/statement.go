package decision

import (
	"docket/domain"
	"docket/ui/wording"
)

// StatementQuestion is what the step for the statement of reasons asks.
func (d *Decision) StatementQuestion() string {
	return "Your reasons, for the parties and for anybody who reads the record: write no private details. The statement is kept " +
		"beside the record, which holds a digest of it."
}

// StatementNeeded says why a statement of reasons is required; "" if it may be left out, or no outcome is chosen yet.
func (d *Decision) StatementNeeded() string {
	if d.View().Area() == domain.Appeals && !d.Outcome.Present() {
		return ""
	}
	choice := d.Choice(nil)
	why := domain.StatementRequired(d.View(), &choice)
	if why != "" && d.Outcome != d.Advised() {
		why += "; docket advises " + d.Advised().Label()
	}
	return why
}

// StatementFault says why a text cannot be the statement; "" if it can. It holds no word of the text.
func (d *Decision) StatementFault(text string) string {
	if err := domain.CheckStatement(text); err != nil {
		return wording.Reason(err)
	}
	return ""
}

// StatementObstacle says why a text, "" for none, does not do as the statement; "" if it does.
func (d *Decision) StatementObstacle(text string) string {
	if text != "" {
		return d.StatementFault(text)
	}
	if why := d.StatementNeeded(); why != "" {
		return "a statement of reasons is required: " + why
	}
	return ""
}

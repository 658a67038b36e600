package decision

import (
	"docket/domain"
	"docket/ui/phrase"
)

// StatementQuestion is what the step for the statement of reasons asks.
func (d *Decision) StatementQuestion() string {
	return "Your reasons, for the parties and for anybody who reads the record: write no private details. The statement is kept " +
		"beside the record, which holds a digest of it."
}

// StatementNeeded says why a statement of reasons is required; "" if it may be left out.
func (d *Decision) StatementNeeded() string {
	switch {
	case d.Outcome.Present() && d.Outcome != d.Advised():
		return "the outcome is not the advised one, " + d.Advised().Label()
	case !d.Added.Empty():
		return "you add a blocker"
	case d.Outcome == domain.CloseUnresolved:
		return "the appeal is closed unresolved"
	}
	return ""
}

// StatementFault says why a text cannot be the statement; "" if it can. It holds no word of the text.
func (d *Decision) StatementFault(text string) string {
	if err := domain.CheckStatement(text); err != nil {
		return phrase.Reason(err)
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

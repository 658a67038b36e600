package decision

import (
	"errors"
	"fmt"
	"strings"

	"docket/domain/terms"
	"docket/domain/visible"
)

// A Prepared text is one of the reviewer's own for statements of reasons, which is inserted and
// then edited. The zero Trigger and Outcome fit every one.
type Prepared struct {
	Heading string
	Trigger terms.Trigger
	Outcome terms.Outcome
	Text    string
}

// ReadPrepared reads one as Markdown: a heading ("# …"), then the lines "trigger: CODE" and
// "outcome: CODE", of which each may be left out, then the text. The error does not hold the text.
func ReadPrepared(document string) (p Prepared, err error) {
	if document = strings.ReplaceAll(document, "\r\n", "\n"); visible.Text(document) != document {
		return p, errors.New("it has characters that do not print")
	}
	heading, text, _ := strings.Cut(strings.TrimSpace(document), "\n")
	heading, is := strings.CutPrefix(heading, "# ")
	if p.Heading = strings.TrimSpace(heading); !is || p.Heading == "" {
		return p, errors.New("its first line is no heading, such as # Receipt counted twice")
	}
	for {
		first, rest, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
		key, word, _ := strings.Cut(first, ":")
		switch key {
		case "trigger":
			p.Trigger, err = terms.Triggers.Parse(strings.TrimSpace(word))
		case "outcome":
			p.Outcome, err = terms.Outcomes.Parse(strings.TrimSpace(word))
		default:
			if p.Text = strings.TrimSpace(text); p.Text == "" {
				return p, errors.New("it has no text")
			}
			return p, nil
		}
		if err != nil {
			return p, fmt.Errorf("its line %s: %w", key, err)
		}
		text = rest
	}
}

// PreparedFor lists those that fit the packet and the outcome that is chosen.
func (d *Decision) PreparedFor(all []Prepared) (fit []Prepared) {
	trigger := d.View().Record().AppealCase().Record().Trigger
	for _, p := range all {
		if (!p.Trigger.Present() || p.Trigger == trigger) && (!p.Outcome.Present() || p.Outcome == d.Outcome) {
			fit = append(fit, p)
		}
	}
	return fit
}

// NonePrepared says that no text of the reviewer's own fits, and where they are.
const NonePrepared = "no text of your own fits; they are the files docket/reasons/*.md in your config folder"

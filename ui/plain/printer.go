package plain

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// A printer writes lines until writing fails, and keeps that error.
type printer struct {
	out    io.Writer
	width  func() int // columns of the terminal; 0: there is none, and nothing is wrapped
	err    error
	begun  bool // the current line is not at its beginning
	blanks bool // the last line was blank, or there is none yet
	// kept are lines that are left out, or said otherwise than they are written, before the last
	// prompt that had any; lately are those since.
	kept, lately []string
}

// say writes a code in words, a time to the minute, and no hash, which takes a minute to hear.
func (p *printer) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	said := written.ReplaceAllStringFunc(text, inWords)
	if said != text {
		p.lately = append(p.lately, text)
	}
	p.put(said, "\n")
	p.blanks = false
}

// written matches hashes, one of them only remarked, fingerprints, times, and words like codes.
var written = regexp.MustCompile(`(; )?sha256:[0-9a-f]{64}|SHA256:[\w+/]{43}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|` +
	`[-\w./:@]*_[-\w/@]*\w`)

// proves matches values that no one takes in by ear: hashes, a fingerprint, or an id of a record.
var proves = regexp.MustCompile(`^((from )?sha256:[0-9a-f]{64}( to sha256:[0-9a-f]{64})?|SHA256:[\w+/]{43}|` +
	`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// codes are the words of the vocabularies that are said in lists.
var codes = func() []string {
	list := slices.Concat(terms.Blockers.Texts(), terms.FactorCodes.Texts())
	for _, outcome := range terms.Outcomes.All() {
		effect := views.EffectOf(outcome)
		list = append(list, effect.ProvenanceActivity, effect.TraceabilityStep)
	}
	return list
}()

func inWords(word string) string {
	moment, isTime := terms.ParseInstant(word)
	switch {
	case isTime:
		return wording.Moment(moment)
	case strings.HasPrefix(word, "; "):
		return ""
	case strings.HasPrefix(word, "sha256:"):
		return "(hash)"
	case strings.HasPrefix(word, "SHA256:"):
		return "(fingerprint)"
	case slices.Contains(codes, word):
		return wording.Spaced(word)
	}
	return word
}

func (p *printer) sentence(clause string) { p.say("%s", wording.Sentence(wording.Capital(clause))) }

// indented indents what people wrote after its first line, so that none reads as docket's own.
func indented(text string) []string {
	return strings.Split(strings.ReplaceAll(text, "\n", "\n  "), "\n")
}

func (p *printer) quote(text string) {
	for _, line := range indented(text) {
		p.say("%s", line)
	}
}

func (p *printer) gap() {
	if !p.blanks {
		p.write("\n")
		p.blanks = true
	}
}

// ask writes a question; what is typed follows it on the same line.
func (p *printer) ask(question string) {
	p.gap()
	if p.lately != nil {
		p.kept, p.lately = p.lately, nil
	}
	p.put(question, " ")
	p.begun, p.blanks = true, false
}

// answered writes the answer first where the terminal does not echo what is typed.
func (p *printer) answered(text string, shown bool) {
	if !shown {
		p.write(line.Of(theme.Plain, text).String() + "\n")
	}
	p.begun = false
}

func (p *printer) fresh() {
	if p.begun {
		p.write("\n")
		p.begun = false
	}
}

// put makes a text visible and writes it, wrapped between words if the terminal is narrower.
func (p *printer) put(text, end string) {
	p.fresh()
	whole := line.Of(theme.Plain, text)
	width := p.width()
	if width <= 0 {
		p.write(whole.String() + end)
		return
	}
	pieces := whole.Wrap(max(width-len(end), leastWidth), 2)
	texts := make([]string, len(pieces))
	for i := range pieces {
		texts[i] = strings.TrimRight(pieces[i].String(), " ")
	}
	p.write(strings.Join(texts, "\n") + end)
}

const leastWidth = 20

func (p *printer) write(text string) {
	if p.err != nil {
		return
	}
	if _, err := io.WriteString(p.out, text); err != nil {
		p.err = fmt.Errorf("the terminal: %w", err)
	}
}

func listed[W fmt.Stringer](words []W) string { return wording.OrNone(wording.Listed(words)) }

const (
	notDecidable = "You cannot decide on it here: %s."
	nextPage     = "Enter for the next page; %s to come."
)

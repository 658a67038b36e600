package manual

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A roff is a man page that is being written, in the macros of man(7).
type roff struct{ strings.Builder }

// part begins a part of the page.
func (r *roff) part(title string) { r.WriteString(".SH " + title + "\n") }

// inColumns matches a line of a list with a term and its meaning.
var inColumns = regexp.MustCompile(`^(\S.*?) {2,}(\S.*)$`)

// text writes paragraphs, which empty lines separate. Lines that begin with two spaces are a list: of terms with their meanings where each has
// both, and of lines that stay as they are elsewhere.
func (r *roff) text(text string) {
	var list []string
	flush := func() {
		if len(list) > 0 {
			r.list(list)
			list = nil
		}
	}
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		line = strings.TrimRight(line, " \n")
		if item, listed := strings.CutPrefix(line, "  "); listed {
			list = append(list, item)
			continue
		}
		flush()
		if line == "" {
			r.WriteString(".PP\n")
			continue
		}
		r.WriteString(prose(line) + "\n")
	}
	flush()
}

func (r *roff) list(lines []string) {
	r.WriteString(".RS 4\n")
	if slices.ContainsFunc(lines, func(line string) bool { return !inColumns.MatchString(line) }) {
		r.WriteString(".nf\n")
		for _, line := range lines {
			r.WriteString(asTyped(line) + "\n")
		}
		r.WriteString(".fi\n")
	} else {
		for _, line := range lines {
			columns := inColumns.FindStringSubmatch(line)
			r.entry(bold(columns[1]), columns[2])
		}
	}
	r.WriteString(".RE\n")
}

// entry writes a term with its meaning. term is roff.
func (r *roff) entry(term, meaning string) {
	r.WriteString(".TP\n" + term + "\n" + prose(meaning) + "\n")
}

// examples writes what is typed. A line that is too long for a terminal of 80 columns is continued on the next one, as a shell reads it.
func (r *roff) examples(lines []string) {
	r.WriteString(".nf\n")
	for _, line := range lines {
		for i, piece := range continued(strings.TrimSpace(line), 68) {
			if i > 0 {
				r.WriteString("    ")
			}
			r.WriteString(asTyped(piece) + "\n")
		}
	}
	r.WriteString(".fi\n")
}

// continued cuts a line of a shell into pieces of at most most bytes, where words end; all but the last end in a backslash.
func continued(line string, most int) []string {
	var pieces []string
	for len(line) > most {
		cut, quoted := -1, false
		for i := range line {
			if quoted = quoted != (line[i] == '\''); line[i] == ' ' && !quoted && i > 0 && i <= most-2 && !strings.HasSuffix(line[:i], " ") {
				cut = i
			}
		}
		if cut < 0 {
			break
		}
		pieces, line = append(pieces, line[:cut]+` \`), line[cut+1:]
	}
	return append(pieces, line)
}

// prose writes a line of a text, in which back quotes surround what is typed.
func prose(text string) string {
	var out strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			part = bold(part)
		} else {
			part = escaped(part)
		}
		out.WriteString(part)
	}
	return atStart(out.String())
}

func bold(text string) string { return `\fB` + escaped(text) + `\fP` }

// asTyped writes a line in which nothing is markup.
func asTyped(text string) string { return atStart(escaped(text)) }

// atStart keeps a line from being read as a request of roff.
func atStart(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

// escapes has the characters that roff interprets, or prints as another character, with their escapes.
var escapes = map[rune]string{'\\': `\e`, '-': `\-`, '\'': `\(aq`, '`': `\(ga`, '^': `\(ha`, '~': `\(ti`}

// escaped writes a text so that roff prints it as it is. What is not ASCII is written by its number, which every roff reads.
func escaped(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case escapes[r] != "":
			out.WriteString(escapes[r])
		case r > '~':
			fmt.Fprintf(&out, `\[u%04X]`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

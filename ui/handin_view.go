package ui

import (
	"strings"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// The glyphs of what the service said to a record, each with a word beside it where there is room for one.
const (
	handedInMark = "✓"
	waitingMark  = "⇡"
	rejectedMark = "⊘"
)

// rejectedWord is what stands at whatever was rejected.
func rejectedWord() line.Line { return line.Of(theme.Bad, rejectedMark+" "+wording.Rejected) }

// A serviceWord is one thing that is said of the service, the shorter text for where there is no room for the other.
type serviceWord struct {
	turn        int // 1 comes first and leaves last
	full, short line.Line
}

// words are what is said of the service, from left to right.
func (t *serviceState) words(now domain.Instant) []serviceWord {
	if t.silent() {
		return nil
	}
	var out []serviceWord
	if n := t.tally.Rejected; n > 0 {
		count := wording.Thousands(int(n))
		out = append(out, serviceWord{1, line.Of(theme.Bad, rejectedMark+" "+count+" "+wording.Rejected), line.Of(theme.Bad, rejectedMark+count)})
	}
	if n := t.tally.Waiting; n > 0 {
		count := wording.Thousands(int(n))
		out = append(out, serviceWord{2, line.Of(theme.Warn, waitingMark).And(theme.Plain, " "+count+" "+wording.NotHandedIn),
			line.Of(theme.Warn, waitingMark).And(theme.Plain, count)})
	}
	if t.trouble != "" {
		word := line.Of(theme.Warn, "? no later news of it")
		out = append(out, serviceWord{3, word, word})
	}
	offline, pulled := line.Of(theme.Dim, "offline"), line.Of(theme.Dim, pulledText(t.tally.Pulled, now))
	return append(out, serviceWord{5, offline, offline}, serviceWord{4, pulled, pulled})
}

// pulledText says when packets were last pulled.
func pulledText(at, now domain.Instant) string {
	if !at.Present() {
		return "never pulled"
	}
	return "pulled " + wording.Span(max(now.Sub(at), 0), wording.Soon) + " ago"
}

// line says as much of the service as fits: what is most important last to go.
func (t *serviceState) line(now domain.Instant, width int) line.Line {
	words := t.words(now)
	chosen := make([]line.Line, len(words))
	room := width
	for turn := 1; turn <= serviceTurns; turn++ {
		for i := range words {
			if words[i].turn != turn {
				continue
			}
			gap := 0
			if room < width {
				gap = line.Width(serviceGap)
			}
			text := words[i].full
			if text.Width()+gap > room {
				text = words[i].short
			}
			if text.Width()+gap > room {
				return joined(chosen)
			}
			chosen[i], room = text, room-text.Width()-gap
		}
	}
	return joined(chosen)
}

const (
	serviceTurns = 5
	serviceGap   = " · "
)

func joined(parts []line.Line) (out line.Line) {
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		if len(out) > 0 {
			out = out.And(theme.Dim, serviceGap)
		}
		out = out.Plus(part)
	}
	return out
}

// The column of the records for what the service said: from some width on in words.
const (
	handInFrom  = 110
	handInWidth = 10
	handInHead  = "HANDED IN"
)

// handInHeads is the head of this column.
func handInHeads(width int) string {
	if width >= handInFrom {
		return handInHead + spaces(handInWidth-len(handInHead)) + " "
	}
	return handInHead[:1] + " "
}

// handInCell is what the service said to a record.
func handInCell(h *domain.HandIn, wide bool) line.Line {
	glyph, word := line.Of(theme.Warn, waitingMark), line.Of(theme.Plain, " not yet")
	switch h.State {
	case domain.Accepted:
		glyph, word = line.Of(theme.Pass, handedInMark), line.Of(theme.Dim, " as "+wording.Thousands(int(h.Receipt.Sequence)))
	case domain.Rejected:
		glyph, word = line.Of(theme.Bad, rejectedMark), line.Of(theme.Bad, " "+wording.Rejected)
	}
	if wide {
		return glyph.Plus(word).Pad(handInWidth)
	}
	return glyph
}

// handInWords is the same as a sentence. judged tells whether the packet of a rejected record has been judged again.
func handInWords(h *domain.HandIn, judged bool) line.Line {
	switch h.State {
	case domain.Accepted:
		return line.Of(theme.Pass, handedInMark).And(theme.Dim, " handed in: number "+wording.Thousands(int(h.Receipt.Sequence))+" in the service's log")
	case domain.Rejected:
		what := "; a judges its packet again"
		if judged {
			what = "; its packet has been judged again"
		}
		return rejectedWord().And(theme.Plain, ": "+wording.WhyRejected(h.Rejection.Reason)).And(theme.Dim, what)
	}
	return line.Of(theme.Warn, waitingMark).And(theme.Plain, " "+wording.NotHandedIn).And(theme.Dim, " to a service; "+wording.NotHandedInHow)
}

// service is the part of a record's page that has what the service said.
func (r *recordScreen) service() memberGroup {
	h := &r.logged.HandIn
	group := memberGroup{title: "At the service", members: []memberLine{{"answer", handInWords(h, r.logged.JudgedAgain > 0)}}}
	add := func(label, text string) { group.members = append(group.members, memberLine{label, value(text)}) }
	switch h.State {
	case domain.Accepted:
		add("answered", h.At.String())
		add("sequence there", wording.Thousands(int(h.Receipt.Sequence)))
		add("tree size there", wording.Thousands(int(h.Receipt.TreeSize)))
		add("root there", h.Receipt.Root.String())
		if h.Receipt.Caution != "" {
			add("caution", h.Receipt.Caution)
		}
	case domain.Rejected:
		changes := h.Changes
		if len(changes) == 0 {
			changes = []string{"it did not say"}
		}
		for i, change := range changes {
			add([]string{"what had changed", "and"}[min(i, 1)], strings.TrimSpace(change))
		}
		add("in force there", wording.InForceThere(&h.Rejection, r.logged.InForceHere))
		add("rejected", h.Rejection.At.String())
		add("by", h.Rejection.Origin)
		add("code", h.Rejection.Reason.String())
	}
	return group
}

// rejectionSheet says what the service said to a record that it rejected and that a new decision is needed: the banner of
// a packet. It tells of so many changes only.
func rejectionSheet(d *domain.Dossier, width int) line.Sheet {
	turned := d.TurnedAway()
	h, number := &turned.HandIn, turned.Record.Members().Key.Number
	what := "by the service " + wording.Moment(h.Rejection.At) + ": "
	if number != d.View.Key().Number {
		what = "the decision on revision " + wording.Thousands(int(number)) + " was rejected " + what
	}
	text := line.Of(theme.BadSign, " "+rejectedMark+" "+strings.ToUpper(wording.Rejected)+" ").And(theme.Plain, "  "+what+wording.WhyRejected(h.Rejection.Reason)+".").
		And(theme.Strong, " A new decision is needed.")
	sheet := line.Sheet(text.Wrap(width, 2))
	for i, change := range h.Changes {
		if i == mostChanges {
			sheet = append(sheet, line.Of(theme.Dim, "  and "+wording.Thousands(len(h.Changes)-i)+" more; the record has them all").Fit(width))
			break
		}
		sheet = append(sheet, line.Of(theme.Warn, "  ! ").And(theme.Plain, strings.TrimSpace(change)).Wrap(width, 4)...)
	}
	return sheet
}

// mostChanges is how many changes the banner of a packet tells of.
const mostChanges = 6

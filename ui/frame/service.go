package frame

import (
	"fmt"

	"docket/domain/terms"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

type serviceWord struct {
	turn        int // 1 comes first and leaves last
	full, short line.Line
}

func serviceWords(t *screen.Service, now terms.Instant) []serviceWord {
	if serviceSilent(t) {
		return nil
	}
	var out []serviceWord
	if t.Tally.Setback.Kind.Present() {
		out = append(out, serviceWord{1, line.Of(theme.Bad, widget.RejectedMark+" "+
			wording.ServiceSetBack), line.Of(theme.Bad, fmt.Sprintf("%s set back",
			widget.RejectedMark))})
	}
	if n := t.Tally.Rejected; n > 0 {
		count := wording.Thousands(int(n))
		out = append(out, serviceWord{2, line.Of(theme.Bad, widget.RejectedMark+" "+count+" "+wording.Rejected),
			line.Of(theme.Bad, widget.RejectedMark+count)})
	}
	if n := t.Tally.Waiting; n > 0 {
		count := wording.Thousands(int(n))
		out = append(out, serviceWord{3, line.Of(theme.Warn, widget.WaitingMark).And(theme.Plain, " "+count+" "+wording.NotHandedIn),
			line.Of(theme.Warn, widget.WaitingMark).And(theme.Plain, count)})
	}
	if by := t.Tally.By; by.Present() && t.Tally.Waiting > 0 {
		role, full, short := theme.Warn, wording.HandInBy(by, now), fmt.Sprintf("hand in by %s", by.Time().Format("01-02 15:04Z"))
		if by.Before(now) {
			role, full, short = theme.Bad, "too late to hand in", "too late"
		}
		out = append(out, serviceWord{3, line.Of(role, full), line.Of(role, short)})
	}
	if t.Trouble != "" {
		word := line.Of(theme.Warn, "? not read again")
		out = append(out, serviceWord{4, word, word})
	}
	if t.Tally.Service == "" {
		return out // this store never contacted a service
	}
	offline, pulled := line.Of(theme.Dim, "offline"), line.Of(theme.Dim, pulledText(t.Tally.Pulled, now))
	return append(out, serviceWord{6, offline, offline}, serviceWord{5, pulled, pulled})
}

func pulledText(at, now terms.Instant) string {
	if !at.Present() {
		return "never pulled"
	}
	return fmt.Sprintf("pulled %s ago", wording.Span(max(now.Sub(at), 0), wording.Soon))
}

func serviceLine(t *screen.Service, now terms.Instant, width int) line.Line {
	words := serviceWords(t, now)
	chosen := make([]line.Line, len(words))
	room := width
	for turn := 1; turn <= serviceTurns; turn++ {
		for i := range words {
			if words[i].turn != turn {
				continue
			}
			between := 0
			if room < width {
				between = line.Width(widget.Gap)
			}
			text := words[i].full
			if text.Width()+between > room {
				text = words[i].short
			}
			if text.Width()+between > room {
				return widget.Joined(chosen)
			}
			chosen[i], room = text, room-text.Width()-between
		}
	}
	return widget.Joined(chosen)
}

const serviceTurns = 6

func serviceSilent(t *screen.Service) bool {
	return !t.Read || t.Tally.Service == "" && t.Tally.Waiting == 0 && t.Tally.Rejected == 0
}

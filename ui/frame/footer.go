package frame

import (
	"slices"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
)

// footer shows the most useful keys of the overlay or, without one, of the screen, as many as fit, from the table of actions. One
// that cannot be used now is dimmed.
func footer(t *screen.Stage, s *screen.Scene, width int) line.Line {
	switch {
	case s.Recording:
		return keyLine([]screen.Key{{Key: "ctrl+c", Label: "cancel"}}, width)
	case t.Overlay != nil:
		return keyLine(t.Overlay.Keys(), width)
	}
	var out line.Line
	ranked := afterSearch(t, s, action.Ranked(s.Keys.Of(t.Top().Place())))
	for i, a := range ranked {
		key := theme.Accent
		if t.Top().Obstacle(a.Verb, s) != "" {
			key = theme.Dim
		}
		next := line.Of(key, action.KeyLabel(a.Keys[0])).And(theme.Dim, " "+a.Label)
		if out.Width()+2+next.Width() > width {
			return squeeze(t, s, width, ranked, i)
		}
		if len(out) > 0 {
			next = line.Of(theme.Dim, "  ").Plus(next)
		}
		out = out.Plus(next)
	}
	return out
}

// afterSearch puts the key for the next match second where a search is active.
func afterSearch(t *screen.Stage, s *screen.Scene, ranked []*action.Action) []*action.Action {
	keys := s.Keys.Of(t.Top().Place())
	at := slices.IndexFunc(keys, func(a *action.Action) bool { return a.Verb == action.LaterMatch })
	if at < 0 || len(ranked) == 0 || t.Top().Obstacle(action.LaterMatch, s) != "" {
		return ranked
	}
	return slices.Insert(ranked, 1, keys[at])
}

// keyLine lists keys, as many as fit.
func keyLine(keys []screen.Key, width int) line.Line {
	var out line.Line
	for _, k := range keys {
		next := line.Of(theme.Accent, action.KeyLabel(k.Key)).And(theme.Dim, " "+k.Label)
		if len(out) > 0 {
			next = line.Of(theme.Dim, "  ").Plus(next)
		}
		if out.Width()+next.Width() > width {
			break
		}
		out = out.Plus(next)
	}
	return out.Fit(width)
}

// squeeze keeps the key for help in a footer in which not every key fits.
func squeeze(t *screen.Stage, s *screen.Scene, width int, ranked []*action.Action, fit int) line.Line {
	help := line.Line(nil)
	for _, a := range ranked {
		if a.Verb == action.OpenHelp {
			help = line.Of(theme.Accent, action.KeyLabel(a.Keys[0])).And(theme.Dim, " "+a.Label)
		}
	}
	var out line.Line
	for _, a := range ranked[:fit] {
		if a.Verb == action.OpenHelp {
			continue // it stands at the end
		}
		next := line.Of(theme.Accent, action.KeyLabel(a.Keys[0])).And(theme.Dim, " "+a.Label+"  ")
		if t.Top().Obstacle(a.Verb, s) != "" {
			next = next.As(theme.Dim)
		}
		if out.Width()+next.Width()+help.Width() > width {
			break
		}
		out = out.Plus(next)
	}
	return out.Plus(help).Fit(width)
}

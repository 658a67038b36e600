package frame

import (
	"slices"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
)

// footer shows as many keys as fit, always with that for help, and dims those without effect now.
func footer(t *screen.Stage, s *screen.Scene, width int) (out line.Line) {
	switch {
	case s.Recording:
		return keyLine([]screen.Key{{Key: "ctrl+c", Label: "cancel"}}, width)
	case t.Overlay != nil:
		return keyLine(t.Overlay.Keys(), width)
	}
	ranked := afterSearch(t, s, action.Ranked(s.Keys.Of(t.Top().Place())))
	labels := make([]line.Line, len(ranked))
	var help line.Line
	for i, a := range ranked {
		key := theme.Accent
		if t.Top().Obstacle(a.Verb, s) != "" {
			key = theme.Dim
		}
		labels[i] = line.Of(key, action.KeyLabel(a.Keys[0])).And(theme.Dim, " "+a.Label)
		if a.Verb == action.OpenHelp {
			help = labels[i]
		}
		out = apart(out, labels[i])
	}
	if out.Width() <= width {
		return out
	}
	out = nil
	for i, next := range labels {
		if ranked[i].Verb == action.OpenHelp {
			continue // it stands at the end
		}
		if out.Width()+next.Width()+2+help.Width() > width {
			break
		}
		out = out.Plus(next[:1]).And(theme.Dim, " "+ranked[i].Label+"  ")
	}
	return out.Plus(help).Fit(width)
}

func apart(left, right line.Line) line.Line {
	if len(left) == 0 {
		return right
	}
	return left.And(theme.Dim, "  ").Plus(right)
}

func afterSearch(t *screen.Stage, s *screen.Scene, ranked []*action.Action) []*action.Action {
	keys := s.Keys.Of(t.Top().Place())
	at := slices.IndexFunc(keys, func(a *action.Action) bool { return a.Verb == action.LaterMatch })
	if at < 0 || len(ranked) == 0 || t.Top().Obstacle(action.LaterMatch, s) != "" {
		return ranked
	}
	return slices.Insert(ranked, 1, keys[at])
}

func keyLine(keys []screen.Key, width int) (out line.Line) {
	for _, k := range keys {
		next := apart(out, line.Of(theme.Accent, action.KeyLabel(k.Key)).And(theme.Dim, " "+k.Label))
		if next.Width() > width {
			break
		}
		out = next
	}
	return out.Fit(width)
}

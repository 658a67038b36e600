// Package stats is the screen of the statistics: the decisions of a period by outcome, trigger,
// transition, gate, reviewer and week.
package stats

import (
	"context"
	"fmt"

	"docket/domain/pages"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

type statsScreen struct {
	widget.Document
	period  stats.Period
	figures stats.Figures
	counted bool // figures are those of period
	trouble string
	stop    context.CancelFunc // stops the count under way; nil: there is none
}

func Open(scene *screen.Scene) screen.Cmd {
	s := &statsScreen{period: stats.PeriodOf(stats.Quarter, scene.Now)}
	scene.Show(s)
	return s.count(scene, s.period)
}

// count cancels a count under way.
func (s *statsScreen) count(scene *screen.Scene, period stats.Period) screen.Cmd {
	s.halt()
	if s.period != period {
		s.Scroll = widget.Scroll{}
	}
	s.period, s.counted, s.trouble = period, false, ""
	run, stop := context.WithCancel(context.Background())
	s.stop = stop
	return scene.Background("counting decisions", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		ctx, end := context.WithCancel(ctx)
		defer end()
		defer context.AfterFunc(run, end)()
		figures, err := workbench.Stats(ctx, period, nil)
		if run.Err() != nil {
			return nil // another count took its place
		}
		return func(*screen.Scene) screen.Cmd {
			if s.period != period {
				return nil
			}
			s.halt()
			if s.figures, s.counted = figures, err == nil; err != nil {
				s.trouble = err.Error()
			}
			return nil
		}
	})
}

func (s *statsScreen) halt() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

func (s *statsScreen) Place() action.Place { return action.InStats }

func (s *statsScreen) Obstacle(v action.Verb, scene *screen.Scene) string {
	if (v == action.EarlierRevision || v == action.LaterRevision) && !s.period.Moves() {
		return fmt.Sprintf("all time has no other period; %s changes it", scene.Key(action.Regroup, action.InStats))
	}
	return ""
}

func (s *statsScreen) Handle(v action.Verb, scene *screen.Scene) screen.Cmd {
	switch v {
	case action.GoBack:
		s.halt()
	case action.Regroup:
		return s.count(scene, s.otherSpan(scene.Now))
	case action.EarlierRevision:
		return s.count(scene, s.period.Previous())
	case action.LaterRevision:
		return s.count(scene, s.period.Next())
	case action.Reread:
		return s.count(scene, s.period)
	}
	return s.Document.Handle(v, scene)
}

// otherSpan is the next longer period, of now if the current one has it; else the shortest.
func (s *statsScreen) otherSpan(now terms.Instant) stats.Period {
	spans := stats.Spans.All()
	if s.period.Span == spans[len(spans)-1] || !s.period.From.Present() {
		return stats.PeriodOf(spans[0], now)
	}
	at := s.period.From
	if s.period.Has(now) {
		at = now
	}
	return stats.PeriodOf(s.period.Span+1, at)
}

func (s *statsScreen) Title(scene *screen.Scene) line.Line {
	left := line.Of(theme.Accent, "stats").And(theme.Dim, "  "+page.StatsPeriod(s.period))
	if scene.Compact || !s.counted {
		return left
	}
	return line.Spread(left, line.Of(theme.Dim, wording.Plural(s.figures.Decisions, "decision", "decisions")), scene.Width)
}

func (s *statsScreen) View(scene *screen.Scene) line.Sheet {
	switch {
	case s.trouble != "":
		text := line.Of(theme.Bad, "✗ "+page.StatsNotCounted+": ").And(theme.Plain, s.trouble+".").And(
			theme.Dim, fmt.Sprintf(" %s counts again.", scene.Key(action.Reread, action.InStats)))
		return append(line.Sheet{nil}, text.Wrap(scene.Width, 2)...)
	case !s.counted:
		return line.Sheet{nil, line.Of(theme.Dim, "  Counting the decisions …")}
	}
	p := page.Stats(&s.figures)
	if s.figures.Decisions == 0 {
		p.Parts = append(p.Parts, pages.Part{Rows: []pages.Row{{Value: s.nothing(scene)}}})
	}
	return s.Show(&p, scene)
}

func (s *statsScreen) nothing(scene *screen.Scene) string {
	if !s.period.Moves() {
		return "Nothing has been decided yet."
	}
	return fmt.Sprintf("Nothing was decided in this period. %s goes back one, %s changes it.",
		scene.Key(action.EarlierRevision, action.InStats), scene.Key(action.Regroup, action.InStats))
}

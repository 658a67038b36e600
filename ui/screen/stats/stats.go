// Package stats is the screen of the statistics: the decisions of a period by outcome, trigger,
// transition, gate, reviewer and week.
package stats

import (
	"context"
	"fmt"

	"docket/domain/stats"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

type statsScreen struct {
	screen.Silent
	period  stats.Period
	figures stats.Figures
	counted bool // figures are those of period
	trouble string
	stop    context.CancelFunc // stops the count under way; nil: there is none
	scroll  widget.Scroll
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
		s.scroll = widget.Scroll{}
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
	if s.scroll.Move(v) {
		return nil
	}
	switch v {
	case action.GoBack:
		s.halt()
		return scene.Leave()
	case action.Regroup:
		return s.count(scene, s.otherSpan(scene.Now))
	case action.EarlierRevision:
		return s.count(scene, s.period.Previous())
	case action.LaterRevision:
		return s.count(scene, s.period.Next())
	case action.Reread:
		return s.count(scene, s.period)
	}
	return nil
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
	left := line.Of(theme.Accent, "stats").And(theme.Dim, "  "+wording.StatsPeriod(s.period))
	if scene.Compact || !s.counted {
		return left
	}
	return line.Spread(left, line.Of(theme.Dim, wording.Plural(s.figures.Decisions, "decision", "decisions")), scene.Width)
}

const (
	totalLabel  = 24
	rowLabel    = 33
	rowCount    = 9
	rowBar      = 24
	barFrom     = 60  // the width from which rows have a bar
	sparkFrom   = 100 // and a sparkline
	weeksSpark  = 26
	widestProse = 90
)

func (s *statsScreen) View(scene *screen.Scene) line.Sheet {
	switch {
	case s.trouble != "":
		text := line.Of(theme.Bad, "✗ "+wording.StatsNotCounted+": ").And(theme.Plain, s.trouble+".").And(
			theme.Dim, fmt.Sprintf(" %s counts again.", scene.Key(action.Reread, action.InStats)))
		return append(line.Sheet{nil}, text.Wrap(scene.Width, 2)...)
	case !s.counted:
		return line.Sheet{nil, line.Of(theme.Dim, "  Counting the decisions …")}
	}
	var sheet line.Sheet
	f, width := &s.figures, min(scene.Width, widestProse)
	for _, member := range wording.StatsTotals(f)[1:] { // the title has the period
		pair, _ := widget.Pair(nil, member.Label, line.Of(theme.Plain, member.Value), totalLabel, width)
		sheet = append(sheet, pair...)
	}
	if f.Unreadable > 0 {
		sheet = append(sheet, line.Of(theme.Warn, "? "+wording.StatsUnreadable(f.Unreadable)).Wrap(width, 2)...)
	}
	if f.Decisions == 0 {
		return append(sheet, nil, line.Of(theme.Dim, s.nothing(scene))).Window(0, scene.Height)
	}
	for _, g := range f.Groups {
		if len(g.Rows) == 0 {
			continue
		}
		sheet = append(sheet, nil, widget.Heading(fmt.Sprintf("By %s", g.Name), scene.Width))
		for i := range g.Rows {
			row := &g.Rows[i]
			sheet = append(sheet, rowLine(wording.StatsWord(row.Word), row.Decisions, f.Decisions, row.Weeks, scene))
		}
	}
	sheet = append(sheet, nil, widget.Heading("By week", scene.Width))
	for _, week := range f.Weeks {
		sheet = append(sheet, rowLine(wording.StatsWeek(week), week.Decisions, f.Decisions, nil, scene))
	}
	return sheet.Window(s.scroll.Window(len(sheet), scene.Height), scene.Height)
}

func (s *statsScreen) nothing(scene *screen.Scene) string {
	if !s.period.Moves() {
		return "Nothing has been decided yet."
	}
	return fmt.Sprintf("Nothing was decided in this period. %s goes back one, %s changes it.",
		scene.Key(action.EarlierRevision, action.InStats), scene.Key(action.Regroup, action.InStats))
}

func rowLine(label string, count, of int, weeks []int, scene *screen.Scene) line.Line {
	labels := min(rowLabel, max(scene.Width-rowCount-2, 8))
	out := line.Of(theme.Plain, "  "+label).Pad(labels + 2).Plus(line.Of(theme.Strong, wording.Thousands(count)).Right(rowCount))
	if scene.Compact || scene.Width < barFrom {
		return out.Fit(scene.Width)
	}
	out = out.And(theme.Plain, "  ").Plus(widget.Bar(count, of, min(rowBar, scene.Width-out.Width()-2), theme.Accent, scene.ASCII))
	if scene.Width >= sparkFrom && len(weeks) > 1 {
		newest := weeks[max(len(weeks)-weeksSpark, 0):]
		out = out.And(theme.Plain, "  ").Plus(widget.Sparkline(newest, theme.Accent, scene.ASCII))
	}
	return out.Fit(scene.Width)
}

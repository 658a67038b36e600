package queue

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// The saved filters are tabs over the list, after one for everything, each with the number of cases that it matches now. They are
// counted in a command, and again when the queue, the filters or the minute has changed.

// A tabCount is how many cases each saved filter matches, and what they were counted for.
type tabCount struct {
	of     countedFor
	texts  []string // of the filters
	counts []int
}

// countedFor are the inputs of the counts of the tabs, except the filters.
type countedFor struct {
	queue    *queue.Queue
	writes   uint64
	reviewer terms.ID
	minute   int64
}

// filterTexts are the saved filters as they are written.
func (b FilterBook) filterTexts() (texts []string) {
	for i := range b.list {
		texts = append(texts, b.list[i].Text)
	}
	return texts
}

// countTabs counts the matches of the saved filters, unless the counts are current or no tab shows; then it returns nil.
func (q *Screen) countTabs(h screen.Host) tea.Cmd {
	d, s := q.current(), h.Scene()
	if !q.tabbed || !d.counted() || d.counting {
		return nil
	}
	area, order := q.Area, d.order
	now := tabCount{of: countedFor{d.queue, d.queue.Writes(), s.Reviewer.ID, s.Now.Time().Unix() / 60}, texts: q.Saved.filterTexts()}
	if now.of == d.tabs.of && slices.Equal(now.texts, d.tabs.texts) {
		return nil
	}
	d.counting = true
	d.readers++
	in := queue.FilterContext{Reviewer: s.Reviewer.ID, Now: s.Now}
	return h.Ask("counting what the filters match", func(ctx context.Context, workbench screen.Workbench) screen.Effect {
		var room []uint32
		for _, text := range now.texts {
			filter, err := queue.ParseFilter(text)
			if err == nil {
				in.Found, err = workbench.Search(ctx, area, filter.Sought())
			}
			count := unknown
			if err == nil {
				room = now.of.queue.Select(order, filter, &in, room[:0])
				count = len(room)
			}
			now.counts = append(now.counts, count)
		}
		return tabsCounted{q, area, now}
	})
}

// unknown is the count of a tab that was not counted yet or cannot be counted.
const unknown = -1

// tabsCounted is the counts of an area's tabs.
type tabsCounted struct {
	queue *Screen
	area  terms.Area
	count tabCount
}

func (tabsCounted) Background() {}

// CarryOut takes the counts over.
func (e tabsCounted) CarryOut(screen.Host) tea.Cmd {
	d := e.queue.areas[e.area]
	d.counting, d.tabs = false, e.count
	d.release()
	return nil
}

// tab is the tab that shows: 0 for everything, then the saved filters from 1 on; -1 for another filter.
func (q *Screen) tab() int {
	text := q.current().query.filter.String()
	if text == "" {
		return 0
	}
	at := slices.IndexFunc(q.Saved.All(), func(f SavedFilter) bool { return f.Text == text })
	if at < 0 {
		return -1
	}
	return at + 1
}

// toTab shows the tab of a number.
func (q *Screen) toTab(number int, s *screen.Scene) screen.Effect {
	switch saved := q.Saved.All(); {
	case number == 0:
		q.current().setFilter("", s)
	case number <= len(saved):
		q.current().setFilter(saved[number-1].Text, s)
	default:
		return screen.Say{Text: fmt.Sprintf("✗ no saved filter has the number %d", number)}
	}
	return nil
}

// moveTab runs the actions on tabs; false for any other verb.
func (q *Screen) moveTab(v action.Verb, s *screen.Scene) (screen.Effect, bool) {
	count := len(q.Saved.All()) + 1
	switch v {
	case action.PickNumber:
		number, err := strconv.Atoi(s.Pressed)
		if err != nil {
			return screen.Say{Text: "✗ press the number of a saved filter to show it"}, true
		}
		return q.toTab(number, s), true
	case action.LaterTab:
		return q.toTab((q.tab()+1)%count, s), true
	case action.EarlierTab:
		return q.toTab((max(q.tab(), 0)+count-1)%count, s), true
	}
	return nil, false
}

// both is the number of lines from which the tabs stay while another filter shows; below it the filter's line takes their place.
const both = 24

// showsTabs reports whether the tabs have a line.
func (q *Screen) showsTabs(s *screen.Scene) bool {
	return len(q.Saved.All()) > 0 && !s.Compact && q.editor == nil && (q.tab() >= 0 || s.Height >= both)
}

// tabLine draws the tabs. If there are too many, those around the current one are drawn, with the number of those left out.
func (q *Screen) tabLine(width int) line.Line {
	all, here := q.tabLabels(), q.tab()
	from, to := max(here, 0), max(here, 0)+1
	size := all[from].Width()
	for grown := true; grown; { // on both sides, as long as there is room
		grown = false
		if to < len(all) && size+all[to].Width()+moreTabs <= width {
			size, to, grown = size+all[to].Width(), to+1, true
		}
		if from > 0 && size+all[from-1].Width()+moreTabs <= width {
			size, from, grown = size+all[from-1].Width(), from-1, true
		}
	}
	var out line.Line
	if from > 0 {
		out = out.And(theme.Accent, "‹"+wording.Thousands(from)+" ")
	}
	for _, label := range all[from:to] {
		out = out.Plus(label)
	}
	if left := len(all) - to; left > 0 {
		out = out.And(theme.Accent, " "+wording.Thousands(left)+"›")
	}
	text := line.Of(theme.Dim, q.current().query.filter.String())
	if here < 1 || out.Width()+2+text.Width() > width {
		return out.Fit(width)
	}
	return line.Spread(out, text, width)
}

// moreTabs is the room for how many tabs are left out, on both sides.
const moreTabs = 8

// tabLabels are the tabs as they are drawn: number, name and count. The one that shows has a frame as well as a colour.
func (q *Screen) tabLabels() []line.Line {
	d, names, counts := q.current(), []string{"all"}, []int{unknown}
	if d.counted() {
		counts[0] = d.queue.Len()
	}
	for i, filter := range q.Saved.All() {
		names, counts = append(names, filter.Name), append(counts, unknown)
		if i < len(d.tabs.counts) && i < len(d.tabs.texts) && d.tabs.texts[i] == filter.Text && d.tabs.of.queue == d.queue {
			counts[i+1] = d.tabs.counts[i]
		}
	}
	labels := make([]line.Line, len(names))
	for i, name := range names {
		label := line.Of(theme.Plain, name).Fit(mostFilterName)
		if i <= mostNumber {
			label = line.Of(theme.Dim, strconv.Itoa(i)+" ").Plus(label)
		}
		if counts[i] >= 0 {
			label = label.And(theme.Dim, " "+wording.Thousands(counts[i]))
		}
		if i == q.tab() {
			labels[i] = line.Of(theme.Accent, "▐").Plus(label.As(theme.Accent)).And(theme.Accent, "▌")
		} else {
			labels[i] = line.Of(theme.Plain, " ").Plus(label).And(theme.Plain, " ")
		}
	}
	return labels
}

// mostNumber is the highest number that a key chooses.
const mostNumber = 9

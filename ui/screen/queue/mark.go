package queue

import (
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/mark"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

type marks struct {
	mark.Set
	hidden int // of them, those that the filter hides
}

func (q *Screen) marking(v action.Verb, s *screen.Scene) bool {
	d := q.current()
	switch v {
	case action.Mark:
		s.Refuse(d.toggleMark())
	case action.MarkAll:
		s.Refuse(d.toggleAll(s))
	default:
		return false
	}
	return true
}

// toggleMark goes on to the next case; like toggleAll, it says why no more can be marked.
func (d *areaQueue) toggleMark() (why string) {
	row, _ := d.selected()
	key := mark.KeyOf(&row)
	if d.marks.Has(key) {
		d.marks.Drop(key)
	} else if !d.marks.Add(key) {
		return mark.TooMany
	}
	d.list.Move(action.GoDown, len(d.shown))
	return ""
}

func (d *areaQueue) toggleAll(s *screen.Scene) (why string) {
	if len(d.shown) > mark.Most {
		return fmt.Sprintf("%s; %s shows fewer", mark.TooMany, s.Key(action.EditFilter, action.InQueue))
	}
	keys := make([]packets.Key, len(d.shown))
	every := true
	for i := range d.shown {
		row := d.row(i)
		keys[i] = mark.KeyOf(&row)
		every = every && d.marks.Has(keys[i])
	}
	switch {
	case every:
		d.marks.Drop(keys...)
	case !d.marks.Add(keys...):
		return mark.TooMany
	}
	return ""
}

func (d *areaQueue) unmark() bool {
	marked := d.marks.Count(0) != ""
	if marked {
		d.marks = marks{}
	}
	return marked
}

// keepMarks ends the marks of revisions that are gone, and counts those that the filter hides.
func (d *areaQueue) keepMarks(changed bool) {
	if d.marks.Len() == 0 {
		d.marks.hidden = 0
		return
	}
	if changed {
		d.marks.Keep(d.queue)
	}
	d.marks.hidden = d.marks.Len() - len(d.marks.In(d.queue, d.shown))
}

// marked includes those that the filter hides.
func (d *areaQueue) marked() []queue.Row { return d.marks.In(d.queue, d.order) }

const markGlyph = "●"

func (d *areaQueue) pointer(row *queue.Row, here bool) line.Line {
	text := " "
	if here {
		text = "❯"
	}
	if d.marks.Has(mark.KeyOf(row)) {
		text += markGlyph
	}
	return line.Of(theme.Accent, text+strings.Repeat(" ", d.indent()-line.Width(text)))
}

func (d *areaQueue) indent() int {
	if d.marks.Len() > 0 {
		return widget.CursorWidth + line.Width(markGlyph)
	}
	return widget.CursorWidth
}

// Standing counts the marks, and names the keys for marked cases as far as there is room.
func (q *Screen) Standing(s *screen.Scene, width int) line.Line {
	d := q.current()
	count := d.marks.Count(d.marks.hidden)
	if count == "" {
		return nil
	}
	parts := []line.Line{line.Of(theme.Accent, markGlyph+" ").And(theme.Plain, count)}
	if d.marks.Len() > 0 {
		for _, key := range markedKeys {
			parts = append(parts, line.Of(theme.Accent, s.Keys.KeyOf(key.verb, action.InQueue)).And(theme.Dim, " "+key.label))
		}
	}
	return widget.JoinedIn(width, parts).Fit(width)
}

var markedKeys = []struct {
	verb  action.Verb
	label string
}{{action.SetAside, "skip"}, {action.CopyOut, "copy ids"}, {action.GoBack, "unmark"}}

func (q *Screen) Recorded(table terms.Table, key packets.Key) {
	d := q.areas[terms.AreaOf(table)]
	d.marks.Drop(key)
	d.keepMarks(false)
}

func (q *Screen) NoteSkip(table terms.Table, keys []packets.Key, _ string) {
	q.areas[terms.AreaOf(table)].marks.Drop(keys...)
}

func (d *areaQueue) markedIDs() []screen.CopyItem {
	rows := d.marked()
	if len(rows) == 0 {
		return nil
	}
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = string(rows[i].ID)
	}
	return []screen.CopyItem{screen.Copy(wording.Plural(len(ids), "marked id", "marked ids"), strings.Join(ids, "\n"))}
}

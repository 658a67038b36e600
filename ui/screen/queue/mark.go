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
	if d.Marks.Has(key) {
		d.Marks.Drop(key)
	} else if !d.Marks.Add(key) {
		return mark.TooMany
	}
	d.list.Move(action.GoDown, len(d.Shown))
	return ""
}

func (d *areaQueue) toggleAll(s *screen.Scene) (why string) {
	if len(d.Shown) > mark.Most {
		return fmt.Sprintf("%s; %s shows fewer", mark.TooMany, s.Key(action.EditFilter, action.InQueue))
	}
	keys := make([]packets.Key, len(d.Shown))
	every := true
	for i := range d.Shown {
		row := d.Row(i)
		keys[i] = mark.KeyOf(&row)
		every = every && d.Marks.Has(keys[i])
	}
	switch {
	case every:
		d.Marks.Drop(keys...)
	case !d.Marks.Add(keys...):
		return mark.TooMany
	}
	return ""
}

func (d *areaQueue) unmark() bool {
	marked := d.Marks.Count(0) != ""
	if marked {
		d.Marks.Clear()
		d.hidden = 0
	}
	return marked
}

// keepMarks ends the marks of revisions that are gone, and counts those that the filter hides.
func (d *areaQueue) keepMarks(changed bool) {
	if d.Marks.Len() == 0 {
		d.hidden = 0
		return
	}
	if changed {
		d.Marks.Keep(d.Queue)
	}
	d.hidden = d.Hidden()
}

const markGlyph = "●"

func (d *areaQueue) pointer(row *queue.Row, here bool) line.Line {
	text := " "
	if here {
		text = "❯"
	}
	if d.Marks.Has(mark.KeyOf(row)) {
		text += markGlyph
	}
	return line.Of(theme.Accent, text+strings.Repeat(" ", d.indent()-line.Width(text)))
}

func (d *areaQueue) indent() int {
	if d.Marks.Len() > 0 {
		return widget.CursorWidth + line.Width(markGlyph)
	}
	return widget.CursorWidth
}

// Standing counts the marks, and names the keys for marked cases as far as there is room.
func (q *Screen) Standing(s *screen.Scene, width int) line.Line {
	d := q.current()
	count := d.Marks.Count(d.hidden)
	if count == "" {
		return nil
	}
	parts := []line.Line{line.Of(theme.Accent, markGlyph+" ").And(theme.Plain, count)}
	if d.Marks.Len() > 0 {
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
	d.Marks.Drop(key)
	d.keepMarks(false)
}

func (q *Screen) NoteSkip(table terms.Table, keys []packets.Key, _ string) {
	q.areas[terms.AreaOf(table)].Marks.Drop(keys...)
}

func (d *areaQueue) markedIDs() []screen.CopyItem {
	ids := d.MarkedIDs()
	if len(ids) == 0 {
		return nil
	}
	return []screen.CopyItem{screen.Copy(wording.Plural(len(ids), "marked id", "marked ids"), strings.Join(ids, "\n"))}
}

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
	drawn  *drawnRange
}

// A drawnRange is a range that follows the cursor: its rows are marked in addition to those that were marked before.
type drawnRange struct {
	anchor terms.ID
	own    []packets.Key // marked by the range, and not before it
	sticky bool          // every move draws it, otherwise only those that mark
}

func (q *Screen) marking(v action.Verb, s *screen.Scene) bool {
	d, why := q.current(), ""
	switch v {
	case action.Mark:
		why = d.toggleMark()
	case action.MarkRange:
		if d.marks.drawn != nil {
			d.marks.drawn = nil
			return true
		}
		why = d.startRange(true)
	case action.MarkDown, action.MarkUp:
		if d.marks.drawn == nil {
			why = d.startRange(false)
		}
		if why == "" {
			d.list.Move(map[action.Verb]action.Verb{action.MarkDown: action.GoDown, action.MarkUp: action.GoUp}[v], len(d.shown))
			why = d.drawRange()
		}
	case action.MarkAll:
		why = d.toggleAll(s)
	default:
		return false
	}
	s.Refuse(why)
	return true
}

// toggleMark marks the case under the cursor or takes its mark off, and goes to the next one. Like those below, it says why no
// more cases can be marked; "" if they can.
func (d *areaQueue) toggleMark() (why string) {
	row, _ := d.selected()
	key := mark.KeyOf(&row)
	d.marks.drawn = nil
	if d.marks.Has(key) {
		d.marks.Drop(key)
	} else if !d.marks.Add(key) {
		return mark.TooMany
	}
	d.list.Move(action.GoDown, len(d.shown))
	return ""
}

func (d *areaQueue) toggleAll(s *screen.Scene) (why string) {
	d.marks.drawn = nil
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

func (d *areaQueue) startRange(sticky bool) (why string) {
	row, _ := d.selected()
	d.marks.drawn = &drawnRange{anchor: row.ID, sticky: sticky}
	return d.drawRange()
}

func (d *areaQueue) drawRange() (why string) {
	r := d.marks.drawn
	from := d.line(r.anchor)
	if from < 0 { // the filter hides it now
		d.marks.drawn = nil
		return ""
	}
	first, last := min(from, d.list.Cursor), max(from, d.list.Cursor)
	if last-first >= mark.Most {
		d.marks.drawn = nil
		return mark.TooMany
	}
	before := r.own
	d.marks.Drop(before...)
	r.own = nil
	for i := first; i <= last; i++ {
		row := d.row(i)
		if key := mark.KeyOf(&row); !d.marks.Has(key) {
			r.own = append(r.own, key)
		}
	}
	if !d.marks.Add(r.own...) {
		d.marks.Add(before...)
		d.marks.drawn = nil
		return mark.TooMany
	}
	return ""
}

// moved draws the range after the cursor has moved, or ends a range that only marking verbs extend.
func (d *areaQueue) moved() (why string) {
	if r := d.marks.drawn; r != nil && r.sticky {
		return d.drawRange()
	}
	d.marks.drawn = nil
	return ""
}

func (d *areaQueue) unmark() bool {
	switch r := d.marks.drawn; {
	case r != nil && r.sticky:
		d.marks.Drop(r.own...)
		d.marks.drawn = nil
		return true
	case d.marks.Count(0) != "":
		d.marks = marks{}
		return true
	}
	return false
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

// marked lists the marked rows in the order of the queue, those that the filter hides included.
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

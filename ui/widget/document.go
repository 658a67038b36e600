package widget

import (
	"fmt"
	"strings"

	"docket/domain/pages"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/wording"
)

// A Document is a screen that shows a page: its parts under headings, the folded ones as a line
// until they are asked for, and what is searched for marked.
type Document struct {
	screen.Silent
	Scroll   Scroll
	Whole    bool  // the folded parts show
	headings []int // the lines on which parts begin

	sought string // "" for no search
	finds  []int  // lines
	at     int    // the match that was shown last
}

// Handle scrolls, folds, searches, or goes back: from the search first.
func (d *Document) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	if d.Scroll.Move(v) {
		return nil
	}
	switch v {
	case action.LaterSection, action.EarlierSection:
		d.Scroll.ToHeading(d.headings, v == action.LaterSection)
	case action.Fold:
		d.Whole = !d.Whole
	case action.EditFilter:
		return s.Raise(&Prompt{Title: "Search", Text: fmt.Sprintf("For which words? %s and %s go from match to match.",
			s.Key(action.LaterMatch, s.Top().Place()), s.Key(action.EarlierMatch, s.Top().Place())),
			Missing: "type what to look for", Editor: NewEditor("/ ", "text on this page", d.sought), Answer: d.seek})
	case action.LaterMatch:
		return d.next(s, 1)
	case action.EarlierMatch:
		return d.next(s, -1)
	case action.GoBack:
		if d.sought == "" {
			return s.Leave()
		}
		d.sought = ""
	}
	return nil
}

// NoSearch says why there is no match to go to; "" if something is searched for.
func (d *Document) NoSearch(s *screen.Scene) string {
	if d.sought != "" {
		return ""
	}
	return fmt.Sprintf("no search; %s searches", s.Key(action.EditFilter, s.Top().Place()))
}

func (d *Document) seek(text string, s *screen.Scene) screen.Cmd {
	d.sought, d.at = text, -1
	s.Top().View(s) // finds it
	return d.next(s, 1)
}

func (d *Document) next(s *screen.Scene, step int) screen.Cmd {
	count := len(d.finds)
	if count == 0 {
		return s.Say("✗ nothing on this page matches")
	}
	d.at = ((d.at+step)%count + count) % count
	if row := d.finds[d.at]; row < d.Scroll.Top || row >= d.Scroll.Top+d.Scroll.Height {
		d.Scroll.To(row - d.Scroll.Height/2)
	}
	return s.Say(fmt.Sprintf("%s of %s", wording.Thousands(d.at+1), wording.Plural(count, "match", "matches")))
}

// Show draws what the window shows of a page, without its title and state. A page without parts is
// still being read.
func (d *Document) Show(p *pages.Page, s *screen.Scene) line.Sheet {
	if p.Parts == nil {
		return line.Sheet{nil, line.Of(theme.Dim, "  Reading …")}
	}
	var sheet line.Sheet
	for _, notice := range p.Notices {
		sheet = append(sheet, line.Of(theme.Bad, "! ").And(theme.Plain, notice).Wrap(min(s.Width, ProseWidth), 2)...)
	}
	d.headings, d.finds = d.headings[:0], d.finds[:0]
	for i := range p.Parts {
		part := &p.Parts[i]
		if len(part.Rows)+len(part.Blocks) == 0 {
			continue
		}
		if len(sheet) > 0 {
			sheet = append(sheet, nil)
		}
		d.headings = append(d.headings, len(sheet))
		sheet = append(sheet, d.part(part, s)...)
	}
	for row, found := range sheet.With(d.sought) {
		if found {
			d.finds = append(d.finds, row)
			sheet[row] = sheet[row].Marked(d.sought, theme.Accent)
		}
	}
	return d.Scroll.Show(sheet, s.Height)
}

func (d *Document) part(p *pages.Part, s *screen.Scene) (sheet line.Sheet) {
	if p.Folded && !d.Whole {
		return line.Sheet{line.Of(theme.Accent, "▸ ").And(theme.Dim, p.Title+" · "+s.Key(action.Fold,
			s.Top().Place())+" shows them").Fit(s.Width)}
	}
	if p.Title != "" {
		sheet = line.Sheet{Heading(p.Title, s.Width)}
	}
	sheet = append(sheet, RowLines(p.Rows, s.Width, s.ASCII)...)
	for i := range p.Blocks {
		if i > 0 || len(p.Rows) > 0 {
			sheet = append(sheet, nil)
		}
		sheet = append(sheet, blockLines(&p.Blocks[i], p.Title, min(s.Width, ProseWidth))...)
	}
	return sheet
}

const cellLabel = 28

func blockLines(b *pages.Block, section string, width int) (sheet line.Sheet) {
	switch {
	case b.Table != nil:
		if b.Table.Caption != section {
			sheet = append(sheet, line.Of(theme.Dim, b.Table.Caption+":"))
		}
		for _, row := range b.Table.Rows {
			last := len(row) - 1
			value := line.Of(theme.Plain, row[last])
			if between := strings.Join(row[1:last], ", "); between != "" {
				value = line.Of(theme.Dim, between+": ").Plus(value)
			}
			pair, _ := Pair(nil, row[0], value, cellLabel, width)
			sheet = append(sheet, pair...)
		}
	case b.Items != nil:
		for _, item := range b.Items {
			sheet = append(sheet, line.Of(theme.Plain, "- "+item).Wrap(width, 2)...)
		}
	case b.Quote != nil:
		for _, text := range b.Quote {
			sheet = append(sheet, line.Of(theme.Dim, "> ").And(theme.Plain, text).Wrap(width, 2)...)
		}
	case b.Command != "":
		return line.Of(theme.Plain, "  "+b.Command).Wrap(width, 4)
	default:
		return line.Of(theme.Plain, b.Text).Wrap(width, 0)
	}
	return sheet
}

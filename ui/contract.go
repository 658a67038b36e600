package ui

import (
	"context"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// marks is indexed by Mark.
var marks = [...]line.Line{
	page.None: nil,
	page.Good: line.Of(theme.Pass, "✓ "),
	page.Bad:  line.Of(theme.Bad, "✗ "),
	page.Open: line.Of(theme.Warn, "○ "),
}

// openContracts shows the contracts, as soon as they are read.
func openContracts() effect {
	c := &contractsScreen{}
	return several{show{c}, readContracts{c}}
}

type (
	// readContracts asks for the contracts, contractsRead is what the desk knows of them.
	readContracts struct{ screen *contractsScreen }
	contractsRead struct {
		screen    *contractsScreen
		contracts []page.Page
		err       error
	}
)

func (e readContracts) carryOut(h Host) tea.Cmd {
	return h.Ask("reading the contracts", func(ctx context.Context, desk Desk) effect {
		pages, err := desk.Contracts(ctx)
		return contractsRead{e.screen, pages, err}
	})
}

func (e contractsRead) carryOut(Host) tea.Cmd {
	e.screen.contracts, e.screen.trouble = e.contracts, ""
	if e.err != nil {
		e.screen.trouble = e.err.Error()
	}
	return nil
}

// contractsScreen lists the contracts.
type contractsScreen struct {
	silent
	contracts []page.Page
	trouble   string
	list      list
}

func (c *contractsScreen) place() place { return inContracts }

func (c *contractsScreen) title(*scene) line.Line {
	return line.Of(theme.Accent, "contracts").And(theme.Dim, "  what is published, and by what docket judges")
}

func (c *contractsScreen) obstacle(v verb, _ *scene) string {
	if v == accept && len(c.contracts) == 0 {
		return "there is no contract to show"
	}
	return ""
}

func (c *contractsScreen) handle(v verb, _ *scene) effect {
	if c.list.move(v, len(c.contracts)) {
		return nil
	}
	switch v {
	case accept:
		return show{&contractScreen{contract: &c.contracts[c.list.cursor]}}
	case goBack:
		return leave{}
	}
	return nil
}

func (c *contractsScreen) view(s *scene) line.Sheet {
	switch {
	case c.trouble != "":
		text := line.Of(theme.Bad, "✗ The contracts cannot be shown: ").And(theme.Plain, c.trouble+".")
		return append(line.Sheet{nil}, text.Wrap(s.width, 2)...)
	case c.contracts == nil:
		return line.Sheet{nil, line.Of(theme.Dim, "  Reading the contracts …")}
	}
	names := 0
	for i := range c.contracts {
		names = max(names, line.Width(c.contracts[i].Name))
	}
	var sheet line.Sheet
	top, end := c.list.window(len(c.contracts), s.height)
	for i := top; i < end; i++ {
		contract := &c.contracts[i]
		mark := marks[contract.Mark].Pad(2)
		row := line.Of(theme.Plain, " ").Plus(mark).Plus(line.Of(theme.Strong, contract.Name).Pad(names+2)).
			And(theme.Plain, contract.Title)
		state := line.Of(theme.Dim, contract.State)
		sheet = append(sheet, cursorLine(line.Spread(row, state, s.width-cursorWidth), i == c.list.cursor, s.width))
	}
	return sheet
}

// contractScreen shows one contract.
type contractScreen struct {
	silent
	contract *page.Page
	scroll   scroll
	headings []int // the lines on which parts begin
}

func (c *contractScreen) place() place { return inContract }

func (c *contractScreen) title(s *scene) line.Line {
	left := line.Of(theme.Accent, c.contract.Name).And(theme.Dim, "  "+c.contract.Title)
	if s.compact {
		return left
	}
	return line.Spread(left, marks[c.contract.Mark].And(theme.Dim, c.contract.State), s.width)
}

func (c *contractScreen) handle(v verb, _ *scene) effect {
	if c.scroll.move(v) {
		return nil
	}
	switch v {
	case laterSection, earlierSection:
		c.jump(v == laterSection)
	case goBack:
		return leave{}
	}
	return nil
}

// jump goes to the part before or after the first line that shows.
func (c *contractScreen) jump(later bool) {
	to := 0
	for _, at := range c.headings {
		if later && at > c.scroll.top {
			to = at
			break
		}
		if !later && at < c.scroll.top {
			to = at
		}
	}
	if to > 0 || !later {
		c.scroll.top = to
	}
}

func (c *contractScreen) view(s *scene) line.Sheet {
	var sheet line.Sheet
	c.headings = c.headings[:0]
	for _, part := range c.contract.Parts {
		if len(sheet) > 0 {
			sheet = append(sheet, nil)
		}
		c.headings = append(c.headings, len(sheet))
		sheet = append(sheet, heading(part.Heading, s.width))
		for i := range part.Entries {
			sheet = append(sheet, entryLines(&part.Entries[i], s.width)...)
		}
	}
	return sheet.Window(c.scroll.window(len(sheet), s.height), s.height)
}

// entryLines lays an entry out: the name and the text, and the notes below them.
func entryLines(e *page.Entry, width int) line.Sheet {
	first := marks[e.Mark]
	if e.Name != "" {
		first = first.And(theme.Strong, e.Name)
	}
	if e.Text != "" {
		if e.Name != "" {
			first = first.And(theme.Plain, "  ")
		}
		first = first.And(theme.Plain, e.Text)
	}
	sheet := line.Sheet(first.Wrap(width, 4))
	for _, note := range e.Notes {
		sheet = append(sheet, line.Of(theme.Dim, "  "+note).Wrap(width, 4)...)
	}
	return sheet
}

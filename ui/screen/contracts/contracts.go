// Package contracts is the screens of the published contracts: their list, and each with its
// checks.
package contracts

import (
	"context"
	"docket/domain/pages"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

func Open(s *screen.Scene) screen.Cmd {
	c := &contractsScreen{}
	s.Show(c)
	return s.Go("reading the contracts", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		pages, err := workbench.Contracts(ctx)
		return func(*screen.Scene) screen.Cmd {
			if c.contracts = pages; err != nil {
				c.trouble = err.Error()
			}
			return nil
		}
	})
}

type contractsScreen struct {
	screen.Silent
	contracts []pages.Page
	trouble   string
	list      widget.List
}

func (c *contractsScreen) Place() action.Place { return action.InContracts }

func (c *contractsScreen) Title(*screen.Scene) line.Line {
	return line.Of(theme.Accent, "contracts").And(theme.Dim, "  the published contracts and the rules that docket applies")
}

func (c *contractsScreen) Obstacle(v action.Verb, _ *screen.Scene) string {
	if v == action.Accept && len(c.contracts) == 0 {
		return "there is no contract to show"
	}
	return ""
}

func (c *contractsScreen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	if c.list.Move(v, len(c.contracts)) {
		return nil
	}
	switch v {
	case action.Accept:
		return s.Show(&contractScreen{contract: &c.contracts[c.list.Cursor]})
	case action.GoBack:
		return s.Leave()
	}
	return nil
}

func (c *contractsScreen) View(s *screen.Scene) line.Sheet {
	switch {
	case c.trouble != "":
		text := line.Of(theme.Bad, "✗ "+wording.ContractsNotShown+": ").And(theme.Plain, c.trouble+".")
		return append(line.Sheet{nil}, text.Wrap(s.Width, 2)...)
	case c.contracts == nil:
		return line.Sheet{nil, line.Of(theme.Dim, "  Reading the contracts …")}
	}
	names := 0
	for i := range c.contracts {
		names = max(names, line.Width(c.contracts[i].Name))
	}
	return c.list.Rows(len(c.contracts), s.Height, s.Width, func(i int) line.Line {
		contract := &c.contracts[i]
		row := line.Of(theme.Plain, " ").Plus(widget.Mark(contract.Mark).Pad(2)).Plus(line.Of(theme.Strong, contract.Name).Pad(names+2)).
			And(theme.Plain, contract.Title)
		return line.Spread(row, line.Of(theme.Dim, contract.State), s.Width-widget.CursorWidth)
	})
}

type contractScreen struct {
	widget.Document
	contract *pages.Page
}

func (c *contractScreen) Place() action.Place { return action.InContract }

func (c *contractScreen) Title(s *screen.Scene) line.Line {
	left := line.Of(theme.Accent, c.contract.Name).And(theme.Dim, "  "+c.contract.Title)
	if s.Compact {
		return left
	}
	return line.Spread(left, widget.Mark(c.contract.Mark).And(theme.Dim, c.contract.State), s.Width)
}

func (c *contractScreen) View(s *screen.Scene) line.Sheet { return c.Show(c.contract, s) }

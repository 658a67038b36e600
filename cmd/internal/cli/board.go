package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

func newBoard(p *program) *cobra.Command {
	var csv, html bool
	var sort string
	columns := boardOrders()
	cmd := command("board", 0, -1, func(cmd *cobra.Command, args []string) error {
		filter, err := queue.ParseFilter(strings.Join(args, " "))
		by := slices.Index(columns, sort)
		form, unfit := oneForm(p.json, csv, html)
		switch {
		case unfit != nil:
			return unfit
		case err != nil:
			return wrongUsage("the filter cannot be used: %w", err)
		case by < 0:
			return wrongUsage("--sort takes one of %s", strings.Join(columns, ", "))
		}
		return p.withReading(cmd.Context(), func(s *store.Store) error {
			boards := queue.Boards{Filter: filter.String()}
			err := p.eachQueue(cmd.Context(), s, filter, p.identities().Reviewer().ID, p.instant(), func(docket *queue.Queue, in *queue.FilterContext) {
				boards.List = append(boards.List, docket.Board(filter, in).Sort(by))
			})
			if err != nil {
				return err
			}
			return p.printBoards(&boards, form)
		})
	})
	cmd.Flags().StringVar(&sort, "sort", queue.BoardColumns[queue.ByHeld].Name, "the column to sort by: "+strings.Join(columns, ", "))
	cmd.Flags().BoolVar(&csv, "csv", false, "print CSV, a line for each blocker")
	cmd.Flags().BoolVar(&html, "html", false, "print one web page with bars")
	p.jsonFlag(cmd)
	cmd.ValidArgsFunction, cmd.Long = completeFilter, fmt.Sprintf(cmd.Long, filterHelp())
	return cmd
}

// boardOrders are the columns that a board is sorted by.
func boardOrders() (names []string) {
	for i := range queue.BoardColumns {
		names = append(names, queue.BoardColumns[i].Name)
	}
	return names
}

// printBoards prints the boards in a form; "" for tables.
func (p *program) printBoards(boards *queue.Boards, form string) error {
	if form != "" {
		text, err := boards.File("." + form)
		if err == nil {
			_, err = io.WriteString(p.Out, text)
		}
		return err
	}
	for at, board := range boards.List {
		table := &output.Table{}
		for i := range queue.BoardColumns {
			table.Heads = append(table.Heads, queue.BoardColumns[i].Head)
		}
		for i := range board.Lines {
			if l := &board.Lines[i]; !l.Empty() {
				cells := l.Cells(func(at terms.Instant) string { return boardTime(at, board.At) })
				cells[len(cells)-1] = widget.Sparkline(l.Weeks[:], theme.Plain, p.asciiOnly()).String()
				table.Add(cells...)
			}
		}
		if at > 0 {
			fmt.Fprintln(p.Out)
		}
		fmt.Fprintf(p.Out, "%s: %s\n", wording.Capital(board.Area.String()), board.Counts())
		if table.Empty() {
			continue
		}
		if err := table.Print(p.Out); err != nil {
			return err
		}
	}
	return nil
}

// boardTime writes a time by how far it is from now.
func boardTime(at, now terms.Instant) string {
	if at.Before(now) {
		return wording.Span(now.Sub(at), 0) + " ago"
	}
	return "in " + wording.Span(at.Sub(now), 0)
}

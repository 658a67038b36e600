package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/cmd/internal/settings"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store"
	"docket/ui/wording"
)

func newQueue(p *program) *cobra.Command {
	cmd := command("queue", 0, -1, func(cmd *cobra.Command, args []string) error {
		filter, err := queue.ParseFilter(strings.Join(args, " "))
		if err != nil {
			return wrongUsage("the filter cannot be used: %w", err)
		}
		return p.withReading(cmd.Context(), func(s *store.Store) error {
			return p.listQueue(cmd.Context(), s, filter, p.identities().Reviewer().ID)
		})
	})
	p.forms(cmd, "print CSV: the members of --json", "")
	settingFlags(cmd, settings.Console, "sort")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return p.choose(cmd) }
	cmd.ValidArgsFunction, cmd.Long = completeFilter, fmt.Sprintf(cmd.Long, filterHelp())
	return cmd
}

func filterHelp() string {
	var help strings.Builder
	help.WriteString("FILTER: words match ids and codes; -term negates; and\n")
	for _, key := range queue.FilterKeys() {
		fmt.Fprintf(&help, "  %-12s %s\n", key.Key+":", key.Meaning)
	}
	return help.String()
}

// queues calls use for the queue of each area, with what filters refer to.
func queues(ctx context.Context, s *store.Store, reviewer terms.ID, now terms.Instant,
	use func(docket *queue.Queue, in *queue.FilterContext)) error {
	left, err := s.LeftQueue(ctx, reviewer)
	for _, area := range terms.Areas.All() {
		if err != nil {
			break
		}
		var docket *queue.Queue
		if docket, _, err = s.Queue(ctx, area, now, reviewer, nil); err == nil {
			use(docket, &queue.FilterContext{Reviewer: reviewer, Now: now, Left: left})
		}
	}
	return err
}

func (p *program) listQueue(ctx context.Context, s *store.Store, filter queue.Filter, reviewer terms.ID) error {
	now := p.instant()
	held, rows := 0, []queue.Row(nil)
	err := queues(ctx, s, reviewer, now, func(docket *queue.Queue, in *queue.FilterContext) {
		held += docket.Len()
		for _, at := range docket.Select(docket.Order(p.chosen.Sort, ""), filter, in, nil) {
			rows = append(rows, docket.Row(int(at)))
		}
	})
	if err != nil {
		return err
	}
	if p.csv {
		text, err := queue.Sheet(rows)
		return errors.Join(err, p.write(text))
	}
	none := "no cases or amendments; `docket import FILE` imports packets"
	if held > 0 {
		none = fmt.Sprintf("the filter matches none of %d; `docket queue` lists all of them", held)
	}
	if offer := filter.Offer(); held > 0 && offer != "" {
		none = fmt.Sprintf("the filter matches none of %d; `docket queue %s` may be meant", held, offer)
	}
	heads := []string{"GATE", "ID", "REV", "STATUS", "SUBJECT", "TRIGGER", "DUE", "ASSIGNED", "RELIANCE", "BLOCKERS"}
	return printRows(p, heads, rows, none, func(row *queue.Row) []string { return queueCells(row, now, filter.Blockers()) })
}

// queueCells are the cells of a row, in which the blockers that were sought come first.
func queueCells(row *queue.Row, now terms.Instant, sought terms.BlockerSet) []string {
	gate := row.Gate.String()
	switch {
	case row.Unreadable != "":
		gate = "unreadable"
	case row.Decided:
		gate += " decided"
	case row.Skipped != "":
		gate += " skipped"
	}
	if row.Rejected {
		gate += " rejected"
	}
	if row.Erased {
		gate += " " + wording.Erased
	}
	list := row.Blockers.Before(sought)
	var codes string
	for _, code := range list[:min(len(list), 2)] {
		codes = strings.TrimPrefix(codes+" "+code.String(), " ")
	}
	if len(list) > 2 {
		codes += fmt.Sprintf(" +%d", len(list)-2)
	}
	if earlier := wording.EarlierCodes(row); earlier != "" {
		codes = strings.TrimPrefix(codes+" ! "+earlier, " ")
	}
	if row.Unreadable != "" {
		codes = row.Unreadable
	}
	return []string{gate, string(row.ID), fmt.Sprint(row.Revision), string(row.Status), string(row.Subject),
		string(row.Trigger),
		wording.RowDue(row, now, wording.TimeLeft), string(row.AssignedTo), row.Reliance.String(), codes}
}

func newBoard(p *program) *cobra.Command {
	columns := boardOrders()
	sort := queue.BoardColumns[queue.ByHeld].Name
	cmd := command("board", 0, -1, func(cmd *cobra.Command, args []string) error {
		filter, err := queue.ParseFilter(strings.Join(args, " "))
		if err != nil {
			return wrongUsage("the filter cannot be used: %w", err)
		}
		return p.withReading(cmd.Context(), func(s *store.Store) error {
			boards := queue.Boards{Filter: filter.String()}
			err := queues(cmd.Context(), s, p.identities().Reviewer().ID, p.instant(), func(docket *queue.Queue, in *queue.FilterContext) {
				boards.List = append(boards.List, docket.Board(filter, in).Sort(slices.Index(columns, sort)))
			})
			if err != nil {
				return err
			}
			return p.printBoards(&boards)
		})
	})
	wordFlag(cmd, &sort, "sort", fmt.Sprintf("the `COLUMN` to sort by (default %s)", sort), columns)
	p.forms(cmd, "print CSV, a line for each blocker", "print one web page with bars")
	cmd.ValidArgsFunction, cmd.Long = completeFilter, fmt.Sprintf(cmd.Long, filterHelp())
	return cmd
}

func boardOrders() (names words) {
	for i := range queue.BoardColumns {
		names = append(names, queue.BoardColumns[i].Name)
	}
	return names
}

func (p *program) printBoards(boards *queue.Boards) error {
	if form := p.form(); form != "" {
		text, err := boards.File("." + form)
		return errors.Join(err, p.write(text))
	}
	for at, board := range boards.List {
		table := &output.Table{}
		for i := range queue.BoardColumns {
			table.Heads = append(table.Heads, queue.BoardColumns[i].Head)
		}
		for i := range board.Lines {
			if l := &board.Lines[i]; !l.Empty() {
				table.Add(l.Cells(func(at terms.Instant) string { return boardTime(at, board.At) })...)
			}
		}
		if at > 0 {
			fmt.Fprintln(p.Out)
		}
		fmt.Fprintf(p.Out, "%s: %s\n", wording.Capital(board.Area.String()), board.Counts())
		if !table.Empty() {
			table.Print(p.Out)
		}
	}
	return nil
}

func boardTime(at, now terms.Instant) string {
	if at.Before(now) {
		return wording.Span(now.Sub(at), 0) + " ago"
	}
	return "in " + wording.Span(at.Sub(now), 0)
}

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/workbench"
	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

func newRecords(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "records",
		Short: "List the enforcement records, newest first",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withReading(cmd.Context(), func(s *store.Store) error {
				bound, err := isBound(cmd.Context(), s)
				if err != nil {
					return err
				}
				return p.listRecords(cmd.Context(), s, bound)
			})
		},
	}
	p.jsonFlag(cmd)
	return cmd
}

// pageRecords is the number of records that are read at once.
const pageRecords = 500

// listRecords prints the log in pages, so that the first lines appear at once and memory stays constant. Each page has its own
// column widths.
func (p *program) listRecords(ctx context.Context, s *store.Store, bound bool) error {
	any, unreadable := false, false
	for before, more := int64(0), true; more; {
		records, err := s.Records(ctx, before, pageRecords)
		if err != nil {
			return err
		}
		table := &columns{heads: []string{"SEQ", "RECORD", "RECORDED", "ID", "REV", "GATE", "OUTCOME", "REVIEWER", ""}, headless: any}
		for i := range records {
			unreadable = unreadable || records[i].Unreadable != ""
			if p.json {
				if err := printJSON(p.Out, loggedJSON(&records[i])); err != nil {
					return err
				}
				continue
			}
			table.add(recordCells(&records[i], bound)...)
		}
		if len(records) > 0 { // what is found of them ends the command with status 1
			if _, err := s.VerifyRecords(ctx, records[len(records)-1].Receipt.Sequence, records[0].Receipt.Sequence+1); err != nil {
				return err
			}
			any, before = true, records[len(records)-1].Receipt.Sequence
		}
		more = len(records) == pageRecords && before > 0
		if !table.empty() {
			if err := table.print(p.Out); err != nil {
				return err
			}
		}
	}
	if !any && !p.json {
		_, err := fmt.Fprintln(p.Err, "no records yet; decisions are recorded in the console")
		return err
	}
	if unreadable {
		fmt.Fprintln(p.Err, "docket: a record differs from the logged one; run `docket verify` to see which one and what to do")
		return errReported
	}
	return nil
}

func recordCells(logged *records.LoggedRecord, bound bool) []string {
	sequence := fmt.Sprint(logged.Receipt.Sequence)
	if logged.Unreadable != "" {
		return []string{sequence, string(logged.Receipt.RecordID), "", "", "", "unreadable", "", "", logged.Unreadable}
	}
	m := logged.Record.Members()
	return []string{sequence, string(m.RecordID), toSecond(m.RecordedAt), string(m.Key.ID), fmt.Sprint(m.Key.Number),
		m.Gate.String(), m.Outcome.String(), string(m.Reviewer.ID), recordState(logged, bound)}
}

// A loggedRecord is a record with its place in the log, as --json prints it.
type loggedRecord struct {
	Receipt      records.Receipt  `json:"receipt"`
	Record       json.RawMessage  `json:"record"` // null where it cannot be read
	SupersededBy records.RecordID `json:"supersededBy,omitempty"`
	Revoked      bool             `json:"revoked,omitempty"` // a revoked key signed it, so that it is not in force
	Unreadable   string           `json:"unreadable,omitempty"`
	HandIn       *handInJSON      `json:"handIn,omitempty"` // the service's answer, if there is one
	// Statement is the statement of reasons, if one record is shown and has one.
	Statement *records.Statement `json:"statement,omitempty"`
	// Inclusion is the proof that the record is in the log, if one record is shown.
	Inclusion *store.Inclusion `json:"inclusion,omitempty"`
}

func loggedJSON(logged *records.LoggedRecord) loggedRecord {
	return loggedRecord{Receipt: logged.Receipt, Record: json.RawMessage(logged.Record.Document()),
		SupersededBy: logged.SupersededBy, Revoked: logged.Revoked, Unreadable: logged.Unreadable, HandIn: handedIn(&logged.HandIn)}
}

// printRecord writes the members of a record in the order of its shape, its statement of reasons, if any, and its receipt.
func printRecord(out io.Writer, logged *records.LoggedRecord, reasons records.Statement, bound bool) error {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(logged.Record.Document(), &members); err != nil {
		return fmt.Errorf("record %s cannot be read: it is damaged or was edited", logged.Receipt.RecordID)
	}
	table := &columns{heads: []string{"", ""}}
	for _, member := range records.EnforcementShape(logged.Record.Members().Area).Members {
		text := plain(members[member.Name])
		if at, is := terms.ParseInstant(text); is && member.Form.Kind == shape.FormTime {
			text = toSecond(at)
		}
		table.add(member.Name, text)
	}
	if reasons.Present() {
		table.add("", "")
		table.add("statement of reasons", visible.String(reasons.Text))
	}
	table.add("", "")
	table.add("sequence", fmt.Sprint(logged.Receipt.Sequence))
	table.add("leaf hash", logged.Receipt.LeafHash.String())
	table.add("tree size", fmt.Sprint(logged.Receipt.TreeSize))
	table.add("root", logged.Receipt.Root.String())
	if logged.Revoked {
		table.add("in force", "no: "+wording.SignerRevoked)
	}
	if logged.SupersededBy.Present() {
		table.add("superseded by", string(logged.SupersededBy))
	}
	addHandIn(table, &logged.HandIn, bound)
	return table.printRows(out)
}

// printInclusion writes the proof that the record is in the log as it is now.
func printInclusion(out io.Writer, proof *store.Inclusion) error {
	table := &columns{heads: []string{"", ""}}
	table.add("proved to be in the log", fmt.Sprintf("of %s with root %s", counted(proof.TreeSize, "record"), proof.Root))
	for i, hash := range proof.Path {
		table.add(fmt.Sprintf("audit path %d", i+1), hash.String())
	}
	_, err := fmt.Fprintln(out)
	if err != nil {
		return err
	}
	return table.printRows(out)
}

// plain writes a JSON string without its quotes, and any other value as JSON.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && string(value) != "null" {
		return text
	}
	return string(value)
}

// statsFlags are the flags of `docket stats`.
type statsFlags struct {
	period, since, until string
	csv                  bool
}

// usualPeriod is the one of `docket stats` without a flag, and the one that the console shows first.
const usualPeriod = "quarter"

func newStats(p *program) *cobra.Command {
	var flags statsFlags
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count the decisions of a period: by outcome, trigger, gate, reviewer and week; against the advice, superseded; how long they took",
		Long: "Counts the decisions of a period, which is this quarter unless a flag names another one. A period is in UTC.\n\n" +
			"A record counts when it was recorded. One that the service rejected, that a revoked key signed, or that cannot be\n" +
			"read, is no decision and is counted apart; one that was superseded since still was a decision. The time from filing\n" +
			"is that from filedAt of the revision that was judged to recordedAt, the time from opening that from openedAt to\n" +
			"recordedAt. Reviewers stand in the order of their ids; nobody is ranked.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			period, err := flags.chosen(cmd, p.instant())
			if err != nil {
				return err
			}
			if p.json && flags.csv {
				return wrongUsage("--json and --csv cannot be combined")
			}
			return p.withReading(cmd.Context(), func(s *store.Store) error { return p.printStats(cmd.Context(), s, period, flags.csv) })
		},
	}
	cmd.Flags().StringVar(&flags.period, "period", "", "count this `PERIOD`: week, month, quarter, all, or one such as 2026-W47, 2026-11, 2026-Q4")
	cmd.Flags().StringVar(&flags.since, "since", "", "count from this `TIME` on: 2026-11-22, or 2026-11-22T14:00:00Z")
	cmd.Flags().StringVar(&flags.until, "until", "", "count up to this `TIME`, not with it; of a day, up to its end")
	cmd.Flags().BoolVar(&flags.csv, "csv", false, "print CSV: group, name, value")
	p.jsonFlag(cmd)
	return cmd
}

// chosen is the period that the flags name.
func (f *statsFlags) chosen(cmd *cobra.Command, now terms.Instant) (period stats.Period, err error) {
	since, until, named := cmd.Flags().Changed("since"), cmd.Flags().Changed("until"), cmd.Flags().Changed("period")
	switch {
	case named && (since || until):
		return period, wrongUsage("--period cannot be combined with --since and --until")
	case !since && !until:
		if !named {
			f.period = usualPeriod
		}
		if period, err = stats.ParsePeriod(f.period, now); err != nil {
			return period, wrongUsage("--period: %w", err)
		}
		return period, nil
	}
	if since {
		if period.From, err = stats.ParseBound(f.since, false); err != nil {
			return period, wrongUsage("--since %w", err)
		}
	}
	if until {
		if period.To, err = stats.ParseBound(f.until, true); err != nil {
			return period, wrongUsage("--until %w", err)
		}
	}
	if since && until && !period.From.Before(period.To) {
		return period, wrongUsage("--since names a time that is not before the one of --until")
	}
	return period, nil
}

func (p *program) printStats(ctx context.Context, s *store.Store, period stats.Period, csv bool) error {
	worked, bar := &workbench.Workbench{Store: s}, p.newBar()
	bar.begin("reading records", 0)
	figures, err := worked.Stats(ctx, period, bar.set)
	bar.clear()
	if err != nil {
		return err
	}
	switch {
	case p.json:
		_, err = p.Out.Write(append(figures.Document(), '\n'))
	case csv:
		_, err = io.WriteString(p.Out, figures.CSV())
	default:
		err = writeStats(p.Out, &figures, p.asciiOnly())
	}
	if err == nil && figures.Unreadable > 0 {
		fmt.Fprintln(p.Err, "docket: "+wording.StatsUnreadable(figures.Unreadable))
		err = errReported
	}
	return err
}

// writeStats writes the figures as tables.
func writeStats(out io.Writer, f *stats.Figures, ascii bool) error {
	totals := &columns{heads: []string{"", ""}}
	for _, member := range wording.StatsTotals(f) {
		totals.add(member.Label, member.Value)
	}
	if err := totals.printRows(out); err != nil || f.Decisions == 0 {
		return err
	}
	table := &columns{heads: []string{"BY", "", "DECISIONS", "BY WEEK"}}
	for _, g := range f.Groups {
		name := g.Name
		for _, row := range g.Rows {
			table.add(name, wording.StatsWord(row.Word), wording.Thousands(row.Decisions), widget.Sparkline(newest(row.Weeks), theme.Plain, ascii).String())
			name = ""
		}
	}
	weeks := &columns{heads: []string{"WEEK", "FROM", "DECISIONS", ""}}
	for _, week := range newest(f.Weeks) {
		weeks.add(week.Name, week.Monday.Time().Format(time.DateOnly), wording.Thousands(week.Decisions),
			widget.Bar(week.Decisions, f.Decisions, weekBar, theme.Plain, ascii).String())
	}
	for _, t := range [...]*columns{table, weeks} {
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
		if err := t.print(out); err != nil {
			return err
		}
	}
	return nil
}

// weeksShown is how many weeks the tables have at most; --json and --csv have more.
const (
	weeksShown = 53
	weekBar    = 20
)

// newest are the last ones.
func newest[T any](weeks []T) []T { return weeks[max(len(weeks)-weeksShown, 0):] }

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/ui/wording"
)

func newRecords(p *program) *cobra.Command {
	cmd := command("records", 0, 0, func(cmd *cobra.Command, _ []string) error {
		return p.withReading(cmd.Context(), func(s *store.Store) error {
			return p.listRecords(cmd.Context(), s)
		})
	})
	p.jsonFlag(cmd)
	return cmd
}

// pageRecords is the number of records that are read at once.
const pageRecords = 500

// listRecords prints the log in pages, so that the first lines appear at once and memory stays constant. Each page has its own
// column widths.
func (p *program) listRecords(ctx context.Context, s *store.Store) error {
	if _, err := s.HandInTally(ctx); err != nil { // the records say by when they have to be handed in once that was asked for
		return err
	}
	printed, unreadable := false, false
	for before, more := int64(0), true; more; {
		records, err := s.Records(ctx, before, pageRecords)
		if err != nil {
			return err
		}
		table := &output.Table{Heads: []string{"SEQ", "RECORD", "RECORDED", "ID", "REV", "GATE", "OUTCOME", "REVIEWER", ""}, Headless: printed}
		for i := range records {
			unreadable = unreadable || records[i].Unreadable != ""
			if p.json {
				if err := output.JSON(p.Out, loggedJSON(&records[i])); err != nil {
					return err
				}
				continue
			}
			table.Add(recordCells(&records[i])...)
		}
		if len(records) > 0 { // a finding ends the command with status 1
			if _, err := s.VerifyRecords(ctx, records[len(records)-1].Receipt.Sequence, records[0].Receipt.Sequence+1); err != nil {
				return err
			}
			printed, before = true, records[len(records)-1].Receipt.Sequence
		}
		more = len(records) == pageRecords && before > 0
		if !table.Empty() {
			if err := table.Print(p.Out); err != nil {
				return err
			}
		}
	}
	if !printed && !p.json {
		return p.say("no records yet; decisions are recorded in the console\n")
	}
	if unreadable {
		fmt.Fprintln(p.Err, "docket: a record differs from the logged one; run `docket verify` to see which one and what to do")
		return errReported
	}
	return nil
}

func recordCells(logged *records.LoggedRecord) []string {
	sequence := fmt.Sprint(logged.Receipt.Sequence)
	if logged.Unreadable != "" {
		return []string{sequence, string(logged.Receipt.RecordID), "", "", "", "unreadable", "", "", logged.Unreadable}
	}
	m := logged.Record.Members()
	return []string{sequence, string(m.RecordID), output.ToSecond(m.RecordedAt), string(m.Key.ID), fmt.Sprint(m.Key.Number),
		m.Gate.String(), m.Outcome.String(), string(m.Reviewer.ID), recordState(logged)}
}

// A loggedRecord is a record with its place in the log, as --json prints it.
type loggedRecord struct {
	Receipt      records.Receipt  `json:"receipt"`
	Record       json.RawMessage  `json:"record"` // null where it cannot be read
	SupersededBy records.RecordID `json:"supersededBy,omitempty"`
	Revoked      bool             `json:"revoked,omitempty"` // a revoked key signed it, so that it is not in force
	Unreadable   string           `json:"unreadable,omitempty"`
	HandIn       *handInJSON      `json:"handIn,omitempty"`  // the service's answer, if there is one
	HandInBy     terms.Instant    `json:"handInBy,omitzero"` // by when a record without an answer has to be handed in, if time bounds that
	// Statement is the statement of reasons, if one record is shown and has one.
	Statement         *records.Statement `json:"statement,omitempty"`
	*records.Reliance                    // of what it is on, if one record is shown
	JudgedAt          terms.Instant      `json:"relianceJudgedAt,omitzero"`
	// Inclusion is the proof that the record is in the log, if one record is shown.
	Inclusion *store.Inclusion `json:"inclusion,omitempty"`
}

func loggedJSON(logged *records.LoggedRecord) loggedRecord {
	return loggedRecord{Receipt: logged.Receipt, Record: json.RawMessage(logged.Record.Document()),
		SupersededBy: logged.SupersededBy, Revoked: logged.Revoked, Unreadable: logged.Unreadable, HandIn: handedIn(&logged.HandIn),
		HandInBy: logged.HandIn.By}
}

// printRecord writes a record with the headings and labels of the console, and its statement of reasons, if any.
func printRecord(out io.Writer, logged *records.LoggedRecord, reasons records.Statement) error {
	table := &output.Table{Heads: []string{"", ""}}
	table.Add("record", string(logged.Receipt.RecordID))
	groups := wording.RecordGroups(logged, reasons.Text)
	if logged.HandIn.State != records.Kept {
		groups = append(groups, wording.AtService(logged))
	}
	for _, group := range groups {
		table.Add("", "")
		table.Add(strings.ToUpper(group.Title), "")
		for _, member := range group.Members {
			if member.Value != "" {
				if at, is := terms.ParseInstant(member.Value); is {
					member.Value = output.ToSecond(at)
				}
				for text := range strings.SplitSeq(member.Value, "\n") {
					table.Add(member.Label, text)
					member.Label = ""
				}
			}
		}
	}
	return table.PrintRows(out)
}

// printInclusion writes the proof that the record is in the log as it is now.
func printInclusion(out io.Writer, proof *store.Inclusion) error {
	table := &output.Table{Heads: []string{"", ""}}
	table.Add("proved to be in the log", fmt.Sprintf("of %s with root %s", wording.Plural(int(proof.TreeSize), "record", "records"), proof.Root))
	for i, hash := range proof.Path {
		table.Add(fmt.Sprintf("audit path %d", i+1), hash.String())
	}
	fmt.Fprintln(out)
	return table.PrintRows(out)
}

// recordsAtATime is how many records are read at a time to find the one whose id begins with a text.
const recordsAtATime = 1000

// recordOf returns the id of the record that a text names: by its id, by a unique beginning of it, or
// by the id of a case or an amendment, whose record in force it is.
func (p *program) recordOf(ctx context.Context, s *store.Store, text string) (records.RecordID, error) {
	if id := records.RecordID(text); id.Valid() {
		return id, nil
	}
	id, ok := terms.ParseID(text)
	if !ok {
		return "", refused("that is not an id; `docket records` lists the records")
	}
	tables, err := s.Find(ctx, id)
	if err != nil {
		return "", err
	}
	for _, table := range tables {
		if table != terms.AppealCases && table != terms.AmendmentRecords {
			continue
		}
		file, err := s.CaseFile(ctx, table, id, 0, p.instant(), p.identities().Reviewer().ID)
		switch {
		case err != nil:
			return "", err
		case file.InForce.Present():
			return file.InForce, nil
		}
		return "", refused("no record is in force on %s; `docket records` lists the records", id)
	}
	found, err := recordsBeginning(ctx, s, text)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", refused("no record, case or amendment has the id %s, and no record's id begins with it; `docket records` lists the records", id)
	case len(found) > 1:
		return "", refused("the ids of %d records begin with %s; write more of the id", len(found), id)
	}
	return found[0], nil
}

func recordsBeginning(ctx context.Context, s *store.Store, text string) (found []records.RecordID, err error) {
	for before := int64(0); ; {
		page, err := s.Records(ctx, before, recordsAtATime)
		if err != nil || len(page) == 0 {
			return found, err
		}
		for i := range page {
			if strings.HasPrefix(string(page[i].Receipt.RecordID), text) {
				found = append(found, page[i].Receipt.RecordID)
			}
		}
		if before = page[len(page)-1].Receipt.Sequence; before == 0 {
			return found, nil
		}
	}
}

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/ui/page"
	"docket/ui/workbench"
)

func newRecords(p *program) *cobra.Command {
	cmd := command("records", 0, 0, func(cmd *cobra.Command, _ []string) error {
		return p.withReading(cmd.Context(), func(s *store.Store) error {
			return p.listRecords(cmd.Context(), s)
		})
	})
	return p.jsonFlag(cmd)
}

const pageRecords = 500

// listRecords prints the log in pages, so that lines appear at once and memory stays constant.
func (p *program) listRecords(ctx context.Context, s *store.Store) error {
	// The records say by when they have to be handed in only once this was asked for.
	if _, err := s.HandInTally(ctx); err != nil {
		return err
	}
	printed, unreadable := false, false
	for before, more := int64(0), true; more; {
		records, err := s.Records(ctx, before, pageRecords)
		if err != nil {
			return err
		}
		table := &output.Table{Heads: []string{"SEQ", "RECORD", "RECORDED", "ID", "REV", "GATE",
			"OUTCOME", "REVIEWER", ""}, Headless: printed}
		for i := range records {
			unreadable = unreadable || records[i].Unreadable != ""
			if p.json {
				p.object(loggedJSON(&records[i]))
			} else {
				table.Add(recordCells(&records[i])...)
			}
		}
		if len(records) > 0 { // a finding ends the command with status 1
			if _, err := s.VerifyRecords(ctx, records[len(records)-1].Receipt.Sequence, records[0].Receipt.Sequence+1); err != nil {
				return err
			}
			printed, before = true, records[len(records)-1].Number
		}
		if !table.Empty() {
			table.Print(p.Out)
		}
		more = len(records) > 0 && before > 0 && p.wrote() == nil
	}
	if !printed && !p.json {
		p.say("no records yet; decisions are recorded in the console\n")
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

type loggedRecord struct {
	Receipt      records.Receipt  `json:"receipt"`
	Record       json.RawMessage  `json:"record"` // null where it cannot be read
	SupersededBy records.RecordID `json:"supersededBy,omitempty"`
	Revoked      bool             `json:"revoked,omitempty"` // its key was revoked: it is not in force
	Unreadable   string           `json:"unreadable,omitempty"`
	HandIn       *handInJSON      `json:"handIn,omitempty"` // the service's answer, if there is one
	// HandInBy is by when a record without an answer has to be handed in, if time bounds that.
	HandInBy terms.Instant `json:"handInBy,omitzero"`
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

// recordOf returns the id of the record that a text names: by its id, by a unique beginning of it,
// or by the id of a case or an amendment, whose record in force it is.
func (p *program) recordOf(ctx context.Context, s *store.Store, text string) (records.RecordID, error) {
	if id := records.RecordID(text); id.Valid() {
		return id, nil
	}
	id, ok := terms.ParseID(text)
	if !ok {
		return "", refused("that is not an id; `docket records` lists the records")
	}
	files, _, err := p.caseFiles(ctx, s, id, 0)
	switch {
	case err != nil:
		return "", err
	case len(files) > 0 && files[0].InForce.Present():
		return files[0].InForce, nil
	case len(files) > 0:
		return "", refused("no record is in force on %s; `docket records` lists the records", id)
	}
	found, err := recordsBeginning(ctx, s, text)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", refused(
			"no record, case or amendment has the id %s, and no record's id begins with it; `docket records` lists the records", id)
	case len(found) > 1:
		return "", refused("the ids of %d records begin with %s; write more of the id", len(found), id)
	}
	return found[0], nil
}

// caseFiles returns what has the id and revision, 0 for the latest, and whether the id is known.
func (p *program) caseFiles(ctx context.Context, s *store.Store, id terms.ID,
	revision int64) (list []queue.CaseFile, held bool, err error) {
	tables, err := s.Find(ctx, id)
	for _, table := range tables {
		if table != terms.AppealCases && table != terms.AmendmentRecords {
			continue
		}
		file, failed := s.CaseFile(ctx, table, id, revision, p.instant(), p.identities().Reviewer().ID)
		switch {
		case failed == nil:
			list = append(list, file)
		case !errors.Is(failed, store.ErrNotFound):
			return nil, false, failed
		}
	}
	return list, len(tables) > 0, err
}

func recordsBeginning(ctx context.Context, s *store.Store, text string) (found []records.RecordID, err error) {
	for before := int64(0); ; {
		page, err := s.Records(ctx, before, pageRecords)
		if err != nil || len(page) == 0 {
			return found, err
		}
		for i := range page {
			if strings.HasPrefix(string(page[i].Receipt.RecordID), text) {
				found = append(found, page[i].Receipt.RecordID)
			}
		}
		if before = page[len(page)-1].Number; before == 0 {
			return found, nil
		}
	}
}

func newShow(p *program) *cobra.Command {
	var revision int64
	cmd := command("show", 1, 1, func(cmd *cobra.Command, args []string) error {
		return p.withReading(cmd.Context(), func(s *store.Store) error {
			if id := records.RecordID(args[0]); id.Valid() {
				return p.showRecord(cmd.Context(), s, id)
			}
			return p.showPacket(cmd.Context(), s, args[0], revision)
		})
	})
	countFlag(cmd, &revision, "revision", "show revision `N` instead of the latest", aNumber, 1, math.MaxInt64)
	return p.jsonFlag(cmd)
}

func (p *program) showPacket(ctx context.Context, s *store.Store, text string, revision int64) error {
	id, ok := terms.ParseID(text)
	if !ok {
		return refused("that is not an id; `docket queue` lists them")
	}
	files, held, err := p.caseFiles(ctx, s, id, revision)
	if err != nil {
		return err
	}
	for i := range files {
		for _, logged := range files[i].Records { // a finding ends the command with status 1
			if _, err := s.VerifyRecords(ctx, logged.Receipt.Sequence, logged.Receipt.Sequence+1); err != nil {
				return err
			}
		}
		if err := p.printView(&files[i].View, &files[i]); err != nil {
			return err
		}
	}
	switch {
	case len(files) > 0:
		return nil
	case held && revision == 0:
		return refused("%s is a policy; it is shown with the cases that name it", id)
	case held:
		return refused("%s has no revision %d in this store", id, revision)
	case revision == 0:
		if record, err := p.recordOf(ctx, s, text); err == nil {
			return p.showRecord(ctx, s, record)
		}
	}
	return refused("%s is not in this store; `docket queue` lists its cases and amendments", id)
}

func (p *program) showRecord(ctx context.Context, s *store.Store, id records.RecordID) error {
	logged, err := s.Record(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return refused("record %s is not in this log; `docket records` lists its records", id)
	}
	if err != nil {
		return err
	}
	proof, err := s.Inclusion(ctx, id)
	if err != nil {
		return err
	}
	if _, err := s.VerifyRecords(ctx, logged.Receipt.Sequence, logged.Receipt.Sequence+1); err != nil {
		return err
	}
	reasons, err := s.Statement(ctx, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	m, judged := logged.Record.Members(), store.Reliance{}
	if logged.Unreadable == "" {
		if judged, err = s.Reliance(ctx, nil, store.About{Area: m.Area, ID: m.Key.ID}); err != nil {
			return err
		}
	}
	if p.json {
		shown := loggedJSON(&logged)
		shown.Reliance, shown.JudgedAt = &judged.Reliance, judged.At
		shown.Inclusion = &proof
		if reasons.Present() {
			shown.Statement = &reasons
		}
		return p.object(shown)
	}
	states, err := (&workbench.Workbench{Store: s}).Examine(ctx, logged.Receipt.Sequence, logged.Receipt.Sequence+1)
	if err != nil {
		return err
	}
	of := page.WholeRecord{LoggedRecord: &logged, Reasons: reasons.Text, Now: p.instant()}
	if len(states) > 0 {
		of.State = &states[0]
	}
	shown := of.Page()
	if logged.Unreadable == "" {
		relied := page.RelianceOn("Reliance on "+string(m.Key.ID), &judged.Reliance)
		relied.Rows = append([]pages.Row{{Label: "judged at", Value: output.ToSecond(judged.At)}}, relied.Rows...)
		shown.Parts = append(shown.Parts, relied)
	}
	p.page(shown)
	caseFile, err := s.CaseFile(ctx, terms.RecordTable(m.Area), m.Key.ID, m.Key.Number, m.EvaluatedAt, m.Reviewer.ID)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.Out)
	return p.printView(&caseFile.View, nil)
}

func (p *program) printView(view *views.View, caseFile *queue.CaseFile) error {
	if p.json {
		document := view.Document()
		if caseFile != nil {
			members, err := json.Marshal(caseFile.Reliance())
			if err != nil {
				return err
			}
			document = append(append(document[:len(document)-1], ','), members[1:]...)
		}
		return p.write(string(document) + "\n")
	}
	reader, reliance := page.Reader{Now: view.EvaluatedAt(), Zone: time.Local}, (*records.Reliance)(nil)
	if caseFile == nil {
		caseFile = &queue.CaseFile{View: *view}
	} else {
		relied := caseFile.Reliance()
		reliance = &relied
	}
	p.page(page.PacketPage(caseFile, reader, reliance))
	return p.wrote()
}

// page prints a page, wrapped where it is read at a terminal.
func (p *program) page(of pages.Page) {
	width := 0
	if p.OutTerminal {
		width = output.PageWidth
	}
	output.Page(p.Out, of, width)
}

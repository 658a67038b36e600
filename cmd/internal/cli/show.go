package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/ui/page"
)

func newShow(p *program) *cobra.Command {
	var revision int64
	cmd := command("show", 1, 1, func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("revision") && revision < 1 {
			return wrongUsage("--revision takes a number of 1 or more")
		}
		return p.withReading(cmd.Context(), func(s *store.Store) error {
			if id := records.RecordID(args[0]); id.Valid() {
				return p.showRecord(cmd.Context(), s, id)
			}
			return p.showPacket(cmd.Context(), s, args[0], revision)
		})
	})
	cmd.Flags().Int64Var(&revision, "revision", 0, "show this revision instead of the latest")
	p.jsonFlag(cmd)
	return cmd
}

// showPacket shows the case or amendment with that id, or both if they share it.
func (p *program) showPacket(ctx context.Context, s *store.Store, text string, revision int64) error {
	id, ok := terms.ParseID(text)
	if !ok {
		return refused("that is not an id; `docket queue` lists them")
	}
	tables, err := s.Find(ctx, id)
	if err != nil {
		return err
	}
	shown := false
	for _, table := range tables {
		if table != terms.AppealCases && table != terms.AmendmentRecords {
			continue
		}
		caseFile, err := s.CaseFile(ctx, table, id, revision, p.instant(), p.identities().Reviewer().ID)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		shown = true
		for i := range caseFile.Records { // a finding ends the command with status 1
			sequence := caseFile.Records[i].Receipt.Sequence
			if _, err := s.VerifyRecords(ctx, sequence, sequence+1); err != nil {
				return err
			}
		}
		if err := p.printView(&caseFile.View, &caseFile); err != nil {
			return err
		}
	}
	if len(tables) == 0 && revision == 0 {
		if record, err := p.recordOf(ctx, s, text); err == nil {
			return p.showRecord(ctx, s, record)
		}
	}
	switch {
	case shown:
		return nil
	case len(tables) > 0 && revision == 0:
		return refused("%s is a policy; it is shown with the cases that name it", id)
	case len(tables) > 0:
		return refused("%s has no revision %d in this store", id, revision)
	}
	return refused("%s is not in this store; `docket queue` lists its cases and amendments", id)
}

// showRecord shows an enforcement record, and its packet as it was evaluated for the record.
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
		return output.JSON(p.Out, shown)
	}
	if err := printRecord(p.Out, &logged, reasons); err != nil {
		return err
	}
	if err := printInclusion(p.Out, &proof); err != nil {
		return err
	}
	fmt.Fprintf(p.Out, "\nRELIANCE ON %s\n  judged at %s\n", m.Key.ID, output.ToSecond(judged.At))
	writeReliance(p.Out, judged.Reliance)
	caseFile, err := s.CaseFile(ctx, terms.RecordTable(m.Area), m.Key.ID, m.Key.Number, m.EvaluatedAt, m.Reviewer.ID)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Out, "\nThe packet, evaluated for %s:\n\n", output.ToSecond(m.EvaluatedAt))
	return p.printView(&caseFile.View, nil)
}

// printView prints the packet, and the records on it if there is a case file.
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
		_, err := p.Out.Write(append(document, '\n'))
		return err
	}
	fmt.Fprintf(p.Out, "%s revision %d: gate %s at %s\n", view.Key().ID, view.Key().Number, records.GateWith(view, 0), output.ToSecond(view.EvaluatedAt()))
	if caseFile != nil {
		writeReliance(p.Out, caseFile.Reliance())
	} else {
		caseFile = &queue.CaseFile{View: *view}
	}
	_, err := io.WriteString(p.Out, page.Text(page.Packet(caseFile, view.EvaluatedAt(), false)))
	return err
}

// writeReliance says whether the case or amendment may be relied on now, and what holds that.
func writeReliance(out io.Writer, r records.Reliance) {
	fmt.Fprintf(out, "  relianceGate %s\n", r.Gate)
	if len(r.Reasons) > 0 {
		fmt.Fprintf(out, "    held by: %s\n", strings.Join(r.Reasons, ", "))
	}
}

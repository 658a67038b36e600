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
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/ui/wording"
)

func newShow(p *program) *cobra.Command {
	var revision int64
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a redacted packet with its evaluation, or a record with the packet as it was judged",
		Args:  argumentCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("revision") && revision < 1 {
				return wrongUsage("--revision takes a number of 1 or more")
			}
			return p.withReading(cmd.Context(), func(s *store.Store) error {
				if id := records.RecordID(args[0]); id.Valid() {
					return p.showRecord(cmd.Context(), s, id)
				}
				return p.showPacket(cmd.Context(), s, args[0], revision)
			})
		},
	}
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
	bound, err := isBound(ctx, s)
	if err != nil {
		return err
	}
	if err := printRecord(p.Out, &logged, reasons, bound); err != nil {
		return err
	}
	if err := printInclusion(p.Out, &proof); err != nil {
		return err
	}
	var reliance strings.Builder
	fmt.Fprintf(&reliance, "\nRELIANCE ON %s\n  judged at %s\n", m.Key.ID, output.ToSecond(judged.At))
	writeReliance(&reliance, judged.Reliance)
	if _, err := io.WriteString(p.Out, reliance.String()); err != nil {
		return err
	}
	caseFile, err := s.CaseFile(ctx, terms.RecordTable(m.Area), m.Key.ID, m.Key.Number, m.EvaluatedAt, m.Reviewer.ID)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(p.Out, "\nThe packet, evaluated for %s:\n\n", output.ToSecond(m.EvaluatedAt)); err != nil {
		return err
	}
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
	var page strings.Builder
	writeGate(&page, view, caseFile)
	if caseFile != nil {
		writeReliance(&page, caseFile.Reliance())
	}
	for _, part := range view.Parts() {
		writeHeading(&page, part.Name.Title())
		for _, row := range part.Rows {
			writeRow(&page, row.Row)
		}
	}
	writeRedactions(&page, view.Redactions())
	if caseFile != nil {
		writeRecords(&page, caseFile)
	}
	_, err := io.WriteString(p.Out, page.String())
	return err
}

// writeRecords writes the records on a revision, and those of other consoles in the service's log.
func writeRecords(page *strings.Builder, d *queue.CaseFile) {
	write := func(m *records.Members, state string) {
		fmt.Fprintf(page, "\nrecord %s by %s at %s: %s %s\n", m.RecordID, m.Reviewer.ID, output.ToSecond(m.RecordedAt), m.Gate, m.Outcome)
		if state != "" {
			fmt.Fprintf(page, "  %s\n", state)
		}
	}
	for i := range d.Records {
		write(d.Records[i].Record.Members(), recordState(&d.Records[i], false))
	}
	for i := range d.AtService {
		m, state := d.AtService[i].Members(), "of another console, in the service's log"
		if m.RecordID == d.InForce {
			state += ", in force"
		}
		if added := wording.Listed(m.ReviewerBlockers); added != "" {
			state += fmt.Sprintf("; added %s", added)
		}
		write(m, state)
	}
}

// writeGate writes the evaluation: the gate with what people added, each blocker with its meaning and cure, and the advisory decision.
func writeGate(page *strings.Builder, view *views.View, caseFile *queue.CaseFile) {
	j := view.Evaluation()
	fmt.Fprintf(page, "%s revision %d: gate %s at %s\n", view.Key().ID, view.Key().Number, records.GateWith(view, 0), output.ToSecond(view.EvaluatedAt()))
	if caseFile != nil {
		for _, text := range wording.Carried(caseFile) {
			fmt.Fprintf(page, "  ✗ %s\n", text)
		}
		for _, text := range wording.Unanswered(caseFile) {
			fmt.Fprintf(page, "  ! %s\n", text)
		}
	}
	for _, code := range j.Blockers() {
		rule := view.Input().Rule(code)
		fmt.Fprintf(page, "  ✗ %s\n      %s\n      Cure: %s\n", code, rule.Meaning, rule.Cure)
	}
	if view.Area() == terms.Appeals {
		writeHeading(page, view.RuleTitle())
		writeDecision(page, records.Advised(view, 0), views.DecisionOf(j))
		return
	}
	writeHeading(page, view.RuleTitle())
	if boundary := j.ProtectedBoundary(); boundary != "" {
		fmt.Fprintf(page, "  protects: %s\n", boundary)
	}
	for _, action := range j.BlockedTransitions() {
		fmt.Fprintf(page, "  holds back: %s\n", action.Label())
	}
}

// writeReliance says whether the case or amendment may be relied on now, and what holds that.
func writeReliance(page *strings.Builder, r records.Reliance) {
	fmt.Fprintf(page, "  relianceGate %s\n", r.Gate)
	if len(r.Reasons) > 0 {
		fmt.Fprintf(page, "    held by: %s\n", strings.Join(r.Reasons, ", "))
	}
}

// writeHeading begins a part of the page, with the title that the console has for it.
func writeHeading(page *strings.Builder, title string) {
	fmt.Fprintf(page, "\n%s\n", strings.ToUpper(title))
}

// writeDecision writes the advisory decision (source 2.3.7). A row of the view says if the requested outcome does not fit the
// trigger.
func writeDecision(page *strings.Builder, advised terms.Outcome, d views.Decision) {
	fmt.Fprintf(page, "  advised: %s\n  %s\n", advised.Label(), d.AppealScopeStatement)
	effect := views.EffectOf(advised)
	fmt.Fprintf(page, "  provenance activity: %s\n  traceability step: %s\n", effect.ProvenanceActivity, effect.TraceabilityStep)
	for _, code := range d.FactorCodes {
		fmt.Fprintf(page, "  factor code: %s\n", code)
	}
	for _, artifact := range d.RequiredArtifacts {
		fmt.Fprintf(page, "  required artifact: %s\n", artifact)
	}
	for _, action := range d.PrivacyActions {
		fmt.Fprintf(page, "  privacy action: %s\n", action)
	}
}

var rowMarks = map[views.Mark]string{views.MarkGood: "✓", views.MarkBad: "✗", views.MarkNone: "·"}

func writeRow(page *strings.Builder, row *views.Row) {
	value := row.Value
	if value == "" {
		value = "(absent)"
	}
	value = strings.ReplaceAll(value, "\n", "\n"+strings.Repeat(" ", 33))
	fmt.Fprintf(page, "  %s %-28s %s\n", rowMarks[row.Mark], row.Label, value)
}

// redactionBar has one width for every category, so that it does not show the size of the redacted content.
const redactionBar = "▒▒▒▒▒▒▒▒▒▒▒▒"

func writeRedactions(page *strings.Builder, redactions []packets.Redaction) {
	writeHeading(page, views.SectionTitle(views.SectionRedactions))
	if len(redactions) == 0 {
		page.WriteString("  none\n")
	}
	for _, redaction := range redactions {
		fmt.Fprintf(page, "  %-28s %s %d\n", redaction.Category.Label(), redactionBar, redaction.Count)
	}
}

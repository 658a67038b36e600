package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/domain/json"
	"docket/domain/pages"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store/bundle"
	"docket/store/disk"
	"docket/store/verify"
	"docket/ui/page"
	"docket/ui/wording"
)

func newCollect(p *program) *cobra.Command {
	var signers string
	cmd := command("collect", 1, -1, func(cmd *cobra.Command, args []string) (err error) {
		var allowed *bundle.Allowed
		if cmd.Flags().Changed("signers") {
			if allowed, err = readAllowed(signers); err != nil {
				return err
			}
		}
		c, err := p.collect(cmd, args, allowed)
		if err != nil {
			return err
		}
		collected := &collected{c, signers}
		if err := p.printCollection(collected); err != nil {
			return err
		}
		if !c.Holds() && p.form() != "" {
			for _, notice := range collected.faults() {
				fmt.Fprintln(p.Err, visible.String(notice))
			}
		}
		return reportedUnless(c.Holds())
	})
	cmd.Flags().StringVar(&signers, "signers", "", "the `FILE` that says whose keys may have signed, in the format of allowed_signers")
	return p.forms(cmd, "print CSV, a line for each decision", "print one web page")
}

func readAllowed(name string) (*bundle.Allowed, error) {
	text, err := disk.ReadRegular(name, maxSigners)
	if err != nil {
		return nil, fmt.Errorf("the signers %s cannot be read: %w", name, disk.Reason(err))
	}
	allowed, err := bundle.ReadAllowed(text)
	if err != nil {
		return nil, refused("%s: %w", visible.String(name), err)
	}
	return &allowed, nil
}

func (p *program) collect(cmd *cobra.Command, dirs []string,
	allowed *bundle.Allowed) (*bundle.Collection, error) {
	bar := p.newBar()
	defer bar.Clear()
	return bundle.Collect(cmd.Context(), dirs, allowed, verify.Options{Progress: bar.Of("verifying")})
}

// A collected is a collection to be printed, with the file of allowed signers; "" for none.
type collected struct {
	*bundle.Collection
	signers string
}

// collectColumns are the columns of a decision; the text has only those with a head.
var collectColumns = []struct {
	head, member string
	value        func(c *collected, d *bundle.Decision) any
}{
	{"", "twice", func(_ *collected, d *bundle.Decision) any { return d.Twice }},
	{"", "table", func(_ *collected, d *bundle.Decision) any { return terms.RecordTable(d.Members.Area).String() }},
	{"ID", "id", func(_ *collected, d *bundle.Decision) any { return string(d.Members.Key.ID) }},
	{"REV", "revision", func(_ *collected, d *bundle.Decision) any { return d.Members.Key.Number }},
	{"GATE", "gate", func(_ *collected, d *bundle.Decision) any { return d.Members.Gate.String() }},
	{"OUTCOME", "outcome", func(_ *collected, d *bundle.Decision) any { return d.Members.Outcome.String() }},
	{"REVIEWER", "reviewer", func(_ *collected, d *bundle.Decision) any { return string(d.Members.Reviewer.ID) }},
	{"", "keyFingerprint", func(_ *collected, d *bundle.Decision) any { return d.Members.Reviewer.KeyFingerprint }},
	{"RECORDED", "recordedAt", func(_ *collected, d *bundle.Decision) any { return d.Members.RecordedAt.String() }},
	{"", "recordId", func(_ *collected, d *bundle.Decision) any { return string(d.ID) }},
	{"STATE", "state", func(_ *collected, d *bundle.Decision) any { return decisionState(d) }},
	{"BUNDLE", "bundle", func(c *collected, d *bundle.Decision) any { return c.Bundles[d.Bundle].Dir }},
	{"", "bundleHolds", func(c *collected, d *bundle.Decision) any { return c.Bundles[d.Bundle].Holds() }},
}

func decisionState(d *bundle.Decision) string {
	switch {
	case d.Twice:
		return "decided twice"
	case d.Revoked:
		return wording.SignerRevoked
	case d.Rejected:
		return wording.RejectedByService
	case d.Superseded:
		return "superseded by " + string(d.SupersededBy)
	}
	return "in force"
}

func (c *collected) object(d *bundle.Decision) (o json.Object) {
	for _, column := range collectColumns {
		o = o.With(column.member, column.value(c, d))
	}
	return o
}

// table is the decisions on what was decided twice, or the others.
func (c *collected) table(twice bool) *pages.Table {
	table := &pages.Table{Caption: "each with the record in its own log"}
	if twice {
		table.Caption = "on one revision, in force in more than one log"
	}
	for _, column := range collectColumns {
		if column.head != "" {
			table.Heads = append(table.Heads, column.head)
		}
	}
	for i := range c.Decisions {
		d := &c.Decisions[i]
		if d.Members == nil || d.Twice != twice {
			continue
		}
		var cells []string
		for _, column := range collectColumns {
			if column.head == "" {
				continue
			}
			cell := fmt.Sprint(column.value(c, d))
			if at, is := terms.ParseInstant(cell); is {
				cell = output.ToSecond(at)
			}
			cells = append(cells, visible.String(cell))
		}
		table.Rows = append(table.Rows, cells)
	}
	return table
}

// notices say of each bundle whether it holds, those with keys that are not allowed first, and what
// several reviewers were given.
func (c *collected) notices() (list []string) {
	var held []string
	for i := range c.Bundles {
		one := &c.Bundles[i]
		for _, r := range one.Unlisted {
			list = append(list, fmt.Sprintf(
				"✗ %s: %s signed with the key %s, which is not in %s for them then: ask them whether it is theirs",
				one.Dir, r.ID, r.Fingerprint, c.signers))
		}
		held = append(held, bundleLine(one))
	}
	if list = append(list, held...); c.signers == "" {
		list = append(list, "! The keys were held to nothing: who made a bundle may have signed in the name of another. Give --signers.")
	}
	if len(c.Shared) > 0 {
		var ids []terms.ID
		for _, ref := range c.Shared {
			ids = append(ids, ref.Key.ID)
		}
		list = append(list,
			fmt.Sprintf("! More than one reviewer was given %s.", wording.IDs(ids, mostShared)))
	}
	return list
}

// faults say why the exit status is 1, beside a form for programs.
func (c *collected) faults() (list []string) {
	for _, notice := range c.notices() {
		if strings.HasPrefix(notice, "✗") {
			list = append(list, notice)
		}
	}
	for _, row := range c.table(true).Rows {
		list = append(list,
			fmt.Sprintf("✗ %s, revision %s, was decided twice: see %s", row[0], row[1], row[len(row)-1]))
	}
	return list
}

const mostShared = 5

func bundleLine(one *bundle.Collected) string {
	r := &one.Report
	switch {
	case one.Err != nil:
		return fmt.Sprintf("✗ %s: %s", one.Dir, strings.TrimPrefix(one.Err.Error(), one.Dir+": "))
	case !r.OK():
		why := r.Cause
		switch {
		case why == "" && r.Total == 1:
			return fmt.Sprintf("✗ %s does not verify: %s", one.Dir, r.Findings[0])
		case why == "":
			why = fmt.Sprintf("%d findings, the first: %s", r.Total, r.Findings[0])
		}
		return fmt.Sprintf("✗ %s does not verify: %s; run `docket verify %s`", one.Dir, why, one.Dir)
	}
	var by []string
	for _, reviewer := range r.Reviewers {
		by = append(by, string(reviewer.ID))
	}
	line := fmt.Sprintf("%s verifies: %s of the log %s", one.Dir,
		wording.Plural(int(r.Records()), "record", "records"), r.Origin)
	if len(by) > 0 {
		line += ", by " + strings.Join(by, ", ")
	}
	if len(one.Unlisted) > 0 {
		return "✗ " + line
	}
	return "✓ " + line
}

func (p *program) printCollection(c *collected) error {
	figures := c.Figures(stats.Period{})
	switch p.form() {
	case "json":
		return p.object(c.document(&figures))
	case "csv":
		var heads json.Object
		for _, column := range collectColumns {
			heads = heads.With(column.member, nil)
		}
		var lines [][]byte
		for i := range c.Decisions {
			if d := &c.Decisions[i]; d.Members != nil {
				lines = append(lines, c.object(d).Text())
			}
		}
		text, err := json.Sheet(heads.Text(), lines)
		return errors.Join(err, p.write(text))
	}
	collection := pages.Page{Title: "Decisions of several reviewers", Notices: c.notices()}
	for _, title := range []string{"Decided twice", "Decisions"} {
		if table := c.table(title == "Decided twice"); len(table.Rows) > 0 {
			collection.Parts = append(collection.Parts,
				pages.Part{Title: title, Blocks: []pages.Block{{Table: table}}})
		}
	}
	counted := page.Stats(&figures)
	if p.html {
		collection.Parts = append(collection.Parts, counted.Parts...)
		return p.write(collection.HTML())
	}
	for _, notice := range collection.Notices {
		p.write(visible.String(notice) + "\n")
	}
	for _, section := range collection.Parts {
		table := &output.Table{Heads: section.Blocks[0].Table.Heads}
		for _, row := range section.Blocks[0].Table.Rows {
			table.Add(row...)
		}
		fmt.Fprintf(p.Out, "\n%s\n", strings.ToUpper(section.Title))
		table.Print(p.Out)
	}
	fmt.Fprintln(p.Out)
	p.page(counted)
	return nil
}

func (c *collected) document(figures *stats.Figures) json.Object {
	var bundles, shared, decisions []json.Object
	for i := range c.Bundles {
		one := &c.Bundles[i]
		keys := []any{}
		for _, r := range one.Unlisted {
			keys = append(keys, json.Of("reviewer", string(r.ID), "keyFingerprint", r.Fingerprint))
		}
		said := ""
		if one.Err != nil {
			said = one.Err.Error()
		}
		bundles = append(bundles, json.Of("bundle", one.Dir, "holds", one.Holds(), "error", said, "cause",
			one.Report.Cause, "findings", int64(one.Report.Total), "origin", one.Report.Origin,
			"verifierKey", one.Report.VerifierKey, "size", one.Report.Size, "leftOut", one.Report.LeftOut,
			"root", one.Report.Root.String(), "notAllowed", keys))
	}
	for _, ref := range c.Shared {
		shared = append(shared, json.Of("table", ref.Table.String(), "id", string(ref.Key.ID)))
	}
	for i := range c.Decisions {
		if d := &c.Decisions[i]; d.Members != nil {
			decisions = append(decisions, c.object(d))
		}
	}
	return json.Of("holds", c.Holds(), "signers", c.signers != "", "bundles", bundles, "shared",
		shared, "decisions", decisions, "figures", figures.Object())
}

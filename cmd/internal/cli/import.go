package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"docket/contracts"
	"docket/domain/visible"
	"docket/store"
)

func newImport(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Take packets in",
		Long: "Takes the packets of the files in: one packet, an array of them, or JSON Lines; - is standard input.\n\n" +
			"A packet that is refused is reported with file, line, JSON pointer and reason, and nothing of it is stored;\n" +
			"the other packets go in. Private members are dropped before anything is written. A text that holds private details is\n" +
			"masked, and told with file, line, pointer and kind, so that the sender can reword it.",
		Args: argumentCount(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withStore(cmd.Context(), func(s *store.Store) error { return p.importFiles(cmd.Context(), s, args) })
		},
	}
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) importFiles(ctx context.Context, s *store.Store, files []string) error {
	out := &importReport{p: p, bar: p.newBar()}
	if err := out.start(); err != nil {
		return err
	}
	in := newIntake(ctx, s, out.refusal)
	in.reportMasked = out.maskedText
	var err error
	for _, file := range files {
		if err = p.importFile(ctx, in, out, file); err != nil {
			break
		}
	}
	err = in.close(err)
	return errors.Join(err, out.finish(importCounts{in.imported, in.unchanged, in.refused, in.masked}, err))
}

// importCounts are how many packets came to what.
type importCounts struct{ imported, unchanged, refused, masked int }

func (p *program) importFile(ctx context.Context, in *intake, out *importReport, name string) (err error) {
	in.open(name)
	file, size, err := p.openInput(name)
	if err != nil {
		in.refuse(contracts.Refusal{File: name, Reason: err.Error()})
		return nil
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out.bar.begin("importing "+name, size)
	defer out.bar.clear()
	err = contracts.ReadPackets(ctx, name, file, contracts.Handler{
		Packet: in.packet, Masked: in.mask, Refused: in.refuse, Progress: out.bar.set,
	})
	return errors.Join(err, in.flush())
}

// An importReport writes what became of the packets: with --json one object on standard output, else a line for each
// refusal and a summary on standard error. The object is written as the import goes, so that memory stays flat.
type importReport struct {
	p      *program
	comma  bool
	masked []byte // the list that follows the refusals
	bar    *bar   // cleared before a line is written
}

func (r *importReport) start() error {
	if !r.p.json {
		return nil
	}
	_, err := fmt.Fprint(r.p.Out, `{"refused":[`)
	return err
}

func (r *importReport) refusal(refusal contracts.Refusal) error {
	r.bar.clear()
	if !r.p.json {
		_, err := fmt.Fprintln(r.p.Err, visible.String(refusal.Error()))
		return err
	}
	text, err := json.Marshal(refusal)
	if err != nil {
		return err
	}
	if r.comma {
		text = append([]byte{','}, text...)
	}
	r.comma = true
	_, err = r.p.Out.Write(text)
	return err
}

// maskedText reports a text that was masked: where it stands and what kind of detail it holds, never what it says.
func (r *importReport) maskedText(m contracts.Masked) error {
	r.bar.clear()
	if !r.p.json {
		_, err := fmt.Fprintln(r.p.Err, visible.String(m.String()))
		return err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if len(r.masked) > 0 {
		r.masked = append(r.masked, ',')
	}
	r.masked = append(r.masked, text...)
	return nil
}

// finish closes the report. It also does so after an error: what was imported stays imported.
func (r *importReport) finish(in importCounts, failed error) error {
	var err error
	if r.p.json {
		_, err = fmt.Fprintf(r.p.Out, "],\"masked\":[%s],\"imported\":%d,\"unchanged\":%d}\n", r.masked, in.imported, in.unchanged)
	} else {
		summary := fmt.Sprintf("%d imported, %d unchanged, %d refused", in.imported, in.unchanged, in.refused)
		if in.masked > 0 {
			summary += fmt.Sprintf(", %d private details masked", in.masked)
		}
		_, err = fmt.Fprintln(r.p.Err, summary)
	}
	if err == nil && failed == nil && in.refused > 0 {
		return errReported
	}
	return err
}

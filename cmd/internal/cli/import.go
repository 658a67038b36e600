package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"docket/contracts"
	"docket/domain"
	"docket/domain/visible"
	"docket/store"
)

func newImport(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Take packets in",
		Long: "Takes the packets of the files in: one packet, an array of them, or JSON Lines; - is standard input.\n\n" +
			"A packet that is refused is reported with file, line, JSON pointer and reason, and nothing of it is stored;\n" +
			"the other packets go in. Private members are dropped before anything is written.",
		Args: argumentCount(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withStore(cmd.Context(), func(s *store.Store) error { return p.importFiles(cmd.Context(), s, args) })
		},
	}
	p.jsonFlag(cmd)
	return cmd
}

// importChunk is how many packets go into one transaction: enough to be fast, few enough to let other consoles in.
const importChunk = 500

// An intake takes packets into the store, chunk by chunk, and keeps count. What is refused is reported at once.
type intake struct {
	store               *store.Store
	report              func(contracts.Refusal) error
	file                string
	chunk               []domain.Packet
	lines               []int
	imported, unchanged int
	refused             int
	reportErr           error
}

// packet is a contracts handler: it collects the packet and stores the chunk when it is full.
func (in *intake) packet(ctx context.Context, line int, packet domain.Packet) error {
	in.chunk, in.lines = append(in.chunk, packet), append(in.lines, line)
	if len(in.chunk) < importChunk {
		return nil
	}
	return in.flush(ctx)
}

func (in *intake) flush(ctx context.Context) error {
	if len(in.chunk) == 0 {
		return in.reportErr
	}
	results, err := in.store.Import(ctx, in.chunk)
	if err != nil {
		return err
	}
	for i, result := range results {
		switch result {
		case store.Imported:
			in.imported++
		case store.Unchanged:
			in.unchanged++
		default:
			in.refuse(contracts.Refusal{File: in.file, Line: in.lines[i], Pointer: "/record",
				Reason: "is held already with other content; what is frozen does not change, so a correction needs a new number"})
		}
	}
	in.chunk, in.lines = in.chunk[:0], in.lines[:0]
	return in.reportErr
}

func (in *intake) refuse(refusal contracts.Refusal) {
	in.refused++
	in.reportErr = errors.Join(in.reportErr, in.report(refusal))
}

func (p *program) importFiles(ctx context.Context, s *store.Store, files []string) error {
	out := &importReport{p: p}
	in := &intake{store: s, report: out.refusal}
	err := out.start()
	for _, file := range files {
		if err != nil {
			break
		}
		err = p.importFile(ctx, in, file)
	}
	return errors.Join(err, out.finish(in, err))
}

func (p *program) importFile(ctx context.Context, in *intake, name string) (err error) {
	in.file = name
	file, size, err := p.openInput(name)
	if err != nil {
		in.refuse(contracts.Refusal{File: name, Reason: err.Error()})
		return in.reportErr
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	bar := p.newBar("importing "+name, size)
	defer bar.clear()
	err = contracts.ReadPackets(ctx, name, file, contracts.Handler{
		Packet:   func(line int, packet domain.Packet) error { return in.packet(ctx, line, packet) },
		Refused:  func(r contracts.Refusal) { bar.clear(); in.refuse(r) },
		Progress: bar.set,
	})
	if err != nil {
		return err
	}
	return in.flush(ctx)
}

// An importReport writes what became of the packets: with --json one object on standard output, else a line for each
// refusal and a summary on standard error. The object is written as the import goes, so that memory stays flat.
type importReport struct {
	p     *program
	comma bool
}

func (r *importReport) start() error {
	if !r.p.json {
		return nil
	}
	_, err := fmt.Fprint(r.p.Out, `{"refused":[`)
	return err
}

func (r *importReport) refusal(refusal contracts.Refusal) error {
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

// finish closes the report. It also does so after an error: what was imported stays imported.
func (r *importReport) finish(in *intake, failed error) error {
	var err error
	if r.p.json {
		_, err = fmt.Fprintf(r.p.Out, "],\"imported\":%d,\"unchanged\":%d}\n", in.imported, in.unchanged)
	} else {
		_, err = fmt.Fprintf(r.p.Err, "%d imported, %d unchanged, %d refused\n", in.imported, in.unchanged, in.refused)
	}
	if err == nil && failed == nil && in.refused > 0 {
		return errReported
	}
	return err
}

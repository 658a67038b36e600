package cli

import (
	"bufio"
	"cmp"
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/intake"
	"docket/cmd/internal/output"
	"docket/contracts"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/domain/visible"
	"docket/store"
	"docket/store/bundle"
	"docket/store/disk"
	"docket/store/verify"
)

func newImport(p *program) *cobra.Command {
	cmd := command("import", 1, -1, func(cmd *cobra.Command, args []string) error {
		if err := p.checkInputs(args); err != nil { // before a store is made for nothing
			return err
		}
		return p.importFiles(cmd.Context(), args)
	})
	return p.jsonFlag(cmd)
}

// importFiles makes a missing store only with the first packet that it takes.
func (p *program) importFiles(ctx context.Context, files []string) (err error) {
	s, err := p.openStore(ctx, store.Options{Existing: true})
	if err != nil && !errors.Is(err, store.ErrNoStore) {
		return err
	}
	defer func() {
		if s != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s != nil && p.caution(s) {
		return errReported
	}
	out := p.reportImport()
	var in *intake.Intake
	if s != nil {
		in = intake.New(ctx, s, out.refusal)
	} else {
		in = intake.NewWithout(ctx, func() (made *store.Store, err error) {
			made, err = p.openStore(ctx, store.Options{})
			s = made
			return made, err
		}, out.refusal)
	}
	in.ReportMasked, in.Listed = out.maskedText, p.json
	for _, file := range files {
		if err = p.importFile(ctx, in, out, file); err != nil {
			break
		}
	}
	err = in.Close(err)
	out.ids = append([]terms.ID{}, in.IDs...)
	return errors.Join(err, out.finish(in.Counts, err))
}

func (p *program) importFile(ctx context.Context, in *intake.Intake, out *importReport, name string) (err error) {
	in.Open(name)
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return p.importBundle(ctx, in, out, name, verify.Options{})
	}
	file, size, err := p.openInput(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	defer out.bar.Clear()
	err = contracts.ReadPackets(ctx, name, file, contracts.Handler{
		Packet: in.Packet, Masked: in.Mask, Refused: in.Refuse,
		Progress: out.bar.Toward(fmt.Sprintf("importing %s", name), size),
	})
	return errors.Join(err, in.Flush())
}

func (p *program) importBundle(ctx context.Context, in *intake.Intake, out *importReport, name string, o verify.Options) error {
	defer out.bar.Clear()
	o.Progress = out.bar.Of(fmt.Sprintf("checking %s", name))
	report, err := bundle.Packets(ctx, name, o, func(packet packets.Packet) error {
		return in.Packet(0, packet)
	})
	if err != nil {
		return errors.Join(err, in.Flush())
	}
	if !report.Sound() {
		in.Refuse(contracts.Refusal{File: name, Reason: fmt.Sprintf(
			"the export does not verify, so nothing of it is taken in (the first of %d: %s); run `docket verify`",
			report.Total, report.Findings[0])})
	}
	return in.Flush()
}

// An importReport reports an import while it runs, so that memory stays constant: with --json as
// one object on standard output, otherwise as lines on standard error.
type importReport struct {
	p      *program
	comma  bool
	masked []byte      // the list that follows the refusals
	ids    []terms.ID  // of the imported packets; nil: not reported
	bar    *output.Bar // cleared before a line is written
}

func (p *program) reportImport() *importReport {
	if p.json {
		fmt.Fprint(p.Out, `{"refused":[`)
	}
	return &importReport{p: p, bar: p.newBar()}
}

// entry prints a refusal or a masked text for people, or returns it for a list of the object.
func (r *importReport) entry(value any, said string, first bool) (text []byte, err error) {
	r.bar.Clear()
	if !r.p.json {
		r.p.say("%s\n", visible.String(said))
		return nil, nil
	}
	if text, err = stdjson.Marshal(value); !first {
		text = append([]byte{','}, text...)
	}
	return text, err
}

func (r *importReport) refusal(refusal contracts.Refusal) error {
	text, err := r.entry(refusal, refusal.Error(), !r.comma)
	if r.comma = true; len(text) > 0 {
		_, err = r.p.Out.Write(text)
	}
	return err
}

// maskedText reports the place of a masked text and the kind of its private detail, never the text.
func (r *importReport) maskedText(m contracts.Masked) error {
	text, err := r.entry(m, m.String(), len(r.masked) == 0)
	r.masked = append(r.masked, text...)
	return err
}

// finish ends the report, after an error, too: imported packets stay imported.
func (r *importReport) finish(in intake.Counts, failed error) error {
	var err error
	if r.p.json {
		var ids string
		if r.ids != nil {
			list, _ := stdjson.Marshal(r.ids) // an id is plain ASCII
			ids = ",\"ids\":" + string(list)
		}
		_, err = fmt.Fprintf(r.p.Out, "],\"masked\":[%s],\"imported\":%d,\"unchanged\":%d%s}\n", r.masked, in.Imported, in.Unchanged, ids)
	} else {
		summary := fmt.Sprintf("%d imported, %d unchanged, %d refused", in.Imported, in.Unchanged, in.Refused)
		if in.Masked > 0 {
			summary += fmt.Sprintf(", %d masked", in.Masked)
		}
		_, err = fmt.Fprintln(r.p.Err, summary)
	}
	return cmp.Or(err, reportedUnless(failed != nil || in.Refused == 0))
}

const standardInput = "-"

func inputOf(args []string) string {
	if len(args) == 0 {
		return standardInput
	}
	return args[0]
}

func (p *program) withInput(name string, read func(in io.Reader) error) error {
	in, _, err := p.openInput(name)
	if err != nil {
		return err
	}
	return errors.Join(read(in), in.Close())
}

// The largest sizes of small files that are read, in bytes; real ones are far smaller.
const (
	longestLine   = 8 << 10 // an enrolment
	maxReceipt    = 64 << 10
	maxKeyFile    = 64 << 10
	maxPrepared   = 64 << 10 // a text of the reviewer's own
	maxCheckpoint = 64 << 10
	maxRoots      = 4 << 20
	maxSigners    = 16 << 20
)

// readInput reads a file or standard input, and no more than limit bytes of it.
func (p *program) readInput(name string, limit int64) (text []byte, err error) {
	err = p.withInput(name, func(in io.Reader) (err error) {
		if text, err = io.ReadAll(io.LimitReader(in, limit)); err != nil {
			return fmt.Errorf("%s: it cannot be read: %w", name, disk.Reason(err))
		}
		return nil
	})
	return text, err
}

func (p *program) checkInputs(names []string) (err error) {
	for _, name := range names {
		if export, failed := bundle.Open(name); failed == nil {
			err = errors.Join(err, export.Close())
			continue
		}
		file, _, failed := p.openInput(name)
		if failed == nil {
			failed = file.Close()
		}
		err = errors.Join(err, failed)
	}
	return err
}

// openInput returns a file and its size, 0 for none; it refuses folders, and pipes, which may wait.
func (p *program) openInput(name string) (io.ReadCloser, int64, error) {
	if name == standardInput {
		return io.NopCloser(p.In), 0, nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, fmt.Errorf("%s: there is no such file", name)
	case errors.Is(err, fs.ErrPermission):
		return nil, 0, fmt.Errorf("%s: you may not read it", name)
	case err != nil:
		return nil, 0, fmt.Errorf("%s: it cannot be read: %w", name, err)
	case info.IsDir():
		return nil, 0, fmt.Errorf("%s: it is a folder; name the files in it, or the folder of an export", name)
	case !info.Mode().IsRegular() && !strings.HasPrefix(name, "/dev/fd/") && !strings.HasPrefix(name, "/proc/self/fd/"):
		return nil, 0, fmt.Errorf("%s: it is not a regular file; feed it through standard input with -", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: it cannot be opened: %w", name, disk.Reason(err))
	}
	return file, info.Size(), nil
}

// newReader makes a command that reads a file or standard input, and opens no store.
func (p *program) newReader(path string,
	read func(ctx context.Context, name string, in io.Reader) error) *cobra.Command {
	return command(path, 0, 1, func(cmd *cobra.Command, args []string) error {
		name := inputOf(args)
		return p.withInput(name, func(in io.Reader) error { return read(cmd.Context(), name, in) })
	})
}

// evaluate answers line by line; its output is buffered until the input ends or fails.
func (p *program) evaluate(ctx context.Context, name string, in io.Reader) (err error) {
	out := bufio.NewWriterSize(p.Out, 1<<16)
	defer func() { err = errors.Join(err, out.Flush()) }()
	var reader packets.Reader
	var buf []byte
	failed, answers := false, 0
	write := func() error {
		answers++
		buf = append(buf, '\n')
		_, err := out.Write(buf)
		return err
	}
	refuse := func(line int, fault json.Fault, all ...json.Fault) error {
		failed = true
		buf = views.AppendRefusal(buf[:0], line, fault, all...)
		return write()
	}
	var writeErr error
	err = contracts.ReadLines(ctx, name, in, contracts.TextHandler{
		Text: func(line int, text []byte) (*json.Fault, error) {
			question, fault := rules.ReadInput(&reader, text)
			if fault != nil {
				all := contracts.ExplainInput(text, fault)
				return nil, refuse(line, contracts.Foremost(fault, all), all...)
			}
			buf = views.AppendAnswer(buf[:0], &question, rules.Evaluate(&question))
			return nil, write()
		},
		Refused: func(r contracts.Refusal) {
			writeErr = errors.Join(writeErr, refuse(r.Line, json.Fault{Pointer: r.Pointer, Reason: r.Reason}))
		},
	})
	return p.answered("evaluate", name, answers, failed, errors.Join(err, writeErr))
}

// answered returns the error of a command that read an input, or says that the input held nothing.
func (p *program) answered(command, name string, answers int, failed bool, err error) error {
	switch {
	case err != nil || failed:
		return cmp.Or(err, errReported)
	case answers > 0:
	case name == standardInput:
		fmt.Fprintf(p.Err, "nothing came from standard input; `docket %s --help` says what is read\n", command)
	default:
		fmt.Fprintf(p.Err, "%s is empty; `docket %s --help` says what is read\n", visible.String(name), command)
	}
	return nil
}

func (p *program) seal(ctx context.Context, name string, in io.Reader) (err error) {
	out := bufio.NewWriter(p.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	var sealer packets.Sealer
	failed, count := false, 0
	err = contracts.ReadTexts(ctx, name, in, contracts.TextHandler{
		Text: func(_ int, text []byte) (*json.Fault, error) {
			sealed, fault := sealer.Seal(text)
			if fault != nil {
				return fault, nil
			}
			count++
			_, err := out.Write(append(sealed, '\n'))
			return nil, err
		},
		Explain: contracts.ExplainPacket,
		Refused: func(r contracts.Refusal) {
			failed = true
			for _, fault := range r.All() {
				fmt.Fprintln(p.Err, visible.String(fault.Error()))
			}
		},
	})
	return p.answered("seal", name, count, failed, err)
}

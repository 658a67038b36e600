package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"docket/store/verify"
)

// A Step is a part of an export, for a progress bar.
type Step uint8

// The steps, in order.
const (
	Writing   Step = iota + 1 // the log is checked and written
	Rereading                 // what was written is read back and checked
)

// String says what is being done.
func (s Step) String() string {
	if s == Rereading {
		return "reading it back"
	}
	return "writing records"
}

// Options say how a bundle is written. The zero value will do.
type Options struct {
	Workers  int                                // 0: one for each core
	Progress func(step Step, done, total int64) // nil: nobody is told
}

// An UnsoundError says that the log or its export does not verify, or does not extend the export that is to be
// replaced; nothing was put into place.
type UnsoundError struct {
	Step   Step
	Report verify.Report
}

// Error says what to do; what was found is in the Report.
func (e *UnsoundError) Error() string {
	if e.Step == Rereading {
		return fmt.Sprintf("not exported: what was written does not read back as it should (%d findings); check the disk", e.Report.Total)
	}
	if e.Report.Count(verify.EarlierUnusable)+e.Report.Count(verify.Forked)+e.Report.Count(verify.RolledBack) > 0 {
		return "not exported: the log does not extend the export that is there; name another folder, and run `docket verify`"
	}
	return fmt.Sprintf("not exported: the log does not verify (%d findings); run `docket verify`", e.Report.Total)
}

// Write exports the log into a folder: a new one, an empty one, or one with an earlier export of the same log, which
// this one has to extend and which it replaces. The bundle is written beside it, made durable, read back and checked
// before it is put into place, so that the folder never holds half of one. The Report is that of reading it back.
//
// The error is an *UnsoundError if the log does not verify, and wraps ErrOccupied if something else is in the folder.
func Write(ctx context.Context, dir string, log verify.Source, o Options) (report verify.Report, err error) {
	t, err := findTarget(dir)
	if err != nil {
		return verify.Report{}, err
	}
	partial, err := os.MkdirTemp(filepath.Dir(t.path), "."+filepath.Base(t.path)+".partial-*")
	if err != nil {
		return verify.Report{}, fmt.Errorf("make a folder for the export: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(partial))
		}
	}()
	check := verify.Options{Workers: o.Workers}
	if t.earlier != nil {
		check.Earlier = []verify.Earlier{{Name: "the export that is there", Signed: t.earlier}}
	}
	head, err := writeInto(ctx, partial, log, check, o.told(Writing))
	if err != nil {
		return verify.Report{}, err
	}
	check.VerifierKeys, check.Progress = head.VerifierKeys, o.told(Rereading)
	report, err = Check(ctx, partial, check)
	switch {
	case err != nil:
		return verify.Report{}, err
	case !report.OK():
		return verify.Report{}, &UnsoundError{Rereading, report}
	}
	return report, t.publish(partial)
}

// told narrows the progress to a step.
func (o *Options) told(step Step) func(done, total int64) {
	if o.Progress == nil {
		return nil
	}
	return func(done, total int64) { o.Progress(step, done, total) }
}

// writeInto checks the log and writes it into a folder that is there and empty.
func writeInto(ctx context.Context, dir string, log verify.Source, check verify.Options, progress func(done, total int64)) (head verify.Head, err error) {
	if err := os.Chmod(dir, 0o755); err != nil {
		return head, fmt.Errorf("make a folder for the export: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return head, fmt.Errorf("open the folder for the export: %w", err)
	}
	w := &writer{ctx: ctx, log: log, folder: folder{root: root}, tree: &verify.Tree{}}
	defer func() { err = errors.Join(err, w.records.close(), w.close()) }()
	if head, err = log.Head(ctx); err != nil {
		return head, fmt.Errorf("read the head of the log: %w", err)
	}
	if err := root.Mkdir(recordsFolder, 0o755); err != nil {
		return head, fmt.Errorf("make a folder for the export: %w", err)
	}
	if w.records, err = w.within(recordsFolder); err != nil {
		return head, err
	}
	if w.derived, err = newDerived(&w.folder); err != nil {
		return head, err
	}
	check.Each, check.Progress = w.add, progress
	report, err := verify.Check(ctx, log, check)
	if err != nil {
		return head, err
	}
	if !report.OK() {
		return head, &UnsoundError{Writing, report}
	}
	if err := w.derived.finish(&head, &report, w.tree); err != nil {
		return head, err
	}
	if err := errors.Join(w.put(checkpointFile, head.Checkpoint), w.writeService(&head), w.writeStatements(&head)); err != nil {
		return head, err
	}
	return head, makeDurable(dir)
}

// A writer writes what a bundle is made of.
type writer struct {
	folder
	records folder
	ctx     context.Context
	log     verify.Source
	derived *derived
	tree    *verify.Tree
}

// add writes a record with all that goes with it. One that is amiss is not written: the export ends in any case.
func (w *writer) add(c verify.Checked) error {
	w.tree = c.Tree
	if c.Record.Document() == nil || len(c.Packets) == 0 {
		return nil
	}
	documents, err := documentsOf(&c, func(refs []verify.Ref) ([][]byte, error) { return w.log.Packets(w.ctx, refs) })
	if err != nil {
		return err
	}
	if err := w.records.put(recordName(c.Entry.Sequence), c.Entry.Document); err != nil {
		return err
	}
	if err := w.records.put(signatureName(c.Entry.Sequence), c.Entry.Signature); err != nil {
		return err
	}
	if err := w.writeBeside(&c.Entry); err != nil {
		return err
	}
	for i, ref := range c.Refs {
		if w.derived.versions[ref] {
			continue
		}
		// The same packet goes with several records; the first one writes it.
		err := w.put(path.Join(packetsFolder, packetPath(ref)), documents[i])
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return w.derived.add(&c, documents)
}

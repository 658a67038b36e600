// Package bundle writes a log into a folder that needs no docket to check, and reads such a folder back.
//
// The table of parts in part.go says what is in a bundle, and where each part comes from.
//
// In addition to the packets judged, a bundle has the newer ones against which a record was found to be stale. A bundle
// contains nothing private: packets are redacted before they are stored, and private notes are not part of a Log.
//
// Check reads a bundle back through package verify, and makes every file that follows from the records again to compare
// it. Therefore every byte of a bundle is checked. A program that is given bundles needs Check alone; the codes of what it finds stand in
// the table of package verify.
package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"docket/domain/visible"
	"docket/store/disk"
	"docket/store/verify"
)

// A Step is a part of an export, for a progress bar.
type Step uint8

// The steps, in order.
const (
	Writing   Step = iota + 1 // the log is checked and written
	Rereading                 // what was written is read back and checked
)

// String returns the label of the step.
func (s Step) String() string {
	if s == Rereading {
		return "reading it back"
	}
	return "writing records"
}

// Options say how a bundle is written. The zero value is usable.
type Options struct {
	Workers  int                                // 0: one for each core
	Progress func(step Step, done, total int64) // nil: nobody is told
}

// An UnsoundError says that the log or its export does not verify, or does not extend the export that it should
// replace. Nothing was exported then.
type UnsoundError struct {
	Step   Step
	Report verify.Report
}

// Error returns the next step; the findings are in the Report.
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
// before it gets the folder's name, so that the folder never holds half of one. The Report is that of reading it back.
//
// A record that was signed after its key was revoked is exported as it is: the Report finds it. The error is an
// *UnsoundError if the log does not verify otherwise, and wraps ErrOccupied if the folder holds other files.
func Write(ctx context.Context, dir string, log Source, o Options) (report verify.Report, err error) {
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
	case !report.Sound():
		return verify.Report{}, &UnsoundError{Rereading, report}
	}
	return report, t.publish(partial)
}

// told returns the progress of a step.
func (o *Options) told(step Step) func(done, total int64) {
	if o.Progress == nil {
		return nil
	}
	return func(done, total int64) { o.Progress(step, done, total) }
}

// writeInto checks the log and writes it into an empty folder.
func writeInto(ctx context.Context, dir string, log Source, check verify.Options, progress func(done, total int64)) (head verify.Head, err error) {
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
	became, err := readStandings(ctx, log)
	if err != nil {
		return head, err
	}
	if w.derived, err = newDerived(&w.folder, head.Origin, became); err != nil {
		return head, err
	}
	defer func() { err = errors.Join(err, w.derived.close()) }()
	check.Each, check.Progress = w.add, progress
	report, err := verify.Check(ctx, log, check)
	if err != nil {
		return head, err
	}
	if !report.Sound() {
		return head, &UnsoundError{Writing, report}
	}
	if err := w.derived.finish(&head, &report, w.tree); err != nil {
		return head, err
	}
	if err := w.writeManifest(w.derived.out.manifest(head.Origin, &report)); err != nil {
		return head, err
	}
	if err := w.writeParts(&head); err != nil {
		return head, err
	}
	return head, makeDurable(dir)
}

// A writer writes the parts of a bundle.
type writer struct {
	folder
	records folder
	ctx     context.Context
	log     Source
	derived *derived
	tree    *verify.Tree
}

// add writes a record with its other files. A record with a finding is not written, because the export fails.
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
		// Several records may share a packet; the first one writes it.
		err := w.put(path.Join(packetsFolder, packetPath(ref)), documents[i])
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return w.derived.add(&c, documents)
}

// shown makes the name of a file, which may be hostile, safe to print.
func shown(name string) string { return visible.String(name) }

// A target is the folder for a bundle, and its present content.
type target struct {
	path    string
	earlier []byte // the checkpoint of the bundle that is there; nil if there is none
	empty   bool   // there is an empty folder
}

// ErrOccupied says that something else is in the target folder.
var ErrOccupied = errors.New("the folder holds something else than an earlier export; name another one")

func findTarget(dir string) (target, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return target{}, fmt.Errorf("find the folder: %w", err)
	}
	t := target{path: absolute}
	info, err := os.Lstat(absolute)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, nil
	case err != nil:
		return target{}, fmt.Errorf("look at the folder: %w", err)
	case !info.IsDir():
		return target{}, fmt.Errorf("%s: %w", dir, ErrOccupied)
	}
	entries, err := os.ReadDir(absolute)
	if err != nil {
		return target{}, fmt.Errorf("look at the folder: %w", err)
	}
	if t.empty = len(entries) == 0; t.empty {
		return t, nil
	}
	t.earlier, err = earlierCheckpoint(absolute)
	if err != nil {
		return target{}, fmt.Errorf("%s: %w", dir, err)
	}
	return t, nil
}

// earlierCheckpoint reads the checkpoint of a bundle that is to be replaced. A folder with other files is not replaced,
// because that would delete them.
func earlierCheckpoint(dir string) ([]byte, error) {
	b, err := Open(dir)
	if errors.Is(err, ErrNoBundle) {
		return nil, ErrOccupied
	}
	if err != nil {
		return nil, err
	}
	strays, err := b.strayPackets(everyPacket)
	if err = errors.Join(err, b.Close()); err != nil {
		return nil, err
	}
	if b.layout.stray > 0 || strays.stray > 0 || len(b.head.Checkpoint) == 0 {
		return nil, ErrOccupied
	}
	return b.head.Checkpoint, nil
}

// publish replaces the target with the finished folder. If the system can exchange two folders atomically, there is no
// moment without a bundle.
func (t *target) publish(finished string) error {
	if t.empty {
		if err := os.Remove(t.path); err != nil {
			return fmt.Errorf("take the place of the empty folder: %w", err)
		}
	}
	if t.earlier == nil {
		if err := os.Rename(finished, t.path); err != nil {
			return fmt.Errorf("move the export into place: %w", err)
		}
		return syncFolder(filepath.Dir(t.path))
	}
	if err := exchange(finished, t.path); err != nil {
		return fmt.Errorf("put the export in the place of the earlier one: %w", err)
	}
	if err := syncFolder(filepath.Dir(t.path)); err != nil {
		return err
	}
	if err := os.RemoveAll(finished); err != nil {
		return fmt.Errorf("the export is in place, but the earlier one is left over in %s: %w", finished, err)
	}
	return nil
}

// swapByName exchanges two folders by renaming one after the other; if the second fails, the first is undone.
func swapByName(finished, old string) error {
	aside := finished + ".earlier"
	if err := os.Rename(old, aside); err != nil {
		return err
	}
	if err := os.Rename(finished, old); err != nil {
		return errors.Join(err, os.Rename(aside, old))
	}
	return os.Rename(aside, finished)
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	if err := disk.SyncFolder(dir); err != nil {
		return fmt.Errorf("make the export durable: %w", err)
	}
	return nil
}

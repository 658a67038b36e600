package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store/disk"
	"docket/store/verify"
)

// A Step is a part of an export, for a progress bar.
type Step uint8

// The steps, in order.
const (
	Looking   Step = iota + 1 // the export that is there is checked
	Writing                   // the log is checked and written
	Rereading                 // what was written is read back and checked
)

var stepWords = [...]string{Looking: "checking the earlier export", Writing: "writing entries", Rereading: "reading it back"}

// String returns the label of the step.
func (s Step) String() string { return stepWords[min(int(s), len(stepWords)-1)] }

// Options say how a bundle is written. The zero value is usable.
type Options struct {
	At    terms.Instant // for which reliance is judged; absent: when the newest record was made
	Owner terms.ID      // whose amendments alone are exported; absent: all of the log
	// Since is a checkpoint of the log: only what was decided since it is exported; nil: all.
	Since []byte
	// Assigned is a reviewer: only their packets are exported, and no record; absent: all.
	Assigned terms.ID
	// Stated adds the service's statements on the keys, operators and restores of Assigned.
	Stated   bool
	Workers  int                                // 0: one for each core
	Progress func(step Step, done, total int64) // nil: nobody is told
}

// An UnsoundError says that the log or its export does not verify, or does not extend the export
// that it should replace; nothing was exported.
type UnsoundError struct {
	Step   Step
	Report verify.Report
}

// Error returns the next step; the findings are in the Report.
func (e *UnsoundError) Error() string {
	switch {
	case e.Step == Looking:
		return fmt.Sprintf(
			"not exported: the export that is there does not verify (findings: %d, the first: %s); move it away, or name another folder",
			e.Report.Total, e.Report.Findings[0])
	case e.Step == Rereading && e.Report.Total > 0:
		return fmt.Sprintf("not exported: what was written does not read back as it should (findings: %d); check the disk", e.Report.Total)
	case e.Report.Lost > 0 || e.Report.Count(verify.EarlierUnusable)+e.Report.Count(verify.Forked)+e.Report.Count(verify.RolledBack) > 0:
		return "not exported: the log does not extend the export that is there, or the earlier checkpoint; name another one, and run `docket verify`"
	}
	return fmt.Sprintf("not exported: the log does not verify (findings: %d); run `docket verify`", e.Report.Total)
}

// ErrOccupied says that something else is in the target folder.
var ErrOccupied = errors.New("the folder holds something else than an earlier export of this log; name another one")

// Write exports the log into a folder: a new one, an empty one, or one with an earlier export of
// the same log, which has to verify, and which this one has to extend. The bundle is written beside
// it, made durable, read back and checked; then the earlier one is renamed aside, this one gets the
// folder's name, and the earlier one is removed. A crash leaves both. The Report is that of reading
// it back.
//
// A record that was signed after its key was revoked is exported as it is: the Report finds it. The
// error is an *UnsoundError if the log or the export that is there does not verify otherwise, and
// wraps ErrOccupied if the folder holds anything else.
func Write(ctx context.Context, dir string, log Source, o Options) (report verify.Report, err error) {
	t, err := findTarget(ctx, dir, log, &o)
	if err != nil {
		return verify.Report{}, err
	}
	partial, err := os.MkdirTemp(filepath.Dir(t.path), "."+filepath.Base(t.path)+partialMark+"*")
	if err != nil {
		return verify.Report{}, fmt.Errorf("make a folder for the export: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(partial))
		}
	}()
	check := verify.Options{Workers: o.Workers, Progress: o.told(Writing)}
	if t.earlier != nil {
		check.Earlier, check.AcceptRestore = []verify.Earlier{{Name: "the export that is there", Signed: t.earlier}}, true
	}
	if o.Owner.Present() || o.Since != nil || o.Assigned.Present() {
		if o.Since != nil {
			check.Earlier = append(check.Earlier, verify.Earlier{Name: "the checkpoint since which", Signed: o.Since})
		}
		if report, err = verify.Check(ctx, log, check); err != nil {
			return verify.Report{}, err
		}
		if !report.Sound() {
			return verify.Report{}, &UnsoundError{Writing, report}
		}
		if log, err = newSelection(ctx, log, &o); err != nil {
			return verify.Report{}, err
		}
	}
	if check.VerifierKeys, err = writeInto(ctx, partial, log, o.At, check); err != nil {
		return verify.Report{}, err
	}
	check.Progress = o.told(Rereading)
	report, err = Check(ctx, partial, check)
	switch {
	case err != nil:
		return verify.Report{}, err
	case !report.Sound() || report.Lost > 0:
		return verify.Report{}, &UnsoundError{Rereading, report}
	}
	return report, t.publish(partial)
}

func (o *Options) told(step Step) func(done, total int64) {
	if o.Progress == nil {
		return nil
	}
	return func(done, total int64) { o.Progress(step, done, total) }
}

// writeInto checks the log and writes it into an empty folder; keys are the log's verifier keys.
func writeInto(ctx context.Context, dir string, log Source, at terms.Instant, check verify.Options) (keys []string, err error) {
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make a folder for the export: %w", err)
	}
	into, err := openFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder for the export: %w", err)
	}
	defer func() { err = errors.Join(err, into.Close()) }()
	if err := into.root.Mkdir(recordsFolder, 0o755); err != nil {
		return nil, fmt.Errorf("make a folder for the export: %w", err)
	}
	m, err := newMaker(ctx, log, into)
	if err != nil {
		return nil, err
	}
	m.judgedAt, check.Each = at, m.add
	report, err := verify.Check(ctx, log, check)
	if err != nil {
		return nil, err
	}
	if !report.Sound() {
		return nil, &UnsoundError{Writing, report}
	}
	manifest, err := m.finish(&report)
	if err != nil {
		return nil, err
	}
	text, err := log.SignManifest(ctx, manifest)
	if err != nil {
		return nil, fmt.Errorf("sign the manifest: %w", err)
	}
	if err := into.put(manifestFile, text); err != nil {
		return nil, err
	}
	return m.head.VerifierKeys, makeDurable(dir)
}

type target struct {
	path    string
	earlier []byte // the checkpoint of the bundle that is there; nil if there is none
	empty   bool   // there is an empty folder
}

func findTarget(ctx context.Context, dir string, log Source, o *Options) (target, error) {
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
	t.earlier, err = earlierCheckpoint(ctx, absolute, log, o)
	if err != nil {
		return target{}, fmt.Errorf("%s: %w", visible.String(dir), err)
	}
	return t, nil
}

// earlierCheckpoint checks the bundle to be replaced with the keys of this log and of those before
// it.
func earlierCheckpoint(ctx context.Context, dir string, log Source, o *Options) (checkpoint []byte, err error) {
	head, err := log.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the head of the log: %w", err)
	}
	b, err := Open(dir)
	if errors.Is(err, ErrNoBundle) {
		return nil, ErrOccupied
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	check := verify.Options{Workers: o.Workers, Progress: o.told(Looking)}
	if len(head.VerifierKeys) > 0 {
		lineage, _ := head.Lineage()
		for i := range lineage {
			check.VerifierKeys = append(check.VerifierKeys, lineage[i].Key)
		}
	}
	report, err := checkBundle(ctx, b, check, nil)
	switch {
	case err != nil:
		return nil, err
	case !report.Sound():
		return nil, &UnsoundError{Looking, report}
	case slices.ContainsFunc(report.Beside, func(name string) bool { return path.Base(name) == ".git" }):
		return nil, fmt.Errorf("%w: it holds a .git folder", ErrOccupied)
	case report.Owner != o.Owner || !bytes.Equal(b.head.Since, o.Since) || b.head.Assigned != o.Assigned:
		return nil, fmt.Errorf("%w: it is of another part of the log, or of all of it", ErrOccupied)
	}
	return b.head.Checkpoint, nil
}

const partialMark = ".partial-"

// publish renames an earlier bundle aside, names the finished folder, and removes the earlier one.
func (t *target) publish(finished string) error {
	if t.empty {
		if err := os.Remove(t.path); err != nil {
			return fmt.Errorf("take the place of the empty folder: %w", err)
		}
	}
	aside := strings.Replace(finished, partialMark, ".earlier-", 1)
	if t.earlier != nil {
		if err := os.Rename(t.path, aside); err != nil {
			return fmt.Errorf("rename the earlier export: %w", err)
		}
	}
	if err := os.Rename(finished, t.path); err != nil {
		err = fmt.Errorf("move the export into place: %w", err)
		if t.earlier != nil {
			err = errors.Join(err, os.Rename(aside, t.path))
		}
		return err
	}
	if err := disk.SyncFolder(filepath.Dir(t.path)); err != nil {
		return fmt.Errorf("make the export durable: %w", err)
	}
	if t.earlier == nil {
		return nil
	}
	if err := os.RemoveAll(aside); err != nil {
		return fmt.Errorf("the export is in place, but the earlier one is left over in %s: %w", visible.String(aside), err)
	}
	return nil
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/store/bundle"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/verify"
	"docket/ui/wording"
	"docket/ui/workbench"
)

var backupStages = map[store.BackupStage]string{store.Copying: "copying", store.Verifying: "verifying the copy"}

func newBackup(p *program) *cobra.Command {
	keep := int64(0)
	cmd := command("backup", 1, 1, func(cmd *cobra.Command, args []string) error {
		if info, err := os.Stat(args[0]); keep > 0 && err == nil && !info.IsDir() {
			return refused("%s is not a folder; --keep takes the folder that holds the backups", args[0])
		}
		return p.backup(cmd.Context(), args[0], int(keep))
	})
	countFlag(cmd, &keep, "keep", "make a backup in a folder, and keep the newest `N` there",
		"how many backups stay, 1 or more", 1, math.MaxInt32)
	return cmd
}

func (p *program) backup(ctx context.Context, target string, keep int) error {
	return p.withStoreAs(ctx, store.Options{ReadOnly: true}, func(s *store.Store) error {
		bar := p.newBar()
		progress := func(stage store.BackupStage, done, total int64) { bar.Stage(backupStages[stage], done, total) }
		rotation := store.Rotation{Path: target}
		var err error
		if keep > 0 {
			rotation, err = s.BackupInto(ctx, target, keep, progress)
		} else {
			err = s.Backup(ctx, target, progress)
		}
		bar.Clear()
		if err != nil && (keep == 0 || rotation.Path == "") {
			return workbench.Unwritten(fmt.Sprintf("nothing was copied to %s", target), err)
		}
		p.say(
			"%s holds a verified copy of %s\nit holds no key: copy %s once to a place other than that of the backups, readable by you only;\n"+
				"`docket restore` signs with it that the restored log goes on from this one\n",
			visible.String(rotation.Path), visible.String(s.Path()), visible.String(s.KeyFile()))
		for _, path := range rotation.Removed {
			p.say("removed the older backup %s\n", visible.String(path))
		}
		for _, file := range rotation.Left {
			p.say("left %s alone: %s\n", visible.String(file.Path), file.Reason)
		}
		return err
	})
}

const restoreWord = "restore"

var restoreStages = map[store.RestoreStage]string{store.CheckingSource: "verifying the backup", store.CopyingSource: "copying",
	store.CheckingCopy: "verifying the copy", store.WritingKey: "writing the key",
	store.WritingAnchor: "writing the anchor", store.NamingStore: "naming the store"}

func newRestore(p *program) *cobra.Command {
	var newest string
	var since, receipts, exports []string
	var o store.RestoreOptions
	cmd := command("restore", 0, 1, func(cmd *cobra.Command, args []string) (err error) {
		o.Source, o.LogAgent, o.AnchorFolder = strings.Join(args, ""), p.logAgent(), anchorFolder()
		var errs [3]error
		o.Checkpoints, errs[0] = readEach(since, readCheckpoint)
		o.Receipts, errs[1] = readEach(receipts, p.readReceipt)
		o.Exports, errs[2] = readEach(exports, func(name string) (store.RestoreExport, error) {
			return readExport(cmd.Context(), name)
		})
		if err := cmp.Or(errs[:]...); err != nil {
			return err
		}
		if !p.InTerminal {
			return needsTerminal("restoring a store")
		}
		if newest != "" {
			if o.Source, err = p.newestBackup(cmd.Context(), newest); err != nil {
				return err
			}
		}
		return p.restore(cmd.Context(), o)
	})
	cmd.Long = fmt.Sprintf(cmd.Long, strings.Join(records.RestoreReasons.Texts(), ", "))
	wordFlag(cmd, &o.Reason, "reason", "why, a `REASON`", records.RestoreReasons)
	needed(cmd, "reason")
	cmd.Flags().StringArrayVar(&since, "since", nil, "the file of a kept `CHECKPOINT` of the log; may be repeated")
	cmd.Flags().StringArrayVar(&receipts, "receipt", nil,
		"the `FILE` with a receipt of the log in JSON, as docket show RECORD --json prints it; may be repeated")
	cmd.Flags().StringArrayVar(&exports, "erasures", nil, "the `FOLDER` of a later export, whose erasures are made again; may be repeated")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		count := argumentCount(1, 1)
		if newest != "" {
			count = noArguments
		}
		return cmp.Or(count(cmd, args), checkFlags(cmd))
	}
	cmd.Flags().StringVar(&newest, "newest", "", "restore the newest backup in this `FOLDER` that verifies, by what the files hold")
	cmd.Flags().StringVar(&o.LogKey, "log-key", "", "the key `FILE` of the old log (default: looked for beside FILE and beside the store)")
	return cmd
}

// readReceipt reads a receipt, or a record with it as `docket show RECORD --json` prints it.
func (p *program) readReceipt(name string) (receipt records.Receipt, err error) {
	text, err := p.readInput(name, maxReceipt+1)
	if err != nil {
		return receipt, err
	}
	var doc json.Document
	fault := doc.Parse(text, json.Limits{Bytes: maxReceipt})
	read := doc.Root()
	if of := read.Member("receipt"); of.Exists() { // of a record that is shown
		read = of
	}
	var whole, hashed bool
	receipt.RecordID = records.RecordID(read.Member("recordId").Text())
	receipt.TreeSize, whole = read.Member("treeSize").Integer()
	receipt.Root, hashed = terms.ParseHash(read.Member("root").Text())
	if fault != nil || !hashed || !whole || !receipt.RecordID.Valid() || receipt.TreeSize < 1 {
		return receipt, refused(
			"%s is no receipt: it has to hold recordId, treeSize and root, as `docket show RECORD --json` prints them",
			name)
	}
	return receipt, nil
}

func readExport(ctx context.Context, name string) (export store.RestoreExport, err error) {
	report, err := bundle.Check(ctx, name, verify.Options{})
	if err != nil {
		return export, err
	}
	if !report.Sound() {
		return export, refused("the export %s does not verify; run `docket verify %s`", name, name)
	}
	return store.RestoreExport{Name: name, Lineage: report.Lineage, Accepted: report.Accepted,
		Whole: report.LeftOut == 0 && report.Since == 0 && !report.Owner.Present() && !report.Assigned.Present()}, nil
}

// newestBackup chooses from a folder, of the backups that verify, the one with the longest log or
// with a log that continues the others after a restore, and says which stores it passes over.
func (p *program) newestBackup(ctx context.Context, folder string) (string, error) {
	type backup struct {
		name string
		verify.Report
	}
	later := func(a, b *backup) bool {
		return a.Origin == b.Origin && a.Size >= b.Size || a.Origin != b.Origin && a.Lineage.Find(b.Origin) >= 0
	}
	names, err := os.ReadDir(folder)
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", visible.String(folder), disk.Reason(err))
	}
	var all []backup
	for _, file := range names {
		one := backup{name: filepath.Join(folder, file.Name())}
		if !file.Type().IsRegular() || !isSQLite(one.name) {
			continue
		}
		err := p.withStoreAs(ctx, store.Options{Path: one.name, ReadOnly: true}, func(s *store.Store) (err error) {
			one.Report, err = s.Verify(ctx, verify.Options{Depth: verify.HeadOnly})
			return err
		})
		if err != nil {
			fmt.Fprintf(p.Err, "passed over %s\n", visible.String(err.Error()))
			continue
		}
		at := slices.IndexFunc(all, func(other backup) bool { return later(&one, &other) })
		if at < 0 {
			at = len(all)
		}
		if all = slices.Insert(all, at, one); at > 0 && !later(&all[at-1], &one) {
			return "", refused("%s and %s are of two logs, and neither continues the other: name the one to restore",
				visible.String(all[at-1].name), visible.String(one.name))
		}
	}
	for _, one := range all {
		err := p.withStoreAs(ctx, store.Options{Path: one.name, ReadOnly: true}, func(s *store.Store) error {
			_, err := s.CheckToRestore(ctx, nil)
			return err
		})
		if err == nil {
			fmt.Fprintf(p.Err, "newest   %s\n", visible.String(one.name))
			return one.name, nil
		}
		if ctx.Err() != nil {
			return "", err
		}
		fmt.Fprintf(p.Err, "passed over %s\n", visible.String(asRefused(err).Error()))
	}
	return "", refused("%s has no backup that verifies", visible.String(folder))
}

func isSQLite(name string) bool {
	const magic = "SQLite format 3\x00"
	file, err := disk.OpenRegular(name, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // it only read
	begins := make([]byte, len(magic))
	_, err = io.ReadFull(file, begins)
	return err == nil && string(begins) == magic
}

func (p *program) restore(ctx context.Context, o store.RestoreOptions) error {
	target, err := p.restoreTarget(ctx, o.Source)
	if err != nil {
		return err
	}
	source, err := p.completed(store.Options{Path: o.Source, ReadOnly: true})
	if err != nil {
		return err
	}
	o.Target, o.Source, o.Database, o.KeyFolder = target, source.Path, source.Database, source.KeyFolder
	into, err := p.completed(store.Options{Path: target})
	if err != nil {
		return err
	}
	if into.Database != nil {
		found, err := into.Database.Inspect(ctx)
		if err != nil {
			return into.Database.Explain("look at the database", err)
		}
		if found != engine.Empty {
			return refused("%s is not empty; a restore replaces nothing: name a database that `docket serve db init` has just set up", into.Path)
		}
		o.Target = filepath.Join(into.KeyFolder,
			"restored-"+p.Now().UTC().Format("20060102T150405Z")+".db")
	}
	bar := p.newBar()
	o.Progress = func(stage store.RestoreStage, done, total int64) { bar.Stage(restoreStages[stage], done, total) }
	r, err := store.PrepareRestore(ctx, o)
	bar.Clear()
	if err != nil {
		return asRefused(err)
	}
	defer func() { _ = r.Close() }() // it only read
	held, err := p.identities().Load(ctx, p.askPassphrase)
	if err != nil {
		return err
	}
	statement := r.Statement
	statement.At = p.instant()
	if r.Operator != "" && r.Operator != held.Reviewer().KeyFingerprint {
		return refused(
			"the operator of this service is the holder of the key %s, and this machine's identity has %s; set the operator's key up with "+
				"`docket identity init --key`", r.Operator, held.Reviewer().KeyFingerprint)
	}
	fmt.Fprint(p.Err, restorePlan(r, &statement))
	if typed, err := p.typed(restoreWord); err != nil || !typed {
		return errors.Join(err, refused("nothing was restored"))
	}
	made, err := held.State(ctx, statement)
	if err != nil {
		return err
	}
	var erasures []signed.Statement
	for _, again := range r.Erasures {
		due := again.Due
		due.At = p.instant()
		stated, err := held.State(ctx, due)
		if err != nil {
			return err
		}
		erasures = append(erasures, stated)
	}
	err = r.Make(ctx, made, erasures...)
	bar.Clear()
	if err != nil {
		return asRefused(err)
	}
	if into.Database != nil {
		if err := p.moveStore(ctx, o.Target, into); err != nil {
			return fmt.Errorf(
				"%s is restored, and not in the database yet: %w; `docket serve db copy` takes it there",
				visible.String(o.Target), err)
		}
		if err := os.Remove(o.Target); err != nil {
			return err
		}
	}
	return errors.Join(p.say("%s", restoreDone(r, &statement, into.Path)),
		reportedUnless(len(r.Refused) == 0))
}

func (p *program) restoreTarget(ctx context.Context, source string) (target string, err error) {
	err = p.withStoreAs(ctx, store.Options{Path: source, ReadOnly: true}, func(s *store.Store) error {
		service, err := s.OfService(ctx)
		target = p.storePath()
		if service {
			target = p.servicePath()
		}
		return err
	})
	return target, ofArgument(err)
}

// asRefused gives a refusal by the store the status Refused.
func asRefused(err error) error {
	if errors.Is(err, records.ErrRefused) {
		return refused("%s", strings.TrimPrefix(err.Error(), records.ErrRefused.Error()+": "))
	}
	if errors.Is(err, store.ErrExists) {
		return &failure{Refused, err}
	}
	return err
}

func restorePlan(r *store.Restore, s *records.LogStatement) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\nlog      %s\nentries  %d\nroot     %s\nreason   %s\nnow      %s\n", s.Origin,
		s.Size, s.Root, s.Restore.Reason, s.At)
	for _, head := range s.Restore.Known {
		fmt.Fprintf(&text, "known    %s, from %s\n", records.Count(head.Size), head.From)
	}
	if len(s.Found) > 0 {
		fmt.Fprintf(&text, "found    %s\n", strings.Join(s.Found, ", "))
	}
	switch lost := s.Lost(); {
	case lost > 0:
		fmt.Fprintf(&text, "LOST     at least %s after them; a newer backup may have them\n",
			records.Count(lost))
	case len(s.Restore.Known) == 0:
		fmt.Fprint(&text,
			"lost     unknown: nothing on this machine says how many entries the log had; give --since or --receipt if you can\n")
	default:
		fmt.Fprint(&text, "lost     none that is known\n")
	}
	if r.OldKey {
		fmt.Fprint(&text, "old key  at hand; it signs the statement, too\n")
	} else {
		fmt.Fprint(&text, "old key  not there; only your key vouches for the restore. If you have a copy, give it with --log-key\n")
	}
	for _, again := range r.Erasures {
		e, _ := again.Was.Erasure()
		what := "it is erased again"
		if !again.Held {
			what = "it is not in the backup; if it comes in again, it is left out"
		}
		fmt.Fprintf(&text, "erased   %s, at %s by %s with key %s (%s): %s\n", e, again.Was.At,
			again.Was.By, again.Was.KeyFingerprint, e.Reason.Label(), what)
	}
	for i := range r.Refused {
		e, _ := r.Refused[i].Erasure()
		fmt.Fprintf(&text,
			"REFUSED  %s, said to be erased at %s by %s with key %s: nothing here says that they may, so it is not erased again\n",
			e, r.Refused[i].At, r.Refused[i].By, r.Refused[i].KeyFingerprint)
	}
	fmt.Fprintf(&text,
		"\nThe log above ends, and a new one goes on from its entries. Every check names the restore from now on.\nType %s to restore: ",
		restoreWord)
	return text.String()
}

func restoreDone(r *store.Restore, s *records.LogStatement, target string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "restored %s to %s; its log is %s\nkeep a copy of its key file %s in a place of its own, and make a backup now\n",
		records.Count(s.Size), visible.String(target), s.Restore.NewOrigin(), visible.String(r.KeyFile()))
	if n := len(r.Erasures); n > 0 {
		fmt.Fprintf(&text, "%s applied again, and stated in the new log\n",
			wording.Plural(n, "erasure", "erasures"))
	}
	if n := len(r.Refused); n > 0 {
		fmt.Fprintf(&text,
			"%s not applied, see above; a reviewer of this log may erase the same with `docket erase`\n",
			wording.Plural(n, "erasure", "erasures"))
	}
	fmt.Fprint(&text,
		"texts that were erased elsewhere after the backup are back: erase them again, or restore with --erasures and a later export\n")
	if r.OfService() {
		fmt.Fprintf(&text,
			"the verifier key of the service is now\n%s\na person at each console accepts it with `docket accept service`; then what is missing here is handed in again.\n"+
				"Tokens and keys that were revoked after the backup are valid again: revoke them again (`docket serve token list`, `docket serve key list`);\n"+
				"packets that came in after it are missing: import them again before consoles push\n", visible.String(r.Key()))
	} else {
		fmt.Fprint(&text, "packets that came in after the backup are missing: import or pull them again (`docket pull --afresh`)\n")
	}
	return text.String()
}

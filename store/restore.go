package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

// RestoreOptions say what is restored.
type RestoreOptions struct {
	Source string // the file of a backup, or of a store that nobody has open
	// Target is the store's new file, where nothing may be; its folder is made where it is missing.
	Target string
	Reason records.RestoreReason
	// LogKey is the key file of the log that ends; "" looks beside the source and beside the target.
	LogKey string
	// LogAgent is the fingerprint of the new log's key in ssh-agent; "" makes one, in a key file.
	LogAgent string
	// Checkpoints and Receipts were kept elsewhere; a source that one contradicts is refused.
	Checkpoints []verify.Earlier
	Receipts    []records.Receipt
	// Exports of the log: what they say was erased is erased again.
	Exports []RestoreExport

	AnchorFolder string // as in Options
	// Database holds the source instead of a file, with the key file in the KeyFolder, as in Options.
	Database  engine.Database
	KeyFolder string
	// Progress, which may be nil, is called with the progress of each stage.
	Progress func(stage RestoreStage, done, total int64)
}

// A RestoreExport holds what an export that verifies says about its log.
type RestoreExport struct {
	Name     string
	Lineage  verify.Lineage         // its log, and those before it
	Accepted []records.LogStatement // what is stated about these logs
	Whole    bool                   // it leaves no record out, so that it says whose statements count
}

// A RestoreStage is a part of restoring a store.
type RestoreStage uint8

// The last three stages have one step each, and are reported when it is done.
const (
	CheckingSource RestoreStage = iota // done and total are records
	CopyingSource                      // done and total are pages of the file
	CheckingCopy                       // done and total are records
	WritingKey
	WritingAnchor
	NamingStore
)

// A Restore is a prepared restore. Nothing is written before Make.
type Restore struct {
	// Statement is the statement that a person has to sign, without time, person and key.
	Statement records.LogStatement
	Operator  string // fingerprint of the key that has to sign it; "": any
	OldKey    bool   // the key of the log that ends is at hand, and signs the statement
	// Erasures after the source was made, as kept here, are applied again; each has to be signed.
	Erasures []RestoredErasure
	// Refused are later erasures that are not applied: nothing says that their authors may make them.
	Refused []records.LogStatement

	options RestoreOptions
	source  *Store
	target  string
	note    []byte            // the newest checkpoint of the source
	chain   []merkle.Restored // restores of the same entries before this one, oldest first
	old     *merkle.Key       // of the log that ends
	lineage verify.Lineage    // that log, and those before it
	opened  []verify.OpenedStatement
	used    []verify.Use       // the keys that signed records of the source
	key     *merkle.Key        // of the log that begins
	keyText string             // of its key file
	erased  []signed.Statement // about Erasures
	scrub   bool               // erased here, or in a source whose file may still hold it
}

// A RestoredErasure is an erasure that a restore applies again.
type RestoredErasure struct {
	Due  records.LogStatement // to be signed; without time, person and key
	Was  records.LogStatement // the statement of the log that ends, or of one before it
	Held bool                 // what was erased is in the source; else it is left out when it comes in
}

// PrepareRestore verifies the whole log that is to be restored, and compares it with what this
// machine and others know of it. The error wraps records.ErrRefused if the source does not verify
// or is contradicted, and ErrExists if the target exists. The caller closes the Restore.
func PrepareRestore(ctx context.Context, o RestoreOptions) (*Restore, error) {
	if o.Progress == nil {
		o.Progress = func(RestoreStage, int64, int64) {}
	}
	r := &Restore{options: o, Statement: records.LogStatement{Kind: records.LogRestored}}
	var err error
	if r.target, err = freeTarget(o.Target); err != nil {
		return nil, err
	}
	if r.source, err = Open(ctx, Options{Path: o.Source, Database: o.Database, KeyFolder: o.KeyFolder,
		ReadOnly: true, AnchorFolder: o.AnchorFolder}); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{r.checkSource, r.takeHead, r.takeKnown, r.takeKeys, r.takeErasures} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, r.source.Close())
		}
	}
	return r, nil
}

// Close closes the source.
func (r *Restore) Close() error { return r.source.Close() }

// OfService reports whether the store is a service's.
func (r *Restore) OfService() bool { return records.OfService(r.Statement.Origin) }

// Key is the verifier key of the log that begins.
func (r *Restore) Key() string { return r.key.Encoded }

// KeyFile is the path of the key file of the log that begins.
func (r *Restore) KeyFile() string { return r.key.File(filepath.Dir(r.target)) }

// freeTarget returns the absolute path of a file that is not there, nor a part of one for SQLite.
func freeTarget(path string) (string, error) {
	target, exists, err := disk.Locate(path)
	if err != nil {
		return "", err
	}
	for _, name := range []string{target, target + "-wal", target + "-shm", target + "-journal"} {
		if _, err := os.Lstat(name); exists || !errors.Is(err, fs.ErrNotExist) {
			return "", &Problem{Path: name, Kind: ErrExists,
				Advice: "a restore replaces nothing: move the store aside, its -wal and -shm files with it, and restore again"}
		}
	}
	return target, nil
}

func (r *Restore) checkSource(ctx context.Context) (err error) {
	r.Statement.Found, err = r.source.CheckToRestore(ctx, func(done, total int64) { r.options.Progress(CheckingSource, done, total) })
	return err
}

// CheckToRestore verifies a whole store that is to be restored, and returns what is to be stated
// beside it. A finding that only the anchor shows is no reason to refuse the store, because a
// backup is older than what the machine last saw. The error wraps records.ErrRefused for any other
// finding.
func (s *Store) CheckToRestore(ctx context.Context, progress func(done, total int64)) (found []string, err error) {
	if _, err := s.Verify(ctx, verify.Options{Progress: progress}); err != nil {
		return nil, err
	}
	for _, f := range s.Findings() {
		switch f.Code {
		case verify.RolledBack:
		case verify.AnchorMissing, verify.AnchorUnreadable, verify.RowsRolledBack:
			found = append(found, f.Code.String())
		default:
			return nil, fmt.Errorf("%w: %s is not restored: %s", records.ErrRefused, s.Path(), f.Sentence())
		}
	}
	return found, nil
}

// takeHead takes the log that ends: the source's newest, or the one that a restore here began last.
func (r *Restore) takeHead(ctx context.Context) (err error) {
	if r.note, err = r.source.Checkpoint(ctx); err != nil {
		return err
	}
	statements, err := r.source.LogStatements(ctx)
	if err != nil {
		return err
	}
	r.old = r.source.key
	if err := r.source.reading(ctx, "read the log", r.takeChain); err != nil {
		return err
	}
	for i := range r.chain {
		statements = append(statements, r.chain[i].Statement)
	}
	lineage, opened := verify.ReadLineage(r.old.Origin, r.old.Encoded, nil, statements)
	err = r.source.reading(ctx, "read the signers", func(ctx context.Context, tx engine.Tx) error {
		signers, err := signersOf(ctx, tx)
		if err != nil {
			return err
		}
		first, err := tx.Log().FirstRecord(ctx)
		r.used = usesOf(signers, first)
		return err
	})
	if err != nil {
		return err
	}
	verify.Authorize(r.old.Origin, opened, r.used)
	r.Operator, r.lineage, r.opened = verify.OperatorOf(opened), lineage, opened
	r.Statement.Origin, r.Statement.Restore.OldKey, r.Statement.Restore.Reason = r.old.Origin, r.old.Encoded, r.options.Reason
	return nil
}

// takeKnown takes the heads of the log that ends which this machine kept, and the caller's.
func (r *Restore) takeKnown(ctx context.Context) error {
	if r.options.AnchorFolder != "" {
		held, err := merkle.NewAnchor(r.options.AnchorFolder, r.old, r.source.busyTimeout()).Read(ctx)
		if err == nil {
			if err := r.know(ctx, "the checkpoint outside the store", records.KnownHead{
				From: records.KnownFromAnchor, Size: held.Size, Root: signed.FromTree(held.Root)}); err != nil {
				return err
			}
		} else if errors.Is(err, disk.ErrHeld) {
			return err
		}
	}
	for _, c := range r.options.Checkpoints {
		key, held := r.old, int64(math.MaxInt64)
		origin, _, _ := strings.Cut(string(c.Signed), "\n")
		if place := r.lineage.Find(origin); place >= 0 && place < len(r.lineage)-1 {
			held = r.lineage.Holds(place)
			if key, _ = merkle.ParseKey(origin, r.lineage[place].Key); key == nil {
				key = r.old
			}
		}
		opened, err := key.Open(c.Signed)
		if err != nil {
			return fmt.Errorf("%w: the checkpoint %s: %w", records.ErrRefused, c.Name, err)
		}
		head := records.KnownHead{From: records.KnownFromCheckpoint, Size: opened.Size, Root: signed.FromTree(opened.Root)}
		if opened.Size > held {
			continue // of a log before, whose own restore states what was lost of it
		}
		if err := r.know(ctx, fmt.Sprintf("the checkpoint %s", c.Name), head); err != nil {
			return err
		}
	}
	for _, receipt := range r.options.Receipts {
		if err := r.know(ctx, fmt.Sprintf("the receipt of record %s", string(receipt.RecordID)),
			records.KnownHead{From: records.KnownFromReceipt, Size: receipt.TreeSize, Root: receipt.Root}); err != nil {
			return err
		}
	}
	return nil
}

// know adds a head of the log unless it is there, and refuses a source that contradicts it.
func (r *Restore) know(ctx context.Context, name string, head records.KnownHead) error {
	if head.Size <= r.Statement.Size {
		root, err := ask(ctx, r.source, "read the log", func(ctx context.Context, tx engine.Tx) (tlog.Hash, error) {
			log, err := r.grown(ctx, tx)
			if err != nil {
				return tlog.Hash{}, err
			}
			return log.Root(head.Size)
		})
		if err != nil {
			return err
		}
		if signed.FromTree(root) != head.Root {
			return fmt.Errorf(
				"%w: %s contradicts %s: its first %d records are others; find the backup of that log",
				records.ErrRefused, name, r.source.Path(), head.Size)
		}
	}
	known := &r.Statement.Restore.Known
	if slices.Contains(*known, head) {
		return nil
	}
	if len(*known) == records.MostKnown {
		return fmt.Errorf("%w: more than %d checkpoints and receipts; give the newest ones", records.ErrRefused, records.MostKnown)
	}
	*known = append(*known, head)
	return nil
}

// takeKeys finds the key of the log that ends, and makes the one of the log that begins.
func (r *Restore) takeKeys(ctx context.Context) (err error) {
	places := []string{r.old.File(r.source.keyFolder()), r.old.File(filepath.Dir(r.target))}
	if r.options.LogKey != "" {
		places = []string{r.options.LogKey}
	}
	for _, place := range places {
		text, err := disk.ReadRegular(place, merkle.KeyFileBound)
		if err == nil {
			err = r.old.Unlock(ctx, string(text))
		}
		if r.OldKey = err == nil; r.OldKey {
			break
		}
		if r.options.LogKey != "" {
			return fmt.Errorf("%w: %s: %w", records.ErrRefused, place, disk.Reason(err))
		}
	}
	if r.key, r.keyText, err = merkle.NewKey(ctx, r.old.OfService(), r.options.LogAgent); err != nil {
		return err
	}
	r.Statement.Restore.NewKey = r.key.Encoded
	return nil
}

// takeErasures takes what was erased in the source's logs after it was made, as kept or exported.
func (r *Restore) takeErasures(ctx context.Context) error {
	stated := verify.ErasuresOf(r.opened, false)
	take := func(later []records.LogStatement, checked bool) (err error) {
		counts := r.counting(later)
		for i := range later {
			if later[i].Kind == records.Erased && err == nil {
				err = r.takeErasure(ctx, later[i], counts[i], checked, stated)
			}
		}
		return err
	}
	for i := range r.options.Exports {
		export := &r.options.Exports[i]
		list, err := r.exportedStatements(export)
		if err == nil {
			// A service's operator is in every export of its log.
			err = take(list, export.Whole || r.old.OfService())
		}
		if err != nil {
			return err
		}
	}
	for _, g := range r.lineage {
		if r.options.AnchorFolder == "" {
			break
		}
		kept, err := merkle.ReadErasures(r.options.AnchorFolder, g.Origin)
		if err != nil {
			return fmt.Errorf("%w: what was erased after the backup was made: %w", records.ErrRefused, err)
		}
		var list []records.LogStatement
		for _, s := range kept {
			was, err := s.Open(g.Key)
			if err != nil || was.Origin != g.Origin || was.Kind != records.Erased {
				return fmt.Errorf("%w: what was erased after the backup was made: %w", records.ErrRefused, errors.Join(err, merkle.ErrErasure))
			}
			list = append(list, was)
		}
		if err := take(list, false); err != nil {
			return err
		}
	}
	r.Refused = slices.DeleteFunc(r.Refused, func(s records.LogStatement) bool {
		e, _ := s.Erasure()
		_, applied := stated[e.Object()]
		return applied // somebody else erased the same
	})
	r.scrub = len(stated) > 0
	json.Sort(r.Erasures, func(a, b RestoredErasure) int {
		return cmp.Or(a.Was.At.Time().Compare(b.Was.At.Time()), strings.Compare(a.Was.Text(), b.Was.Text()))
	})
	return nil
}

// counting judges later statements than the source's by the records, keys and operators that the
// source and they know: none is void, or by somebody who has no record, unless nobody has.
func (r *Restore) counting(later []records.LogStatement) (counts []verdict) {
	list, operators := slices.Clone(r.opened), map[string]bool{r.Operator: r.Operator != ""}
	for i := range later {
		s := &later[i]
		list = append(list, verify.OpenedStatement{Statement: *s, OK: true, LogSigned: s.LogSigns(),
			Foreign: !r.old.OfService() && records.OfService(s.Origin)})
		if s.AboutOperator() {
			_, operator := s.NewOperator()
			operators[operator] = true
		}
	}
	verify.Authorize(r.old.Origin, list, r.used)
	for i := range later {
		o, s := &list[len(r.opened)+i], &later[i]
		signs := func(u verify.Use) bool { return u.Reviewer == s.By && u.Fingerprint == s.KeyFingerprint }
		known := len(r.used) == 0 && s.Size <= r.Statement.Size ||
			len(r.used) > 0 && s.Size > r.used[0].Sequence || slices.ContainsFunc(r.used, signs)
		v := verdict{counts: o.Counts && !o.Void && known, void: o.Void}
		if r.old.OfService() {
			v.counts = operators[s.KeyFingerprint]
		}
		counts = append(counts, v)
	}
	return counts
}

// A verdict also says whether the key was revoked from before the statement on.
type verdict struct{ counts, void bool }

// exportedStatements returns an export's statements about erasures and keys in the logs of the
// source, and in logs that continue them by restores for which the earlier log or its operator
// vouches.
func (r *Restore) exportedStatements(export *RestoreExport) (list []records.LogStatement, err error) {
	is := func(g *verify.Generation) bool {
		place := r.lineage.Find(g.Origin)
		return place >= 0 && r.lineage[place].Key == g.Key
	}
	trusted := map[string]bool{}
	for i := range export.Lineage {
		g := &export.Lineage[i]
		before := &export.Lineage[max(0, i-1)]
		follows := i > 0 && trusted[before.Origin] && (before.SignedByLog || r.Operator != "" && before.Ended.KeyFingerprint == r.Operator)
		trusted[g.Origin] = is(g) || follows
	}
	if len(export.Lineage) == 0 || !trusted[export.Lineage.Newest().Origin] {
		return nil,
			fmt.Errorf("%w: the export %s is of another log, or of one that no key of this log vouches for",
				records.ErrRefused, export.Name)
	}
	for i := range export.Accepted {
		// Whether a key may endorse another one rests on records that a part of the log leaves out.
		if s := export.Accepted[i]; s.AboutKey() && (export.Whole || s.Kind == records.KeyRevoked) || !s.AboutKey() && trusted[s.Origin] {
			list = append(list, s)
		}
	}
	return list, nil
}

// takeErasure takes a new statement; checked says that an export's check let it count.
func (r *Restore) takeErasure(ctx context.Context, was records.LogStatement, v verdict, checked bool, stated erasures) error {
	e, is := was.Erasure()
	if _, known := stated[e.Object()]; !is || known {
		return nil
	}
	if v.void || !v.counts && !checked {
		if !slices.ContainsFunc(r.Refused, func(s records.LogStatement) bool { return s.Text() == was.Text() }) {
			r.Refused = append(r.Refused, was)
		}
		return nil
	}
	stated[e.Object()] = was
	again := RestoredErasure{Was: was, Due: records.LogStatement{Kind: records.Erased, Origin: r.key.Origin, Size: r.Statement.Size,
		Root: r.Statement.Root, Found: e.Words()}}
	err := r.source.reading(ctx, "look at what was erased", func(ctx context.Context, tx engine.Tx) error {
		own, salts, err := tx.Records().Erasable(ctx, e, was.By, math.MaxInt64)
		again.Held = own+salts > 0
		return err
	})
	if err == nil {
		r.Erasures = append(r.Erasures, again)
	}
	return err
}

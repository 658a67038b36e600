package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/merkle"
	"docket/store/verify/verifytest"
)

func TestABackupIsTheStoreInOneFile(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "backup.db")
	stages := map[BackupStage]int64{}
	must(t, d.store.Backup(t.Context(), path, func(stage BackupStage, done, total int64) {
		wantNot(t, done > total || done < stages[stage],
			"progress from %d to %d of %d", stages[stage], done, total)
		stages[stage] = done
	}))
	wantList(t, "in the folder", namesIn(t, folder), []string{"backup.db"})
	wantNot(t, stages[Copying] == 0 || stages[Verifying] != 12, "progress %v", stages)
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != disk.FileMode {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	keyless := o
	keyless.Path = path
	s := openWith(t, keyless)
	if err := s.Obstacle(); !errors.Is(err, merkle.ErrNoKey) || !strings.Contains(err.Error(), filepath.Dir(path)) || !s.ReadOnly() {
		t.Errorf("without its key file: %v", err)
	}
	copyKey(t, o.Path, path)
	o.Path = path
	again := openWith(t, o)
	wantWriting(t, again)
	want, got := wholeLog(t, d.store), wholeLog(t, again)
	wantNot(t, len(got) != len(want), "%d records instead of %d", len(got), len(want))
	rows := need(queueOf(t.Context(), again, terms.Appeals, terms.InstantOf(noon), ""))(t)
	wantSame(t, "rows", len(rows), 5)
}

func TestABackupReplacesNothing(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "held")
	must(t, os.WriteFile(path, []byte("mine"), 0o600))
	mustBe(t, d.store.Backup(t.Context(), path, nil), ErrExists)
	wantSame(t, "it holds", string(need(os.ReadFile(path))(t)), "mine")
	late := filepath.Join(folder, "late")
	mustBe(t, d.store.Backup(t.Context(), late, func(stage BackupStage, _, _ int64) {
		err := os.WriteFile(late, []byte("mine"), 0o600)
		wantNot(t, err != nil, "%v", err)
	}), ErrExists)
	wantSame(t, "it holds", string(need(os.ReadFile(late))(t)), "mine")
	wantList(t, "in the folder", namesIn(t, folder), []string{"held", "late"})
}

func TestABackupThatDoesNotGoThroughLeavesNothing(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "backup.db")
	for _, at := range []BackupStage{Copying, Verifying} {
		ctx, cancel := context.WithCancel(t.Context())
		mustBe(t, d.store.Backup(ctx, path, func(stage BackupStage, _, _ int64) {
			if stage == at {
				cancel()
			}
		}), context.Canceled)
		cancel()
	}
	mustBe(t, d.store.Backup(t.Context(), filepath.Join(folder, "none", "backup.db"), nil), ErrNoAccess)
	wantList(t, "in the folder", namesIn(t, folder), nil)
	s := d.forged("UPDATE docket_log_hashes SET hash = randomblob(32) WHERE position = 1")
	mustBe(t, s.Backup(t.Context(), path, nil), ErrTampered)
	proven(t, s)
	mustBe(t, s.Backup(t.Context(), path, nil), ErrTampered)
	wantList(t, "in the folder", namesIn(t, folder), nil)
}

func TestABackupIsWholeWhileOthersWrite(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	ids := d.cases("more", 60)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 2)
	for i := range 2 {
		writer := fixtureAt(t, openWith(t, o))
		go func() { done <- writer.recordAll(ctx, ids[i*30:(i+1)*30]) }()
	}
	sizes := map[int64]bool{}
	for i := range 5 {
		copied := o
		copied.Path = filepath.Join(t.TempDir(), "backup.db")
		err := d.store.Backup(t.Context(), copied.Path, nil)
		mustNot(t, err != nil, "backup %d: %v", i, err)
		copied.AnchorFolder = "" // the store is further by now
		s := openWith(t, copied)
		wantKinds(t, "the copy", append(proven(t, s), s.Findings()...))
		head := need(s.Head(t.Context()))(t)
		sizes[head.Size] = true
	}
	for range 2 {
		must(t, <-done)
	}
	t.Logf("sizes of the copies: %v", sizes)
}

func (d *fixture) recordAll(ctx context.Context, ids []terms.ID) error {
	for _, id := range ids {
		caseFile, err := d.store.CaseFile(ctx, terms.AppealCases, id, 0, terms.InstantOf(noon), "")
		if err != nil {
			return err
		}
		if _, err = d.store.Append(ctx, d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})); err != nil {
			return err
		}
	}
	return nil
}

func (d *fixture) at(now time.Time) { d.store.options.Now = func() time.Time { return now } }

// rotated makes a backup in the folder and returns the names of the backups that are there then, the oldest first.
func (d *fixture) rotated(folder string, keep int) (Rotation, []string) {
	d.t.Helper()
	return need(d.store.BackupInto(d.t.Context(), folder, keep, nil))(d.t), namesIn(d.t, folder)
}

func namesIn(t testing.TB, folder string) (names []string) {
	t.Helper()
	entries := need(os.ReadDir(folder))(t)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestOfTheBackupsInAFolderTheNewestStay(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	folder := t.TempDir()
	for day := range 5 {
		d.at(noon.AddDate(0, 0, day))
		r, names := d.rotated(folder, 3)
		last := names[len(names)-1]
		if len(names) != min(day+1, 3) || r.Path != filepath.Join(folder, last) || len(r.Removed) != max(0, min(1, day-2)) || len(r.Left) != 0 ||
			!strings.Contains(last, noon.AddDate(0, 0, day).Format("20060102T150405.000000Z")) {
			t.Errorf("day %d: %+v, %q", day, r, names)
		}
	}
	// A clock that went back makes no backup the oldest that is to go.
	d.at(noon.AddDate(0, 0, -9))
	r, names := d.rotated(folder, 2)
	wantNot(t, len(names) != 2 || r.Path != filepath.Join(folder, names[0]) || len(r.Removed) != 2 ||
		!strings.Contains(names[1], noon.AddDate(0, 0, 4).Format("20060102")), "after the clock went back: %+v, %q", r, names)
	mustBe(t, errOf(d.store.BackupInto(t.Context(), folder, 1, nil)), ErrExists)
	copied := o
	copied.Path, copied.AnchorFolder, copied.ReadOnly = r.Path, "", true
	s := openWith(t, copied)
	wantKinds(t, "the copy", append(proven(t, s), s.Findings()...))

	// What was only read stays a backup, while it is read and afterwards, and goes in its turn.
	wantList(t, "beside what is read", namesIn(t, folder), names)
	must(t, s.Close())
	d.at(noon.AddDate(0, 0, 9))
	if r, left := d.rotated(folder, 1); len(left) != 1 || len(r.Removed) != 2 || len(r.Left) != 0 {
		t.Errorf("after it was read: %+v, %q", r, left)
	}
	// One that was written to is a store.
	copied.Path, copied.ReadOnly = filepath.Join(folder, namesIn(t, folder)[0]), false
	fixtureAt(t, openWith(t, copied))
	d.at(noon.AddDate(0, 0, 10))
	if r, left := d.rotated(folder, 1); len(r.Removed) != 0 || len(r.Left) != 1 {
		t.Errorf("after it was opened to write: %+v, %q", r, left)
	}
}

func TestNothingIsRemovedBeforeTheNewBackupIsVerified(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	folder := t.TempDir()
	for day := range 3 {
		d.at(noon.AddDate(0, 0, day))
		d.rotated(folder, 9)
	}
	before := namesIn(t, folder)
	d.at(noon.AddDate(0, 0, 3))
	ctx, cancel := context.WithCancel(t.Context())
	mustBe(t, errOf(d.store.BackupInto(ctx, folder, 1, func(stage BackupStage, _, _ int64) {
		if stage == Verifying {
			cancel()
		}
	})), context.Canceled)
	d.close()
	forge(t, o.Path, "UPDATE docket_log_hashes SET hash = randomblob(32) WHERE position = 1")
	o.Now = func() time.Time { return noon.AddDate(0, 0, 4) }
	s := openWith(t, o)
	r, err := s.BackupInto(t.Context(), folder, 1, nil)
	mustBe(t, err, ErrTampered)
	after := namesIn(t, folder)
	wantNot(t, !slices.Equal(before, after) || r.Path != "", "%q before, %q after", before, after)
}

func TestWhatIsNoBackupOfThisLogIsLeftAlone(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	folder := t.TempDir()
	first, _ := d.rotated(folder, 9)
	suffix := first.Path[strings.LastIndex(first.Path, "-"):]
	named := func(day int) string {
		return filepath.Join(folder, "docket-"+noon.AddDate(0, 0, day).Format("20060102T150405.000000Z")+suffix)
	}
	put := func(path string, content []byte) {
		t.Helper()
		must(t, os.WriteFile(path, content, 0o600))
	}
	read := func(path string) []byte {
		t.Helper()
		return need(os.ReadFile(path))(t)
	}
	whole := read(first.Path)
	left := map[string]string{} // by path
	// Garbage, half a backup, and a folder, a link and a store in use under the names of backups.
	put(named(-1), []byte("mine"))
	left[named(-1)] = "it cannot be read as a store"
	put(named(-2), whole[:len(whole)/2])
	left[named(-2)] = "" // one of several reasons
	must(t, os.Mkdir(named(-3), 0o700))
	left[named(-3)] = "it is not a regular file"
	if err := os.Symlink(first.Path, named(-4)); err != nil {
		t.Skip("links cannot be made here: ", err)
	}
	left[named(-4)] = "it is not a regular file"
	put(named(-5), whole)
	put(named(-5)+"-wal", []byte("x"))
	left[named(-5)] = "in use as a store"
	// The backup of another log, under the name of one of this.
	other, _ := anchoredFixture(t)
	must(t, other.store.Backup(t.Context(), named(-6), nil))
	left[named(-6)] = "it is of another log"
	// A store that went on from a backup, and has a record that this log does not have.
	forked := Options{Path: filepath.Join(t.TempDir(), "fork.db"), Now: o.Now}
	put(forked.Path, whole)
	copyKey(t, o.Path, forked.Path)
	fork := fixtureAt(t, openWith(t, forked))
	fork.reviewer, fork.key = d.reviewer, d.key
	fork.record("case-4", decision{outcome: terms.UpholdDecision})
	fork.close()
	put(named(-7), read(forked.Path))
	left[named(-7)] = "this log does not go on from it"
	// Names that are none of a backup's.
	for _, name := range []string{"notes.db", "docket-yesterday" + suffix, filepath.Base(named(-8)) + ".bak", "docket-20200101T000000Z-0000000000000000.db"} {
		put(filepath.Join(folder, name), whole)
	}
	put(filepath.Join(folder, ".docket-backup-1"), whole)
	left[filepath.Join(folder, ".docket-backup-1")] = "not finished"
	put(named(-9), whole)

	count := len(namesIn(t, folder))
	d.at(noon.AddDate(0, 0, 1))
	r, names := d.rotated(folder, 1)
	wantNot(t, !slices.Equal(r.Removed, []string{first.Path, named(-9)}) ||
		len(names) != count-1, "%+v, %d of %d", r, len(names), count)
	for _, file := range r.Left {
		reason, due := left[file.Path]
		delete(left, file.Path)
		wantNot(t, !due || !strings.Contains(file.Reason, reason), "%+v", file)
	}
	wantSame(t, "not named", len(left), 0)
}

func TestTheStoreItselfIsNeverRemovedWithItsBackups(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	path := d.store.Path()
	r, _ := d.rotated(filepath.Dir(path), 1)
	d.close()
	named := strings.Replace(r.Path, noon.Format("20060102"), noon.AddDate(0, 0, -1).Format("20060102"), 1)
	must(t, os.Rename(path, named))
	o.Path, o.Now = named, func() time.Time { return noon.AddDate(0, 0, 1) }
	s := openWith(t, o)
	got := need(s.BackupInto(t.Context(), filepath.Dir(named), 1, nil))(t)
	wantNot(t, !slices.Equal(got.Removed, []string{r.Path}) || len(got.Left) != 1 ||
		got.Left[0].Path != named, "%+v", got)
	need(os.Stat(named))(t)
}

// The newest record, properly signed and logged, concludes what does not follow from its packets.
func TestABackupIsNotMadeOfARecordThatDoesNotFollowFromItsPackets(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	d.close()
	verifytest.ForgeStore(t, d.store.Path(), d.key, [2]string{`"computedBlockers":[]`, `"computedBlockers":["notice_missing"]`},
		[2]string{`"gate":"pass"`, `"gate":"blocked"`})
	s := openAt(t, d.store.Path(), noon)
	wantKinds(t, "at opening", s.Findings())
	copied := filepath.Join(t.TempDir(), "copy.db")
	mustBe(t, s.Backup(t.Context(), copied, nil), ErrTampered)
	wantFailure(t, "the copy is kept", errOf(os.Stat(copied)))
	s = openAt(t, d.store.Path(), noon)
	wantNot(t, len(proven(t, s)) == 0 || !s.ReadOnly(), "the store's own check does not find it")
}

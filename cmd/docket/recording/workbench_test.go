// Package recording_test records, erases and searches as a console does, over a store with the sample packets.
package recording_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/sample"
	"docket/contracts"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/store/disk/disktest"
	"docket/store/verify"
	"docket/store/verify/verifytest"
	"docket/ui"
	"docket/ui/workbench"
)

func TestMain(m *testing.M) {
	disktest.InMemory()
	m.Run()
}

var _ ui.Workbench = (*workbench.Workbench)(nil)

// passing is a case of the sample docket that the sample reviewer may decide on.
const passing = terms.ID("case-004122")

// atWork is a workbench over a store with the sample docket.
func atWork(t *testing.T) *workbench.Workbench {
	t.Helper()
	return atWorkWith(t, "")
}

// atWorkWith is such a workbench whose store has its anchor in a folder.
func atWorkWith(t *testing.T, anchors string) *workbench.Workbench {
	t.Helper()
	now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	return atWorkBy(t, anchors, func() time.Time { return now })
}

// atWorkBy is such a workbench by a clock.
func atWorkBy(t *testing.T, anchors string, clock func() time.Time) *workbench.Workbench {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: clock, AnchorFolder: anchors})
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	texts, err := sample.Packets(clock())
	must(t, err)
	var list []packets.Packet
	err = contracts.ReadPackets(t.Context(), "sample", bytes.NewReader(bytes.Join(texts, []byte("\n"))), contracts.Handler{
		Packet:  func(_ int, p packets.Packet) error { list = append(list, p); return nil },
		Refused: func(r contracts.Refusal) { t.Error(r) },
	})
	must(t, err)
	if _, err := s.Import(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	held, err := identity.Ephemeral(sample.Reviewer, terms.NeutralReviewer)
	must(t, err)
	return &workbench.Workbench{Store: s, Who: held.Reviewer(), Sign: held.Sign, State: held.State, Clock: clock}
}

// opened is the case file of an appeal.
func opened(t *testing.T, d *workbench.Workbench, id terms.ID) queue.CaseFile {
	t.Helper()
	file, err := d.Open(t.Context(), terms.AppealCases, id, 0)
	must(t, err)
	return file
}

// choice is a decision on a case that supersedes the record in force.
func choice(file *queue.CaseFile, openedAt terms.Instant) records.Choice {
	return records.Choice{Outcome: terms.RequestEvidence, Supersedes: file.InForce, Factors: terms.SetOf(terms.HumanReviewRequired),
		OpenedAt: openedAt, SectionsViewed: []views.SectionName{views.SectionGate},
		Statement: records.Statement{Text: "The notice does not say who was told."}}
}

// decide records a decision on the case.
func decide(t *testing.T, d *workbench.Workbench, id terms.ID) records.Receipt {
	t.Helper()
	file := opened(t, d, id)
	receipt, err := d.Record(t.Context(), &file.View, choice(&file, d.Now()), "a note")
	must(t, err)
	return receipt
}

// size is the number of entries in the log.
func size(t *testing.T, d *workbench.Workbench) int64 {
	t.Helper()
	head, err := d.Store.Head(t.Context())
	must(t, err)
	return head.Size
}

func TestRecordsAreExaminedWithTheirInclusionProof(t *testing.T) {
	d := atWork(t)
	first := decide(t, d, passing)
	second := decide(t, d, passing)
	states, err := d.Examine(t.Context(), first.Sequence, second.TreeSize)
	if err != nil || len(states) != 2 {
		t.Fatalf("%d states, %v", len(states), err)
	}
	for _, s := range states {
		if s.Proof.Verdict != records.Holds || s.Signature.Verdict != records.Holds || s.Replay.Verdict != records.Holds ||
			len(s.Path) == 0 || s.Head.Size != second.TreeSize || !s.Head.Root.Present() {
			t.Errorf("%+v", s)
		}
	}
	if !states[0].Leaf.Matches(first.LeafHash) || states[0].RecordID != first.RecordID {
		t.Errorf("%+v is not %+v", states[0], first)
	}
}

func TestAnExportGoesToTheHomeFolderIsReadBackAndHoldsNoDraft(t *testing.T) {
	d := atWork(t)
	receipt := decide(t, d, passing)
	must(t, d.SaveDraft(t.Context(), terms.AppealCases, packets.Key{ID: passing, Number: 1}, records.Draft{Note: "kanarienvogel"}))
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	folder := filepath.Join(home, "bundle")
	steps := map[string]int64{}
	head, err := d.Export(t.Context(), "~/bundle", func(what string, done, _ int64) { steps[what] = done })
	if err != nil || head.Size != receipt.TreeSize || !head.Root.Matches(receipt.Root) || len(steps) != 2 {
		t.Fatalf("%+v, %v, steps %v", head, err, steps)
	}
	err = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte("kanarienvogel")) {
			t.Errorf("%s holds the draft", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAnExportThatIsStoppedLeavesNothing(t *testing.T) {
	d := atWork(t)
	decide(t, d, passing)
	parent := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := d.Export(ctx, filepath.Join(parent, "bundle"), func(string, int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestTheConsolesCheckFindsARecordThatDoesNotFollowFromItsPackets(t *testing.T) {
	d := atWork(t)
	key := verifytest.Key("console")
	held, err := identity.New(sample.Reviewer, terms.NeutralReviewer, key)
	must(t, err)
	d.Who, d.Sign, d.State = held.Reviewer(), held.Sign, held.State
	receipt := decide(t, d, passing)
	if err, found := d.Verify(t.Context()), d.Store.Findings(); err != nil || len(found) > 0 {
		t.Fatalf("before: %v, %v", found, err)
	}
	must(t, d.Store.Close())
	verifytest.ForgeStore(t, d.Store.Path(), key, [2]string{`"computedBlockers":[]`, `"computedBlockers":["notice_missing"]`},
		[2]string{`"gate":"pass"`, `"gate":"blocked"`})
	s, err := store.Open(t.Context(), store.Options{Path: d.Store.Path(), Now: d.Clock})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	d.Store = s
	err = d.Verify(t.Context())
	found := s.Findings()
	if err != nil || len(found) == 0 || found[0].Code != verify.JudgmentDiffers || found[0].RecordID != receipt.RecordID || !s.ReadOnly() {
		t.Errorf("found %v, %v", found, err)
	}
	if _, err := d.Export(t.Context(), filepath.Join(t.TempDir(), "bundle"), nil); err == nil || !strings.Contains(err.Error(), "export") {
		t.Errorf("it is exported: %v", err)
	}
}

// must fails a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAStatementIsWrittenForItsOwnerAndReplacesNothingUnasked(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	var d workbench.Workbench
	content := func(path string) string {
		text, err := os.ReadFile(path)
		must(t, err)
		if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("%s has the mode %v, %v", path, info.Mode(), err)
		}
		return string(text)
	}
	path := filepath.Join(home, "out.txt")
	if err := d.WriteStatement(t.Context(), "~/out.txt", "first", false); err != nil || content(path) != "first" {
		t.Fatal(err)
	}
	if err := d.WriteStatement(t.Context(), path, "second", false); !errors.Is(err, fs.ErrExist) || content(path) != "first" {
		t.Errorf("a file that is there: %v", err)
	}
	if err := d.WriteStatement(t.Context(), path, "second", true); err != nil || content(path) != "second" {
		t.Errorf("replaced: %v", err)
	}
	if err := d.WriteStatement(t.Context(), filepath.Join(home, "new.txt"), "third", true); err != nil || content(filepath.Join(home, "new.txt")) != "third" {
		t.Errorf("to a new file, with replace: %v", err)
	}
	for name, row := range map[string]struct {
		path    string
		replace bool
		says    string
	}{
		"a folder":                      {home, true, "no regular file"},
		"no folder":                     {filepath.Join(home, "none", "out.txt"), false, "its folder does not exist; create the folder"},
		"no folder, with replace":       {filepath.Join(home, "none", "out.txt"), true, "its folder does not exist; create the folder"},
		"a link to nowhere, no replace": {link(t, home, "nowhere"), false, "is there already"},
		"a link, with replace":          {link(t, home, "out.txt"), true, "no regular file"},
	} {
		err := d.WriteStatement(t.Context(), row.path, "fourth", row.replace)
		if err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(home, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a folder was made")
	}
	if _, err := os.Stat(filepath.Join(home, "nowhere")); !errors.Is(err, fs.ErrNotExist) || content(path) != "second" {
		t.Error("a link was followed")
	}
	if rest, err := filepath.Glob(filepath.Join(home, ".docket-*")); err != nil || len(rest) > 0 {
		t.Errorf("left: %v, %v", rest, err)
	}
}

// link makes a link of a fresh name.
func link(t *testing.T, folder, to string) string {
	t.Helper()
	path := filepath.Join(folder, "link-to-"+to)
	must(t, os.Symlink(to, path))
	return path
}

package workbench_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/sample"
	"docket/cmd/internal/workbench"
	"docket/contracts"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/ui"
)

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
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	texts, err := sample.Packets(clock())
	if err != nil {
		t.Fatal(err)
	}
	var list []packets.Packet
	err = contracts.ReadPackets(t.Context(), "sample", bytes.NewReader(bytes.Join(texts, []byte("\n"))), contracts.Handler{
		Packet:  func(_ int, p packets.Packet) error { list = append(list, p); return nil },
		Refused: func(r contracts.Refusal) { t.Error(r) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Import(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	held, err := identity.Ephemeral(sample.Reviewer, terms.NeutralReviewer)
	if err != nil {
		t.Fatal(err)
	}
	return &workbench.Workbench{Store: s, Identity: held, Clock: clock}
}

// decide records a decision on the case.
func decide(t *testing.T, d *workbench.Workbench, id terms.ID) records.Receipt {
	t.Helper()
	dossier, err := d.Open(t.Context(), terms.AppealCases, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := d.Record(t.Context(), &dossier.View, records.Choice{Outcome: terms.RequestEvidence, Supersedes: dossier.InForce,
		Factors: terms.SetOf(terms.HumanReviewRequired), OpenedAt: d.Now(), SectionsViewed: []views.SectionName{views.SectionGate},
		Statement: records.Statement{Text: "The notice does not say who was told."}}, "a note")
	if err != nil {
		t.Fatal(err)
	}
	return receipt
}

func TestADraftIsTheReviewersOwnAndEndsWithItsRecord(t *testing.T) {
	d := atWork(t)
	dossier, err := d.Open(t.Context(), terms.AppealCases, passing, 0)
	if err != nil {
		t.Fatal(err)
	}
	key := dossier.View.Key()
	draft := records.Draft{Outcome: terms.RequestEvidence, Note: "ask", Step: "note"}
	if err := d.SaveDraft(t.Context(), terms.AppealCases, key, draft); err != nil {
		t.Fatal(err)
	}
	if dossier, err = d.Open(t.Context(), terms.AppealCases, passing, 0); err != nil || dossier.Draft.Draft != draft {
		t.Errorf("kept %+v, %v", dossier.Draft, err)
	}
	decide(t, d, passing)
	if dossier, err = d.Open(t.Context(), terms.AppealCases, passing, 0); err != nil || dossier.Draft.Present() {
		t.Errorf("after the record: %+v, %v", dossier.Draft, err)
	}
}

func TestRecordsAreExaminedWithTheirInclusionProof(t *testing.T) {
	d := atWork(t)
	first := decide(t, d, passing)
	decide(t, d, passing)
	states, err := d.Examine(t.Context(), 0, 10)
	if err != nil || len(states) != 2 {
		t.Fatalf("%d states, %v", len(states), err)
	}
	for _, s := range states {
		if s.Proof.Verdict != records.Holds || s.Signature.Verdict != records.Holds || s.Replay.Verdict != records.Holds ||
			len(s.Path) != 1 || s.Head.Size != 2 || !s.Head.Root.Present() {
			t.Errorf("%+v", s)
		}
	}
	if !states[0].Leaf.Matches(first.LeafHash) || states[0].RecordID != first.RecordID {
		t.Errorf("%+v is not %+v", states[0], first)
	}
}

func TestTheTrendCountsThisWeeksDecisions(t *testing.T) {
	d := atWork(t)
	decide(t, d, passing)
	trend, err := d.WeeklyCounts(t.Context(), terms.Appeals)
	if err != nil || trend.Decided[queue.Weeks-1] != 1 {
		t.Errorf("%v, %v", trend.Decided, err)
	}
}

func TestAnExportIsReadBackAndHoldsNoDraft(t *testing.T) {
	d := atWork(t)
	receipt := decide(t, d, passing)
	if err := d.SaveDraft(t.Context(), terms.AppealCases, packets.Key{ID: passing, Number: 1}, records.Draft{Note: "kanarienvogel"}); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "bundle")
	steps := map[string]int64{}
	head, err := d.Export(t.Context(), folder, func(what string, done, _ int64) { steps[what] = done })
	if err != nil || head.Size != 1 || !head.Root.Matches(receipt.Root) || len(steps) != 2 {
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

func TestAnExportGoesToTheHomeFolderWhereItSaysSo(t *testing.T) {
	d := atWork(t)
	decide(t, d, passing)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	if _, err := d.Export(t.Context(), "~/bundle", func(string, int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(home, "bundle", "SUMMARY.md")); err != nil || !strings.Contains(string(text), "1") {
		t.Errorf("%v", err)
	}
}

func TestARecordThatAnotherConsoleOvertookIsStampedAndSignedAnew(t *testing.T) {
	clock := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	before := clock
	d := atWorkBy(t, "", func() time.Time { return clock })
	clock = before.Add(2 * records.OrderLeeway)
	now := d.Now()
	decide(t, d, "case-004125")
	right := d.Clock
	d.Clock = func() time.Time { return before }
	dossier, err := d.Open(t.Context(), terms.AppealCases, passing, 0)
	if err != nil {
		t.Fatal(err)
	}
	choice := records.Choice{Outcome: terms.RequestEvidence, Factors: terms.SetOf(terms.HumanReviewRequired), OpenedAt: d.Now(),
		SectionsViewed: []views.SectionName{views.SectionGate}, Statement: records.Statement{Text: "The evidence is about another row."}}
	d.Clock = func() time.Time { d.Clock = right; return before } // the signature takes that long
	receipt, err := d.Record(t.Context(), &dossier.View, choice, "")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(receipt.Caution, "Another console recorded") || receipt.RecordID.At() != now {
		t.Errorf("recorded at %s: %q", receipt.RecordID.At(), receipt.Caution)
	}
	if page, err := d.Records(t.Context(), 0, 9); err != nil || page.Total != 2 {
		t.Errorf("%d records, %v", page.Total, err)
	}
}

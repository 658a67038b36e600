package recording_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/workbench"
)

// bytesOf are the bytes of the store's file, with its free pages, and of the write-ahead log.
func bytesOf(t *testing.T, path string) []byte {
	t.Helper()
	var all []byte
	for _, name := range []string{path, path + "-wal"} {
		content, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		all = append(all, content...)
	}
	return all
}

const canary = "zyqcanary"

// written writes all that a reviewer can erase, with a canary in each, and returns what that is.
func written(t *testing.T, d *workbench.Workbench) (list []records.Erasure) {
	t.Helper()
	file := opened(t, d, passing)
	key, chosen := file.View.Key(), choice(&file, d.Now())
	chosen.Statement.Text = "a statement " + canary
	receipt, err := d.Record(t.Context(), &file.View, chosen, "a note "+canary)
	must(t, err)
	must(t, d.SaveDraft(t.Context(), terms.AppealCases, key, records.Draft{Outcome: terms.RequestEvidence, Note: "a draft " + canary, Step: "note"}))
	must(t, d.Skip(t.Context(), terms.AppealCases, key, "a skip "+canary))
	list = append(records.ErasuresOfRecord(receipt.RecordID), records.ErasuresOfRevision(terms.AppealCases, key, key.Number)...)
	for i := range list {
		list[i].Reason = records.ErasedMistake
	}
	return list
}

func TestErasedBytesAreGoneFromFileAndWriteAheadLog(t *testing.T) {
	d := atWorkWith(t, filepath.Join(t.TempDir(), "anchors"))
	list := written(t, d)
	plans, err := d.PlanErasures(t.Context(), list)
	if err != nil || len(plans) != len(list) {
		t.Fatalf("%d of %d can be erased: %v", len(plans), len(list), err)
	}
	file := opened(t, d, passing)
	words := [][]byte{[]byte(canary)}
	for _, section := range file.View.Sections() {
		for _, row := range section.Rows {
			if strings.HasSuffix(row.Value, ".") && bytes.Contains(bytesOf(t, d.Store.Path()), []byte(row.Value)) {
				words = append(words, []byte(row.Value)) // a sentence of the packet's texts
			}
		}
	}
	if len(words) < 2 || !bytes.Contains(bytesOf(t, d.Store.Path()), words[0]) {
		t.Fatalf("what is to be erased is not in the store: %q", words)
	}
	for _, e := range list {
		if err := d.Erase(t.Context(), e); err != nil {
			t.Fatalf("%s: %v", e, err)
		}
	}
	for _, word := range words {
		if bytes.Contains(bytesOf(t, d.Store.Path()), word) {
			t.Errorf("%s is still in the store", word)
		}
	}
	if err, findings := d.Verify(t.Context()), d.Store.Findings(); err != nil || len(findings) > 0 {
		t.Errorf("%v, %v", findings, err)
	}
	if plans, err = d.PlanErasures(t.Context(), list); err != nil || len(plans) != len(list) {
		t.Fatalf("afterwards: %d, %v", len(plans), err)
	}
	for _, plan := range plans {
		if plan.Before == nil {
			t.Errorf("%s: it is not said that it was erased", plan.Erasure)
		}
		if err := d.Erase(t.Context(), plan.Erasure); err != nil {
			t.Errorf("%s again: %v", plan.Erasure, err)
		}
	}
}

func TestWhatWasErasedIsMarkedInTheQueueAndToldOfTheRecord(t *testing.T) {
	d := atWorkWith(t, filepath.Join(t.TempDir(), "anchors"))
	list := written(t, d)
	marked := func() (row bool, told []records.Erasure) {
		t.Helper()
		rows, err := d.Rows(t.Context(), terms.Appeals, []terms.ID{passing})
		if err != nil || len(rows) != 1 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		page, err := d.Records(t.Context(), 1, 1)
		must(t, err)
		position := page.Records[0].Receipt.Sequence
		states, err := d.Examine(t.Context(), position, position+1)
		if err != nil || len(states) != 1 {
			t.Fatalf("%d states, %v", len(states), err)
		}
		for _, statement := range states[0].Erased {
			erasure, _ := statement.Erasure()
			if erasure.What == records.ErasableTexts && !erasure.Rest.Present() {
				t.Error("it does not say what stays")
			}
			reason := erasure.Reason
			erasure = erasure.Object()
			erasure.Reason = reason
			told = append(told, erasure)
		}
		return rows[0].Erased, told
	}
	if row, told := marked(); row || told != nil {
		t.Errorf("before: %t, %v", row, told)
	}
	for _, e := range list {
		must(t, d.Erase(t.Context(), e))
	}
	row, told := marked()
	want := []records.Erasure{list[2], list[0], list[1]} // the texts, the note and the statement
	if !row || !slices.Equal(told, want) {
		t.Errorf("after: %t, %v, want %v", row, told, want)
	}
}

func TestAnErasureThatIsCancelledErasesNothing(t *testing.T) {
	d := atWork(t)
	list := written(t, d)
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the reviewer leaves")
	cancel(gone)
	for _, e := range list {
		if err := d.Erase(ctx, e); !errors.Is(err, gone) && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", e, err)
		}
	}
	plans, err := d.PlanErasures(t.Context(), list)
	must(t, err)
	for _, plan := range plans {
		if plan.Before != nil || plan.Rows == 0 {
			t.Errorf("%s was erased", plan.Erasure)
		}
	}
}

// lookUp finds the ids of what a filter lets through.
func lookUp(t *testing.T, d *workbench.Workbench, filter string) (ids []terms.ID) {
	t.Helper()
	f, err := queue.ParseFilter(filter)
	must(t, err)
	docket, _, err := d.Queue(t.Context(), terms.Appeals, func(int64, int64) {})
	must(t, err)
	for _, at := range docket.Select(docket.Order(queue.ByID, ""), f, &queue.FilterContext{}, nil) {
		ids = append(ids, docket.Row(int(at)).ID)
	}
	return ids
}

func TestARecordIsFoundByItsIDAsSoonAsItIsMade(t *testing.T) {
	d := atWork(t)
	if got := lookUp(t, d, "id:"+string(passing)+"/1"); !slices.Equal(got, []terms.ID{passing}) {
		t.Fatalf("before: %q", got)
	}
	receipt := decide(t, d, passing)
	if got := lookUp(t, d, "id:"+string(receipt.RecordID)); !slices.Equal(got, []terms.ID{passing}) {
		t.Errorf("after: %q", got)
	}
}

func TestErasedWordsAreNotFound(t *testing.T) {
	d := atWork(t)
	decide(t, d, passing)
	file, err := d.Open(t.Context(), terms.AppealCases, "case-004117", 0)
	must(t, err)
	word := "text:" + strings.Fields(file.View.Record().AppealCase().Pointer().EvidenceScope.Statement.String())[0]
	if got := lookUp(t, d, word); !slices.Contains(got, "case-004117") {
		t.Fatalf("%s finds %q", word, got)
	}
	must(t, d.Erase(t.Context(), records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases,
		Key: packets.Key{ID: "case-004117", Number: file.View.Key().Number}, Reason: records.ErasedMistake}))
	if got := lookUp(t, d, word); slices.Contains(got, "case-004117") {
		t.Errorf("%s still finds %q", word, got)
	}
}

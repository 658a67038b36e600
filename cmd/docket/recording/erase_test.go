package recording_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

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
	must(t, d.Skip(t.Context(), terms.AppealCases, []packets.Key{key}, "a skip "+canary))
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
		states, err := d.Examine(t.Context(), 0, 1)
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

// lookUp finds the ids of what a filter seeks.
func lookUp(t *testing.T, d *workbench.Workbench, filter string) []terms.ID {
	t.Helper()
	f, err := queue.ParseFilter(filter)
	if err != nil {
		t.Error(err)
		return nil
	}
	found, err := d.Search(t.Context(), terms.Appeals, f.Sought())
	if err != nil {
		t.Error(err)
		return nil
	}
	return found.IDs[f.Sought()[0]]
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

func TestASearchAnswersWithWhatItHasReadSoFar(t *testing.T) {
	d := atWork(t)
	all := lookUp(t, &workbench.Workbench{Store: d.Store, Clock: time.Now}, "id:case-")
	const most = 3
	d.Index.AtOnce = most
	f, err := queue.ParseFilter("id:case-")
	must(t, err)
	for read, more := 0, true; more; {
		found, err := d.Search(t.Context(), terms.Appeals, f.Sought())
		read, more = min(read+most, len(all)), found.More
		if got := found.IDs[f.Sought()[0]]; err != nil || !slices.Equal(got, all[:read]) || !more && read < len(all) {
			t.Fatalf("after %d packets of %d: %q, more %t, %v", read, len(all), got, more, err)
		}
	}
	must(t, d.PrepareSearch(t.Context(), terms.Appeals))
	if got := lookUp(t, d, "id:case-"); !slices.Equal(got, all) {
		t.Errorf("then %q, want %q", got, all)
	}
}

func TestErasedWordsAreNotFoundWhateverWasReadBefore(t *testing.T) {
	for _, most := range []int{0, 5} { // all has been read, and some
		d := atWork(t)
		d.Index.AtOnce = most
		decide(t, d, passing)
		file, err := d.Open(t.Context(), terms.AppealCases, "case-004117", 0)
		must(t, err)
		word := "text:" + strings.Fields(file.View.Record().AppealCase().Pointer().EvidenceScope.Statement.String())[0]
		if got := lookUp(t, d, word); !slices.Contains(got, "case-004117") {
			t.Fatalf("%s finds %q", word, got)
		}
		if err := d.Erase(t.Context(), records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases,
			Key: packets.Key{ID: "case-004117", Number: file.View.Key().Number}, Reason: records.ErasedMistake}); err != nil {
			t.Fatal(err)
		}
		must(t, d.PrepareSearch(t.Context(), terms.Appeals))
		if got := lookUp(t, d, word); slices.Contains(got, "case-004117") {
			t.Errorf("%d at once: %s still finds %q", most, word, got)
		}
	}
}

func TestManyMayLookUpAtOnce(t *testing.T) {
	d := atWork(t)
	want := lookUp(t, &workbench.Workbench{Store: d.Store, Clock: time.Now}, "text:scope")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got := lookUp(t, d, "text:scope"); len(got) == 0 || !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	wait.Wait()
}

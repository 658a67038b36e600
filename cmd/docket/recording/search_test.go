package recording_test

import (
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

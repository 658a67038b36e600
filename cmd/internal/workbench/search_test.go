package workbench_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"docket/cmd/internal/workbench"
	"docket/domain/queue"
	"docket/domain/terms"
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
	return found[f.Sought()[0]]
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

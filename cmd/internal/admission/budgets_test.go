package admission_test

import (
	"fmt"
	"testing"
	"time"

	"docket/cmd/internal/admission"
)

var noon = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

func TestARequestCostsItsCallerWhatItCostsTheService(t *testing.T) {
	b := admission.NewBudgets(100*time.Millisecond, time.Second)
	if _, ok := b.Admit("a", 10*time.Millisecond, noon); !ok {
		t.Fatal("the first is refused")
	}
	b.Charge("a", 1100*time.Millisecond, noon) // it took longer: counts as the burst
	wait, ok := b.Admit("a", 10*time.Millisecond, noon)
	if ok || wait != 200*time.Millisecond {
		t.Errorf("%v, %v", wait, ok)
	}
	if _, ok := b.Admit("b", 10*time.Millisecond, noon); !ok {
		t.Error("another caller is refused")
	}
	if _, ok := b.Admit("a", 10*time.Millisecond, noon.Add(wait)); !ok {
		t.Error("it is refused after the wait")
	}
	b.Charge("b", -time.Second, noon) // less than was taken gives nothing back
	for range 99 {
		if _, ok := b.Admit("b", 10*time.Millisecond, noon); !ok {
			t.Fatal("refused before its burst is used up")
		}
	}
	if _, ok := b.Admit("b", 10*time.Millisecond, noon); ok {
		t.Error("not refused after its burst is used up")
	}
}

func TestAChangedBudgetCountsForCallersThatAreKnown(t *testing.T) {
	b := admission.NewBudgets(time.Second, time.Second)
	b.Charge("a", time.Second, noon)
	b.Resize(10*time.Millisecond, 20*time.Millisecond)
	if wait, ok := b.Admit("a", 10*time.Millisecond, noon); ok || wait != time.Second {
		t.Errorf("%v, %v", wait, ok)
	}
	if _, ok := b.Admit("c", 30*time.Millisecond, noon); !ok {
		t.Error("a request that costs more than the burst is never let in")
	}
	if wait, ok := b.Admit("c", time.Millisecond, noon); ok || wait != 100*time.Millisecond {
		t.Errorf("%v, %v", wait, ok)
	}
}

func TestTheCallerThatWasActiveLeastRecentlyIsForgottenFirst(t *testing.T) {
	b := admission.NewBudgets(time.Microsecond, time.Millisecond)
	for i := range 10000 {
		b.Admit(fmt.Sprint(i), time.Millisecond, noon)
	}
	if _, ok := b.Admit("9999", time.Millisecond, noon); ok {
		t.Error("the last caller is forgotten")
	}
	if _, ok := b.Admit("0", time.Millisecond, noon); !ok {
		t.Error("the first caller is remembered")
	}
}

func TestProcessorTimeIsThatOfTheWorkAndNotOfWaiting(t *testing.T) {
	waited := admission.Measure(func() {
		done := make(chan struct{})
		go func() {
			burn()
			close(done)
		}()
		<-done
	})
	worked := admission.Measure(func() { burn() })
	if worked > 0 && waited*4 > worked {
		t.Errorf("waiting took %v, working %v", waited, worked)
	}
}

var sink int

// burn works for some milliseconds.
func burn() {
	for i := range 10_000_000 {
		sink += i
	}
}

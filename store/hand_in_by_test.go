package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
)

// The service takes a record at the moment by which its console says that it has to be handed in, and turns it away right after.
func TestARecordIsTakenUntilTheMomentThatIsToldAndNotAfterIt(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	sub, view := d.judged("case-1", decision{}), d.caseFile(terms.AppealCases, "case-1").View
	by := rules.UnchangedUntil(view.Policy(), view.Record(), view.Latest(), view.EvaluatedAt())
	if !by.Present() || by.Before(view.EvaluatedAt()) {
		t.Fatalf("by %s", by)
	}
	at := by.Time().Add(time.Nanosecond)
	d.store.options.Now = func() time.Time { return at }
	var stale *records.StaleError
	if err := d.refusing(sub); !errors.As(err, &stale) {
		t.Errorf("right after it: %v", err)
	}
	at = by.Time()
	if taken := d.handIn(sub); taken.again {
		t.Error("it was there before")
	}
}

func TestAConsoleSaysByWhenItsRecordsHaveToBeHandedIn(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	later := passing("case-2", 1)
	d.take(d.mill.appealCase(later.with(members{"deadline": "2027-01-01T00:00:00Z"})))
	view := d.caseFile(terms.AppealCases, "case-1").View
	by := rules.UnchangedUntil(view.Policy(), view.Record(), view.Latest(), view.EvaluatedAt())
	first, second := d.decided("case-1", ""), d.decided("case-2", "")
	tally := func() records.HandInTally {
		t.Helper()
		tally := need(d.store.HandInTally(t.Context()))(t)
		return tally
	}
	if got := tally(); got.By.Present() {
		t.Errorf("without a service by %s", got.By)
	}
	s := newService(t, "")
	must(t, d.store.BindService(t.Context(), s.key))
	logged, err := d.store.Record(t.Context(), first.Members().RecordID)
	if got := tally(); err != nil || got.By != by || logged.HandIn.By != by {
		t.Errorf("by %s and %s, want %s: %v", got.By, logged.HandIn.By, by, err)
	}
	if page, err := d.store.RecordPage(t.Context(), 0, 9); err != nil || !by.Before(page.Records[0].HandIn.By) || page.Records[1].HandIn.By != by {
		t.Errorf("%+v, %v", page.Records, err)
	}
	d.accepted(s, first)
	logged, err = d.store.Record(t.Context(), first.Members().RecordID)
	if got := tally(); err != nil || !by.Before(got.By) || !got.By.Present() || logged.HandIn.By.Present() {
		t.Errorf("once it is handed in by %s and %s: %v", got.By, logged.HandIn.By, err)
	}
	d.accepted(s, second)
	if got := tally(); got.By.Present() {
		t.Errorf("nothing waits, by %s", got.By)
	}
}

func TestARecordFromAClockThatIsADayAheadIsRefusedForGood(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.clock = noon.Add(24 * time.Hour)
	ahead := d.judged("case-1", decision{})
	if err := d.refusing(ahead); !errors.Is(err, ErrEarly) || errors.Is(err, records.ErrRefused) {
		t.Errorf("a day ahead: %v", err)
	}
	d.store.options.Now = func() time.Time { return noon.Add(-time.Second) }
	if err := d.refusing(ahead); !errors.Is(err, records.ErrRefused) || !strings.Contains(err.Error(), "24 hours ahead") {
		t.Errorf("more than a day ahead: %v", err)
	}
}

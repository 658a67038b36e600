package recording_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/ui/workbench"
)

// noonToday is when the consoles of these tests are opened.
var noonToday = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// other is a second case on which the sample reviewer may decide.
const other = terms.ID("case-004117")

// A watch is the clock of a machine on which consoles and their store are.
type watch struct{ now time.Time }

func (w *watch) read() time.Time { return w.now }

func (w *watch) stands(after time.Duration) { w.now = noonToday.Add(after) }

// consoles are two on one store: their reviewer uses both.
func consoles(t *testing.T) (first, second *workbench.Workbench, clock *watch) {
	t.Helper()
	clock = &watch{noonToday}
	first = atWorkBy(t, "", clock.read)
	second = &workbench.Workbench{Store: first.Store, Who: first.Who, Sign: first.Sign, State: first.State, Clock: clock.read}
	return first, second, clock
}

// onWorkbench opens a case and returns what records a decision on it.
func onWorkbench(t *testing.T, d *workbench.Workbench, id terms.ID, openedAt terms.Instant) func() (records.Receipt, error) {
	t.Helper()
	file := opened(t, d, id)
	return func() (records.Receipt, error) { return d.Record(t.Context(), &file.View, choice(&file, openedAt), "") }
}

// recordsOf are the records of the log, the newest first.
func recordsOf(t *testing.T, d *workbench.Workbench) []*records.Members {
	t.Helper()
	page, err := d.Records(t.Context(), 0, 100)
	must(t, err)
	var members []*records.Members
	for i := range page.Records {
		members = append(members, page.Records[i].Record.Members())
	}
	return members
}

// A slow reader has the packet open for hours before another console records on another case; their record is made of the
// evaluation that the review shows, and nothing is out of order.
func TestASlowReaderRecordsAfterHours(t *testing.T) {
	d, _, clock := consoles(t)
	openedAt := d.Now()
	clock.stands(5 * time.Hour)
	if _, err := onWorkbench(t, d, passing, openedAt)(); err != nil {
		t.Fatal(err)
	}
	if m := recordsOf(t, d)[0]; m.OpenedAt != openedAt || m.EvaluatedAt.Sub(openedAt) != 5*time.Hour || m.RecordedAt != m.EvaluatedAt {
		t.Errorf("opened %s, evaluated %s, recorded %s", m.OpenedAt, m.EvaluatedAt, m.RecordedAt)
	}
}

// Of two consoles on one store the one that signs slowly is overtaken: within five minutes its record is taken as it is, beyond it
// is stamped and signed again, without asking again.
func TestARecordThatAnotherConsoleOvertookIsTakenOrStampedAnew(t *testing.T) {
	for signing, again := range map[time.Duration]bool{time.Minute: false, 5 * time.Minute: false, 5*time.Minute + time.Second: true, 10 * time.Minute: true} {
		slow, quick, clock := consoles(t)
		record := onWorkbench(t, slow, passing, slow.Now())
		begun, overtook := slow.Now(), records.Receipt{}
		slow.Clock = func() time.Time { // it is asked for the time, and then signs for long
			now := clock.now
			if now.Equal(noonToday) {
				clock.stands(signing)
				var err error
				if overtook, err = onWorkbench(t, quick, other, quick.Now())(); err != nil {
					t.Error(err)
				}
			}
			return now
		}
		receipt, err := record()
		if err != nil {
			t.Fatalf("%s: %v", signing, err)
		}
		m := recordsOf(t, quick)[0]
		if m.RecordID != receipt.RecordID || m.Key.ID != passing || m.EvaluatedAt != begun || again != (m.RecordedAt != begun) ||
			again != strings.HasPrefix(receipt.Caution, "Another console recorded") || again && (m.RecordedAt.Sub(begun) != signing || m.LogHead.Size != overtook.TreeSize) {
			t.Errorf("%s: evaluated %s, recorded %s on %d", signing, m.EvaluatedAt, m.RecordedAt, m.LogHead.Size)
		}
	}
}

// The bounds of a record's times: it is opened once its packet has come in, and recorded within ten minutes of the evaluation.
func TestTheTimesOfARecordAreHeldToTheArrivalAndToTenMinutes(t *testing.T) {
	for name, c := range map[string]struct {
		opened, waits time.Duration // before the arrival; from the evaluation to the record
		taken         bool
	}{
		"at the arrival":                  {0, 0, true},
		"a nanosecond before the arrival": {time.Nanosecond, 0, false},
		"ten years before the arrival":    {87600 * time.Hour, 0, false},
		"ten minutes":                     {0, 10 * time.Minute, true},
		"longer":                          {0, 10*time.Minute + time.Millisecond, false},
	} {
		d, _, clock := consoles(t)
		record := onWorkbench(t, d, passing, terms.InstantOf(clock.now.Add(-c.opened)))
		clock.stands(c.waits)
		if _, err := record(); c.taken != (err == nil) || !c.taken && !errors.Is(err, records.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two consoles of one reviewer keep a draft each; the next console takes the one of a console that has ended.
func TestEachConsoleKeepsItsOwnDraft(t *testing.T) {
	anchors := t.TempDir()
	one := atWorkWith(t, anchors)
	s, err := store.Open(t.Context(), store.Options{Path: one.Store.Path(), Now: one.Clock, AnchorFolder: anchors})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	two := &workbench.Workbench{Store: s, Who: one.Who, Sign: one.Sign, State: one.State, Clock: one.Clock}
	key := packets.Key{ID: passing, Number: 1}
	draftOf := func(d *workbench.Workbench) string {
		t.Helper()
		file, err := d.Open(t.Context(), terms.AppealCases, passing, 0)
		must(t, err)
		return file.Draft.Statement
	}
	keep := func(d *workbench.Workbench, statement string) {
		t.Helper()
		must(t, d.SaveDraft(t.Context(), terms.AppealCases, key, records.Draft{Statement: statement}))
	}
	keep(one, "of the first")
	if got := draftOf(two); got != "" {
		t.Errorf("the second is offered %q", got)
	}
	keep(two, "of the second")
	if first, second := draftOf(one), draftOf(two); first != "of the first" || second != "of the second" {
		t.Errorf("kept %q and %q", first, second)
	}
	decide(t, two, passing)
	if first, second := draftOf(one), draftOf(two); first != "of the first" || second != "" {
		t.Errorf("once the second has recorded: %q and %q", first, second)
	}
	must(t, one.Store.Close())
	if got := draftOf(two); got != "of the first" {
		t.Errorf("once the first has ended: %q", got)
	}
	if err := two.DropDraft(t.Context(), terms.AppealCases, key); err != nil || draftOf(two) != "" {
		t.Errorf("a draft that was taken is still there: %v", err)
	}
}

// Where the evaluation has changed meanwhile, the reviewer is told.
func TestARecordThatIsStampedAnewIsOfTheSameEvaluation(t *testing.T) {
	slow, quick, clock := consoles(t)
	record := onWorkbench(t, slow, passing, slow.Now())
	slow.Clock = func() time.Time {
		now := clock.now
		if now.Equal(noonToday) {
			clock.stands(10 * time.Minute)
			if _, err := onWorkbench(t, quick, passing, quick.Now())(); err != nil {
				t.Error(err)
			}
		}
		return now
	}
	_, err := record()
	var stale *records.StaleError
	if !errors.As(err, &stale) || !stale.Superseded || len(recordsOf(t, quick)) != 1 {
		t.Errorf("%v", err)
	}
}

// A clock that was ahead for an hour records; once it is right nothing is recorded, which is told before deciding, until the
// clock has passed the newest record. A person who does not want to wait accepts it.
func TestAClockThatWasAheadForAnHourKeepsRecordsWaiting(t *testing.T) {
	d, _, clock := consoles(t)
	clock.stands(time.Hour)
	if _, err := onWorkbench(t, d, other, d.Now())(); err != nil {
		t.Fatal(err)
	}
	for after, waits := range map[time.Duration]bool{0: true, 55*time.Minute - time.Second: true, 55 * time.Minute: false} {
		clock.stands(after)
		dossier, err := d.Open(t.Context(), terms.AppealCases, passing, 0)
		if err != nil || waits != (dossier.Waits != "") {
			t.Errorf("after %s: %q, %v", after, dossier.Waits, err)
		}
		if waits && !strings.Contains(dossier.Waits, "made at 2026-06-15T13:00:00Z: recording waits until the clock is right") {
			t.Errorf("after %s: %q", after, dossier.Waits)
		}
		if !waits {
			continue
		}
		if _, err := onWorkbench(t, d, passing, d.Now())(); !errors.Is(err, records.ErrRefused) || errors.Is(err, store.ErrOvertaken) {
			t.Errorf("after %s: %v", after, err)
		}
	}
	clock.stands(56 * time.Minute)
	if _, err := onWorkbench(t, d, passing, d.Now())(); err != nil {
		t.Error(err)
	}
}

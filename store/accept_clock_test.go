package store

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// wrongClock is a fixture with a record that was made while the clock was an hour ahead; setClock sets the clock of the fixture and of its store.
func wrongClock(t *testing.T) (d *fixture, first records.Receipt, setClock func(time.Time)) {
	t.Helper()
	now := noon.Add(time.Hour)
	d = fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: func() time.Time { return now }}))
	setClock = func(at time.Time) { now, d.clock = at, at }
	setClock(now)
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	first = d.record("case-1", decision{outcome: terms.UpholdDecision})
	setClock(noon)
	return d, first, setClock
}

func (d *fixture) again(id records.RecordID) (records.Receipt, error) {
	return d.store.Append(d.t.Context(), d.submission("case-1", decision{outcome: terms.UpholdDecision, supersedes: id}))
}

// acceptedClock signs what the store says is to be accepted, changed.
func (d *fixture) acceptedClock(change func(*records.LogStatement)) signed.Statement {
	d.t.Helper()
	due := need(d.store.ClockToAccept(d.t.Context()))(d.t)
	due.By, due.KeyFingerprint = d.reviewer.ID, d.reviewer.KeyFingerprint
	change(&due)
	return d.signed(due)
}

func unchanged(*records.LogStatement) {}

// A clock that was wrong for an hour never locks lawful records.
func TestAClockThatWasWrongForAnHourIsAcceptedByAPerson(t *testing.T) {
	t.Parallel()
	d, first, setClock := wrongClock(t)
	if _, err := d.again(first.RecordID); err == nil {
		t.Fatal("a clock before the newest record is not refused")
	}
	statement := d.acceptedClock(unchanged)
	must(t, d.store.AcceptClock(t.Context(), statement))
	second, err := d.again(first.RecordID)
	must(t, err)
	setClock(noon.Add(time.Minute))
	if _, err = d.again(second.RecordID); err != nil {
		t.Error(err)
	}
	list, err := d.store.LogStatements(t.Context())
	if err != nil || len(list) != 1 || list[0].Text != statement.Text {
		t.Errorf("%d statements, %v", len(list), err)
	}
	wantKinds(t, "afterwards", proven(t, d.store))
}

// What was accepted is this clock and no earlier one, and there is nothing to accept of a clock that is right.
func TestAnAcceptedClockIsHeldToToo(t *testing.T) {
	t.Parallel()
	d, first, setClock := wrongClock(t)
	must(t, d.store.AcceptClock(t.Context(), d.acceptedClock(unchanged)))
	mustBe(t, errOf(d.store.ClockToAccept(t.Context())), records.ErrRefused)
	setClock(noon.Add(-records.OrderLeeway - time.Second))
	wantFailure(t, "a clock before the accepted one is not refused", errOf(d.again(first.RecordID)))
	setClock(noon.Add(-records.OrderLeeway)) // in order, and before the packet came in by the accepted clock
	mustBe(t, errOf(d.again(first.RecordID)), records.ErrRefused)
	setClock(noon)
	need(d.again(first.RecordID))(t)
}

func TestOnlyTheStatementThatIsDueAcceptsAClock(t *testing.T) {
	t.Parallel()
	d, first, _ := wrongClock(t)
	for name, change := range map[string]func(*records.LogStatement){
		"another log":    func(s *records.LogStatement) { s.Origin = "docket/00000000" },
		"another size":   func(s *records.LogStatement) { s.Size++ },
		"another root":   func(s *records.LogStatement) { s.Root = terms.HashOf(nil) },
		"another kind":   func(s *records.LogStatement) { s.Kind = records.AnchorAccepted },
		"another newest": func(s *records.LogStatement) { s.Found = []string{s.At.String()} },
		"the future":     func(s *records.LogStatement) { s.At = terms.InstantOf(noon.Add(time.Second)) },
		"another key":    func(s *records.LogStatement) { s.KeyFingerprint = "SHA256:another" },
	} {
		mustBe(t, d.store.AcceptClock(t.Context(), d.acceptedClock(change)), records.ErrRefused)
		if list, err := d.store.LogStatements(t.Context()); err != nil || len(list) > 0 {
			t.Errorf("%s: %d statements, %v", name, len(list), err)
		}
	}
	forged := d.acceptedClock(unchanged)
	forged.Signature = nil
	mustBe(t, d.store.AcceptClock(t.Context(), forged), records.ErrRefused)
	wantFailure(t, "it was accepted all the same", errOf(d.again(first.RecordID)))
}

// The clock is right, and the record is older than what another console recorded meanwhile: that is not the clock's fault.
func TestARecordThatWaitedTooLongForItsSignatureIsOvertaken(t *testing.T) {
	t.Parallel()
	d, first, setClock := wrongClock(t)
	late := d.submission("case-1", decision{outcome: terms.UpholdDecision, supersedes: first.RecordID})
	setClock(noon.Add(time.Hour))
	_, err := d.store.Append(t.Context(), late)
	mustBe(t, err, ErrOvertaken)
	if strings.Contains(err.Error(), "clock") {
		t.Error(err)
	}
	need(d.again(first.RecordID))(t)
}

package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify/verifytest"
)

// A stamped record is one that a console stamped at a time before or after Noon, on a log of some size.
type stamped struct {
	origin string
	size   int64
	at     time.Duration
}

const (
	aConsole     = "docket/1111111111111111"
	otherConsole = "docket/2222222222222222"
)

// stamp makes a record on a case of its own.
func (s *harness) stamp(t testing.TB, with stamped) records.Enforcement {
	t.Helper()
	s.cases++
	on := s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-of-%d", s.cases), 1))
	at := terms.InstantOf(Noon.Add(with.at))
	record := s.Log.DecideAt(at.Time(), on, verifytest.Person(Reviewer.ID, Reviewer.Role), nil)
	return reread(t, terms.Appeals, s.Log.Forged(record, verifytest.Record{
		"logHead": verifytest.Record{"origin": with.origin, "size": with.size, "root": terms.HashOf([]byte("log"))}}))
}

// The order of recordedAt is held among records of one aConsole, by the sizes of its log. That a record was handed in late, or
// waited while a later one was accepted, is no reason to refuse it.
func TestRecordsOfOneConsoleAreInTheOrderOfItsLog(t *testing.T) {
	t.Parallel()
	const five = 5 * time.Minute
	for name, c := range map[string]struct {
		second stamped // after one that was recorded at Noon on a log of 5 records
		taken  bool
	}{
		"later":                        {stamped{aConsole, 6, time.Second}, true},
		"overtaken":                    {stamped{aConsole, 6, -five}, true},
		"overtaken by too much":        {stamped{aConsole, 6, -five - time.Millisecond}, false},
		"a clock that was set back":    {stamped{aConsole, 900, -time.Hour}, false},
		"on the same log":              {stamped{aConsole, 5, -time.Hour}, true},
		"it waited":                    {stamped{aConsole, 4, -time.Hour}, true},
		"it waited for days":           {stamped{aConsole, 0, -4 * 24 * time.Hour}, true},
		"of another console":           {stamped{otherConsole, 6, -time.Hour}, true},
		"of another aConsole, shorter": {stamped{otherConsole, 0, -time.Hour}, true},
	} {
		t.Run(name, func(t *testing.T) {
			onHarness(t, func(t *testing.T, s *harness) {
				s.taken(t, s.handIn(t, s.stamp(t, stamped{aConsole, 5, 0}), Reviewer), http.StatusCreated)
				record := s.stamp(t, c.second)
				if c.taken {
					s.taken(t, s.handIn(t, record, Reviewer), http.StatusCreated)
					s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK)
					return
				}
				problem := s.handIn(t, record, Reviewer).is(t, api.RecordRefused)
				if !strings.Contains(problem.Detail, "more than 5 minutes before") {
					t.Errorf("told: %s", problem.Detail)
				}
				s.rejected(t, record, problem)
				s.holds(t, 1)
				// Its clock is right again: the packet is judged again, and nothing is locked.
				s.taken(t, s.handIn(t, s.stamp(t, stamped{aConsole, 901, time.Second}), Reviewer), http.StatusCreated)
			})
		})
	}
}

func TestAServedRecordHasItsStatementOfReasons(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	s.taken(t, s.handIn(t, record, Reviewer), http.StatusCreated)
	kept := s.get(t, strings.Replace(api.RecordPath, "{id}", string(record.Members().RecordID), 1), Reviewer)
	reasons, err := json.Marshal(verifytest.Reasons)
	if err != nil || !strings.Contains(string(kept.body), fmt.Sprintf(`"statement":%s`, reasons)) {
		t.Errorf("no %s in %s, %v", reasons, kept.body, err)
	}
}

func TestWhenARecordCameInIsKept(t *testing.T) {
	s := serving(t)
	record := s.stamp(t, stamped{aConsole, 5, -time.Hour})
	s.taken(t, s.handIn(t, record, Reviewer), http.StatusCreated)
	s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK)
	kept := s.get(t, strings.Replace(api.RecordPath, "{id}", string(record.Members().RecordID), 1), Reviewer)
	if want := fmt.Sprintf(`"receivedAt":"%s"`, terms.InstantOf(Noon)); !strings.Contains(string(kept.body), want) {
		t.Errorf("no %s in %s", want, kept.body)
	}
	if rows := s.Dump(t)["docket_service_received"]; len(rows) != 1 {
		t.Errorf("kept %v", rows)
	}
}

// A record that is pushed days after it was made is taken before the deadline; after it it is rejected, so that
// the packet is judged again.
func TestALatePushIsTakenBeforeTheDeadlineAndJudgedAgainAfterIt(t *testing.T) {
	t.Parallel()
	for name, taken := range map[string]bool{"2026-06-20T12:00:01Z": true, "2026-06-20T11:59:59Z": false} {
		t.Run(name, func(t *testing.T) {
			onHarness(t, func(t *testing.T, s *harness) {
				on := s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-late", 1).With(verifytest.Record{"deadline": name}))
				record := s.Decide(on, Reviewer, nil)
				if Noon.Sub(record.Members().RecordedAt.Time()) < 48*time.Hour {
					t.Fatalf("recorded at %s", record.Members().RecordedAt)
				}
				answer := s.handIn(t, record, Reviewer)
				if taken {
					s.taken(t, answer, http.StatusCreated)
					return
				}
				s.rejected(t, record, answer.is(t, api.PacketStale))
			})
		})
	}
}

package queue_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/views"
)

// answeredRecord is a record on a view with what the service said to it.
func answeredRecord(t *testing.T, v *views.View, id records.RecordID, state records.HandInState) records.LoggedRecord {
	t.Helper()
	return records.LoggedRecord{Receipt: records.Receipt{RecordID: id}, Record: domaintest.Recorded(t, v, domaintest.ChoiceFor(v)), HandIn: records.HandIn{State: state}}
}

func TestAPacketIsJudgedAgainForARecordThatCanBeRead(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	one := answeredRecord(t, &v, "a", records.Rejected)
	broken := one
	broken.Unreadable = "its bytes are others"
	for name, test := range map[string]struct {
		dossier queue.CaseFile
		want    records.RecordID
		decided bool
	}{
		"no record":              {queue.CaseFile{}, "", false},
		"in force":               {queue.CaseFile{Records: []records.LoggedRecord{one}, InForce: "a"}, "", true},
		"on the revision":        {queue.CaseFile{Records: []records.LoggedRecord{one}, InForce: "x", Again: "a"}, "a", false},
		"on an earlier revision": {queue.CaseFile{Elsewhere: []records.LoggedRecord{one}, Again: "a"}, "a", false},
		"unreadable":             {queue.CaseFile{Records: []records.LoggedRecord{broken}, Again: "a"}, "", false},
		"given to somebody else": {queue.CaseFile{Records: []records.LoggedRecord{one}, Again: "a", Reassigned: 3}, "", false},
	} {
		test.dossier.View = v
		got := records.RecordID("")
		if turned := test.dossier.Rejected(); turned != nil {
			got = turned.Receipt.RecordID
		}
		if got != test.want || test.dossier.Decided() != test.decided {
			t.Errorf("%s: %q is to be judged again, decided is %v", name, got, test.dossier.Decided())
		}
	}
}

func TestARecordInForceThatTheLogDoesNotHaveIsOfAnotherConsole(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	logged := []records.LoggedRecord{answeredRecord(t, &v, "a", records.Rejected)}
	for inForce, want := range map[records.RecordID]bool{"": false, "a": false, "x": true} {
		if d := (queue.CaseFile{View: v, Records: logged, InForce: inForce}); d.InForceElsewhere() != want {
			t.Errorf("%q: %v", inForce, !want)
		}
	}
}

func TestATimelineHasTheAnswersOfTheService(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	taken, turned := answeredRecord(t, &v, "a", records.Accepted), answeredRecord(t, &v, "b", records.Rejected)
	taken.HandIn.At, turned.HandIn.At = domaintest.Instant("2026-07-02T00:00:00Z"), domaintest.Instant("2026-07-03T00:00:00Z")
	d := queue.CaseFile{View: v, Records: []records.LoggedRecord{taken, turned, answeredRecord(t, &v, "c", records.NotHandedIn)}}
	got := events(&d)
	if !strings.Contains(got, "2026-07-02 handed in to the service") || !strings.Contains(got, "2026-07-03 rejected by the service") ||
		strings.Contains(got, "no answer") {
		t.Errorf("got\n%s", got)
	}
}

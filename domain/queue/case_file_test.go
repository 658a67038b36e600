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

func TestAPacketIsJudgedAgainIfItsLastRecordWasRejected(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	older := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/revision", 1))
	newer := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/revision", 3))
	theirs := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
	broken := records.LoggedRecord{Unreadable: "its bytes are others"}
	one := func(id records.RecordID, state records.HandInState) records.LoggedRecord {
		return answeredRecord(t, &v, id, state)
	}
	for name, test := range map[string]struct {
		dossier queue.CaseFile
		want    records.RecordID
		decided bool
	}{
		"no record":            {queue.CaseFile{}, "", false},
		"not handed in":        {queue.CaseFile{Records: []records.LoggedRecord{one("a", records.NotHandedIn)}, InForce: "a"}, "", true},
		"handed in":            {queue.CaseFile{Records: []records.LoggedRecord{one("a", records.Accepted)}, InForce: "a"}, "", true},
		"rejected":             {queue.CaseFile{Records: []records.LoggedRecord{one("a", records.Rejected)}}, "a", false},
		"rejected for another": {queue.CaseFile{Records: []records.LoggedRecord{one("a", records.Rejected)}, InForce: "x"}, "a", false},
		"rejected, then something that cannot be read": {
			queue.CaseFile{Records: []records.LoggedRecord{one("a", records.Rejected), broken}}, "a", false},
		"judged again": {
			queue.CaseFile{Records: []records.LoggedRecord{one("a", records.Rejected), one("b", records.NotHandedIn)}, InForce: "b"}, "", true},
		"rejected on an earlier revision": {
			queue.CaseFile{Elsewhere: []records.LoggedRecord{answeredRecord(t, &older, "a", records.Rejected)}}, "a", false},
		"rejected on an earlier revision and decided on this one": {
			queue.CaseFile{Elsewhere: []records.LoggedRecord{answeredRecord(t, &older, "a", records.Rejected)},
				Records: []records.LoggedRecord{one("b", records.NotHandedIn)}, InForce: "b"}, "", true},
		"rejected on an earlier revision and decided on this one at another console": {
			queue.CaseFile{Elsewhere: []records.LoggedRecord{answeredRecord(t, &older, "a", records.Rejected)},
				AtService: []records.Enforcement{theirs}, InForce: theirs.Members().RecordID}, "", true},
		"rejected for one of another console": {
			queue.CaseFile{Records: []records.LoggedRecord{one("a", records.Rejected)}, AtService: []records.Enforcement{theirs}, InForce: theirs.Members().RecordID}, "a", false},
		"rejected on a later revision": {
			queue.CaseFile{Elsewhere: []records.LoggedRecord{answeredRecord(t, &newer, "a", records.Rejected)}}, "", false},
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

package queue_test

import (
	"strings"
	"testing"

	"docket/domain"
	"docket/domain/internal/domaintest"
)

// answeredRecord is a record on a view with what the service said to it.
func answeredRecord(t *testing.T, v *domain.View, id domain.RecordID, state domain.HandInState) domain.LoggedRecord {
	t.Helper()
	return domain.LoggedRecord{Receipt: domain.Receipt{RecordID: id}, Record: domaintest.Recorded(t, v, domaintest.ChoiceFor(v)), HandIn: domain.HandIn{State: state}}
}

func TestAPacketIsToBeJudgedAgainWhereItsLastRecordWasTurnedAway(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	older := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/revision", 1))
	newer := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/revision", 3))
	broken := domain.LoggedRecord{Unreadable: "its bytes are others"}
	one := func(id domain.RecordID, state domain.HandInState) domain.LoggedRecord {
		return answeredRecord(t, &v, id, state)
	}
	for name, test := range map[string]struct {
		dossier domain.Dossier
		want    domain.RecordID
		decided bool
	}{
		"no record":            {domain.Dossier{}, "", false},
		"not handed in":        {domain.Dossier{Records: []domain.LoggedRecord{one("a", domain.NotHandedIn)}, InForce: "a"}, "", true},
		"handed in":            {domain.Dossier{Records: []domain.LoggedRecord{one("a", domain.Accepted)}, InForce: "a"}, "", true},
		"rejected":             {domain.Dossier{Records: []domain.LoggedRecord{one("a", domain.Rejected)}}, "a", false},
		"rejected for another": {domain.Dossier{Records: []domain.LoggedRecord{one("a", domain.Rejected)}, InForce: "x"}, "a", false},
		"rejected, then something that cannot be read": {
			domain.Dossier{Records: []domain.LoggedRecord{one("a", domain.Rejected), broken}}, "a", false},
		"judged again": {
			domain.Dossier{Records: []domain.LoggedRecord{one("a", domain.Rejected), one("b", domain.NotHandedIn)}, InForce: "b"}, "", true},
		"rejected on an earlier revision": {
			domain.Dossier{Elsewhere: []domain.LoggedRecord{answeredRecord(t, &older, "a", domain.Rejected)}}, "a", false},
		"rejected on an earlier revision and decided on this one": {
			domain.Dossier{Elsewhere: []domain.LoggedRecord{answeredRecord(t, &older, "a", domain.Rejected)},
				Records: []domain.LoggedRecord{one("b", domain.NotHandedIn)}, InForce: "b"}, "", true},
		"rejected on a later revision": {
			domain.Dossier{Elsewhere: []domain.LoggedRecord{answeredRecord(t, &newer, "a", domain.Rejected)}}, "", false},
	} {
		test.dossier.View = v
		got := domain.RecordID("")
		if turned := test.dossier.TurnedAway(); turned != nil {
			got = turned.Receipt.RecordID
		}
		if got != test.want || test.dossier.Decided() != test.decided {
			t.Errorf("%s: %q is to be judged again, decided is %v", name, got, test.dossier.Decided())
		}
	}
}

func TestARecordInForceThatTheLogDoesNotHaveIsOfAnotherConsole(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	records := []domain.LoggedRecord{answeredRecord(t, &v, "a", domain.Rejected)}
	for inForce, want := range map[domain.RecordID]bool{"": false, "a": false, "x": true} {
		if d := (domain.Dossier{View: v, Records: records, InForce: inForce}); d.InForceElsewhere() != want {
			t.Errorf("%q: %v", inForce, !want)
		}
	}
}

func TestATimelineHasWhatTheServiceAnswered(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	taken, turned := answeredRecord(t, &v, "a", domain.Accepted), answeredRecord(t, &v, "b", domain.Rejected)
	taken.HandIn.At, turned.HandIn.At = momentOf(t, "2026-07-02T00:00:00Z"), momentOf(t, "2026-07-03T00:00:00Z")
	d := domain.Dossier{View: v, Records: []domain.LoggedRecord{taken, turned, answeredRecord(t, &v, "c", domain.NotHandedIn)}}
	got := events(&d)
	if !strings.Contains(got, "2026-07-02 handed in to the service") || !strings.Contains(got, "2026-07-03 rejected by the service") ||
		strings.Contains(got, "no answer") {
		t.Errorf("got\n%s", got)
	}
}

package queue_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
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
	got := events(t, &d)
	if !strings.Contains(got, "2026-07-02 handed in to the service") || !strings.Contains(got, "2026-07-03 rejected by the service") ||
		strings.Contains(got, "no answer") {
		t.Errorf("got\n%s", got)
	}
}

// events are the lines of a timeline, each of which is about one thing.
func events(t *testing.T, d *queue.CaseFile) string {
	t.Helper()
	var lines []string
	sections := map[views.SectionName]bool{}
	for _, section := range d.View.Sections() {
		sections[section.Name] = true
	}
	for _, e := range d.Timeline() {
		about := 0
		for _, is := range []bool{e.Section.Present(), e.Revision != 0, e.Record != nil} {
			if is {
				about++
			}
		}
		if about != 1 || e.Section.Present() && !sections[e.Section] {
			t.Errorf("%q is about %d things, section %s", e.What, about, e.Section)
		}
		lines = append(lines, e.At.String()[:10]+" "+e.What)
	}
	return strings.Join(lines, "\n")
}

func TestATimelineListsWhatHasATimeInOrder(t *testing.T) {
	appeal, amendment := domaintest.View(t, domaintest.Appeal()), domaintest.View(t, domaintest.Correction())
	made := domaintest.Recorded(t, &appeal, domaintest.ChoiceFor(&appeal))
	confirmed := domaintest.Recorded(t, &amendment, domaintest.ChoiceFor(&amendment))
	for name, one := range map[string]struct {
		file queue.CaseFile
		want string
	}{
		"an appeal": {queue.CaseFile{View: appeal, Revisions: []int64{1, 2, 3},
			Arrived: []terms.Instant{domaintest.Instant("2026-06-02T00:00:00Z"), {}}},
			"2026-02-01 start of the policy\n2026-06-01 filed\n2026-06-02 revision 1 imported\n" +
				"2026-06-03 notice delivered\n2026-07-01 deadline\n2026-12-31 expiry of the policy"},
		"an amendment": {queue.CaseFile{View: domaintest.View(t, domaintest.MaterialChange(),
			domaintest.Del("/record/confirmations/1/expiresAt"), domaintest.Del("/record/confirmations/0/partyRef"))},
			"2026-01-05 policy frozen\n2026-06-03 notice delivered\n2026-06-05 confirmed by nobody named\n" +
				"2026-06-06 confirmed by party-b\n2026-12-05 expiry of the confirmation by nobody named\n" +
				"2026-12-31 expiry of the policy"},
		"an appeal without times": {queue.CaseFile{View: domaintest.View(t, domaintest.Appeal(), domaintest.Del("/policy"),
			domaintest.Del("/record/deadline"), domaintest.Del("/record/notice"), domaintest.Del("/record/filedAt"))}, ""},
		"nothing": {queue.CaseFile{}, ""},
		"an undelivered notice": {queue.CaseFile{View: domaintest.View(t, domaintest.Appeal(), domaintest.Del("/policy"),
			domaintest.Set("/record/notice/state", "queued"))},
			"2026-06-01 filed\n2026-06-03 notice queued\n2026-07-01 deadline"},
		"records of each revision that can be read": {queue.CaseFile{
			Elsewhere: []records.LoggedRecord{{Record: made}, {Unreadable: "it was damaged"}},
			Records:   []records.LoggedRecord{{Record: made, Unreadable: "it was damaged"}, {Record: confirmed}},
		}, "2026-06-15 recorded: pass, route human review, by reviewer-7\n2026-06-15 recorded: pass, by reviewer-7"},
	} {
		if got := events(t, &one.file); got != one.want {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}

func TestPacketsBelongTogetherBySubjectOrAgreement(t *testing.T) {
	appealView, amendmentView := domaintest.View(t, domaintest.Appeal()), domaintest.View(t, domaintest.Correction())
	for _, one := range []struct {
		packet packets.Packet
		want   terms.ID
	}{{appealView.Record(), "row-204"}, {amendmentView.Record(), "agreement-31"}, {appealView.Policy(), ""}, {packets.Packet{}, ""}} {
		if got := queue.RelatedBy(one.packet); got != one.want {
			t.Errorf("%s: %q", one.packet.Table(), got)
		}
	}
}

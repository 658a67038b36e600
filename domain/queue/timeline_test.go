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

func events(d *queue.CaseFile) string {
	var lines []string
	for _, e := range d.Timeline() {
		lines = append(lines, e.At.String()[:10]+" "+e.What)
	}
	return strings.Join(lines, "\n")
}

func momentOf(t *testing.T, text string) terms.Instant {
	t.Helper()
	at, ok := terms.ParseInstant(text)
	if !ok {
		t.Fatalf("%q is no time", text)
	}
	return at
}

func TestATimelineIsInOrderOfTime(t *testing.T) {
	d := queue.CaseFile{View: domaintest.View(t, domaintest.Appeal()), Revisions: []int64{1, 2, 3},
		Arrived: []terms.Instant{momentOf(t, "2026-06-02T00:00:00Z"), {}}}
	want := `2026-02-01 start of the policy
2026-06-01 filed
2026-06-02 revision 1 imported
2026-06-03 notice delivered
2026-07-01 deadline
2026-12-31 expiry of the policy`
	if got := events(&d); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestATimelineOfAnAmendmentHasTheConfirmationsWithTheirEnds(t *testing.T) {
	d := queue.CaseFile{View: domaintest.View(t, domaintest.MaterialChange(), domaintest.Del("/record/confirmations/1/expiresAt"), domaintest.Del("/record/confirmations/0/partyRef"))}
	want := `2026-01-05 policy frozen
2026-06-03 notice delivered
2026-06-05 confirmed by nobody named
2026-06-06 confirmed by party-b
2026-12-05 expiry of the confirmation by nobody named
2026-12-31 expiry of the policy`
	if got := events(&d); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestEventsWithoutATimeAreNotInTheTimeline(t *testing.T) {
	d := queue.CaseFile{View: domaintest.View(t, domaintest.Appeal(), domaintest.Del("/policy"), domaintest.Del("/record/deadline"), domaintest.Del("/record/notice"), domaintest.Del("/record/filedAt"))}
	if got := events(&d); got != "" {
		t.Errorf("got\n%s", got)
	}
	var none queue.CaseFile
	if got := events(&none); got != "" {
		t.Errorf("of nothing\n%s", got)
	}
}

func TestATimelineHasTheRecordsOfEveryRevisionThatCanBeRead(t *testing.T) {
	appealView, amendmentView := domaintest.View(t, domaintest.Appeal()), domaintest.View(t, domaintest.Correction())
	made := domaintest.Recorded(t, &appealView, domaintest.ChoiceFor(&appealView))
	confirmed := domaintest.Recorded(t, &amendmentView, domaintest.ChoiceFor(&amendmentView))
	d := queue.CaseFile{
		Elsewhere: []records.LoggedRecord{{Record: made}, {Unreadable: "it was damaged"}},
		Records:   []records.LoggedRecord{{Record: made, Unreadable: "it was damaged"}, {Record: confirmed}},
	}
	want := `2026-06-15 recorded: pass, route human review, by reviewer-7
2026-06-15 recorded: pass, by reviewer-7`
	if got := events(&d); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestATimelineNamesAnUndeliveredNoticeByItsState(t *testing.T) {
	d := queue.CaseFile{View: domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/notice/state", "queued"))}
	if got := events(&d); !strings.Contains(got, "2026-06-03 notice queued") || strings.Contains(got, "notice delivered") {
		t.Errorf("got\n%s", got)
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

func TestEveryEventIsAboutOneThing(t *testing.T) {
	for _, scene := range []*queue.CaseFile{
		{View: domaintest.View(t, domaintest.Appeal()), Revisions: []int64{1}, Arrived: []terms.Instant{momentOf(t, "2026-06-02T00:00:00Z")}},
		{View: domaintest.View(t, domaintest.MaterialChange())},
	} {
		sections := map[views.SectionName]bool{}
		for _, section := range scene.View.Sections() {
			sections[section.Name] = true
		}
		for _, e := range scene.Timeline() {
			about := 0
			for _, is := range []bool{e.Section.Present(), e.Revision != 0, e.Record != nil} {
				if is {
					about++
				}
			}
			if about != 1 || e.Section.Present() && !sections[e.Section] {
				t.Errorf("%q is about %d things, section %s", e.What, about, e.Section)
			}
		}
	}
}

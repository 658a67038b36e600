package rules_test

import (
	"testing"
	"time"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// blockersAt is what the rules find in a packet at a time.
func blockersAt(policy, record packets.Packet, at terms.Instant) terms.BlockerSet {
	q := rules.PacketInput(policy, record, rules.Latest{PolicyVersion: 1, Revision: record.Key().Number}, at)
	evaluation := rules.Evaluate(&q)
	return evaluation.BlockerSet()
}

func TestTimeAloneChangesNothingBeforeUnchangedUntil(t *testing.T) {
	now := domaintest.Instant(domaintest.Now)
	bounded := 0
	for name, view := range map[string]views.View{
		"an appeal":                  domaintest.View(t, domaintest.Appeal()),
		"an appeal without a notice": domaintest.View(t, domaintest.Appeal(), domaintest.Del("/record/notice")),
		"a change":                   domaintest.View(t, domaintest.MaterialChange()),
	} {
		policy, record := view.Policy(), view.Record()
		until := rules.UnchangedUntil(policy, record, rules.Latest{PolicyVersion: 1, Revision: record.Key().Number}, now)
		found := blockersAt(policy, record, now)
		end := now.Time().AddDate(50, 0, 0)
		if until.Present() {
			bounded++
			end = until.Time()
			after := terms.InstantOf(end.Add(1))
			if until.Before(now) || blockersAt(policy, record, until) == found && blockersAt(policy, record, after) == found {
				t.Errorf("%s: nothing changes at %s", name, until)
			}
		}
		for step := range 200 {
			at := now.Time().Add(end.Sub(now.Time()) / 200 * time.Duration(step))
			if got := blockersAt(policy, record, terms.InstantOf(at)); got != found {
				t.Errorf("%s: at %s the blockers are %v", name, at, got.Texts())
			}
		}
	}
	if bounded == 0 {
		t.Error("nothing is bounded")
	}
}

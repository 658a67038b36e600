package queue_test

import (
	"fmt"
	"slices"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// A moment is what may change after a record was made: each change alone ends what may be relied on.
type moment struct {
	name    string
	at      string
	latest  rules.Latest // added to the numbers of the packets
	carried terms.BlockerSet
}

func moments(expired string) []moment {
	return []moment{
		{"now", domaintest.Now, rules.Latest{}, 0},
		{"after the policy's end", expired, rules.Latest{}, 0},
		{"with a newer policy", domaintest.Now, rules.Latest{PolicyVersion: 1}, 0},
		{"with a newer revision", domaintest.Now, rules.Latest{Revision: 1}, 0},
		{"with a blocker that a person added", domaintest.Now, rules.Latest{}, terms.SetOf(terms.NeutralReviewMissing)},
	}
}

// judge checks that the one function and the row of the queue agree, and returns the reasons.
func judge(t *testing.T, scene domaintest.Scene, m moment, ruling *records.Ruling, earlier bool) records.Reliance {
	t.Helper()
	v := domaintest.View(t, scene)
	latest := rules.Latest{PolicyVersion: v.Latest().PolicyVersion + m.latest.PolicyVersion,
		Revision: v.Latest().Revision + m.latest.Revision}
	now := views.New(v.Policy(), v.Record(), latest, domaintest.Instant(m.at)).Carrying(m.carried)
	got := records.JudgeReliance(now.Record(), now.Evaluation().BlockerSet().Union(m.carried), ruling, earlier)
	state := queue.RowState{Carried: m.carried}
	if ruling != nil {
		state.Decided, state.Ruling = true, *ruling
	}
	row := queue.NewRow(v.Policy(), v.Record(), latest, domaintest.Instant(m.at), state)
	if kept := queue.New(v.Area(), []queue.Row{row}).Row(0); row.Reliance != got.Gate || kept.Reliance != got.Gate {
		t.Errorf("%s: the row says %s, the queue %s, and the reasons are %q", m.name, row.Reliance, kept.Reliance, got.Reasons)
	}
	if (got.Gate == terms.Pass) != (len(got.Reasons) == 0) {
		t.Errorf("%s: %s with %q", m.name, got.Gate, got.Reasons)
	}
	return got
}

// rulingsOn are records in force on a packet of an area, those that let it be relied on first, and none.
func rulingsOn(area terms.Area) (list []*records.Ruling, relied int) {
	if area == terms.Amendments {
		return []*records.Ruling{{Gate: terms.Pass}, {}, nil}, 1
	}
	list = []*records.Ruling{{Outcome: terms.CorrectRecord, Gate: terms.Pass}, {Outcome: terms.RecordRemedy, Gate: terms.Pass}, nil}
	for _, outcome := range terms.Outcomes.All() {
		if outcome != terms.CorrectRecord && outcome != terms.RecordRemedy {
			list = append(list, &records.Ruling{Outcome: outcome, Gate: terms.Pass})
		}
	}
	return list, 2
}

func TestACorrectionOrAnAmendmentIsReliedOnOnlyWhileEverythingHolds(t *testing.T) {
	for area, of := range map[terms.Area]struct {
		from            func() domaintest.Scene
		pointer, status string
		passes          int
	}{terms.Appeals: {domaintest.Appeal, "/record/status", "corrected", 4}, terms.Amendments: {domaintest.Correction, "/record/state", "applied", 2}} {
		rulings, relied := rulingsOn(area)
		passes := 0
		for _, status := range statusesOf(area)[:len(statusesOf(area))-2] {
			for _, m := range moments("2027-01-01T00:00:00Z") {
				for i, ruling := range rulings {
					for _, earlier := range []bool{false, true} {
						scene := of.from()
						scene.Make(domaintest.Set(of.pointer, status))
						got := judge(t, scene, m, ruling, earlier)
						if want := status == of.status && m.name == "now" && i < relied; (got.Gate == terms.Pass) != want {
							t.Errorf("%s, %s, %+v: %s by %q", status, m.name, ruling, got.Gate, got.Reasons)
						} else if want {
							passes++
						}
						refused := ruling != nil && i >= relied
						for reason, want := range map[string]bool{records.NoRecord: ruling == nil && !earlier, records.NotLatest: ruling == nil && earlier,
							records.NotCorrected:  area == terms.Appeals && status != "corrected",
							records.HeldByOutcome: area == terms.Appeals && refused, records.HeldByGate: area == terms.Amendments && refused} {
							if slices.Contains(got.Reasons, reason) != want {
								t.Errorf("%s, %s, %+v: %q, with %s: %v", status, m.name, ruling, got.Reasons, reason, !want)
							}
						}
					}
				}
			}
		}
		if passes != of.passes {
			t.Errorf("%s: %d pass", area, passes)
		}
	}
}

func TestTheReasonsOfRelianceStandInOrder(t *testing.T) {
	scene := domaintest.Appeal()
	scene.Make(domaintest.Del("/record/notice"))
	m := moment{"now", domaintest.Now, rules.Latest{PolicyVersion: 1}, terms.SetOf(terms.NeutralReviewMissing)}
	blockers := "appeal_policy_not_current notice_missing neutral_review_missing"
	for want, of := range map[string]struct {
		ruling  *records.Ruling
		earlier bool
	}{
		blockers + " no_record not_corrected":       {nil, false},
		blockers + " not_latest not_corrected":      {nil, true},
		blockers + " not_corrected held_by_outcome": {&records.Ruling{}, false},
	} {
		got := judge(t, scene, m, of.ruling, of.earlier)
		if text := fmt.Sprint(got.Reasons); text != "["+want+"]" {
			t.Errorf("%s, want %s", text, want)
		}
		for _, reason := range got.Reasons {
			if records.PartyReason(reason) == "" {
				t.Errorf("%s has no sentence for the parties", reason)
			}
		}
	}
	if got := (records.Reliance{}); got.Gate != terms.Blocked {
		t.Error("nothing judged lets through")
	}
}

// isClosed and isSettled are the project's rule, written out again.
func isClosed(row queue.Row) bool {
	if terms.AreaOf(row.Table) == terms.Amendments {
		return slices.Contains([]terms.AnyTerm{"rejected", "withdrawn", "superseded"}, row.Status) ||
			row.Status == "applied" && row.Decided && row.Ruling.Gate == terms.Pass
	}
	return slices.Contains([]terms.AnyTerm{"upheld", "dismissed", "closed_unresolved", "superseded"}, row.Status) ||
		row.Status == "corrected" && row.Decided && slices.Contains([]string{"uphold_decision", "correct_record", "record_remedy"},
			row.Ruling.Outcome.String())
}

func dueOf(row queue.Row) terms.Instant {
	if terms.AreaOf(row.Table) == terms.Appeals && (isClosed(row) || row.Status == "corrected") {
		return terms.Instant{}
	}
	return row.Deadline
}

// statusesOf are the words of an area's status, and two that are none.
func statusesOf(area terms.Area) []string {
	if area == terms.Amendments {
		return append(terms.AmendmentStates.Texts(), "", "no word")
	}
	return append(terms.CaseStatuses.Texts(), "", "no word")
}

// What a decided case waits on is its record, until the status closes it: filters find it, and its age.
func TestACaseIsOpenUntilItIsDecidedAndWaitsUntilItsStatusClosesIt(t *testing.T) {
	recorded := domaintest.Instant("2026-05-31T12:00:00Z") // 15 days before
	in := &queue.FilterContext{Now: domaintest.Instant(domaintest.Now)}
	for _, area := range terms.Areas.All() {
		for _, status := range statusesOf(area) {
			for _, ruling := range []records.Ruling{{}, {RecordedAt: recorded, Outcome: terms.RequestEvidence},
				{RecordedAt: recorded, Outcome: terms.UpholdDecision, Gate: terms.Pass}} {
				decided := ruling.Outcome.Present()
				row := queue.Row{Table: terms.RecordTable(area), ID: "x-1", Status: terms.AnyTerm(status), Decided: decided, Ruling: ruling,
					Deadline: domaintest.Instant(domaintest.LongAgo), Blockers: queue.Codes{Area: area}}
				closed := isClosed(row)
				waits, open := decided && !closed, !decided && !closed
				awaits := area == terms.Appeals && status == "corrected" && !decided
				if row.Closed() != closed || row.Open() != open || row.Waiting() != waits || row.AwaitsRecord() != awaits || row.Due() != dueOf(row) {
					t.Errorf("%s %q, %+v: closed %v, open %v, waiting %v, awaits a record %v, due %s", area, status, ruling,
						row.Closed(), row.Open(), row.Waiting(), row.AwaitsRecord(), row.Due())
				}
				if status == "no word" {
					continue // no queue holds it
				}
				if area == terms.Amendments {
					row.Deadline = terms.Instant{}
				}
				d := queue.New(area, []queue.Row{row})
				for text, want := range map[string]bool{"is:waiting": waits, "-is:waiting": !waits, "waiting:>14d": waits, "waiting:<14d": false,
					"waiting:>16d": false, "waiting:<16d": waits, "is:closed": closed, "due:<0h": dueOf(row).Present()} {
					if filter, err := queue.ParseFilter(text); err != nil || (len(d.Select([]uint32{0}, filter, in, nil)) == 1) != want {
						t.Errorf("%s, %+v, %s: want %v, %v", status, ruling, text, want, err)
					}
				}
				tally := d.Tally("")
				if (tally.Waiting == 1) != waits || (tally.Longest == recorded) != waits || (tally.Closed == 1) != closed || (tally.Open == 1) != open ||
					d.Workable(0) != row.Workable() {
					t.Errorf("%s, %+v: %+v", status, ruling, tally)
				}
			}
		}
	}
}

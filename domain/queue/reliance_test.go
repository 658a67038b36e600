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

func TestACorrectionIsReliedOnOnlyWhileEverythingHolds(t *testing.T) {
	outcomes := append([]terms.Outcome{0}, terms.Outcomes.All()...)
	passes := 0
	for _, status := range terms.CaseStatuses.Texts() {
		for _, m := range moments("2027-01-01T00:00:00Z") {
			for _, outcome := range outcomes {
				for _, earlier := range []bool{false, true} {
					scene := domaintest.Appeal()
					scene.Make(domaintest.Set("/record/status", status))
					var ruling *records.Ruling
					if outcome.Present() {
						ruling = &records.Ruling{Outcome: outcome, Gate: terms.Pass}
					}
					got := judge(t, scene, m, ruling, earlier)
					relied := outcome == terms.CorrectRecord || outcome == terms.RecordRemedy
					if want := status == "corrected" && m.name == "now" && relied; (got.Gate == terms.Pass) != want {
						t.Errorf("%s, %s, %q: %s by %q", status, m.name, outcome, got.Gate, got.Reasons)
					} else if want {
						passes++
					}
					for reason, want := range map[string]bool{records.NoRecord: ruling == nil && !earlier,
						records.NotLatest: ruling == nil && earlier, records.NotCorrected: status != "corrected",
						records.HeldByOutcome: ruling != nil && !relied, records.HeldByGate: false} {
						if slices.Contains(got.Reasons, reason) != want {
							t.Errorf("%s, %s, %q: %q, with %s: %v", status, m.name, outcome, got.Reasons, reason, want)
						}
					}
				}
			}
		}
	}
	if passes != 4 {
		t.Errorf("%d pass", passes)
	}
}

func TestAnAmendmentIsReliedOnOnlyWhileEverythingHolds(t *testing.T) {
	passes := 0
	for _, state := range terms.AmendmentStates.Texts() {
		for _, m := range moments("2027-01-01T00:00:00Z") {
			for name, ruling := range map[string]*records.Ruling{"no record": nil, "pass": {Gate: terms.Pass}, "blocked": {}} {
				scene := domaintest.Correction()
				scene.Make(domaintest.Set("/record/state", state))
				got := judge(t, scene, m, ruling, false)
				if want := state == "applied" && m.name == "now" && name == "pass"; (got.Gate == terms.Pass) != want {
					t.Errorf("%s, %s, %s: %s by %q", state, m.name, name, got.Gate, got.Reasons)
				} else if want {
					passes++
				}
				if slices.Contains(got.Reasons, records.HeldByGate) != (name == "blocked") ||
					slices.Contains(got.Reasons, records.NoRecord) != (name == "no record") ||
					slices.Contains(got.Reasons, records.NotCorrected) || slices.Contains(got.Reasons, records.HeldByOutcome) {
					t.Errorf("%s, %s, %s: %q", state, m.name, name, got.Reasons)
				}
			}
		}
	}
	if passes != 1 {
		t.Errorf("%d pass", passes)
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

// What a case waits on is its record: a filter finds it, and its age.
func TestACaseWaitsUntilItsRecordClosesIt(t *testing.T) {
	now := domaintest.Instant(domaintest.Now)
	recorded := domaintest.Instant("2026-05-31T12:00:00Z") // 15 days before
	for _, area := range terms.Areas.All() {
		statuses := terms.CaseStatuses.Texts()
		if area == terms.Amendments {
			statuses = terms.AmendmentStates.Texts()
		}
		for _, status := range statuses {
			for _, ruling := range []records.Ruling{{RecordedAt: recorded, Outcome: terms.RequestEvidence},
				{RecordedAt: recorded, Outcome: terms.UpholdDecision, Gate: terms.Pass}} {
				row := queue.Row{Table: terms.RecordTable(area), ID: "x-1", Status: terms.AnyTerm(status), Decided: true,
					Ruling: ruling, Blockers: queue.Codes{Area: area}}
				closes := status == "corrected" && ruling.Outcome == terms.UpholdDecision ||
					status == "applied" && ruling.Gate == terms.Pass
				waits := !isClosed(row)
				if (row.Status == "corrected" || row.Status == "applied") && row.Closed() != closes || row.Waiting() != waits ||
					row.Open() || row.AwaitsRecord() {
					t.Errorf("%s: closed %v, waiting %v, open %v", status, row.Closed(), row.Waiting(), row.Open())
				}
				d := queue.New(area, []queue.Row{row})
				for text, want := range map[string]bool{"is:waiting": waits, "-is:waiting": !waits, "waiting:>14d": waits,
					"waiting:<14d": false, "waiting:>16d": false, "waiting:<16d": waits, "is:closed": !waits} {
					filter, err := queue.ParseFilter(text)
					if err != nil {
						t.Fatal(err)
					}
					if got := len(d.Select([]uint32{0}, filter, &queue.FilterContext{Now: now}, nil)) == 1; got != want {
						t.Errorf("%s, %s: %v", status, text, got)
					}
				}
				if tally := d.Tally(""); (tally.Waiting == 1) != waits || (tally.Longest == recorded) != waits {
					t.Errorf("%s: %+v", status, tally)
				}
			}
		}
	}
	for _, text := range []string{"waiting:14d", "waiting:>d", "waiting:>14y", "waiting:"} {
		if _, err := queue.ParseFilter(text); err == nil {
			t.Errorf("%s is taken", text)
		}
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

func TestEachStatusIsOpenOrClosed(t *testing.T) {
	for _, area := range terms.Areas.All() {
		statuses := append(terms.CaseStatuses.Texts(), "", "no word")
		if area == terms.Amendments {
			statuses = append(terms.AmendmentStates.Texts(), "", "no word")
		}
		for _, status := range statuses {
			for _, decided := range []bool{false, true} {
				row := queue.Row{Table: terms.RecordTable(area), ID: "x-1", Status: terms.AnyTerm(status), Decided: decided,
					Deadline: domaintest.Instant(domaintest.LongAgo), Blockers: queue.Codes{Area: area}}
				want := isClosed(row)
				if got := row.Closed(); got != want || row.Open() != (!want && !decided) {
					t.Errorf("%s %q, decided %v: closed %v, open %v", area, status, decided, got, row.Open())
				}
				if got, want := row.AwaitsRecord(), area == terms.Appeals && status == "corrected" && !decided; got != want {
					t.Errorf("%s %q, decided %v: awaits a record %v", area, status, decided, got)
				}
				if got := row.Due(); got != dueOf(row) {
					t.Errorf("%s %q, decided %v: due %q", area, status, decided, got)
				}
				if status == "no word" {
					continue // no queue holds it
				}
				row.Deadline = terms.Instant{}
				d := queue.New(area, []queue.Row{row})
				closed, _ := queue.ParseFilter("is:closed")
				selects := len(d.Select([]uint32{0}, closed, &queue.FilterContext{}, nil)) == 1
				if tally := d.Tally(""); selects != want || (tally.Closed == 1) != want || (tally.Open == 1) != (!want && !decided) ||
					d.Workable(0) != row.Workable() {
					t.Errorf("%s %q, decided %v: is:closed %v, %+v", area, status, decided, selects, tally)
				}
			}
		}
	}
}

func TestASettledCaseIsNeitherOverdueNorFirst(t *testing.T) {
	var rows []queue.Row
	for _, one := range []struct{ id, status, deadline string }{
		{"a-upheld", "upheld", domaintest.LongAgo}, {"b-corrected", "corrected", domaintest.LongAgo}, {"c-filed", "filed", "2026-07-01T00:00:00Z"},
		{"d-late", "filed", "2026-01-01T00:00:00Z"}, {"e-unread", "", ""},
	} {
		row := queue.Row{Table: terms.AppealCases, ID: terms.ID(one.id), Status: terms.AnyTerm(one.status), Blockers: queue.Codes{Area: terms.Appeals}}
		if one.deadline != "" {
			row.Deadline = domaintest.Instant(one.deadline)
		}
		rows = append(rows, row)
	}
	d := queue.New(terms.Appeals, rows)
	var ids []terms.ID
	for _, at := range d.Order(queue.ByDeadline, "") {
		ids = append(ids, d.Row(int(at)).ID)
	}
	if want := []terms.ID{"d-late", "c-filed", "b-corrected", "e-unread", "a-upheld"}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
	overdue, _ := queue.ParseFilter("due:<0h")
	if at := d.Select([]uint32{0, 1, 2, 3, 4}, overdue, &queue.FilterContext{Now: domaintest.Instant(domaintest.Now)}, nil); !slices.Equal(at, []uint32{3}) {
		t.Errorf("overdue are %v", at)
	}
}

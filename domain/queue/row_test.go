package queue_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/domain/views"
)

func rowOf(v *views.View, state queue.RowState) queue.Row {
	return queue.NewRow(v.Policy(), v.Record(), v.Latest(), v.EvaluatedAt(), state)
}

func TestQueueRowsSumUpThePacket(t *testing.T) {
	caseInView := domaintest.View(t, domaintest.Appeal(), domaintest.Del("/record/notice"), domaintest.Set("/record/requestedEffects", []string{"change_parent_record"}))
	amendmentInView := domaintest.View(t, domaintest.MaterialChange())
	bare := domaintest.Look(t, domaintest.Parsed(`{"table":"trade_appeal_cases","at":"`+domaintest.Now+`","record":{"caseId":"bare","revision":1,
		"contractVersion":"x","status":"filed"}}`))
	for _, test := range []struct {
		view  *views.View
		state queue.RowState
		want  string
	}{
		{&caseInView, queue.RowState{Decided: true, Skipped: "canary", ImportedAt: domaintest.Instant("2026-06-02T08:00:00Z")}, `{"table":"trade_appeal_cases","id":"case-17",
			"revision":2,"gate":"blocked","relianceGate":"blocked","blockers":["notice_missing","scope_missing"],"addedBlockers":[],"status":"under_neutral_review",
			"subject":"evidence_row","trigger":"wrong_scope_evidence","filedAt":"2026-06-01T08:00:00Z","importedAt":"2026-06-02T08:00:00Z","deadline":"2026-07-01T00:00:00Z",
			"assignedTo":"reviewer-7","decided":true,"closed":false}`},
		{&amendmentInView, queue.RowState{}, `{"table":"trade_agreement_amendment_records","id":"amendment-8","revision":4,
			"gate":"pass","relianceGate":"blocked","blockers":[],"addedBlockers":[],"status":"applied","subject":"locked_pledge_swap",
			"trigger":"pledge_swap_material_change","filedAt":null,"importedAt":null,"deadline":null,"assignedTo":"reviewer-7","decided":false,"closed":false}`},
		{&bare, queue.RowState{}, `{"table":"trade_appeal_cases","id":"bare","revision":1,"gate":"blocked","relianceGate":"blocked","blockers":[
			"appeal_policy_missing","appeal_case_missing","appeal_case_stale","standing_missing","notice_missing","deadline_missing",
			"neutral_review_missing","scope_missing","private_details_unredacted","safety_blocker_waiver_attempted",
			"settled_obligation_reopen_attempted","non_retaliation_missing","evidence_scope_missing","invalid_case_hash"],"addedBlockers":[],
			"status":"filed","subject":null,"trigger":null,"filedAt":null,"importedAt":null,"deadline":null,"assignedTo":null,"decided":false,"closed":false}`},
	} {
		got, want := string(domaintest.Encoded(rowOf(test.view, test.state))), string(domaintest.Encoded(domaintest.Parsed(test.want)))
		if string(domaintest.Encoded(domaintest.Parsed(got))) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestBlockersThatPeopleAddedBlockInTheQueue(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	for name, carried := range map[string]terms.BlockerSet{"none": 0, "one": terms.SetOf(terms.NoticeMissing)} {
		row := rowOf(&v, queue.RowState{Carried: carried})
		d := queue.New(v.Area(), []queue.Row{row})
		kept := d.Row(0)
		for at, r := range []queue.Row{row, kept} {
			if (r.Gate == terms.Pass) != carried.Empty() || r.Blockers.Set != carried {
				t.Errorf("%s, %d: gate %s, blockers %v", name, at, r.Gate, r.Blockers.List())
			}
		}
	}
}

func TestUnreadableRowsAreBlockedAndStayInTheQueue(t *testing.T) {
	row := queue.UnreadableRow(terms.AppealCases, packets.Key{ID: "broken", Number: 3}, "it was damaged")
	text := string(domaintest.Encoded(row))
	if row.Gate != terms.Blocked || row.Unreadable == "" || !strings.Contains(text, `"gate":"blocked"`) ||
		!strings.Contains(text, `"id":"broken"`) || !strings.Contains(text, `"blockers":[]`) {
		t.Errorf("%s", text)
	}
}

func TestTalliesCountAQueue(t *testing.T) {
	pass, blocked := domaintest.View(t, domaintest.Appeal()), domaintest.View(t, domaintest.Appeal(), domaintest.Del("/record/notice"))
	other := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/neutralReview/reviewerId", "reviewer-8"))
	rows := []queue.Row{rowOf(&pass, queue.RowState{}), rowOf(&blocked, queue.RowState{}), rowOf(&other, queue.RowState{}),
		rowOf(&pass, queue.RowState{Skipped: "later", Rejected: true}), rowOf(&pass, queue.RowState{Decided: true}),
		rowOf(&pass, queue.RowState{Decided: true, Skipped: "later"})}
	rows = append(rows, rowOf(&pass, queue.RowState{Reassigned: true, Rejected: true}), rowOf(&pass, queue.RowState{Decided: true, Reassigned: true}))
	for i := range rows {
		rows[i].ID = terms.ID(rune('a' + i))
	}
	broken := queue.UnreadableRow(terms.AppealCases, packets.Key{ID: "z", Number: 1}, "it was damaged")
	d := queue.New(terms.Appeals, append(rows, broken))
	if got, want := d.Tally("reviewer-7"), (queue.Tally{Open: 4, Pass: 2, Mine: 2, Skipped: 1, Decided: 3, Waiting: 2, Rejected: 1, Reassigned: 2, Unreadable: 1}); got != want {
		t.Errorf("%+v", got)
	}
	if got := d.Tally(""); got.Mine != 0 {
		t.Errorf("%d are nobody's", got.Mine)
	}
	if got := (&queue.Queue{}).Tally("reviewer-7"); got != (queue.Tally{}) {
		t.Errorf("%+v", got)
	}
}

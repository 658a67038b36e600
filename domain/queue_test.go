package domain_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/domain"
)

func rowOf(v *domain.View, state domain.RowState) domain.QueueRow {
	return domain.NewQueueRow(v.Policy(), v.Record(), v.Latest(), v.EvaluatedAt(), state)
}

func TestQueueRowsSumUpWhatIsJudged(t *testing.T) {
	caseInView := view(t, appeal(), del("/record/notice"), set("/record/requestedEffects", []string{"change_parent_record"}))
	amendmentInView := view(t, materialChange())
	bare := look(t, parsed(`{"table":"trade_appeal_cases","at":"`+now+`","record":{"caseId":"bare","revision":1,
		"contractVersion":"x","status":"filed"}}`))
	for _, test := range []struct {
		view  *domain.View
		state domain.RowState
		want  string
	}{
		{&caseInView, domain.RowState{Decided: true, Skipped: "canary"}, `{"table":"trade_appeal_cases","id":"case-17",
			"revision":2,"gate":"blocked","blockers":["notice_missing","scope_missing"],"status":"under_neutral_review",
			"subject":"evidence_row","trigger":"wrong_scope_evidence","deadline":"2026-07-01T00:00:00Z",
			"assignedTo":"reviewer-7","decided":true}`},
		{&amendmentInView, domain.RowState{}, `{"table":"trade_agreement_amendment_records","id":"amendment-8","revision":4,
			"gate":"pass","blockers":[],"status":"applied","subject":"locked_pledge_swap",
			"trigger":"pledge_swap_material_change","deadline":null,"assignedTo":"reviewer-7","decided":false}`},
		{&bare, domain.RowState{}, `{"table":"trade_appeal_cases","id":"bare","revision":1,"gate":"blocked","blockers":[
			"appeal_policy_missing","appeal_case_stale","standing_missing","notice_missing","deadline_missing",
			"neutral_review_missing","scope_missing","private_details_unredacted","safety_blocker_waiver_attempted",
			"settled_obligation_reopen_attempted","non_retaliation_missing","evidence_scope_missing","invalid_case_hash"],
			"status":"filed","subject":null,"trigger":null,"deadline":null,"assignedTo":null,"decided":false}`},
	} {
		got, want := string(encoded(rowOf(test.view, test.state))), string(encoded(parsed(test.want)))
		if string(encoded(parsed(got))) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestUnreadableRowsAreBlockedAndStayInTheQueue(t *testing.T) {
	row := domain.UnreadableRow(domain.AppealCases, domain.Key{ID: "broken", Number: 3}, "it was damaged")
	text := string(encoded(row))
	if row.Gate != domain.Blocked || row.Unreadable == "" || !strings.Contains(text, `"gate":"blocked"`) ||
		!strings.Contains(text, `"id":"broken"`) || !strings.Contains(text, `"blockers":[]`) {
		t.Errorf("%s", text)
	}
}

// drawRow draws a row from few values, so that many rows are alike.
func drawRow(t *rapid.T) domain.QueueRow {
	row := domain.QueueRow{
		Table:    rapid.SampledFrom([]domain.Table{domain.AppealCases, domain.AmendmentRecords}).Draw(t, "table"),
		ID:       rapid.SampledFrom([]domain.ID{"a", "b", "c"}).Draw(t, "id"),
		Revision: rapid.Int64Range(1, 2).Draw(t, "revision"),
		Decided:  rapid.Bool().Draw(t, "decided"),
		Skipped:  rapid.SampledFrom([]string{"", "", "later"}).Draw(t, "skipped"),
	}
	if rapid.Bool().Draw(t, "has a deadline") {
		row.Deadline = instant(rapid.SampledFrom(moments).Draw(t, "deadline"))
	}
	some := domain.AllBlockers(domain.AreaOf(row.Table)).Words()[:4]
	row.Blockers.Set = domain.SetOf(rapid.SliceOf(rapid.SampledFrom(some)).Draw(t, "blockers")...)
	return row
}

// before is the order of the specification and of the table's comments, written out anew.
func before(order domain.SortOrder, a, b domain.QueueRow) bool {
	rank := func(r domain.QueueRow) int {
		return map[bool]int{true: 2}[r.Decided] + map[bool]int{true: 1}[!r.Decided && r.Skipped != ""]
	}
	if rank(a) != rank(b) {
		return rank(a) < rank(b)
	}
	switch {
	case order == domain.ByDeadline && a.Deadline.Present() != b.Deadline.Present():
		return a.Deadline.Present()
	case order == domain.ByDeadline && a.Deadline != b.Deadline:
		return a.Deadline.Time().Before(b.Deadline.Time())
	case order == domain.ByBlockers && a.Blockers.Set.Len() != b.Blockers.Set.Len():
		return a.Blockers.Set.Len() < b.Blockers.Set.Len()
	case a.ID != b.ID:
		return a.ID < b.ID
	case a.Table != b.Table:
		return a.Table < b.Table
	}
	return a.Revision < b.Revision
}

func TestOrdersAreTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(drawRow), 0, 12).Draw(t, "rows")
		order := rapid.SampledFrom(domain.SortOrders.All()).Draw(t, "order")
		shuffled := rapid.Permutation(rows).Draw(t, "shuffled")
		domain.SortQueue(rows, order)
		domain.SortQueue(shuffled, order)
		for i := range rows {
			if i > 0 && before(order, rows[i], rows[i-1]) {
				t.Fatalf("by %s, %+v comes before %+v", order, rows[i-1], rows[i])
			}
			if before(order, rows[i], shuffled[i]) || before(order, shuffled[i], rows[i]) {
				t.Fatalf("by %s, the order depends on how the rows came", order)
			}
		}
		again := slices.Clone(rows)
		domain.SortQueue(again, order)
		if string(encoded(again)) != string(encoded(rows)) {
			t.Fatalf("sorting again moves rows")
		}
	})
}

func TestTalliesCountADocket(t *testing.T) {
	pass, blocked := view(t, appeal()), view(t, appeal(), del("/record/notice"))
	other := view(t, appeal(), set("/record/neutralReview/reviewerId", "reviewer-8"))
	rows := []domain.QueueRow{rowOf(&pass, domain.RowState{}), rowOf(&blocked, domain.RowState{}), rowOf(&other, domain.RowState{}),
		rowOf(&pass, domain.RowState{Skipped: "later"}), rowOf(&pass, domain.RowState{Decided: true}),
		rowOf(&pass, domain.RowState{Decided: true, Skipped: "later"})}
	if got, want := domain.Count(rows, "reviewer-7"), (domain.Tally{Open: 3, Pass: 2, Mine: 2, Skipped: 1, Decided: 2}); got != want {
		t.Errorf("%+v", got)
	}
	if got := domain.Count(rows, ""); got.Mine != 0 {
		t.Errorf("%d are nobody's", got.Mine)
	}
	if got := domain.Count(nil, "reviewer-7"); got != (domain.Tally{}) {
		t.Errorf("%+v", got)
	}
}

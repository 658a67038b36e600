package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/store/merkle"
)

func logOfMany(t testing.TB, count int) *fixture {
	t.Helper()
	d := newFixture(t)
	for _, id := range d.many("case", count) {
		d.record(id, decision{outcome: terms.UpholdDecision})
	}
	return d
}

func TestAPageOfRecordsOrFiguresTakesSixQueriesAndLooksAtNoMoreOfTheLog(t *testing.T) {
	t.Parallel()
	d := logOfMany(t, 300)
	read, queries := d.noting()
	need(read.RecordPage(t.Context(), 0, 1))(t) // the statements are read once
	for _, before := range []int64{0, 300, 217, 64, 1} {
		*queries = nil
		page, err := read.RecordPage(t.Context(), before, 200)
		first := before
		if first == 0 {
			first = 300
		}
		mustNot(t, err != nil || page.Total != 300 || len(page.Records) != int(min(first, 200)) ||
			page.Records[0].Receipt.Sequence != 301+first-1, // after the packets
			"before %d: %d of %d records, %v", before, len(page.Records), page.Total, err)
		wantNot(t, len(*queries) == 0 || len(*queries) > 6,
			"before %d: %d queries: %v", before, len(*queries), *queries)
		for i := range page.Records {
			one := need(d.store.Record(t.Context(), page.Records[i].Receipt.RecordID))(t)
			mustNot(t, one.Receipt != page.Records[i].Receipt, "%+v by itself", one.Receipt)
		}
	}
	tile := tlog.Tile{H: 8, L: -1, N: 2, W: 601 - 2*merkle.TileWidth}
	entries := need(read.TileEntries(t.Context(), tile))(t)
	mustNot(t, len(entries) != tile.W, "the last tile has %d entries", len(entries))
	page := need(read.RecordPage(t.Context(), 0, tile.W))(t)
	for i := range entries {
		wantSame(t, "entry of the last tile is a different record", string(entries[i].Document), string(page.Records[tile.W-1-i].Record.Document()))
	}
	*queries = nil
	need(read.RecordPage(t.Context(), 100, 10))(t)
	// The leaves are read backwards as far as the page goes; the others hold a row for each restore of the service.
	small := []string{"SCAN leaf", "SCAN ending", rejectionsTable, "CONSTANT"}
	for _, plan := range d.plansOf(*queries, " AS leaf") {
		for step := range strings.Lines(plan) {
			if strings.Contains(step, "SCAN") && !slices.ContainsFunc(small, func(part string) bool { return strings.Contains(step, part) }) {
				t.Errorf("a page looks at whole tables: %s", step)
			}
		}
	}
	*queries = nil
	figures, err := read.StatsPage(t.Context(), stats.Period{}, "", 200)
	wantNot(t, err != nil || len(figures) != 200 || len(*queries) == 0 || len(*queries) > 6,
		"%d records, %v, %d queries:\n%v", len(figures), err, len(*queries), *queries)
	plan := d.plansOf(*queries, " AS judged")[0]
	wantNot(t, strings.Contains(plan, "SCAN"), "the dates are looked for in whole tables: %s", plan)
}

func (d *fixture) statsOf(period stats.Period, portion int) (list []stats.Record) {
	d.t.Helper()
	for after := records.RecordID(""); ; after = list[len(list)-1].ID {
		page := need(d.store.StatsPage(d.t.Context(), period, after, portion))(d.t)
		if list = append(list, page...); len(page) < portion {
			return list
		}
	}
}

func told(r *stats.Record) string {
	text := string(r.ID) + " unreadable"
	if r.Members != nil {
		text = fmt.Sprintf("%s %s %s", r.Members.Key.ID, r.Members.Outcome, r.Members.RecordedAt)
	}
	return fmt.Sprintf("%s filed %s due %s against %v superseded %v revoked %v", text, r.FiledAt, r.Deadline, r.Against, r.Superseded, r.Revoked)
}

func TestTheRecordsOfAPeriodAreReadOnceEachInPagesOfAnySize(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)))
	d.takeCases("case-1", "case-2", "case-3", "case-6")
	for _, id := range []terms.ID{"case-1", "case-2", "case-3"} {
		d.record(id, decision{outcome: terms.UpholdDecision})
	}
	change := d.caseFile(terms.AmendmentRecords, "amd-1")
	need(d.store.Append(t.Context(), d.decide(&change.View, decision{})))(t)
	unheard := passing("case-7", 1)
	unheard["status"], unheard["notice"], unheard["requestedOutcome"] = "filed", members{"state": "not_required_for_stage"}, "uphold_decision"
	d.take(d.mill.appealCase(unheard))
	d.clock = noon.AddDate(0, 0, 7)
	d.at(d.clock)
	d.record("case-7", decision{outcome: terms.BlockReliance})
	first := d.record("case-6", decision{outcome: terms.RequestEvidence})
	d.record("case-6", decision{outcome: terms.UpholdDecision, supersedes: first.RecordID})
	whole := d.statsOf(stats.Period{}, 100)
	mustNot(t, len(whole) != 7, "%d records", len(whole))
	texts := map[string]bool{}
	for i := range whole {
		texts[told(&whole[i])] = true
	}
	late := terms.InstantOf(d.clock).String()
	const dates = " filed 2026-02-01T00:00:00Z due 2026-04-01T00:00:00Z "
	for _, want := range []string{"case-1 uphold_decision " + terms.InstantOf(noon).String() + dates + "against false superseded false revoked false",
		"amd-1  " + terms.InstantOf(noon).String() + " filed  due  against false superseded false revoked false",
		"case-7 block_reliance " + late + dates + "against false superseded false revoked false", // nobody was heard: it was the advice
		"case-6 request_evidence " + late + dates + "against true superseded true revoked false",
		"case-6 uphold_decision " + late + dates + "against false superseded false revoked false"} {
		wantNot(t, !texts[want], "there is no %s", want)
	}
	if t.Failed() {
		t.Log(texts)
	}
	for _, portion := range []int{1, 2, 3, 7, 8} {
		wantSame(t, portion, fmt.Sprint(toldAll(d.statsOf(stats.Period{}, portion))), fmt.Sprint(toldAll(whole)))
	}
	week := stats.PeriodOf(stats.Week, terms.InstantOf(noon))
	for _, row := range []struct {
		period stats.Period
		want   int
	}{{week, 4}, {week.Next(), 3}, {week.Previous(), 0}, {stats.Period{From: terms.InstantOf(d.clock)}, 3},
		{stats.Period{To: terms.InstantOf(d.clock)}, 4}, {stats.Period{From: terms.InstantOf(time.Unix(-1, 0)), To: terms.InstantOf(time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC))}, 7},
		{stats.Period{To: terms.InstantOf(time.Unix(-1, 0))}, 0}, {stats.Period{To: terms.InstantOf(time.Unix(0, 0))}, 0}} {
		wantSame(t, row.period, len(d.statsOf(row.period, 2)), row.want)
	}
	must(t, d.state(records.KeyEndorsed, 1, 9, -1))
	must(t, d.state(records.KeyRevoked, 9, 1, 6))
	after := d.statsOf(week.Next(), 2)
	if last := after[len(after)-1]; !last.Revoked && !after[0].Revoked && !after[1].Revoked {
		t.Errorf("after a revocation: %v", toldAll(after))
	}
}

func toldAll(list []stats.Record) (texts []string) {
	for i := range list {
		texts = append(texts, told(&list[i]))
	}
	return texts
}

func TestACaseThatCannotBeReadHasNoDatesAndItsRecordStillCounts(t *testing.T) {
	t.Parallel()
	for name, change := range damages {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			record := passing("case-1", 1)
			record["subjectId"] = "item-1"
			d.take(d.mill.appealPolicy(1), d.mill.appealCase(record))
			d.record("case-1", decision{outcome: terms.UpholdDecision})
			d.damage(change[0], change[1])
			list := d.statsOf(stats.Period{}, 10)
			mustNot(t, len(list) != 1, "%d records", len(list))
			filed := list[0].FiledAt.Present()
			wantNot(t, filed != (name == "another value"), "%v", told(&list[0]))
		})
	}
}

func TestADecisionIsAgainstTheAdviceThatItsPacketsGive(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.record("case-1", decision{outcome: terms.BlockReliance})
	list := d.statsOf(stats.Period{}, 10)
	wantNot(t, len(list) != 1 || !list[0].Against, "%v", toldAll(list))
	page := need(d.store.Records(t.Context(), 0, 1))(t)
	wantNot(t, len(page) != 1 || !page[0].Departs() || page[0].Advised != terms.UpholdDecision,
		"%v", page)
}

package store

import (
	"testing"

	"docket/domain/queue"
	"docket/domain/terms"
)

func TestATrendCountsWhatTheRulesFoundInTheLog(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	trend := func() queue.WeeklyCounts {
		t.Helper()
		trend := need(d.store.WeeklyCounts(t.Context(), terms.Appeals, terms.InstantOf(noon)))(t)
		return trend
	}
	before := trend()
	if got := before.Decided[queue.Weeks-1]; got != 3 || before.Of(terms.NoticeMissing)[queue.Weeks-1] != 0 {
		t.Errorf("%d decisions", got)
	}
	blocked := passing("case-4", 2)
	blocked["notice"] = map[string]any{"state": "queued"}
	d.take(d.mill.appealCase(blocked))
	d.record("case-4", decision{outcome: terms.RequestEvidence})
	after := trend()
	if after.Decided[queue.Weeks-1] != 4 || after.Of(terms.NoticeMissing)[queue.Weeks-1] != 1 {
		t.Errorf("%d decisions, %d with the code", after.Decided[queue.Weeks-1], after.Of(terms.NoticeMissing))
	}
	d.close()
	forge(t, o.Path, "UPDATE trade_challenge_appeal_enforcement_records SET document = json_set(document, '$.computedBlockers', 'no code') WHERE sequence = 0")
	d.store = openWith(t, o)
	wantSame(t, "with a record that cannot be read", trend().Decided[queue.Weeks-1], 3)
}

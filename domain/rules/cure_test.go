package rules_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/rules"
	"docket/domain/terms"
)

func TestACureOffersNothingThatTheRulesRefuse(t *testing.T) {
	late := domaintest.Set("/record/deadline", domaintest.LongAgo)
	unheard := domaintest.Set("/record/notice/state", "queued")
	on := domaintest.Set("/record/effects/fundsRedirect", true)
	narrowed := domaintest.Set("/record/effects/cancellationRightsNarrowed", true)
	exposureOnly := domaintest.Confirmations(domaintest.ConfirmationOf("party-a"), domaintest.ConfirmationOf("party-b"))
	for _, test := range []struct {
		name     string
		from     domaintest.Scene
		code     terms.Blocker
		says     string
		saysNot  string
		declared []domaintest.Edit
	}{
		{"a queued notice", domaintest.Appeal(), terms.NoticeMissing, "must deliver the notice", "may do without", []domaintest.Edit{unheard}},
		{"a notice that is not required, too late", domaintest.Appeal(), terms.NoticeMissing, "Only a draft or filed case may do without",
			"", []domaintest.Edit{domaintest.Set("/record/notice/state", "not_required_for_stage"), domaintest.Set("/record/status", "under_neutral_review")}},
		{"a notice without its time", domaintest.Appeal(), terms.NoticeMissing, "must record when", "deliver the notice",
			[]domaintest.Edit{domaintest.Del("/record/notice/deliveredAt")}},
		{"a notice of the future", domaintest.Appeal(), terms.NoticeMissing, "counts from " + domaintest.FarAhead, "deliver the notice",
			[]domaintest.Edit{domaintest.Set("/record/notice/deliveredAt", domaintest.FarAhead)}},
		{"a queued notice of an amendment", domaintest.MaterialChange(), terms.NoticeMissing, "must deliver the notice", "may do without",
			[]domaintest.Edit{unheard}},
		{"late and heard", domaintest.Appeal(), terms.DeadlineExpired, "A reviewer of the case can close it as unresolved", "", []domaintest.Edit{late}},
		{"late and unheard", domaintest.Appeal(), terms.DeadlineExpired, "must extend the deadline", "unresolved", []domaintest.Edit{late, unheard}},
		{"late under a rule that permits no closing", domaintest.Appeal(), terms.DeadlineExpired, "must extend the deadline", "unresolved",
			[]domaintest.Edit{late, domaintest.Set("/policy/outcomeRules/wrong_scope_evidence/compatible", []string{"open_challenge_window"})}},
		{"an effect that can be confirmed", domaintest.MaterialChange(), terms.FundsRedirectUnconfirmed, "obtain a live confirmation", "",
			[]domaintest.Edit{on, exposureOnly}},
		{"an effect of a correction", domaintest.Correction(), terms.FundsRedirectUnconfirmed, "no confirmation cures it", "obtain",
			[]domaintest.Edit{on}},
		{"rights narrowed in a pause", domaintest.Pause(), terms.CancellationRightsNarrowedBlocker, "does a live confirmation", "",
			[]domaintest.Edit{narrowed, exposureOnly}},
		{"rights narrowed elsewhere", domaintest.MaterialChange(), terms.CancellationRightsNarrowedBlocker, "no confirmation cures it", "obtain",
			[]domaintest.Edit{narrowed}},
		{"not the latest", domaintest.Appeal(), terms.AppealCaseStale, "Open revision 9", "publish", []domaintest.Edit{domaintest.Set("/latestRevision", 9)}},
		{"the latest, but stale", domaintest.Appeal(), terms.AppealCaseStale, "must publish a new revision", "Open",
			[]domaintest.Edit{domaintest.Set("/record/status", "stale")}},
		{"another contract", domaintest.MaterialChange(), terms.AmendmentStaleBlocker, "under the current contract version", "Open",
			[]domaintest.Edit{domaintest.Set("/record/contractVersion", "trade-agreement-amendments-v9")}},
	} {
		input, evaluation := domaintest.Evaluated(t, test.from, test.declared...)
		rule := input.Rule(test.code)
		if !evaluation.BlockerSet().Has(test.code) || rule.Code != test.code || rule.Meaning == "" {
			t.Fatalf("%s: %q, %+v", test.name, evaluation.BlockerSet().Texts(), rule)
		}
		if !strings.Contains(rule.Cure, test.says) || test.saysNot != "" && strings.Contains(rule.Cure, test.saysNot) {
			t.Errorf("%s: %s", test.name, rule.Cure)
		}
	}
}

func TestOfNoRecordTheCureIsThatOfTheBook(t *testing.T) {
	input, _ := domaintest.Evaluated(t, domaintest.Appeal(), domaintest.Del("/record"))
	for _, rule := range rules.Book(terms.Appeals) {
		if got := input.Rule(rule.Code); got != rule {
			t.Errorf("%+v", got)
		}
	}
	if got := input.Rule(terms.PolicyStale); got != (rules.Rule{}) {
		t.Errorf("of the other area: %+v", got)
	}
}

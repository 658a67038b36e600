package rules_test

import (
	stdjson "encoding/json"
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// The definitions of source 2.5.1, in its order.
var definitions = []struct{ transition, boundary, blocks string }{
	{"donation_offset_material_change", "A locked donation offset cannot change amount, ratio, baseline, destination, " +
		"donor treatment, evidence standard or remedy by editing parent records.",
		"payment_capture public_completed_claim payout_release"},
	{"pledge_swap_material_change", "A locked pledge swap needs append-only amendment records, renewed confirmations " +
		"and neutral review before a burden-shifting change can bear reliance.",
		"performance_start matched_trade_lock_update reliance_bearing_preview"},
	{"post_lock_correction", "A correction may only clarify terms, and only when before/after hashes show no " +
		"retroactive performance change and no evidence-claim change.",
		"terms_snapshot_update evidence_acceptance cleared_agreement_update"},
	{"pause_or_early_termination", "A pause or early termination cannot narrow cancellation rights, redirect funds or " +
		"change compensation without confirmation by the affected parties and neutral review where required.",
		"performance_pause early_termination refund_or_carry_forward"},
	{"evidence_standard_change", "After lock, an evidence standard cannot change so as to turn old evidence into a " +
		"different claim type.",
		"evidence_review impact_claim_publication breach_remedy"},
	{"destination_change", "Needs renewed confirmation, policy snapshots, notice and recipient/destination review " +
		"before capture, payout or public money claims.",
		"payment_capture destination_reuse public_money_metric"},
}

// answered is the line that is printed for the scene.
func answered(t domaintest.TB, s domaintest.Scene, edits ...domaintest.Edit) map[string]any {
	t.Helper()
	input, evaluation := domaintest.Evaluated(t, s, edits...)
	return domaintest.Parsed(string(views.AppendAnswer(nil, &input, evaluation)))
}

func TestTransitionsBlockTheActionsOfTheSourceOnlyWhileTheGateIsBlocked(t *testing.T) {
	for _, d := range definitions {
		edits := []domaintest.Edit{domaintest.Set("/record/transition", d.transition), domaintest.Set("/record/subjectType", "cleared_trade_agreement"),
			domaintest.Set("/record/amendmentType", theTypes[d.transition][1][0]), domaintest.Set("/record/changedTerms", []string{"wording"}),
			domaintest.Set("/record/effects/exposureIncrease", false)}
		for blocks, extra := range map[string][]domaintest.Edit{
			"":       nil,
			d.blocks: {domaintest.Del("/record/notice")},
		} {
			line := answered(t, domaintest.DestinationChange(), append(edits, extra...)...)
			if line["transition"] != d.transition || line["protectedBoundary"] != d.boundary ||
				domaintest.Joined(line["blockedTransitions"]) != blocks || (line["gate"] == "pass") != (blocks == "") {
				t.Errorf("%s, want %q: %s", d.transition, blocks, domaintest.Encoded(line))
			}
		}
	}
}

// The blocked actions are the union of those of the transition and those of a change of destination or of the evidence standard,
// if type or terms say that it is one: each word once, in the order of the six lists.
func TestATransitionStatedByOtherMembersBlocksItsActionsToo(t *testing.T) {
	const (
		swap     = "performance_start matched_trade_lock_update reliance_bearing_preview"
		standard = "evidence_review impact_claim_publication breach_remedy"
		money    = "destination_reuse public_money_metric"
	)
	for _, test := range []struct {
		name, want string
		edits      []domaintest.Edit
	}{
		{"neither", swap, nil},
		{"destination by type", "payment_capture " + swap + " " + money, edits(`/record/amendmentType = "destination_change"`)},
		{"destination by term", "payment_capture " + swap + " " + money, edits(`/record/changedTerms = ["amount", "destination"]`)},
		{"standard by type", swap + " " + standard, edits(`/record/amendmentType = "evidence_standard_change"`)},
		{"standard by term", swap + " " + standard, edits(`/record/changedTerms = ["evidence_standard"]`)},
		{"both", "payment_capture " + swap + " " + standard + " " + money,
			edits(`/record/changedTerms = ["destination"]; /record/amendmentType = "evidence_standard_change"`)},
		{"an offset, both", "payment_capture public_completed_claim payout_release " + standard + " " + money, edits(`/record/transition = "donation_offset_material_change";
			/record/subjectType = "cleared_trade_agreement";
			/record/changedTerms = ["evidence_standard", "destination"]`)},
		{"a correction that is both", "payment_capture terms_snapshot_update evidence_acceptance cleared_agreement_update " +
			standard + " " + money, edits(`/record/transition = "post_lock_correction"; /record/amendmentType = "correction";
			/record/changedTerms = ["evidence_standard", "destination"]`)},
		{"a destination that changes the standard", "payment_capture " + standard + " " + money, edits(`/record/transition = "destination_change"; /record/amendmentType = "destination_change";
			/record/changedTerms = ["evidence_standard"]`)},
		{"a standard that changes the destination", "payment_capture " + standard + " " + money, edits(`/record/transition = "evidence_standard_change";
			/record/amendmentType = "evidence_standard_change"; /record/changedTerms = ["destination"]`)},
		{"no transition", domaintest.EveryAction, edits(`-/record/transition; /record/changedTerms = ["destination"]`)},
	} {
		line := answered(t, domaintest.MaterialChange(), append(test.edits, domaintest.Del("/record/notice"))...)
		if got := domaintest.Joined(line["blockedTransitions"]); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		v := domaintest.View(t, domaintest.MaterialChange(), append(test.edits, domaintest.Del("/record/notice"))...)
		record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
		if got := strings.Join(domaintest.Texts(record.Members().Blocked), " "); got != test.want {
			t.Errorf("%s: the record has %q", test.name, got)
		}
		if got := domaintest.Replayed(&v, record); len(got.Findings) > 0 {
			t.Errorf("%s: judged again: %+v", test.name, got.Findings)
		}
		for i := range record.Members().Blocked {
			fewer := slices.Delete(domaintest.Texts(record.Members().Blocked), i, i+1)
			if forged, err := domaintest.Reread(terms.Amendments, domaintest.Edited(record, domaintest.Set("/blockedTransitions", fewer))); err == nil {
				t.Errorf("%s: a record that blocks %q is read: %v", test.name, fewer, forged.Members().Blocked)
			}
		}
	}
	passing := answered(t, domaintest.MaterialChange(), domaintest.Set("/record/changedTerms", []string{"destination"}), domaintest.Set("/record/destinationReview/completed", true))
	if passing["gate"] != "pass" || domaintest.Joined(passing["blockedTransitions"]) != "" {
		t.Errorf("on pass: %s", domaintest.Encoded(passing))
	}
}

// A record does not name the changed terms, so only its packet shows that it blocks less, or more, than they say.
func TestARecordThatBlocksOtherTransitionsThanItsTermsSayIsFound(t *testing.T) {
	both := edits(`/record/changedTerms = ["destination", "evidence_standard"]; -/record/notice`)
	v := domaintest.View(t, domaintest.MaterialChange(), both...)
	record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
	for _, blocked := range []string{
		"performance_start matched_trade_lock_update reliance_bearing_preview",
		"payment_capture performance_start matched_trade_lock_update reliance_bearing_preview destination_reuse public_money_metric",
	} {
		forged, err := domaintest.Reread(terms.Amendments, domaintest.Edited(record, domaintest.Set("/blockedTransitions", strings.Fields(blocked))))
		if err != nil {
			t.Fatal(err)
		}
		if got := domaintest.Replayed(&v, forged); !got.Has(records.ReplayConclusion) {
			t.Errorf("%q: %+v", blocked, got.Findings)
		}
		later := domaintest.LookAgain(t, domaintest.MaterialChange(), domaintest.RecheckedAt, both...)
		domaintest.Refused(t, blocked, records.Enforcement{}, forged.Recheck(&later, ""))
	}
}

func TestWithoutTransitionEverythingIsBlockedOnce(t *testing.T) {
	for name, edit := range map[string]domaintest.Edit{"no transition": domaintest.Del("/record/transition"), "no record": domaintest.Del("/record")} {
		line := answered(t, domaintest.Correction(), edit)
		if domaintest.Joined(line["blockedTransitions"]) != domaintest.EveryAction || line["transition"] != nil || line["protectedBoundary"] != nil {
			t.Errorf("%s: %s", name, domaintest.Encoded(line))
		}
	}
}

func TestAnswersHaveExactlyTheirMembers(t *testing.T) {
	for _, test := range []struct {
		from    domaintest.Scene
		members string
		key     string
	}{
		{domaintest.Appeal(), "blockers decision gate id revision table", `"case-17" 2`},
		{domaintest.MaterialChange(), "blockedTransitions blockers gate id protectedBoundary revision table transition", `"amendment-8" 4`},
	} {
		line := answered(t, test.from)
		names := []string{}
		for name := range line {
			names = append(names, name)
		}
		slices.Sort(names)
		if strings.Join(names, " ") != test.members || line["table"] != test.from["table"] {
			t.Errorf("members %q", names)
		}
		if key := string(domaintest.Encoded(line["id"])) + " " + line["revision"].(stdjson.Number).String(); key != test.key {
			t.Errorf("key %s", key)
		}
		line = answered(t, test.from, domaintest.Del("/record"))
		if id, there := line["id"]; !there || id != nil || line["revision"] != nil || line["gate"] != "blocked" {
			t.Errorf("without a record: %s", domaintest.Encoded(line))
		}
	}
}

func TestRefusalStandsInPlaceOfAnAnswer(t *testing.T) {
	got := string(views.AppendRefusal(nil, 7, json.Fault{Pointer: "/record/\"x", Reason: "is odd", Offset: 3}))
	if want := `{"error":{"line":7,"pointer":"/record/\"x","reason":"is odd"}}`; got != want {
		t.Errorf("got %s", got)
	}
	at, record := json.Fault{Pointer: "/at", Reason: "is odd"}, json.Fault{Pointer: "/record", Reason: "too"}
	got = string(views.AppendRefusal(nil, 7, record, at, record))
	if want := `{"error":{"line":7,"pointer":"/record","reason":"too","faults":[{"pointer":"/at","reason":"is odd"},{"pointer":"/record","reason":"too"}]}}`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestTheZeroEvaluationIsBlocked(t *testing.T) {
	var none rules.Evaluation
	var nothing rules.Input
	for _, j := range []rules.Evaluation{none, rules.Evaluate(&nothing)} {
		if j.Gate() != terms.Blocked || j.Gate().String() != "blocked" || len(j.Blockers()) != 0 {
			t.Errorf("%+v", j)
		}
	}
	if key, ok := nothing.Key(); ok || key != (packets.Key{}) || nothing.Table() != 0 || nothing.Area() != 0 {
		t.Error("the zero question is about something")
	}
}

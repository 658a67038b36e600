package selftest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/domain"
)

// blocks is seed 2.5.1: what each transition holds back while the gate is blocked.
var blocks = map[string][]string{
	"donation_offset_material_change": {"payment_capture", "public_completed_claim", "payout_release"},
	"pledge_swap_material_change":     {"performance_start", "matched_trade_lock_update", "reliance_bearing_preview"},
	"post_lock_correction":            {"terms_snapshot_update", "evidence_acceptance", "cleared_agreement_update"},
	"pause_or_early_termination":      {"performance_pause", "early_termination", "refund_or_carry_forward"},
	"evidence_standard_change":        {"evidence_review", "impact_claim_publication", "breach_remedy"},
	"destination_change":              {"payment_capture", "destination_reuse", "public_money_metric"},
}

// heldBack asks about every transition, blocked: each has to hold back its three actions; the sample, which passes, none.
func (b *bench) heldBack(sample pair) (string, error) {
	passed, err := decoded(b.evaluate(b.line(domain.Amendments, &sample.policy, &sample.record)))
	if err != nil {
		return "", err
	}
	if list, _ := passed["blockedTransitions"].([]any); passed["blockedTransitions"] == nil || len(list) > 0 {
		return "", errors.New("an amendment that passes holds something back")
	}
	if len(blocks) != domain.Transitions.Len() {
		return "", errors.New("there are not six transitions")
	}
	for _, transition := range domain.Transitions.Texts() {
		changed := sample.record.with("transition", transition).with("notice", removed{})
		answer, err := decoded(b.evaluate(b.line(domain.Amendments, &sample.policy, &changed)))
		if err != nil {
			return "", err
		}
		boundary, _ := answer["protectedBoundary"].(string)
		list, _ := answer["blockedTransitions"].([]any)
		var found []string
		for _, entry := range list {
			action, _ := entry.(string)
			found = append(found, action)
		}
		switch {
		case answer["gate"] != domain.Blocked.String() || answer["transition"] != transition || boundary == "":
			return "", fmt.Errorf("%s: its answer lacks gate, transition or protected boundary", transition)
		case !slices.Equal(found, blocks[transition]):
			return "", fmt.Errorf("%s does not hold back %s", transition, strings.Join(blocks[transition], ", "))
		}
	}
	return fmt.Sprintf("; %s hold back their 3 actions each, a pass none", counted(len(blocks), "transition")), nil
}

package selftest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/domain/terms"
	"docket/ui/wording"
)

// The members of an answer and of an appeal decision (source 2.3.7).
var (
	answerMembers   = []string{"table", "id", "revision", "gate", "blockers"}
	decisionMembers = []string{"status", "outcome", "factorCodes", "humanReviewRequired", "stateMutation", "standingAccepted",
		"reviewScope", "requiredArtifacts", "privacyActions", "provenanceActivity", "traceabilityBusinessStep",
		"appealScopeStatement", "blockers"}
	amendmentAnswerMembers = []string{"transition", "protectedBoundary", "blockedTransitions"}
)

// canary is a text in an input that must not appear in any output.
const canary = "canary-7d1f-kept-private"

// evaluateRoute checks the evaluator as `docket evaluate` answers line by line.
func evaluateRoute(area terms.Area) check {
	return func(ctx context.Context, b *bench) (string, error) {
		sample, err := b.pair(area)
		if err != nil {
			return "", err
		}
		before, err := filesUnder(b.folder)
		if err != nil {
			return "", err
		}
		answers, err := b.answers(area, sample)
		if err != nil {
			return "", err
		}
		refusals, err := b.unreadable(sample)
		if err != nil {
			return "", err
		}
		evidence := ""
		if area == terms.Amendments {
			if evidence, err = b.heldBack(sample); err != nil {
				return "", err
			}
		}
		after, err := filesUnder(b.folder)
		if err != nil {
			return "", err
		}
		if !slices.Equal(before, after) {
			return "", errors.New("an evaluation wrote a file")
		}
		if err := b.evaluateServed(ctx, area, sample, b.unreadableLines(sample)); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s with exactly their members, the same twice over; %s refused without an echo; nothing written%s; "+
			"the service's route answers the same",
			wording.Plural(answers, "answer", "answers"), wording.Plural(refusals, "line", "lines"), evidence), nil
	}
}

// line returns a line for `docket evaluate`; a nil policy or record is left out.
func (b *bench) line(area terms.Area, policy, record *packet) []byte {
	line := object{"table": terms.RecordTable(area).String(), "at": terms.InstantOf(b.clock).String(), "policy": nil, "record": nil}
	if policy != nil {
		line["policy"], line["latestPolicyVersion"] = policy.record, policy.number()
	}
	if record != nil {
		line["record"], line["latestRevision"] = record.record, record.number()
	}
	return encoded(line)
}

// answers evaluates the sample, complete and with missing parts. Only the complete one may pass.
func (b *bench) answers(area terms.Area, sample pair) (int, error) {
	notice := sample.record.with("notice", removed{})
	lines := []struct {
		policy, record *packet
		gate           terms.Gate
	}{
		{&sample.policy, &sample.record, terms.Pass}, {&sample.policy, &notice, terms.Blocked},
		{nil, &sample.record, terms.Blocked}, {&sample.policy, nil, terms.Blocked}, {nil, nil, terms.Blocked},
	}
	for i := range lines {
		line := b.line(area, lines[i].policy, lines[i].record)
		first, second := b.evaluate(line), b.evaluate(line)
		if !bytes.Equal(first, second) {
			return 0, errors.New("one line evaluated twice gives two answers")
		}
		answer, err := decoded(first)
		if err != nil {
			return 0, err
		}
		if err := wellFormed(area, answer, lines[i].gate, lines[i].record != nil); err != nil {
			return 0, fmt.Errorf("answer %d: %w", i+1, err)
		}
	}
	return len(lines), nil
}

// wellFormed checks the members of an answer, its gate, and the consequences of the gate.
func wellFormed(area terms.Area, answer object, gate terms.Gate, named bool) error {
	own := amendmentAnswerMembers
	if area == terms.Appeals {
		own = []string{"decision"}
	}
	if err := withMembers("an answer", answer, append(slices.Clone(answerMembers), own...)...); err != nil {
		return err
	}
	blockers, _ := answer["blockers"].([]any)
	switch {
	case answer["table"] != terms.RecordTable(area).String():
		return errors.New("it is of another table")
	case answer["gate"] != gate.String():
		return fmt.Errorf("its gate is not %s", gate)
	case (len(blockers) == 0) != (gate == terms.Pass):
		return fmt.Errorf("its gate is %s with %s", gate, wording.Plural(len(blockers), "blocker", "blockers"))
	case (answer["id"] != nil) != named || (answer["revision"] != nil) != named:
		return errors.New("it does not name its record, or one that is not there")
	}
	if area == terms.Amendments {
		return nil
	}
	if err := withMembers("the decision", answer["decision"], decisionMembers...); err != nil {
		return err
	}
	status := terms.DecisionBlocked
	if gate == terms.Pass {
		status = terms.ReadyForHumanReview
	}
	switch {
	case at(answer, "decision/status") != status.String():
		return fmt.Errorf("the decision is not %s", status)
	case at(answer, "decision/humanReviewRequired") != true, at(answer, "decision/stateMutation") != false:
		return errors.New("the decision needs no human, or changes something")
	}
	return nil
}

// unreadable evaluates unreadable lines: each has to give an error in place of an answer, without an echo of the line.
func (b *bench) unreadable(sample pair) (int, error) {
	lines := b.unreadableLines(sample)
	for i, line := range lines {
		answer := b.evaluate(line)
		refusal, err := decoded(answer)
		if err != nil {
			return 0, err
		}
		if err := errors.Join(withMembers("a refusal", refusal, "error"),
			withMembers("the error of a refusal", refusal["error"], "line", "pointer", "reason")); err != nil {
			return 0, fmt.Errorf("unreadable line %d: %w", i+1, err)
		}
		if bytes.Contains(answer, []byte(canary)) {
			return 0, fmt.Errorf("unreadable line %d: the refusal repeats what it refuses", i+1)
		}
	}
	return len(lines), nil
}

// unreadableLines are lines that are not evaluation inputs, with a text that no answer may repeat.
func (b *bench) unreadableLines(sample pair) [][]byte {
	area := terms.AreaOf(sample.record.table)
	unknown := sample.record.with(canary, canary)
	wrong := sample.record.with("revision", canary)
	whole := b.line(area, &sample.policy, &sample.record)
	return [][]byte{
		b.line(area, &sample.policy, &unknown), b.line(area, &sample.policy, &wrong), whole[:len(whole)-1],
		bytes.Replace(whole, []byte(`{"at":`), []byte(`{"at":"`+canary+`","at":`), 1), []byte(`"` + canary + `"`), []byte("[]"),
		encoded(object{"table": terms.PolicyTable(area).String(), "at": terms.InstantOf(b.clock).String()}),
	}
}

// blocks lists the actions that each transition holds back while the gate is blocked (source 2.5.1).
var blocks = map[string][]string{
	"donation_offset_material_change": {"payment_capture", "public_completed_claim", "payout_release"},
	"pledge_swap_material_change":     {"performance_start", "matched_trade_lock_update", "reliance_bearing_preview"},
	"post_lock_correction":            {"terms_snapshot_update", "evidence_acceptance", "cleared_agreement_update"},
	"pause_or_early_termination":      {"performance_pause", "early_termination", "refund_or_carry_forward"},
	"evidence_standard_change":        {"evidence_review", "impact_claim_publication", "breach_remedy"},
	"destination_change":              {"payment_capture", "destination_reuse", "public_money_metric"},
}

// heldBack evaluates every transition with a blocker: each has to hold back its three actions, and the passing sample
// none.
func (b *bench) heldBack(sample pair) (string, error) {
	passed, err := decoded(b.evaluate(b.line(terms.Amendments, &sample.policy, &sample.record)))
	if err != nil {
		return "", err
	}
	if list, _ := passed["blockedTransitions"].([]any); passed["blockedTransitions"] == nil || len(list) > 0 {
		return "", errors.New("an amendment that passes holds something back")
	}
	if len(blocks) != terms.Transitions.Len() {
		return "", errors.New("there are not six transitions")
	}
	for _, transition := range terms.Transitions.Texts() {
		changed := sample.record.with("transition", transition).with("notice", removed{})
		answer, err := decoded(b.evaluate(b.line(terms.Amendments, &sample.policy, &changed)))
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
		case answer["gate"] != terms.Blocked.String() || answer["transition"] != transition || boundary == "":
			return "", fmt.Errorf("%s: its answer lacks gate, transition or protected boundary", transition)
		case !slices.Equal(found, blocks[transition]):
			return "", fmt.Errorf("%s does not hold back %s", transition, strings.Join(blocks[transition], ", "))
		}
	}
	return fmt.Sprintf("; %s hold back their 3 actions each, a pass none", wording.Plural(len(blocks), "transition", "transitions")), nil
}

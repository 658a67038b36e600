package selftest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"docket/domain"
)

// outOfScope is which blocker answers a request for an effect that no appeal can have (seed 2.3.6, invariant 5).
var outOfScope = map[domain.RequestedEffect]domain.Blocker{
	domain.WaiveSafetyBlocker:      domain.SafetyBlockerWaiverAttempted,
	domain.ReopenSettledObligation: domain.SettledObligationReopenAttempted,
	domain.ChangeParentRecord:      domain.ScopeMissing,
	domain.ShowPrivateDetails:      domain.PrivateDetailsUnredacted,
}

// appealScope checks that an appeal stays with the one item it is about.
func appealScope(_ context.Context, b *bench) (string, error) {
	sample, err := b.pair(domain.Appeals)
	if err != nil {
		return "", err
	}
	found, fault := b.judged(sample)
	if fault != nil {
		return "", fault
	}
	subject, _ := sample.record.record["subject"].(string)
	scope := found.decision.ReviewScope
	if len(scope) != 1 || scope[0].String() != subject || found.gate != domain.Pass {
		return "", errors.New("the review scope of the sample is not its one subject")
	}
	moved, err := b.movedScope(sample)
	if err != nil {
		return "", err
	}
	for _, effect := range domain.RequestedEffects.All() {
		asking, err := (pair{sample.policy, sample.record.with("requestedEffects", []any{effect.String()})}).sealed()
		if err != nil {
			return "", err
		}
		code, listed := outOfScope[effect]
		if !listed {
			return "", fmt.Errorf("no blocker answers %s", effect)
		}
		if err := b.blocksWith(asking, code); err != nil {
			return "", fmt.Errorf("a request to %s: %w", effect, err)
		}
	}
	return fmt.Sprintf("review scope 1 of 1 subject; %s of the scope and %s each block with their code",
		counted(moved, "change"), counted(len(outOfScope), "requested effect")), nil
}

// movedScope changes what the scope hash covers and leaves the scope hash as it was; the case's own hash fits.
func (b *bench) movedScope(sample pair) (int, error) {
	changes := map[string]any{
		"subjectId": "another-item", "subject": domain.SubjectClaim.String(), "evidenceScope/items": []any{"another-item"},
		"evidenceScope/statement": "It is about something else.",
	}
	for pointer, value := range changes {
		record, err := sample.record.with(pointer, value).rehashed()
		if err != nil {
			return 0, err
		}
		if err := b.blocksWith(pair{sample.policy, record}, domain.ScopeMissing); err != nil {
			return 0, fmt.Errorf("a changed %s: %w", pointer, err)
		}
	}
	return len(changes), nil
}

// blocksWith holds a pair to blocking with this code and no other.
func (b *bench) blocksWith(p pair, code domain.Blocker) error {
	found, fault := b.judged(p)
	if fault != nil {
		return fault
	}
	if found.gate != domain.Blocked || !slices.Equal(found.blockers, []domain.Blocker{code}) {
		return fmt.Errorf("it does not block with %s alone", code)
	}
	return nil
}

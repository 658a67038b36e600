package selftest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/contracts/report"
	"docket/domain/overlap"
)

// routeStatuses is source 3.4.
var routeStatuses = map[overlap.Action]string{
	overlap.CheckOverlap:  "governance_gated",
	overlap.RefreshTokens: "blocked_pending_crypto_review",
	overlap.DeleteTokens:  "blocked_pending_crypto_review",
}

// openReviews is how many reviews production use waits for.
const openReviews = 5

// outputMembers are the members of an answer (seed 2.4, participantOutput).
var outputMembers = []string{"result_bucket", "receipt_id", "blockers"}

// tokenText is a request of one token.
func tokenText(tag string) []byte {
	return encoded(object{"tokens": []any{token(tag)}})
}

func token(tag string) object {
	return object{"blinded_tag": tag, "tag_namespace": "exact_capability_tag", "token_version": 1,
		"expires_at": "2099-01-01T00:00:00Z"}
}

// tag is a blinded tag of one repeated digit.
func tag(digit string) string { return strings.Repeat(digit, 64) }

// sampleReceipt is the receipt of an answer where it does not matter which one it is.
const sampleReceipt overlap.ReceiptID = "receipt"

// overlapGate checks that nothing lets the pilot out of its gate.
func overlapGate(ctx context.Context, b *bench) (string, error) {
	if err := b.releaseStated(); err != nil {
		return "", err
	}
	state := b.pilot()
	if r := state.release; r.ReleaseState.String() != "governance_gated_pilot" || r.LiveEndpointEnabled || r.LiveReady ||
		r.StorageState.String() != "pilot_schema_created" {
		return "", errors.New("the pilot is not in the state governance_gated_pilot, with its endpoint disabled")
	}
	if !slices.Equal(state.states, []string{overlap.ReviewOpen.String()}) {
		return "", errors.New("a review can be in another state than open")
	}
	open := map[string]bool{}
	for _, review := range state.reviews {
		if review.State != overlap.ReviewOpen {
			return "", fmt.Errorf("%s is not open", review.Key)
		}
		open[review.Blocker.String()] = true
	}
	if len(state.reviews) != openReviews || len(open) != openReviews {
		return "", errors.New("there are not five reviews with a blocker each")
	}
	if len(state.endpoints) != len(routeStatuses) {
		return "", errors.New("there are not three planned routes")
	}
	for _, endpoint := range state.endpoints {
		if err := b.routeBlocked(endpoint, open); err != nil {
			return "", fmt.Errorf("%s: %w", endpoint.Action, err)
		}
	}
	if err := b.overlapServed(ctx); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, not live; %s answer blocked, at the service too; %s, and no other state of a review", state.release.ReleaseState,
		counted(len(state.endpoints), "route"), counted(len(state.reviews), "open review")), nil
}

// releaseStated holds what the contract publishes of the release to seed 3.3.
func (b *bench) releaseStated() error {
	published, _, err := b.published(report.Overlap)
	if err != nil {
		return err
	}
	for name, want := range map[string]any{"releaseState": "governance_gated_pilot", "liveEndpointEnabled": false,
		"liveReady": false, "storageState": "pilot_schema_created"} {
		if at(published, bodyPointer+"/"+name) != want {
			return fmt.Errorf("the contract does not state %s as it is", name)
		}
	}
	return nil
}

// routeBlocked asks a route: it has to have its status, and to answer with that, and with every open review, as blockers.
func (b *bench) routeBlocked(endpoint overlap.Endpoint, open map[string]bool) error {
	status, known := routeStatuses[endpoint.Action]
	if !known || endpoint.Status.String() != status {
		return errors.New("it has not the status that the contract gives it")
	}
	_, blockers, err := b.asked(endpoint.Action, tokenText(tag("1")))
	if err != nil {
		return err
	}
	if !slices.Contains(blockers, status) {
		return fmt.Errorf("its answer does not block with %s", status)
	}
	for code := range open {
		if !slices.Contains(blockers, code) {
			return fmt.Errorf("its answer does not block with %s", code)
		}
	}
	return nil
}

// asked is the answer of a route and its blockers.
func (b *bench) asked(action overlap.Action, text []byte) (answer object, blockers []string, err error) {
	given, refusal := b.answer(action, text, sampleReceipt)
	if refusal != nil {
		return nil, nil, refusal
	}
	if answer, err = decoded(given); err != nil {
		return nil, nil, err
	}
	list, _ := answer["blockers"].([]any)
	for _, entry := range list {
		code, _ := entry.(string)
		if _, err := overlap.Blockers.Parse(code); err != nil {
			return nil, nil, errors.New("an answer blocks with what is no code")
		}
		blockers = append(blockers, code)
	}
	return answer, blockers, nil
}

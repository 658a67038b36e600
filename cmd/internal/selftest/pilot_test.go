package selftest

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"docket/cmd/internal/audit"
	"docket/domain/overlap"
)

// overlapBreakings break the pilot's state, its answers and the check of its receipts.
func overlapBreakings() []breaking {
	gate, route := "background_private_overlap_governance_gated_route_smoke", "background_private_overlap_route_contract_smoke"
	chain := "background_private_overlap_receipt_chain_validator"
	return []breaking{
		{gate, "the contract says that it is live", "does not state liveReady", func(t *testing.T, p *program) {
			publishing(t, p, func(o object) object { return edited(o, bodyPointer+"/liveReady", true) })
		}},
		{gate, "the endpoint is enabled", "not in the state", piloting(func(s *pilot) { s.release.LiveEndpointEnabled = true })},
		{gate, "it is ready to go live", "not in the state", piloting(func(s *pilot) { s.release.LiveReady = true })},
		{gate, "a review can be complete", "another state than open", piloting(func(s *pilot) { s.states = append(s.states, "complete") })},
		{gate, "a review is not open", "is not open", piloting(func(s *pilot) { s.reviews[2].State = 0 })},
		{gate, "a review is not asked for", "five reviews", piloting(func(s *pilot) { s.reviews = s.reviews[1:] })},
		{gate, "a route is missing", "three planned routes", piloting(func(s *pilot) { s.endpoints = s.endpoints[1:] })},
		{gate, "a route has another status", "has not the status", piloting(func(s *pilot) { s.endpoints[1].Status = overlap.GovernanceGated })},
		{gate, "an answer leaves an open review out", "does not block with", pilotAnswering(func(o object) object {
			list, _ := o["blockers"].([]any)
			return edited(o, "blockers", list[:len(list)-1])
		})},
		{gate, "an answer blocks with nothing", "does not block with", pilotAnswering(func(o object) object {
			return edited(o, "blockers", []any{})
		})},
		{gate, "an answer blocks with free text", "what is no code", pilotAnswering(func(o object) object {
			return edited(o, "blockers", []any{canary})
		})},
		{route, "an answer tells more", "members", pilotAnswering(func(o object) object {
			return edited(o, "matching_tag_names", []any{})
		})},
		{route, "an answer tells less", "members", pilotAnswering(func(o object) object { return edited(o, "receipt_id", removed{}) })},
		{route, "an answer names another receipt", "does not name its receipt", pilotAnswering(func(o object) object {
			return edited(o, "receipt_id", "another")
		})},
		{route, "an answer depends on the token", "depends on the token", func(t *testing.T, p *program) {
			p.answer = func(a overlap.Action, text []byte, c overlap.Call) ([]byte, overlap.Entry, *overlap.Refusal) {
				given, entry, refusal := answer(a, text, c)
				if refusal == nil {
					given = altering(t, given, func(o object) object { return edited(o, "result_bucket", string(text)) })
				}
				return given, entry, refusal
			}
		}},
		{route, "whatever is asked is answered", "is answered", func(_ *testing.T, p *program) {
			p.answer = func(a overlap.Action, _ []byte, c overlap.Call) ([]byte, overlap.Entry, *overlap.Refusal) {
				return answer(a, tokenText(tag("3")), c)
			}
		}},
		{route, "a refusal repeats the request", "repeats it", func(_ *testing.T, p *program) {
			p.answer = func(a overlap.Action, text []byte, c overlap.Call) ([]byte, overlap.Entry, *overlap.Refusal) {
				given, entry, refusal := answer(a, text, c)
				if refusal != nil {
					refusal.Detail = string(text)
				}
				return given, entry, refusal
			}
		}},
		{route, "a refused request leaves a receipt", "leaves a receipt", func(_ *testing.T, p *program) {
			p.answer = func(a overlap.Action, text []byte, c overlap.Call) ([]byte, overlap.Entry, *overlap.Refusal) {
				given, entry, refusal := answer(a, text, c)
				if refusal != nil {
					_, entry, _ = answer(a, tokenText(tag("3")), c)
				}
				return given, entry, refusal
			}
		}},
		{chain, "nothing is ever found", "nothing is found", receiptsChecked(func(source audit.Receipts, r *audit.Report) {
			*r = audit.Report{}
		})},
		{chain, "a sound chain has a finding", "does not verify", receiptsChecked(func(_ audit.Receipts, r *audit.Report) {
			r.Add(audit.Finding{Kind: audit.ReceiptUnlinked}, &audit.Options{})
		})},
		{chain, "a receipt gets lost in the store", "the chain of 4 receipts", func(_ *testing.T, p *program) {
			p.checkReceipts = func(ctx context.Context, source audit.Receipts, r *audit.Report, o audit.Options) (int64, error) {
				return audit.CheckReceipts(ctx, shortened{source}, r, o)
			}
		}},
	}
}

func piloting(change func(*pilot)) func(*testing.T, *program) {
	return func(_ *testing.T, p *program) {
		p.pilot = func() pilot {
			state := currentPilot()
			state.reviews, state.endpoints, state.states = slices.Clone(state.reviews), slices.Clone(state.endpoints), slices.Clone(state.states)
			change(&state)
			return state
		}
	}
}

func pilotAnswering(change func(object) object) func(*testing.T, *program) {
	return func(t *testing.T, p *program) {
		p.answer = func(a overlap.Action, text []byte, c overlap.Call) ([]byte, overlap.Entry, *overlap.Refusal) {
			given, entry, refusal := answer(a, text, c)
			if refusal == nil && json.Valid(given) {
				given = altering(t, given, change)
			}
			return given, entry, refusal
		}
	}
}

func receiptsChecked(change func(audit.Receipts, *audit.Report)) func(*testing.T, *program) {
	return func(_ *testing.T, p *program) {
		p.checkReceipts = func(ctx context.Context, source audit.Receipts, r *audit.Report, o audit.Options) (int64, error) {
			count, err := audit.CheckReceipts(ctx, source, r, o)
			change(source, r)
			return count, err
		}
	}
}

// shortened is a source without its last receipt.
type shortened struct{ source audit.Receipts }

func (s shortened) Chain(ctx context.Context) (audit.Chain, error) { return s.source.Chain(ctx) }

func (s shortened) Receipts(ctx context.Context, yield func(audit.Receipt) error) error {
	return s.source.Receipts(ctx, func(r audit.Receipt) error {
		if r.Sequence == chained-1 {
			return nil
		}
		return yield(r)
	})
}

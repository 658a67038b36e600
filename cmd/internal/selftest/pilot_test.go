package selftest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"docket/cmd/internal/serve"
	"docket/domain/overlap"
	"docket/domain/terms"
	"docket/store"
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
			p.answer = func(a overlap.Action, text []byte, r overlap.ReceiptID) ([]byte, *overlap.Refusal) {
				given, refusal := answer(a, text, r)
				if refusal == nil {
					given = altering(t, given, func(o object) object { return edited(o, "result_bucket", string(text)) })
				}
				return given, refusal
			}
		}},
		{route, "whatever is asked is answered", "is answered", func(_ *testing.T, p *program) {
			p.answer = func(a overlap.Action, _ []byte, r overlap.ReceiptID) ([]byte, *overlap.Refusal) {
				return answer(a, tokenText(tag("3")), r)
			}
		}},
		{route, "a refusal repeats the request", "repeats it", func(_ *testing.T, p *program) {
			p.answer = func(a overlap.Action, text []byte, r overlap.ReceiptID) ([]byte, *overlap.Refusal) {
				given, refusal := answer(a, text, r)
				if refusal != nil {
					refusal.Detail = string(text)
				}
				return given, refusal
			}
		}},
		{route, "the service's receipt is signed with another key", "does not prove itself", func(_ *testing.T, p *program) {
			p.mount = func(c serve.Config) (http.Handler, error) {
				c.Store = forger{c.Store}
				return mount(c)
			}
		}},
		{gate, "the service writes", "the store was written", func(_ *testing.T, p *program) {
			var last *store.Store
			p.openStore = func(ctx context.Context, o store.Options) (s *store.Store, err error) {
				last, err = store.Open(ctx, o)
				return last, err
			}
			p.mount = func(c serve.Config) (http.Handler, error) {
				service, err := mount(c)
				s := last
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					_ = s.AddToken(r.Context(), store.Token{ID: "another", Digest: [32]byte{1}, Principal: "somebody",
						Role: terms.NeutralReviewer, Expires: terms.InstantOf(c.Now().Add(time.Hour))})
					service.ServeHTTP(w, r)
				}), err
			}
		}},
		{chain, "nothing is ever found", "nothing is found", func(_ *testing.T, p *program) {
			p.openChain = func(_ note.Verifier, ids []overlap.ReceiptID) ([]overlap.Receipt, error) {
				return make([]overlap.Receipt, len(ids)), nil
			}
		}},
		{chain, "a sound chain has a finding", "does not verify", func(_ *testing.T, p *program) {
			p.openChain = func(note.Verifier, []overlap.ReceiptID) ([]overlap.Receipt, error) { return nil, overlap.ErrNoReceipt }
		}},
		{chain, "a receipt is left out", "the chain of 4 receipts", func(_ *testing.T, p *program) {
			p.openChain = func(key note.Verifier, ids []overlap.ReceiptID) ([]overlap.Receipt, error) {
				return overlap.OpenChain(key, ids[1:])
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
		p.answer = func(a overlap.Action, text []byte, r overlap.ReceiptID) ([]byte, *overlap.Refusal) {
			given, refusal := answer(a, text, r)
			if refusal == nil && json.Valid(given) {
				given = altering(t, given, change)
			}
			return given, refusal
		}
	}
}

// A forger signs with a key of its own, in the service's name.
type forger struct{ serve.Store }

func (forger) SignReceipt(_ context.Context, r overlap.Receipt) (overlap.ReceiptID, error) {
	private, _, err := note.GenerateKey(rand.Reader, "docket/service/forged")
	if err != nil {
		return "", err
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		return "", err
	}
	return r.Sign(signer)
}

package selftest

import (
	"context"
	"testing"

	"docket/cmd/internal/health"
	"docket/contracts/report"
)

// healthBreakings break the health value.
func healthBreakings() []breaking {
	hook := "agreement_amendment_health_contract"
	return []breaking{
		{hook, "everything is well", "a damaged or missing store is well", healthy(func(_ health.Options, h *health.Health) {
			h.OK = true
		})},
		{hook, "nothing is well", "a sound store", healthy(func(_ health.Options, h *health.Health) {
			h.OK = false
		})},
		{hook, "it tells where the store lies", "identifies a person", healthy(func(o health.Options, h *health.Health) {
			h.ContractVersion = o.Store.Path
		})},
		{hook, "it is of another contract", "of another contract", healthy(func(_ health.Options, h *health.Health) {
			h.ContractVersion = report.Appeals.Contract().Version
		})},
		{hook, "it counts no findings", "a damaged or missing store is well", healthy(func(_ health.Options, h *health.Health) {
			h.Store.Findings = 0
		})},
		{hook, "it does not prove", "a sound store", func(_ *testing.T, p *program) {
			p.health = func(ctx context.Context, o health.Options) (health.Health, error) {
				o.Prove = false
				return health.Of(ctx, o)
			}
		}},
	}
}

func healthy(change func(health.Options, *health.Health)) func(*testing.T, *program) {
	return func(_ *testing.T, p *program) {
		p.health = func(ctx context.Context, o health.Options) (health.Health, error) {
			h, err := health.Of(ctx, o)
			change(o, &h)
			return h, err
		}
	}
}

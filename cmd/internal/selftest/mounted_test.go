package selftest

import (
	"net/http"
	"testing"

	"docket/cmd/internal/serve"
)

// mountedBreakings break the service's routes.
func mountedBreakings() []breaking {
	var all []breaking
	for _, hook := range []string{
		"challenge_appeal_evaluate_route_contract", "challenge_appeal_enforce_route_contract",
		"background_private_overlap_governance_gated_route_smoke", "background_private_overlap_route_contract_smoke",
		"agreement_amendment_route_contract", "agreement_amendment_enforce_route_contract",
	} {
		all = append(all, breaking{hook, "the service has no such route", "answers 404", func(_ *testing.T, p *program) {
			p.mount = func(serve.Config) (http.Handler, error) { return http.NotFoundHandler(), nil }
		}}, breaking{hook, "the service takes everything", "the route", func(_ *testing.T, p *program) {
			p.mount = func(c serve.Config) (http.Handler, error) {
				service, err := mount(c)
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					service.ServeHTTP(&generous{w}, r)
				}), err
			}
		}})
	}
	return all
}

// generous answers 200 whatever was found.
type generous struct{ http.ResponseWriter }

func (g *generous) WriteHeader(int) { g.ResponseWriter.WriteHeader(http.StatusOK) }

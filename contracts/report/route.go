package report

import (
	"docket/domain"
	"docket/domain/ordered"
)

// The enforcement routes of seed 4.1 and 4.2. Paths are relative to the service's base address.
const (
	appealRoutePath    = "/api/trade/challenge-appeal/enforce"
	amendmentRoutePath = "/api/trade/agreement-amendments/enforce"
	routeMethod        = "POST"
	routeAuth          = "authenticated"
)

// enforcementRoute is what a report says of the one route that writes.
func enforcementRoute(path string) ordered.Object {
	return ordered.Of(
		"method", routeMethod, "path", path, "auth", routeAuth, "stateMutation", domain.EnforcementMutation,
	)
}

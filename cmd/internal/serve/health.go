package serve

import (
	"net/http"

	"docket/cmd/internal/exchange"
)

// handleHealth is the health route of amendments (seed 2.5.4, 4.4).
func handleHealth(s *Service, c *call) (answer, error) {
	found, err := s.health(c.request.Context())
	if err != nil {
		return answer{}, err
	}
	return written(http.StatusOK, found)
}

// A state is what the two routes for whoever watches the process answer.
type state struct {
	Status string `json:"status"`
}

// What Status says.
const (
	stateLive  = "live"
	stateReady = "ready"
)

// handleLive says that the process answers, and asks nobody else.
func handleLive(*Service, *call) (answer, error) { return written(http.StatusOK, state{stateLive}) }

// handleReady says whether records can be taken.
func handleReady(s *Service, c *call) (answer, error) {
	found, err := s.health(c.request.Context())
	if err != nil || !found.OK || s.stopping.Load() {
		return answer{}, exchange.Unavailable.New("")
	}
	return written(http.StatusOK, state{stateReady})
}

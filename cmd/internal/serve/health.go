package serve

import (
	"context"
	"net/http"
	"sync"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/health"
)

// healthMaxAge limits how often the store is checked, because the route needs no token.
const healthMaxAge = time.Second

// A healthCache holds the last health. The zero value is empty.
type healthCache struct {
	mu    sync.Mutex
	at    time.Time
	found health.Health
}

// cachedHealth returns the health, not older than healthMaxAge.
func (s *Service) cachedHealth(ctx context.Context) (health.Health, error) {
	s.healthCache.mu.Lock()
	defer s.healthCache.mu.Unlock()
	now := s.now()
	if age := now.Sub(s.healthCache.at); age >= 0 && age < healthMaxAge {
		return s.healthCache.found, nil
	}
	found, err := s.health(ctx)
	if err != nil {
		return health.Health{}, err
	}
	s.healthCache.at, s.healthCache.found = now, found
	return found, nil
}

// handleHealth returns the health of the amendment contract and the store (source 2.5.4 and 4.4).
func handleHealth(s *Service, c *call) (answer, error) {
	found, err := s.cachedHealth(c.request.Context())
	if err != nil {
		return answer{}, err
	}
	return written(http.StatusOK, found)
}

// A state is the body of the liveness and readiness routes.
type state struct {
	Status string `json:"status"`
}

// The values of Status.
const (
	stateLive  = "live"
	stateReady = "ready"
)

// handleLive reports that the process responds. It checks nothing else.
func handleLive(*Service, *call) (answer, error) { return written(http.StatusOK, state{stateLive}) }

// handleReady reports whether the service accepts records. A service that is stopping does not.
func handleReady(s *Service, c *call) (answer, error) {
	found, err := s.cachedHealth(c.request.Context())
	if err != nil || !found.OK || s.stopping.Load() {
		return answer{}, api.Unavailable.New("")
	}
	return written(http.StatusOK, state{stateReady})
}

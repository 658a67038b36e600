package serve

import (
	"context"
	"net/http"
	"sync"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/health"
)

// healthMaxAge is how long what was found of the health counts: whoever asks without a token must not keep the store busy.
const healthMaxAge = time.Second

// A healthCache is the health as it was found last. The zero value has found nothing yet.
type healthCache struct {
	mu    sync.Mutex
	at    time.Time
	found health.Health
}

// cachedHealth is the health, not older than healthMaxAge.
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

// handleHealth is the health route of amendments (seed 2.5.4, 4.4).
func handleHealth(s *Service, c *call) (answer, error) {
	found, err := s.cachedHealth(c.request.Context())
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

// handleReady says whether records can be taken. A service that was told to stop takes no more.
func handleReady(s *Service, c *call) (answer, error) {
	found, err := s.cachedHealth(c.request.Context())
	if err != nil || !found.OK || s.stopping.Load() {
		return answer{}, api.Unavailable.New("")
	}
	return written(http.StatusOK, state{stateReady})
}

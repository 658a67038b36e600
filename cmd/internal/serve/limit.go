package serve

import (
	"net/http"
	"strconv"
	"time"

	"docket/cmd/internal/api"
)

// limitPeer counts a request of nobody in particular against the limit of the address that it comes from.
func (s *Service) limitPeer(w http.ResponseWriter, r *http.Request, route *Route) error {
	if route.unlimited {
		return nil
	}
	if wait, ok := s.peers.allow(peerKey(peerOf(r.RemoteAddr)), s.now()); !ok {
		return tooMany(w, wait)
	}
	return nil
}

// tooMany tells the caller when to come again.
func tooMany(w http.ResponseWriter, wait time.Duration) error {
	w.Header().Del("WWW-Authenticate")
	w.Header().Set("Retry-After", strconv.Itoa(retryAfter(wait)))
	return api.RateLimited.New("Wait for as many seconds as Retry-After says.")
}

package serve

import (
	"context"
	"errors"
	"net/http"
	"time"

	"docket/cmd/internal/api"
	"docket/contracts/report"
	"docket/domain/json"
	"docket/domain/terms"
)

// healthMaxAge limits how often the store is checked, because the route needs no token.
const healthMaxAge = time.Second

// A Health is the state of the amendment contract and of the store of its records (source 2.5.4 and
// 4.4). It holds only words of the contract: no figure, id, name, path or text by which a person, a
// case, a store or a machine could be identified, so that it can be public. The zero value is not
// well.
type Health struct {
	OK              bool        `json:"ok"` // the contract passes and the store is well
	ContractVersion string      `json:"contractVersion"`
	ContractStatus  terms.Gate  `json:"contractStatus"` // pass if every check of the report passes
	Store           StoreHealth `json:"store"`
}

// A StoreHealth is the public state of a store.
type StoreHealth struct {
	Exists   bool `json:"exists"`
	Readable bool `json:"readable"`
	Proved   bool `json:"proved"`   // every record was recomputed, which a service does not do
	Findings bool `json:"findings"` // there are some; the store takes no record
}

// cachedHealth returns the health, not older than healthMaxAge and with a fault of the store in it;
// an error means that the contract cannot be checked, or that ctx ended.
func (s *Service) cachedHealth(ctx context.Context) (Health, error) {
	now := s.now()
	return s.health.get(now, healthMaxAge, func() (Health, error) {
		contract, err := report.Of(report.Amendments, terms.InstantOf(now))
		if err != nil {
			return Health{}, err
		}
		_, unreadable := s.store.Head(ctx)
		if ended := ctx.Err(); ended != nil {
			return Health{}, ended
		}
		h := Health{ContractVersion: report.Amendments.Contract().Version,
			Store: StoreHealth{Exists: true, Readable: unreadable == nil, Findings: len(s.store.Findings()) > 0}}
		if contract.Passes() {
			h.ContractStatus = terms.Pass
		}
		h.OK = h.ContractStatus == terms.Pass && h.Store.Readable && !h.Store.Findings
		return h, nil
	})
}

func handleHealth(s *Service, c *call) (answer, error) {
	found, err := s.cachedHealth(c.request.Context())
	if err != nil {
		return answer{}, err
	}
	return written(http.StatusOK, found)
}

// handleLive reports that the process responds, and checks nothing else.
func handleLive(*Service, *call) (answer, error) {
	return written(http.StatusOK, json.Of("status", "live"))
}

// readyMaxAge limits how often readiness is checked: the route has no token and no rate limit.
const readyMaxAge = time.Second

// readyTime is how long a write may wait for others before the service counts as not ready.
const readyTime = 2 * time.Second

// failureAge is how long a failed append counts: a service that is not ready is sent no other one.
const failureAge = time.Minute

// appended notes the outcome of an append; a refused record is not a failure.
func (s *Service) appended(err error) {
	if err == nil {
		s.failed.Store(nil)
		return
	}
	if row := refusalOf(err); row == nil || row.kind == api.Unavailable {
		now := s.now()
		s.failed.Store(&now)
	}
}

// ready returns nil if an append would succeed, as far as is known, not older than readyMaxAge.
func (s *Service) ready(ctx context.Context) error {
	if s.stopping.Load() {
		return errors.New("the service is stopping")
	}
	now := s.now()
	if failed := s.failed.Load(); failed != nil {
		if age := now.Sub(*failed); age >= 0 && age < failureAge {
			return errors.New("the last append failed")
		}
	}
	found, _ := s.readiness.get(now, readyMaxAge, func() (error, error) {
		found := s.appendable(ctx)
		if before := s.readiness.value; (before == nil) != (found == nil) {
			s.log.Warn("readiness changed", "ready", found == nil, "cause", found)
		}
		return found, nil
	})
	return found
}

func (s *Service) appendable(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	found, err := s.cachedHealth(ctx)
	switch {
	case err != nil:
		return err
	case !found.OK:
		return errors.New("the contract or the store is not well")
	}
	return s.store.Appendable(ctx, s.limits.FreeSpace)
}

func handleReady(s *Service, c *call) (answer, error) {
	if err := s.ready(c.request.Context()); err != nil {
		return answer{}, api.Unavailable.New("")
	}
	return written(http.StatusOK, json.Of("status", "ready"))
}

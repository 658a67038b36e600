// Package serve is the HTTP service over a store: the source's routes (source 4), the routes that
// consoles pull from and push to, and the operator's routes.
//
// Start at the route table (routes.go). The mux and the metrics use it, and tests compare
// openapi.json and the table of cmd/docs/service.md with it. A request passes ServeHTTP (visit.go),
// authentication (access.go), the reading of its body (intake.go) and the limits (limits.go) before
// its route's handler; an error of the store becomes a problem in refusal.go.
package serve

import (
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"docket/contracts/report"
)

// A Config configures a Service. Store, Now and Log are required.
type Config struct {
	Store Store
	Now   func() time.Time
	Log   *slog.Logger // contains no body, token, query, or path that is not in the route table

	Limits      Limits  // the zero value is DefaultLimits
	Profile     []byte  // the incident response profile; nil for none
	BehindProxy bool    // requests come through a proxy, so that nobody counts as local
	Proxies     Proxies // the proxies that may say where a request comes from
}

// A Service answers the routes over a store. New returns one.
type Service struct {
	store Store
	now   func() time.Time
	log   *slog.Logger

	limits      Limits
	limiting    limiting
	proxies     Proxies
	behindProxy bool
	mux         *http.ServeMux
	tallies     *tallies
	reports     map[report.Kind]*fresh[document]
	health      fresh[Health]
	readiness   fresh[error]
	failed      atomic.Pointer[time.Time] // when the last append failed; nil if it succeeded
	crowd       *rate.Limiter             // of log lines about refusals for too many requests
	unlogged    atomic.Int64              // requests since the last line that were not logged
	profile     document                  // the zero document for none
	stopping    atomic.Bool
}

// New returns a service. The error says what is missing or wrong in the configuration.
func New(c Config) (*Service, error) {
	if c.Store == nil || c.Now == nil || c.Log == nil {
		return nil, errors.New("a service needs a store, a clock and a log")
	}
	if c.Limits == (Limits{}) {
		c.Limits = DefaultLimits()
	}
	s := &Service{store: c.Store, now: c.Now, log: c.Log, behindProxy: c.BehindProxy, proxies: c.Proxies,
		limits: c.Limits, limiting: newLimiting(&c.Limits), crowd: rate.NewLimiter(crowdLines, crowdLines)}
	var err error
	if s.profile, err = readProfile(c.Profile); err != nil {
		return nil, err
	}
	s.tallies = newTallies()
	s.mux = newMux(s, Routes())
	return s, s.makeReports()
}

// Package serve is the service as HTTP: the source's routes (seed 4), what pulling and pushing consoles need, and what
// an operator asks of a running service. It is an http.Handler over a *store.Store (store.go).
//
// All routes stand in one table (routes.go): the mux, the OpenAPI document, the table of cmd/docs/service.md and the tests derive from it.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"docket/cmd/internal/health"
)

// A Config configures a Service. Store, Now, Log and Health are required.
type Config struct {
	Store Store
	Now   func() time.Time
	Log   *slog.Logger // gets no body, no token, no query and no path but those of the table
	// Health tells whether the amendment contract and the store are well.
	Health func(ctx context.Context) (health.Health, error)

	Limits      Limits // the zero value is DefaultLimits
	Profile     []byte // the incident response profile; nil where there is none
	BehindProxy bool   // callers come through a proxy: the address that a request comes from says nothing
	Version     string // of the program, for the OpenAPI document; "" for none
}

// A Service answers the routes over a store. New returns one.
type Service struct {
	store   Store
	now     func() time.Time
	log     *slog.Logger
	readers readers

	limits      Limits
	behindProxy bool
	health      func(ctx context.Context) (health.Health, error)
	mux         *http.ServeMux
	metrics     *metrics
	principals  *limiters // by principal
	peers       *limiters // by address
	reports     reports
	healthCache healthCache
	profile     document // the zero document where there is none
	openapi     document
	bodies      chan struct{} // one place for each body that is held
	stopping    atomic.Bool
}

// New makes a service. The error says what of the configuration is missing or cannot be used.
func New(c Config) (*Service, error) {
	if c.Store == nil || c.Now == nil || c.Log == nil || c.Health == nil {
		return nil, errors.New("a service needs a store, a clock, a log and a health check")
	}
	limits := c.Limits.orDefault()
	s := &Service{store: c.Store, now: c.Now, log: c.Log, limits: limits, behindProxy: c.BehindProxy, health: c.Health,
		principals: newLimiters(limits.Principal), peers: newLimiters(limits.Peer), bodies: make(chan struct{}, maxBodies)}
	var err error
	if s.profile, err = readProfile(c.Profile); err != nil {
		return nil, err
	}
	routes := Routes()
	openapi, err := OpenAPI(c.Version)
	if err != nil {
		return nil, fmt.Errorf("describe the routes: %w", err)
	}
	s.openapi = documentOf(openapi)
	s.metrics = newMetrics()
	s.mux = newMux(s, routes)
	return s, s.reports.check(s.now())
}

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

// A Backing is all that lies behind the service.
type Backing struct {
	Registry Registry
	Ledger   Ledger
	Library  Library
	Witness  Witness
	Receipts Receipts
}

// A Config is what a Service is made of. Backing, Now, Log and Health have to be there.
type Config struct {
	Backing Backing
	Now     func() time.Time
	Log     *slog.Logger // gets no body, no token, no query and no path but those of the table
	// Health tells whether the amendment contract and the store are well.
	Health func(ctx context.Context) (health.Health, error)

	Limits      Limits // the zero value is DefaultLimits
	Profile     []byte // the incident response profile; nil where there is none
	BehindProxy bool   // callers come through a proxy: the address that a request comes from says nothing
	Version     string // of the program, for the OpenAPI document; "" for none
}

// A Service is the routes over a backing. New makes one.
type Service struct {
	backing Backing
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
	checkup     checkup
	profile     document // the zero document where there is none
	openapi     document
	bodies      chan struct{} // one place for each body that is held
	stopping    atomic.Bool
}

// New makes a service. The error says what of the configuration is missing or cannot be used.
func New(c Config) (*Service, error) {
	b := &c.Backing
	if b.Registry == nil || b.Ledger == nil || b.Library == nil || b.Witness == nil || b.Receipts == nil ||
		c.Now == nil || c.Log == nil || c.Health == nil {
		return nil, errors.New("a service needs all of its backing, a clock, a log and somebody to ask for its health")
	}
	limits := c.Limits.orDefault()
	s := &Service{backing: c.Backing, now: c.Now, log: c.Log, limits: limits, behindProxy: c.BehindProxy, health: c.Health,
		principals: newLimiters(limits.Principal), peers: newLimiters(limits.Peer), bodies: make(chan struct{}, mostBodies)}
	var err error
	if s.profile, err = readProfile(c.Profile); err != nil {
		return nil, err
	}
	routes := Routes()
	openapi, err := OpenAPI(routes, c.Version)
	if err != nil {
		return nil, fmt.Errorf("describe the routes: %w", err)
	}
	s.openapi = documentOf(openapi)
	s.metrics = newMetrics()
	s.mux = newMux(s, routes)
	return s, s.reports.check(s.now())
}

package serve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"docket/cmd/internal/admission"
	"docket/cmd/internal/api"
)

// A place says which place a request needs for its work. The zero value is none.
type place uint8

const (
	placeNone      place = iota
	placeReading         // it reads the store or judges a packet
	placeEnforcing       // it appends
	places
)

// RequestCost is the processor time that a request costs before and after its route's work: reading its head, looking its token up and
// writing the response.
const RequestCost = 150 * time.Microsecond

// limiting holds the present use of the limits.
type limiting struct {
	principals  *admission.Budgets // by principal
	addresses   *admission.Budgets // by address, for requests without a valid token
	bodies      *admission.Bodies
	places      [places]*admission.Places
	connections *admission.Connections
}

func newLimiting(l admission.Limits, proxies admission.Proxies) limiting {
	return limiting{
		principals: admission.NewBudgets(l.PrincipalTime, l.PrincipalBurst),
		addresses:  admission.NewBudgets(l.AddressTime, l.AddressBurst),
		bodies:     admission.NewBodies(l),
		places: [places]*admission.Places{placeReading: admission.NewPlaces(l.Reads, l.ReadsPerCaller, l.Waiting),
			placeEnforcing: admission.NewPlaces(l.Writes, l.WritesPerCaller, l.Waiting)},
		connections: admission.NewConnections(proxies, l.Connections, l.ConnectionsPerAddress),
	}
}

// SetLimits changes the limits at once. If a limit of connections changes, open connections finish their requests under
// the former limits and are then closed. With an error, an *admission.LimitError, nothing is changed.
func (s *Service) SetLimits(l admission.Limits) error {
	if err := l.Check(); err != nil {
		return err
	}
	s.limits.Store(&l)
	s.limiting.principals.Resize(l.PrincipalTime, l.PrincipalBurst)
	s.limiting.addresses.Resize(l.AddressTime, l.AddressBurst)
	s.limiting.bodies.Resize(l)
	s.limiting.places[placeReading].Resize(l.Reads, l.ReadsPerCaller, l.Waiting)
	s.limiting.places[placeEnforcing].Resize(l.Writes, l.WritesPerCaller, l.Waiting)
	s.limiting.connections.Resize(l.Connections, l.ConnectionsPerAddress)
	if running := s.running.Load(); running != nil {
		running.follow(&l)
	}
	return nil
}

// An account is the caller to whom a request is charged. The zero value is none.
type account struct {
	budgets *admission.Budgets
	key     string
}

// budgetSteps is the number of steps to which the rest of a budget is rounded. A budget is processor time: its exact
// value would measure a single request, and reveal whether something does not exist or is not the caller's.
const budgetSteps = 10

// tellBudget writes the RateLimit fields: the rest of the caller's budget, as a number of requests like this one at the
// least cost of its route.
func (s *Service) tellBudget(w http.ResponseWriter, v *visit) {
	if v.account.budgets == nil {
		return
	}
	policy, cost := "address", RequestCost
	if v.account.budgets == s.limiting.principals {
		policy = "principal"
	}
	if v.route != nil {
		cost += v.route.Cost
	}
	left, burst, second := v.account.budgets.Left(v.account.key, s.now())
	quota := burst / cost
	step := max(1, quota/budgetSteps)
	rest := max(0, left/cost) / step * step
	inSeconds := func(budget time.Duration) int64 { return int64(math.Ceil(float64(budget) / float64(second))) }
	w.Header().Set("RateLimit-Policy", fmt.Sprintf(`"%s";q=%d;w=%d`, policy, quota, inSeconds(burst)))
	w.Header().Set("RateLimit", fmt.Sprintf(`"%s";r=%d;t=%d`, policy, rest, inSeconds(burst-rest*cost)))
}

// admit takes the least cost of a route from an account, and makes it the account of the visit.
func (s *Service) admit(w http.ResponseWriter, r *http.Request, v *visit, route *Route, of account) error {
	if route.unlimited {
		return nil
	}
	v.account = of
	if wait, ok := of.budgets.Admit(of.key, RequestCost+route.Cost, s.now()); !ok {
		return s.tooMany(w, r, wait)
	}
	return nil
}

// admitAddress takes the least cost of a request without a valid token from the account of its address.
func (s *Service) admitAddress(w http.ResponseWriter, r *http.Request, v *visit, route *Route) error {
	return s.admit(w, r, v, route, account{s.limiting.addresses, "@" + admission.AddressKey(v.peer)}) // no principal's id begins so
}

// work does the work of a request with a body of the given size once there is a place for it, and charges its cost
// beyond the least cost of its route. A caller that is gone stops waiting; one that has a place is not interrupted.
func (s *Service) work(ctx context.Context, w http.ResponseWriter, r *http.Request, v *visit, body int, do func()) error {
	free := s.limiting.places[v.route.place]
	if free == nil {
		do()
		return nil
	}
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.Context(), cancel)()
	leave, err := free.Take(waiting, v.account.key)
	switch {
	case errors.Is(err, admission.ErrCrowded):
		return s.tooMany(w, r, time.Second)
	case err != nil:
		return api.Unavailable.New(tryLater)
	}
	defer leave()
	beyond := time.Duration(max(0, body-ordinaryBody)>>10) * costBody
	if v.route.place == placeEnforcing {
		do()
	} else {
		beyond = s.measure(do) - v.route.Cost
	}
	if v.account.budgets != nil {
		v.account.budgets.Charge(v.account.key, beyond, s.now())
	}
	return nil
}

// retryAfter returns a wait in whole seconds, at least one.
func retryAfter(wait time.Duration) int { return max(1, int(math.Ceil(wait.Seconds()))) }

// tooMany delays a refusal for a moment, which slows down a caller that asks again at once. It sets Retry-After and
// returns the problem.
func (s *Service) tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) error {
	pause := time.NewTimer(min(wait, s.limits.Load().RefusalPause))
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-r.Context().Done():
	case <-stopOf(r.Context()).Done():
	}
	w.Header().Del("WWW-Authenticate")
	w.Header().Set("Retry-After", strconv.Itoa(retryAfter(wait)))
	return api.RateLimited.New("Wait for the number of seconds in Retry-After.")
}

// stopKey is the context key of the context that ends when the service is told to stop.
type stopKey struct{}

// stopOf returns the context that ends when the service is told to stop.
func stopOf(ctx context.Context) context.Context {
	if stop, ok := ctx.Value(stopKey{}).(context.Context); ok {
		return stop
	}
	return context.Background()
}

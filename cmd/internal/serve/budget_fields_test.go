package serve_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/store"
)

func TestTheFieldsOfTheBudgetCountDownToTheRefusalAndUpAgain(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: limited(costOf(api.QueuePath), 1, 3)})
	policy := `"principal";q=3;w=3`
	for _, want := range []struct {
		status int
		left   string
	}{{http.StatusOK, `"principal";r=2;t=1`}, {http.StatusOK, `"principal";r=1;t=2`}, {http.StatusOK, `"principal";r=0;t=3`}, {http.StatusTooManyRequests, `"principal";r=0;t=3`}} {
		answered := w.get(t, api.QueuePath, Reviewer)
		if answered.status != want.status || answered.header.Get("RateLimit") != want.left || answered.header.Get("RateLimit-Policy") != policy {
			t.Errorf("%d %v, want %v", answered.status, answered.header, want)
		}
		if limited := answered.status == http.StatusTooManyRequests; limited != (answered.header.Get("Retry-After") == "1") {
			t.Errorf("%d with Retry-After %q", answered.status, answered.header.Get("Retry-After"))
		}
	}
	w.now = w.now.Add(2 * time.Second)
	if left := w.get(t, api.QueuePath, Reviewer).header.Get("RateLimit"); left != `"principal";r=1;t=2` {
		t.Errorf("two seconds later: %s", left)
	}
}

func TestTheRestOfABudgetDoesNotMeasureARequest(t *testing.T) {
	t.Parallel()
	limits := limited(costOf(api.QueuePath), 0.001, 100)
	took := time.Duration(0) // what a request takes beyond the least cost of its route
	w := newObserved(t, serve.Config{Limits: limits, Measure: func(work func()) time.Duration {
		work()
		return took + costOf(api.QueuePath) - serve.RequestCost
	}})
	left := func() string { return w.get(t, api.QueuePath, Reviewer).header.Get("RateLimit") }
	for range 5 {
		if told := left(); told[:17] != `"principal";r=90;` {
			t.Fatalf("told %s", told)
		}
	}
	took = 3 * costOf(api.QueuePath)
	if told := left(); told[:17] != `"principal";r=90;` {
		t.Errorf("a request that took more is told by %s", told)
	}
	if told := left(); told[:17] != `"principal";r=80;` {
		t.Errorf("told %s", told)
	}
}

var (
	limitField  = regexp.MustCompile(`^"(principal|address)";r=[0-9]+;t=[0-9]+$`)
	policyField = regexp.MustCompile(`^"(principal|address)";q=[0-9]+;w=[0-9]+$`)
)

func TestEveryRouteWithABudgetTellsItToItsCaller(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{})
	for _, route := range serve.Routes() {
		for _, who := range []person{Reviewer, {Token: "nobody"}} {
			answered := w.send(t, w.request(route.Method, pathOf(&route, w.Case.Key.ID), who, w.bodyFor(t, route.Path)))
			left, policy := answered.header.Get("RateLimit"), answered.header.Get("RateLimit-Policy")
			if route.Path == api.LivePath || route.Path == api.ReadyPath {
				if left != "" || policy != "" {
					t.Errorf("%s: %s %s", route.Path, left, policy)
				}
				continue
			}
			found := limitField.FindStringSubmatch(left)
			if found == nil || !policyField.MatchString(policy) || who.ID == "" && found[1] != "address" {
				t.Errorf("%s of %q: %s %s", route.Path, who.ID, left, policy)
			}
		}
	}
}

func TestARequestWithoutARouteTellsTheBudgetOfItsAddress(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{})
	for _, request := range []*http.Request{w.request(http.MethodGet, "/api/nothing", Reviewer, nil), w.request(http.MethodDelete, api.QueuePath, Reviewer, nil)} {
		header := w.send(t, request).header
		if left := limitField.FindStringSubmatch(header.Get("RateLimit")); left == nil || left[1] != "address" || !policyField.MatchString(header.Get("RateLimit-Policy")) {
			t.Errorf("%s %s: %v", request.Method, request.URL.Path, header)
		}
	}
}

func TestAServiceThatIsUnavailableSaysWhenToAskAgain(t *testing.T) {
	t.Parallel()
	s := newHarness(t, newServiceStore(t))
	s.service = serviceOver(t, failing{&store.Problem{Kind: store.ErrLocked}}, unlimited)
	answered := s.get(t, api.QueuePath, Reviewer)
	answered.is(t, api.Unavailable)
	if answered.header.Get("Retry-After") != "2" {
		t.Errorf("%v", answered.header)
	}
}

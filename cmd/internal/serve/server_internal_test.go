package serve

import (
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/contracts/report"
	"docket/domain/records"
	"docket/domain/terms"
)

func TestAReportIsMadeAnewWhenItIsTooOldOrOfTheFuture(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	for after, again := range map[time.Duration]bool{0: false, reportMaxAge - 1: false, reportMaxAge: true, reportMaxAge + time.Hour: true, -1: true, -time.Hour: true} {
		p := &reports{}
		first, err := p.of(report.Appeals, noon)
		if err != nil {
			t.Fatal(err)
		}
		second, err := p.of(report.Appeals, noon.Add(after))
		if err != nil {
			t.Fatal(err)
		}
		if made := p.made[report.Appeals].at; made.Equal(noon) == again {
			t.Errorf("after %v: it is of %v", after, made)
		}
		if len(first.text) == 0 || len(second.text) == 0 {
			t.Errorf("after %v: a report is empty", after)
		}
	}
}

// A panicking listener has a fault of its own.
type panicking struct{ net.Listener }

func (panicking) Accept() (net.Conn, error) { panic("what it was doing") }

func (panicking) Close() error { return nil }

func TestAFaultWhileAcceptingIsAnErrorWithoutItsText(t *testing.T) {
	t.Parallel()
	err := serveOn(&http.Server{}, panicking{}, nil)
	if err == nil || strings.Contains(err.Error(), "doing") || errors.Is(err, http.ErrServerClosed) {
		t.Errorf("serving ended with %v", err)
	}
}

func TestAProblemTellsNoMoreThan64Changes(t *testing.T) {
	t.Parallel()
	stale, differs := &records.StaleError{Changes: make([]string, 100)}, &records.DiffersError{Faults: slices.Repeat([]string{"fault"}, 100)}
	var p api.Problem
	if tellChanges(&p, stale); len(p.Changes) != 64 {
		t.Errorf("%d changes are told", len(p.Changes))
	}
	if tellDifference(&p, differs); strings.Count(p.Detail, "fault") != 64 {
		t.Errorf("%d faults are told", strings.Count(p.Detail, "fault"))
	}
	var blockersOnly api.Problem
	if tellDifference(&blockersOnly, &records.DiffersError{Found: []terms.Blocker{terms.NoticeMissing}}); blockersOnly.Detail != "" || len(blockersOnly.Found) != 1 {
		t.Errorf("without faults: %+v", blockersOnly)
	}
}

func TestEveryRouteThatReadsTheStoreForACallerHasAPlace(t *testing.T) {
	t.Parallel()
	for _, route := range Routes() {
		reads := route.Access == Bearer || strings.HasPrefix(route.Path, api.CheckpointPath) || strings.HasPrefix(route.Path, "/tile/")
		if reads && route.place == placeNone {
			t.Errorf("%s %s: one caller can have all connections to the store", route.Method, route.Path)
		}
		if route.place != placeNone && route.unlimited {
			t.Errorf("%s %s: it has no limit", route.Method, route.Path)
		}
	}
}

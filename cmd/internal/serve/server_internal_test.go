package serve

import (
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/contracts/report"
	"docket/domain/records"
)

// An endless listener always has a connection, and counts them.
type endless struct {
	net.Listener
	mu   sync.Mutex
	seen []string
	fail error
}

func (e *endless) happened(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = append(e.seen, what)
}

func (e *endless) Accept() (net.Conn, error) {
	if e.fail != nil {
		return nil, e.fail
	}
	e.happened("accepted")
	near, far := net.Pipe()
	far.Close()
	return &noted{near, e}, nil
}

func (e *endless) Close() error { return nil }

type noted struct {
	net.Conn
	of *endless
}

func (n *noted) Close() error {
	n.of.happened("closed")
	return n.Conn.Close()
}

func TestNoConnectionIsAcceptedBeforeThereIsAPlaceForIt(t *testing.T) {
	inner := &endless{}
	listener := newBounded(inner, 2)
	var held []net.Conn
	for range 2 {
		conn, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, conn)
	}
	third := make(chan error, 1)
	go func() {
		_, err := listener.Accept()
		third <- err
	}()
	held[0].Close()
	held[0].Close() // gives no second place
	if err := <-third; err != nil {
		t.Fatal(err)
	}
	// The connection tells that it is closed before its place is given back, and the next is accepted after that.
	if first := slices.Index(inner.seen, "closed"); first != 2 || len(listener.places) != 2 {
		t.Errorf("%v, %d places taken", inner.seen, len(listener.places))
	}
	waiting := make(chan error, 1)
	go func() {
		_, err := listener.Accept()
		waiting <- err
	}()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; !errors.Is(err, net.ErrClosed) {
		t.Errorf("who waited for a place is told %v", err)
	}
	if err := listener.Close(); err != nil {
		t.Errorf("a second time: %v", err)
	}
}

func TestAFailureToAcceptTakesNoPlace(t *testing.T) {
	inner := &endless{fail: errors.New("no descriptors")}
	listener := newBounded(inner, 1)
	for range 3 {
		if _, err := listener.Accept(); !errors.Is(err, inner.fail) {
			t.Fatalf("got %v", err)
		}
	}
}

func TestWhatIsNotConfiguredOfAServerHasItsDefaultAndWhatIsStays(t *testing.T) {
	if got := (Server{}).orDefault(); got != DefaultServer() {
		t.Errorf("%+v", got)
	}
	given := Server{Head: 1, Read: 2, Write: 3, Idle: 4, Grace: 5, HeadBytes: 6, Connections: 7}
	if got := given.orDefault(); got != given {
		t.Errorf("%+v", got)
	}
	if got := (Limits{}).orDefault(); got != DefaultLimits() {
		t.Errorf("%+v", got)
	}
	limits := Limits{Principal: Rate{1, 2}, Peer: Rate{3, 4}, Handler: 5}
	if got := limits.orDefault(); got != limits {
		t.Errorf("%+v", got)
	}
	for _, most := range []int64{int64(DefaultServer().Head), int64(DefaultServer().HeadBytes), int64(DefaultServer().Connections), int64(DefaultLimits().Handler)} {
		if most <= 0 {
			t.Errorf("a limit of %d is none", most)
		}
	}
}

func TestAReportIsMadeAnewWhenItIsTooOldOrOfTheFuture(t *testing.T) {
	noon := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	for after, anew := range map[time.Duration]bool{0: false, reportMaxAge - 1: false, reportMaxAge: true, reportMaxAge + time.Hour: true, -1: true, -time.Hour: true} {
		p := &reports{}
		first, err := p.of(report.Appeals, noon)
		if err != nil {
			t.Fatal(err)
		}
		second, err := p.of(report.Appeals, noon.Add(after))
		if err != nil {
			t.Fatal(err)
		}
		if made := p.made[report.Appeals].at; made.Equal(noon) == anew {
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
	err := serveOn(&http.Server{}, panicking{}, nil)
	if err == nil || strings.Contains(err.Error(), "doing") || errors.Is(err, http.ErrServerClosed) {
		t.Errorf("serving ended with %v", err)
	}
}

func TestAProblemTellsNoMoreThan64Changes(t *testing.T) {
	stale, differs := &records.StaleError{Changes: make([]string, 100)}, &records.DiffersError{Faults: slices.Repeat([]string{"fault"}, 100)}
	var p api.Problem
	if tellChanges(&p, stale); len(p.Changes) != 64 {
		t.Errorf("%d changes are told", len(p.Changes))
	}
	if tellDifference(&p, differs); strings.Count(p.Detail, "fault") != 64 {
		t.Errorf("%d faults are told", strings.Count(p.Detail, "fault"))
	}
}

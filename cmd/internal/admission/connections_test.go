package admission_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"sync/atomic"
	"testing"

	"docket/cmd/internal/admission"
)

// arriving is a listener with one connection, or none.
type arriving struct {
	net.Listener
	next net.Conn
}

func (a *arriving) Accept() (conn net.Conn, err error) {
	if conn, a.next = a.next, nil; conn == nil {
		return nil, net.ErrClosed
	}
	return conn, nil
}

// A caller is the end of a connection that a test made.
type caller struct {
	net.Conn
	from   string
	closed atomic.Bool
}

func (c *caller) RemoteAddr() net.Addr { return address(c.from) }
func (c *caller) Close() error         { c.closed.Store(true); return nil }

type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }

// A gathering accepts the connections that a test makes.
type gathering struct {
	all      *admission.Connections
	listener net.Listener
	inner    *arriving
}

func gather(p admission.Proxies, total, each int64) *gathering {
	g := &gathering{all: admission.NewConnections(p, total, each), inner: &arriving{}}
	g.listener = g.all.Listen(g.inner)
	return g
}

// come makes a connection, and returns it as the service has it; nil if it was closed instead.
func (g *gathering) come(t *testing.T, from string) (*caller, *admission.Connection) {
	t.Helper()
	c := &caller{from: from + ":1000"}
	g.inner.next = c
	conn, err := g.listener.Accept()
	if err != nil {
		if !c.closed.Load() {
			t.Fatal("a connection is neither accepted nor closed")
		}
		return c, nil
	}
	return c, conn.(*admission.Connection)
}

func TestAnIdleConnectionWithoutATokenIsClosedForANewOne(t *testing.T) {
	g := gather(admission.Proxies{}, 4, 4)
	known, conn := g.come(t, "10.0.0.1")
	end := conn.Begin()
	conn.Know()
	end()
	busy, working := g.come(t, "10.0.0.1")
	end = working.Begin()
	older, _ := g.come(t, "10.0.0.1")
	newer, _ := g.come(t, "10.0.0.1")
	for i, want := range []*caller{older, newer} {
		if came, accepted := g.come(t, "10.0.0.2"); accepted == nil || came.closed.Load() || !want.closed.Load() {
			t.Errorf("%d: the one that was idle longest is not the one that is closed", i)
		}
	}
	if known.closed.Load() || busy.closed.Load() {
		t.Error("one with a token or a request is closed before those without")
	}
	end()
	conn.Begin()()
	if open, _ := g.all.Open(); open != 4 {
		t.Errorf("%d are open", open)
	}
}

func TestTheAddressWithTheMostIdleConnectionsLosesOne(t *testing.T) {
	g := gather(admission.Proxies{}, 10, 10)
	few, _ := g.come(t, "10.0.0.1")
	var crowd []*caller
	for range 9 {
		c, _ := g.come(t, "10.0.0.2")
		crowd = append(crowd, c)
	}
	for i := range 8 {
		if _, accepted := g.come(t, fmt.Sprintf("10.0.1.%d", i)); accepted == nil || !crowd[i].closed.Load() {
			t.Fatalf("newcomer %d", i)
		}
	}
	if few.closed.Load() {
		t.Error("the address with one connection lost it")
	}
}

func TestOneAddressHasItsPartOfTheConnectionsAndATrustedProxyAll(t *testing.T) {
	g := gather(proxies(t, "10.9.9.9"), 6, 2)
	hold := func(from string) bool {
		_, conn := g.come(t, from)
		if conn != nil {
			conn.Begin()
		}
		return conn != nil
	}
	if !hold("[2001:db8::1]") || !hold("[2001:db8::2]") || hold("[2001:db8::3]") {
		t.Error("a network of IPv6 has another number of connections than two")
	}
	for i := range 4 {
		if !hold("10.9.9.9") {
			t.Errorf("connection %d of the proxy is refused", i)
		}
	}
	if hold("10.9.9.9") || hold("10.0.0.1") {
		t.Error("there are more than there may be")
	}
	if open, addresses := g.all.Open(); open != 6 || addresses != 2 {
		t.Errorf("%d of %d addresses are open", open, addresses)
	}
}

func TestAConnectionThatIsClosedGivesItsPlaceBackOnce(t *testing.T) {
	g := gather(admission.Proxies{}, 2, 2)
	_, first := g.come(t, "10.0.0.1")
	first.Begin()
	_, second := g.come(t, "10.0.0.1")
	end := second.Begin()
	for range 2 {
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if open, _ := g.all.Open(); open != 1 {
		t.Errorf("%d are open", open)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	end() // the request ends after its connection
	if open, addresses := g.all.Open(); open != 0 || addresses != 0 {
		t.Errorf("%d of %d addresses are open", open, addresses)
	}
	for range 3 {
		if _, conn := g.come(t, "10.0.0.3"); conn == nil {
			t.Error("one that is idle is not closed for a new one of its address")
		}
	}
}

func TestARequestKnowsItsConnection(t *testing.T) {
	g := gather(admission.Proxies{}, 2, 2)
	_, conn := g.come(t, "10.0.0.1")
	for name, c := range map[string]net.Conn{"plain": conn, "TLS": tls.Server(conn, &tls.Config{})} {
		if got := admission.ConnectionOf(admission.WithConnection(context.Background(), c)); got != conn {
			t.Errorf("%s: %v", name, got)
		}
	}
	if admission.ConnectionOf(admission.WithConnection(context.Background(), &caller{})) != nil {
		t.Error("a connection of another listener")
	}
	if _, err := g.listener.Accept(); err == nil {
		t.Error("a listener that is closed accepts")
	}
}

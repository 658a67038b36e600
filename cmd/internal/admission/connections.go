package admission

import (
	"container/list"
	"context"
	"crypto/tls"
	"net"
	"sync"
)

// Connections limits the open connections of a service, in total and for one address. Every connection is accepted. If
// there is then one too many, an idle one is closed: of those that never carried a valid token, the one that was idle
// longest at the address with the most of them, and among equal addresses the one that was idle longest of all. If
// every connection is busy, the new one is closed. Trusted proxies may use all connections, and theirs count as
// carrying a token. NewConnections returns one.
type Connections struct {
	proxies Proxies

	mu        sync.Mutex
	total     int64
	each      int64
	open      int64
	idled     int64 // how often a connection became idle
	addresses map[string]*address
}

// An address holds the open connections of one address, or of one network of 64 bits.
type address struct {
	key  string
	open int64
	idle [2]*list.List // of *Connection: of strangers, and of those that are known; the one that is idle longest is at the front
}

// A Connection is an open connection.
type Connection struct {
	net.Conn
	all *Connections
	of  *address

	// The lock of all connections guards these.
	requests int           // in progress
	known    int           // 1 if it carried a valid token, or is of a trusted proxy
	place    *list.Element // among the idle ones; nil if a request is in progress, and when it is closed
	since    int64         // which of the times it was that a connection became idle
	closed   bool
}

// NewConnections returns limits of connections in total, and for each address.
func NewConnections(proxies Proxies, total, each int64) *Connections {
	return &Connections{proxies: proxies, total: total, each: each, addresses: map[string]*address{}}
}

// Listen returns a listener whose connections are limited together with those of the other listeners.
func (all *Connections) Listen(inner net.Listener) net.Listener { return &listener{inner, all} }

type listener struct {
	net.Listener
	all *Connections
}

// Resize changes the numbers. Connections that are open stay so.
func (all *Connections) Resize(total, each int64) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.total, all.each = total, each
}

// Accept returns the next connection for which there is room.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		accepted, victim := l.all.enter(conn)
		if victim != nil {
			_ = victim.Close() // nobody waits for what comes over it
		}
		if accepted != nil {
			return accepted, nil
		}
	}
}

// enter enters a connection. victim is the connection that has to be closed for it: an idle one, or conn itself, which
// is then not entered.
func (all *Connections) enter(conn net.Conn) (accepted *Connection, victim net.Conn) {
	peer := PeerOf(conn.RemoteAddr().String())
	all.mu.Lock()
	defer all.mu.Unlock()
	key, exempt := AddressKey(peer), all.proxies.Trust(peer)
	of := all.addresses[key]
	if of == nil {
		of = &address{key: key, idle: [2]*list.List{list.New(), list.New()}}
		all.addresses[key] = of
	}
	var idle *Connection
	full := false
	switch {
	case !exempt && of.open >= all.each:
		idle, full = of.longestIdle(), true
	case all.open >= all.total:
		idle, full = all.longestIdle(), true
	}
	if full && idle == nil {
		all.forget(of)
		return nil, conn
	}
	if idle != nil {
		all.remove(idle)
		victim = idle.Conn
		all.addresses[key] = of // it may have been the last one of the address
	}
	accepted = &Connection{Conn: conn, all: all, of: of}
	if exempt {
		accepted.known = 1
	}
	all.open++
	of.open++
	accepted.list()
	return accepted, victim
}

// longestIdle returns the connection of the address that is closed first; nil if all are busy.
func (a *address) longestIdle() *Connection {
	for _, idle := range a.idle {
		if first := idle.Front(); first != nil {
			return first.Value.(*Connection)
		}
	}
	return nil
}

// longestIdle returns the connection that is closed first; nil if all are busy. The lock is held.
func (all *Connections) longestIdle() *Connection {
	for known := range 2 {
		var first *Connection
		most := 0
		for _, a := range all.addresses {
			count := a.idle[known].Len()
			if count == 0 || count < most {
				continue
			}
			if idle := a.idle[known].Front().Value.(*Connection); count > most || idle.since < first.since {
				first, most = idle, count
			}
		}
		if first != nil {
			return first
		}
	}
	return nil
}

// remove takes a connection out of the open ones. The lock is held.
func (all *Connections) remove(c *Connection) {
	if c.closed {
		return
	}
	c.closed = true
	c.unlist()
	all.open--
	c.of.open--
	all.forget(c.of)
}

func (all *Connections) forget(a *address) {
	if a.open == 0 {
		delete(all.addresses, a.key)
	}
}

// list puts the connection at the end of the idle ones. The lock is held.
func (c *Connection) list() {
	c.all.idled++
	c.since = c.all.idled
	c.place = c.of.idle[c.known].PushBack(c)
}

func (c *Connection) unlist() {
	if c.place != nil {
		c.of.idle[c.known].Remove(c.place)
		c.place = nil
	}
}

// Close closes the connection.
func (c *Connection) Close() error {
	c.all.mu.Lock()
	c.all.remove(c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

// Begin says that a request on the connection is in progress, until end is called once.
func (c *Connection) Begin() (end func()) {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.requests++
	c.unlist()
	return c.end
}

func (c *Connection) end() {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.requests--; c.requests == 0 && !c.closed {
		c.list()
	}
}

// Know says that a request in progress on the connection carries a valid token.
func (c *Connection) Know() {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.place == nil { // it is in no list
		c.known = 1
	}
}

// connectionKey is the context key of a connection.
type connectionKey struct{}

// WithConnection returns a context with the connection, as http.Server.ConnContext does. Connections of other listeners
// are ignored.
func WithConnection(ctx context.Context, conn net.Conn) context.Context {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	if c, ok := conn.(*Connection); ok {
		return context.WithValue(ctx, connectionKey{}, c)
	}
	return ctx
}

// ConnectionOf returns the connection of a request's context; nil if there is none.
func ConnectionOf(ctx context.Context) *Connection {
	c, _ := ctx.Value(connectionKey{}).(*Connection)
	return c
}

package serve

import (
	"net"
	"sync"
)

// A bounded listener accepts no connection while there are as many as there may be.
type bounded struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newBounded(listener net.Listener, most int) *bounded {
	return &bounded{Listener: listener, places: make(chan struct{}, most), closed: make(chan struct{})}
}

// Accept waits for a place, then for a connection.
func (b *bounded) Accept() (net.Conn, error) {
	select {
	case b.places <- struct{}{}:
	case <-b.closed:
		return nil, net.ErrClosed
	}
	conn, err := b.Listener.Accept()
	if err != nil {
		<-b.places
		return nil, err
	}
	return &placed{Conn: conn, leave: func() { <-b.places }}, nil
}

// Close ends the waiting, too.
func (b *bounded) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.Listener.Close()
}

// A placed connection gives its place back once it is closed.
type placed struct {
	net.Conn
	once  sync.Once
	leave func()
}

func (p *placed) Close() error {
	err := p.Conn.Close()
	p.once.Do(p.leave)
	return err
}

package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// A Server is how a service listens. The zero value of each part but TLS is the one that DefaultServer has.
type Server struct {
	TLS         *tls.Config   // nil: no TLS
	Head        time.Duration // in which the head of a request has to be here
	Read        time.Duration // in which all of it has to be here
	Write       time.Duration // in which the answer has to be taken, from the head on
	Idle        time.Duration // after which a connection without a request is closed
	Grace       time.Duration // that requests under way are given when the service is told to stop
	HeadBytes   int           // of a request at most, to which net/http adds 4096
	Connections int           // at a time; whoever comes then has to wait
}

// DefaultServer has limits that a console on a poor line stays below.
func DefaultServer() Server {
	return Server{Head: 5 * time.Second, Read: 20 * time.Second, Write: 50 * time.Second, Idle: time.Minute,
		Grace: 30 * time.Second, HeadBytes: 16 << 10, Connections: 512}
}

func setDefault[T comparable](value *T, standard T) {
	var zero T
	if *value == zero {
		*value = standard
	}
}

func (c Server) orDefault() Server {
	standard := DefaultServer()
	setDefault(&c.Head, standard.Head)
	setDefault(&c.Read, standard.Read)
	setDefault(&c.Write, standard.Write)
	setDefault(&c.Idle, standard.Idle)
	setDefault(&c.Grace, standard.Grace)
	setDefault(&c.HeadBytes, standard.HeadBytes)
	setDefault(&c.Connections, standard.Connections)
	return c
}

// ErrBrokenOff says that the service was told to stop and requests were still under way when the grace had passed. What
// was acknowledged is durable; what was under way was not acknowledged.
var ErrBrokenOff = errors.New("requests were broken off when the service stopped")

// Run serves on the listener until ctx ends, then finishes what is under way, and closes the listener. The error is nil
// after that, ErrBrokenOff, or why the listener failed.
func (s *Service) Run(ctx context.Context, listener net.Listener, c Server) error {
	c = c.orDefault()
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: c.Head, ReadTimeout: c.Read, WriteTimeout: c.Write, IdleTimeout: c.Idle,
		MaxHeaderBytes: c.HeadBytes, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
	}
	failed := make(chan error, 1)
	go func() { failed <- serveOn(server, newBounded(listener, c.Connections), c.TLS) }()
	select {
	case err := <-failed:
		return fmt.Errorf("the service ended: %w", err)
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.Grace)
	defer cancel()
	err := server.Shutdown(grace)
	if err != nil {
		err = errors.Join(ErrBrokenOff, server.Close())
	}
	<-failed // it has returned, because the server is closed
	return err
}

// maxStreams is how many requests one HTTP/2 connection may have under way.
const maxStreams = 64

// serveOn accepts connections until the server is closed.
func serveOn(server *http.Server, listener net.Listener, config *tls.Config) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("accepting connections broke off: %s", panicText(cause))
		}
	}()
	if config == nil {
		return server.Serve(listener)
	}
	server.TLSConfig = config.Clone()
	server.TLSConfig.MinVersion = max(server.TLSConfig.MinVersion, tls.VersionTLS12)
	return server.ServeTLS(listener, "", "")
}

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

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

// A Server configures how a service listens. A zero field, other than TLS, has the value of DefaultServer.
type Server struct {
	TLS         *tls.Config   // nil: no TLS
	Head        time.Duration // timeout of the head of a request
	Read        time.Duration // timeout of the whole request
	Write       time.Duration // timeout of the response, from the head of the request on
	Idle        time.Duration // timeout of an idle connection
	Grace       time.Duration // time for requests in progress when the service stops
	HeadBytes   int           // maximum size of the head of a request; net/http adds 4096
	Connections int           // maximum number of connections; others wait
}

// DefaultServer returns limits that suit a console on a slow connection.
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

// ErrBrokenOff says that the service stopped while requests were in progress after Grace. They were not acknowledged.
var ErrBrokenOff = errors.New("requests in progress were cut off when the service stopped")

// Run serves on the listener until ctx ends, finishes the requests in progress, and closes the listener. The error is nil,
// ErrBrokenOff, or the failure of the listener.
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
	<-failed // the server is closed, so this returns
	return err
}

// maxStreams is the maximum number of concurrent requests on an HTTP/2 connection.
const maxStreams = 64

// serveOn accepts connections until the server is closed.
func serveOn(server *http.Server, listener net.Listener, config *tls.Config) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("accepting connections failed: %s", panicText(cause))
		}
	}()
	if config == nil {
		return server.Serve(listener)
	}
	server.TLSConfig = config.Clone()
	server.TLSConfig.MinVersion = max(server.TLSConfig.MinVersion, tls.VersionTLS12)
	return server.ServeTLS(listener, "", "")
}

// A bounded listener limits the number of connections.
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

// Close also ends a waiting Accept.
func (b *bounded) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.Listener.Close()
}

// A placed connection releases its place when it is closed.
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

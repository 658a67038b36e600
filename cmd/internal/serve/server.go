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

	"docket/cmd/internal/admission"
)

// ErrBrokenOff says that the service stopped while requests were in progress after the time to stop. They were not acknowledged.
var ErrBrokenOff = errors.New("requests in progress were cut off when the service stopped")

// Run serves on the listener until ctx ends, finishes the requests in progress, and closes the listener. Bodies that are still arriving
// when ctx ends have a second. secure is nil for a service without TLS. The error is nil, ErrBrokenOff, or the failure of the listener.
func (s *Service) Run(ctx context.Context, listener net.Listener, secure *tls.Config) error {
	r := &running{service: s, stop: ctx, secure: secure, failed: make(chan error, 1), listener: s.limiting.connections.Listen(listener)}
	r.follow(s.limits.Load())
	s.running.Store(r)
	defer s.running.Store(nil)
	r.follow(s.limits.Load()) // they may have changed before the service was known to run
	var accepting sync.WaitGroup
	accepting.Go(r.accept)
	var err error
	select {
	case err = <-r.failed:
		s.stopping.Store(true)
		err = errors.Join(fmt.Errorf("the service ended: %w", err), r.close(0))
	case <-ctx.Done():
		s.stopping.Store(true)
		err = r.close(s.limits.Load().Stop)
	}
	accepting.Wait()
	r.ending.Wait()
	return err
}

// ofServer holds the limits with which a server of net/http is made.
type ofServer struct {
	head, read, write, idle time.Duration
	headBytes, streams      int64
}

// A running service accepts connections in one place and hands them to its newest server. It makes a new server when
// limits change that net/http fixes. The former server finishes its requests, and its connections are then closed.
type running struct {
	service  *Service
	stop     context.Context
	secure   *tls.Config // nil for none
	listener net.Listener
	failed   chan error // the first failure
	ending   sync.WaitGroup

	mutex   sync.Mutex
	limits  ofServer
	newest  *handover
	servers []*http.Server // all that may have connections
	closed  bool
}

// follow makes a server with the limits, unless the newest one has them.
func (r *running) follow(l *admission.Limits) {
	limits := ofServer{head: l.Head, read: l.Read, write: l.Write, idle: l.Idle, headBytes: l.HeadBytes, streams: l.Streams}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.closed || r.newest != nil && r.limits == limits {
		return
	}
	server := &http.Server{
		Handler: r.service, ReadHeaderTimeout: limits.head, ReadTimeout: limits.read, WriteTimeout: limits.write, IdleTimeout: limits.idle,
		MaxHeaderBytes: int(limits.headBytes), ErrorLog: slog.NewLogLogger(r.service.log.Handler(), slog.LevelDebug),
		HTTP2:       &http.HTTP2Config{MaxConcurrentStreams: int(limits.streams)},
		ConnContext: admission.WithConnection,
		BaseContext: func(net.Listener) context.Context {
			return context.WithValue(context.WithoutCancel(r.stop), stopKey{}, r.stop)
		},
	}
	to := &handover{conns: make(chan accepted), ended: make(chan struct{}), address: r.listener.Addr()}
	if before := r.servers; len(before) > 0 {
		// Shutdown would drop a request whose head is still arriving.
		_ = r.newest.Close()
		before[len(before)-1].SetKeepAlivesEnabled(false)
	}
	r.limits, r.newest, r.servers = limits, to, append(r.servers, server)
	r.ending.Go(func() {
		if err := serveOn(server, to, r.secure); !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, errHandedOver) {
			r.fail(err)
		}
	})
}

// fail keeps the first failure.
func (r *running) fail(err error) {
	select {
	case r.failed <- err:
	default:
	}
}

// accept hands connections to the newest server until the listener is closed.
func (r *running) accept() {
	defer func() {
		if cause := recover(); cause != nil {
			r.fail(fmt.Errorf("accepting connections failed: %s", panicText(cause)))
		}
	}()
	for {
		var next accepted
		next.conn, next.err = r.listener.Accept()
		for handed := false; !handed; {
			r.mutex.Lock()
			to, closed := r.newest, r.closed
			r.mutex.Unlock()
			if closed {
				if next.err == nil {
					_ = next.conn.Close()
				}
				return
			}
			select {
			case to.conns <- next:
				handed = true
			case <-to.ended: // this listener was replaced, or the service ends
				handed = next.err != nil // the listener says it again
			}
		}
	}
}

// close closes the listener, waits for the requests in progress for the grace, and cuts the rest off.
func (r *running) close(grace time.Duration) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.stop), grace)
	defer cancel()
	r.mutex.Lock()
	r.closed = true
	servers := r.servers
	r.mutex.Unlock()
	_ = r.listener.Close()
	results := make(chan error, len(servers))
	for _, server := range servers {
		go func() { results <- shutdown(ctx, server) }()
	}
	var err error
	for range servers {
		err = errors.Join(err, <-results)
	}
	return err
}

// shutdown waits for the requests in progress until ctx ends, and cuts the rest off.
func shutdown(ctx context.Context, server *http.Server) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("closing a server failed: %s", panicText(cause))
		}
	}()
	if server.Shutdown(ctx) != nil {
		return errors.Join(ErrBrokenOff, server.Close())
	}
	return nil
}

// A handover is a listener for connections that were accepted elsewhere.
type handover struct {
	conns   chan accepted
	once    sync.Once
	ended   chan struct{}
	address net.Addr
}

type accepted struct {
	conn net.Conn
	err  error
}

// errHandedOver says that another server accepts the connections.
var errHandedOver = errors.New("another server accepts the connections")

// Accept returns the next connection.
func (h *handover) Accept() (net.Conn, error) {
	select {
	case next := <-h.conns:
		return next.conn, next.err
	case <-h.ended:
		return nil, errHandedOver
	}
}

// Close ends Accept.
func (h *handover) Close() error {
	h.once.Do(func() { close(h.ended) })
	return nil
}

// Addr returns the address of the accepting listener.
func (h *handover) Addr() net.Addr { return h.address }

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

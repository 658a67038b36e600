package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"docket/cmd/internal/admission"
)

// ErrBrokenOff says that the service stopped while requests were in progress after the time to stop. They were not acknowledged.
var ErrBrokenOff = errors.New("requests in progress were cut off when the service stopped")

// Run serves on the listener until ctx ends, finishes the requests in progress, and closes the listener. Bodies that are still arriving
// when ctx ends have a second. secure is nil for a service without TLS. The error is nil, ErrBrokenOff, or the failure of the listener.
func (s *Service) Run(ctx context.Context, listener net.Listener, secure *tls.Config) error {
	limits := s.limits.Load()
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: limits.Head, ReadTimeout: limits.Read, WriteTimeout: limits.Write, IdleTimeout: limits.Idle,
		MaxHeaderBytes: int(limits.HeadBytes), ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		HTTP2:       &http.HTTP2Config{MaxConcurrentStreams: int(limits.Streams)},
		ConnContext: admission.WithConnection,
		BaseContext: func(net.Listener) context.Context {
			return context.WithValue(context.WithoutCancel(ctx), stopKey{}, ctx)
		},
	}
	failed := make(chan error, 1)
	go func() { failed <- serveOn(server, s.limiting.connections.Listen(listener), secure) }()
	select {
	case err := <-failed:
		return fmt.Errorf("the service ended: %w", err)
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.Load().Stop)
	defer cancel()
	err := server.Shutdown(grace)
	if err != nil {
		err = errors.Join(ErrBrokenOff, server.Close())
	}
	<-failed // the server is closed, so this returns
	return err
}

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

package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"

	"golang.org/x/net/netutil"
)

// ErrBrokenOff says that the service stopped before requests in progress were acknowledged.
var ErrBrokenOff = errors.New("requests in progress were cut off when the service stopped")

// Run serves on the listener until ctx ends, finishes the requests in progress, and closes the
// listener. secure is nil for a service without TLS. The error is nil, ErrBrokenOff, or the failure
// of the listener. The process runs on one thread more than there are places for reading, so that
// an enforce request waits for no reader's thread.
func (s *Service) Run(ctx context.Context, listener net.Listener, secure *tls.Config) error {
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), s.limits.Reads+1))
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: s.limits.Head, ReadTimeout: s.limits.Read, WriteTimeout: s.limits.Write,
		IdleTimeout: s.limits.Idle, MaxHeaderBytes: headBytes,
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	failed := make(chan error, 1)
	go func() { failed <- serveOn(server, netutil.LimitListener(listener, s.limits.Connections), secure) }()
	select {
	case err := <-failed:
		s.stopping.Store(true)
		return errors.Join(fmt.Errorf("the service ended: %w", err), server.Close())
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.Stop)
	defer cancel()
	var err error
	if server.Shutdown(grace) != nil {
		err = errors.Join(ErrBrokenOff, server.Close())
	}
	<-failed
	return err
}

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

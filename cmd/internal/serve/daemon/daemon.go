// Package daemon runs the service as a process: the settings that belong together (load.go), the
// socket on which it listens (listen.go), its log, the signals that reload and stop it, and its
// notifications to systemd.
//
// SIGHUP reads the certificate and its key again, and opens the log again; unusable ones are refused
// in the log, and those in force stay. SIGTERM and SIGINT stop the service within
// its grace; a second one ends it at once.
package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	systemd "github.com/coreos/go-systemd/v22/daemon"

	"docket/cmd/internal/serve"
	"docket/cmd/internal/settings"
	"docket/store/disk"
)

// A Daemon runs a service.
type Daemon struct {
	Log io.Writer
	// Service makes the service with its log and settings.
	Service func(v *settings.Values, log *slog.Logger) (*serve.Service, error)
	// Ready is called with the URL once connections are accepted.
	Ready func(url string) error
}

// Run serves until ctx ends. The error is of serve.Service.Run, or says why it cannot listen.
func (d *Daemon) Run(ctx context.Context, now settings.Effective) error {
	r := reloader{settings: &now}
	pair, err := Pair(&now)
	if err != nil {
		return err
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	if err := r.file.open(&now); err != nil {
		return err
	}
	defer r.file.close()
	r.file.standard = d.Log
	r.log = newLog(&r.file, &now)
	service, err := d.Service(&now.Values, r.log)
	if err != nil {
		return err
	}
	listener, err := listen(&now.Values)
	if err != nil {
		return err
	}
	ends, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer stop()
	if err := d.Ready(urlOf(&now.Values, listener.Addr())); err != nil {
		return errors.Join(err, listener.Close())
	}
	var secure *tls.Config
	if pair != nil {
		r.pair.Store(pair)
		secure = &tls.Config{MinVersion: tls.VersionTLS12,
			GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return r.pair.Load(), nil }}
	}
	watching.Go(func() { r.watch(ends, hangups) })
	watching.Go(func() { r.stopping(ends) })
	r.tell(systemd.SdNotifyReady)
	return service.Run(ctx, listener, secure)
}

const maxPEM = 1 << 20

// Pair reads the certificate and its key; nil without them.
func Pair(e *settings.Effective) (*tls.Certificate, error) {
	if e.Certificate == "" {
		return nil, nil
	}
	certificate, err := disk.ReadRegular(e.Certificate, maxPEM)
	if err != nil {
		return nil, e.ProblemOf("tls_cert", "the certificate cannot be used: %v", disk.Reason(err))
	}
	key, err := disk.ReadRegular(e.Key, maxPEM)
	if err != nil {
		return nil, e.ProblemOf("tls_key", "the key of the certificate cannot be used: %v", disk.Reason(err))
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, e.ProblemOf("tls_cert", "%s and %s are not a certificate and its key in PEM: %s",
			e.Certificate, e.Key, strings.TrimPrefix(err.Error(), "tls: "))
	}
	return &pair, nil
}

// A logFile is where the log goes: a file that can be opened again, or standard error without one.
type logFile struct {
	standard io.Writer

	mu   sync.Mutex
	file *os.File // nil for standard error
}

// open opens the file that the settings name, and closes the one before.
func (l *logFile) open(e *settings.Effective) error {
	var next *os.File
	if e.LogFile != "" {
		var err error
		if next, err = os.OpenFile(e.LogFile, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600); err != nil {
			return e.ProblemOf("log_file", "the log cannot be written: %v", disk.Reason(err))
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		_ = l.file.Close()
	}
	l.file = next
	return nil
}

func (l *logFile) close() { _ = l.open(&settings.Effective{}) }

// Write writes a line of the log.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		return l.file.Write(line)
	}
	return l.standard.Write(line)
}

func newLog(to io.Writer, e *settings.Effective) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(e.LogLevel)) // the words are those of slog
	options := &slog.HandlerOptions{Level: level}
	if e.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(to, options))
	}
	return slog.New(slog.NewTextHandler(to, options))
}

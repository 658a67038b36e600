package daemon

import (
	"context"
	"crypto/tls"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	systemd "github.com/coreos/go-systemd/v22/daemon"

	"docket/cmd/internal/settings"
)

type reloader struct {
	settings *settings.Effective
	log      *slog.Logger
	file     logFile
	pair     atomic.Pointer[tls.Certificate] // nil without TLS
}

// watch reloads at each SIGHUP until ctx ends.
func (r *reloader) watch(ctx context.Context, hangups <-chan os.Signal) {
	for {
		select {
		case <-hangups:
			r.tell(systemd.SdNotifyReloading + "\n" + systemd.SdNotifyMonotonicUsec())
			if err := r.reload(); err != nil {
				r.log.Error("reload refused", slog.String("reason", err.Error()))
			} else {
				r.log.Info("reloaded")
			}
			r.tell(systemd.SdNotifyReady)
		case <-ctx.Done():
			return
		}
	}
}

// reload reads the certificate again and opens the log again; after an error the former ones stay.
func (r *reloader) reload() error {
	pair, err := Pair(r.settings)
	if err == nil {
		err = r.file.open(r.settings)
	}
	if err == nil {
		r.pair.Store(pair)
	}
	return err
}

// stopping notifies systemd when ctx ends, and lets a second signal end the process.
func (r *reloader) stopping(ctx context.Context) {
	<-ctx.Done()
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	r.tell(systemd.SdNotifyStopping)
	r.log.Info("stopping")
}

// tell notifies systemd of the state of the service; without systemd it does nothing.
func (r *reloader) tell(state string) {
	if _, err := systemd.SdNotify(false, state); err != nil {
		r.log.Warn("systemd cannot be notified", slog.String("reason", err.Error()))
	}
}

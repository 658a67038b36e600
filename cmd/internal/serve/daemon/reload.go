package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	systemd "github.com/coreos/go-systemd/v22/daemon"

	"docket/cmd/internal/serve"
	"docket/cmd/internal/settings"
)

type reloader struct {
	source  settings.Source
	service *serve.Service
	log     *slog.Logger
	level   slog.LevelVar
	file    logFile
	pair    atomic.Pointer[tls.Certificate] // nil without TLS
	now     settings.Effective              // what is in force
}

// watch reloads at each SIGHUP until ctx ends.
func (r *reloader) watch(ctx context.Context, hangups <-chan os.Signal) {
	for {
		select {
		case <-hangups:
			r.tell(systemd.SdNotifyReloading + "\n" + systemd.SdNotifyMonotonicUsec())
			if err := r.reload(); err != nil {
				r.log.Error("reload refused", slog.String("reason", err.Error()))
			}
			r.tell(systemd.SdNotifyReady)
		case <-ctx.Done():
			return
		}
	}
}

// reload applies the settings that SIGHUP changes; after an error the former ones stay.
func (r *reloader) reload() (err error) {
	defer func() {
		if cause := recover(); cause != nil { // reading a file must not end the service
			err = fmt.Errorf("reading the settings panicked: %T", cause)
		}
	}()
	next, err := Load(r.source)
	if err != nil {
		return err
	}
	pair, err := Pair(&next)
	if err != nil {
		return err
	}
	if (pair == nil) != (r.now.Certificate == "") {
		return errors.New("a service with TLS and one without need a new start to become the other")
	}
	needsStart := next.Changed(&r.now)
	next = next.Keeping(&r.now)
	if err := r.file.open(&next); err != nil {
		return err
	}
	if len(needsStart) > 0 {
		r.log.Warn("these settings need a new start", slog.String("settings", strings.Join(needsStart, " ")))
	}
	r.pair.Store(pair)
	before := r.level.Level()
	r.level.Set(levelOf(next.LogLevel))
	r.now = next
	r.sayReloaded(before)
	return nil
}

// sayReloaded comes last: its line, if the old or the new level lets it through, can be relied on.
func (r *reloader) sayReloaded(before slog.Level) {
	if min(before, r.level.Level()) <= slog.LevelInfo {
		_ = r.log.Handler().Handle(context.Background(), slog.NewRecord(time.Now(), slog.LevelInfo, "reloaded", 0))
	}
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

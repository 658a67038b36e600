package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"

	"docket/cmd/internal/api"
)

// recover turns a panic of a handler into an internal problem. The handlers write nothing themselves, so that either the
// answer is still to be written, or the panic comes from writing it.
func (s *Service) recover(w http.ResponseWriter, r *http.Request, v *visit) {
	cause := recover()
	if cause == nil {
		return
	}
	if err, isError := cause.(error); isError && errors.Is(err, http.ErrAbortHandler) {
		panic(cause) // net/http's own way to break off
	}
	v.cause = &panicked{said: saidOf(cause), stack: debug.Stack()}
	if v.status == 0 {
		v.refuse(w, r, api.Internal.New(""))
	}
}

// A panicked error is a panic of a handler.
type panicked struct {
	said  string
	stack []byte
}

func (p *panicked) Error() string { return "a handler panicked: " + p.said }

// saidOf is what may be logged of a panic: what the runtime says. Any other value could hold something of a packet.
func saidOf(cause any) string {
	if fault, ok := cause.(runtime.Error); ok {
		return fault.Error()
	}
	return fmt.Sprintf("%T", cause)
}

// finish counts and logs the request.
func (s *Service) finish(v *visit) {
	took := s.now().Sub(v.begun)
	s.metrics.count(v, took)
	level := slog.LevelInfo
	attributes := []slog.Attr{slog.String("request", v.id), slog.Int("status", v.status), slog.Duration("took", took)}
	if v.route != nil {
		attributes = append(attributes, slog.String("method", v.route.Method), slog.String("route", v.route.Path))
		if v.route.Method == http.MethodGet && v.status < http.StatusBadRequest {
			level = slog.LevelDebug
		}
	}
	if v.caller.ID != "" {
		attributes = append(attributes, slog.String("token", v.caller.ID))
	}
	if v.refused {
		attributes = append(attributes, slog.String("problem", v.problem.Word()))
	}
	if v.status == http.StatusTooManyRequests {
		level = slog.LevelDebug // whoever asks too often must not fill the log, either
	}
	if v.cause != nil {
		level = slog.LevelError
		attributes = append(attributes, slog.String("cause", v.cause.Error()))
		var fault *panicked
		if errors.As(v.cause, &fault) {
			attributes = append(attributes, slog.String("stack", string(fault.stack)))
		}
	}
	s.log.LogAttrs(context.Background(), level, "answered", attributes...)
}

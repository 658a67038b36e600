package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/cmd/internal/api"
	"docket/domain/terms"
	"docket/store"
)

type visitKey struct{}

// A visit holds what is counted and logged for one request.
type visit struct {
	id      string
	route   *Route      // nil if there is none
	caller  store.Token // the zero Token if nobody is authenticated
	status  int
	refused bool // with problem
	problem api.ProblemKind
	peer    netip.Addr // the origin, through trusted proxies; zero if it has no address
	limited *caller    // whose limits it counts against; nil for none
	leave   []func()   // end its use of limits

	received bool   // the body was read
	cause    error  // of an internal problem; only logged
	stack    []byte // of a panic; only logged
	begun    time.Time
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := &visit{id: rand.Text(), begun: s.now(), peer: s.proxies.callerOf(r.RemoteAddr, r.Header)}
	s.tallies.inFlight.Inc()
	defer s.finish(v)
	defer s.recover(w, r, v)
	header := w.Header()
	header.Set(requestIDHeader, v.id)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	r = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
	if strings.HasPrefix(r.URL.Path, "/") && path.Clean(r.URL.Path) == r.URL.Path {
		s.mux.ServeHTTP(w, r)
	} else {
		s.notFound(w, r) // the mux would redirect
	}
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request, v *visit) {
	answer, err := s.handle(w, r, v)
	var problem *api.Problem
	switch {
	case err == nil:
		v.send(w, r, answer)
	case errors.As(err, &problem):
		v.refuse(w, r, problem)
	default:
		v.cause = err
		v.refuse(w, r, api.Internal.New(""))
	}
}

func (s *Service) handle(w http.ResponseWriter, r *http.Request, v *visit) (answer, error) {
	if err := s.authorize(w, r, v); err != nil {
		return answer{}, err
	}
	c := call{caller: v.caller}
	var err error
	if v.route.reads {
		if c.body, err = s.receive(w, r, v); err != nil {
			return answer{}, err
		}
	}
	// net/http cannot distinguish a caller that closed its half of the connection, and waits for
	// the answer, from one that is gone. A request therefore runs to its end.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), s.limits.Handler)
	defer cancel()
	c.request, c.at = r.WithContext(ctx), terms.InstantOf(s.now())
	var given answer
	if failed := s.work(ctx, r, v, func() { given, err = v.route.handle(s, &c) }); failed != nil {
		return answer{}, failed
	}
	if err != nil {
		return answer{}, problemOf(err)
	}
	return given, nil
}

// recover turns a panic of a handler into an internal problem; handlers do not write the response,
// so that nothing is written yet unless writing it panicked.
func (s *Service) recover(w http.ResponseWriter, r *http.Request, v *visit) {
	cause := recover()
	if cause == nil {
		return
	}
	v.cause, v.stack = fmt.Errorf("a handler panicked: %s", panicText(cause)), debug.Stack()
	if v.status == 0 {
		v.refuse(w, r, api.Internal.New(""))
	}
}

// panicText returns a runtime error's text, otherwise the type: a value may hold parts of a packet.
func panicText(cause any) string {
	if fault, ok := cause.(runtime.Error); ok {
		return fault.Error()
	}
	return fmt.Sprintf("%T", cause)
}

func (v *visit) name() (method, path string) {
	if v.route == nil {
		return noRoute, noRoute
	}
	return v.route.Method, v.route.Path
}

func (s *Service) finish(v *visit) {
	for _, leave := range v.leave {
		leave()
	}
	took := s.now().Sub(v.begun)
	s.tallies.count(v, took)
	if v.status == http.StatusTooManyRequests && !s.crowd.AllowN(s.now(), 1) {
		s.unlogged.Add(1)
		return
	}
	level := slog.LevelInfo
	method, path := v.name()
	attributes := []slog.Attr{slog.String("request", v.id), slog.String("method", method),
		slog.String("route", path), slog.Int("status", v.status),
		slog.Duration("duration", took), slog.String("address", addressText(v.peer))}
	if v.caller.ID != "" {
		attributes = append(attributes, slog.String("principal", string(v.caller.Principal)), slog.String("token", v.caller.ID))
	}
	if v.refused {
		attributes = append(attributes, slog.String("problem", v.problem.Word()))
	}
	if n := s.unlogged.Swap(0); n > 0 {
		attributes = append(attributes, slog.Int64("unlogged", n))
	}
	if v.cause != nil {
		level = slog.LevelError
		attributes = append(attributes, slog.String("cause", v.cause.Error()))
		if v.stack != nil {
			attributes = append(attributes, slog.String("stack", string(v.stack)))
		}
	}
	s.log.LogAttrs(context.Background(), level, "answered", attributes...)
}

// crowdLines is how many lines a second are logged about requests refused because there were too
// many, so that they do not fill the log; the next line of any request says how many were left out.
const crowdLines = 10

// addressText returns an address for the log; "unix" for a peer on a unix socket, which has none.
func addressText(peer netip.Addr) string {
	if !peer.IsValid() {
		return unixPeers
	}
	return peer.String()
}

// cacheControl is for documents that change only with the program, and with a report's check.
const cacheControl = "public, max-age=300"

func (v *visit) send(w http.ResponseWriter, r *http.Request, a answer) {
	header := w.Header()
	if a.etag != "" {
		header.Set("ETag", a.etag)
		header.Set("Cache-Control", cmp.Or(a.cache, cacheControl))
		if matches(r.Header.Values("If-None-Match"), a.etag) {
			v.status = http.StatusNotModified
			w.WriteHeader(v.status)
			return
		}
	}
	v.write(w, r, a.status, cmp.Or(a.media, api.JSON), a.document)
}

// unavailableWait is the Retry-After, in seconds, of a wait for a place, a lock or an operator.
const unavailableWait = "2"

func (v *visit) refuse(w http.ResponseWriter, r *http.Request, p *api.Problem) {
	v.refused, v.problem = true, p.Kind()
	if v.problem == api.Unavailable {
		w.Header().Set("Retry-After", unavailableWait)
	}
	if header := w.Header(); v.problem == api.Unauthenticated && header.Get("WWW-Authenticate") == "" {
		header.Set("WWW-Authenticate", challengeInvalid) // the token was revoked while the request waited
	}
	text, err := json.Marshal(p)
	if err != nil { // unreachable as long as problems can be written as JSON
		v.cause, v.problem = err, api.Internal
		text, _ = json.Marshal(api.Internal.New(""))
	}
	v.write(w, r, v.problem.Status(), api.ProblemJSON, text)
}

// write writes the head and, except for HEAD, the body; on a write error the caller is gone.
func (v *visit) write(w http.ResponseWriter, r *http.Request, status int, media string, body []byte) {
	v.status = status
	v.expectNoMore(w, r)
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// matches reports whether If-None-Match has the tag, by the weak comparison of RFC 9110.
func matches(headers []string, etag string) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(headers, ","), ","), func(tag string) bool {
		tag = strings.TrimSpace(tag)
		return tag == "*" || strings.TrimPrefix(tag, "W/") == etag
	})
}

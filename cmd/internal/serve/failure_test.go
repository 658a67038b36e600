package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/cmd/internal/serve"
	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
	"docket/store/postgres/postgrestest"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A hook sees each call of a store, by its name, before it is made. It may delay it, and fails it
// with its error.
type hook func(ctx context.Context, call string) error

// fails returns a hook that fails the calls with the error; all of them if none is named.
func fails(err error, calls ...string) hook {
	return func(_ context.Context, call string) error {
		if len(calls) == 0 || slices.Contains(calls, call) {
			return err
		}
		return nil
	}
}

// hooks are those of a harness.
type hooks struct {
	before   hook             // nil for none
	findings []verify.Finding // in addition to the store's
	free     int64            // what Appendable was last asked for
}

// A hooked store calls the hook of its harness.
type hooked struct {
	serve.Store
	*hooks
}

func call[T any](h hooked, ctx context.Context, name string, do func(context.Context) (T, error)) (T, error) {
	if h.before != nil {
		if err := h.before(ctx, name); err != nil {
			return *new(T), err
		}
	}
	return do(ctx)
}

func call1[T, A any](
	h hooked, ctx context.Context, name string, do func(context.Context, A) (T, error), a A,
) (T, error) {
	return call(h, ctx, name, func(ctx context.Context) (T, error) { return do(ctx, a) })
}

func call2[T, A, B any](
	h hooked, ctx context.Context, name string, do func(context.Context, A, B) (T, error), a A, b B,
) (T, error) {
	return call(h, ctx, name, func(ctx context.Context) (T, error) { return do(ctx, a, b) })
}

func (h hooked) TokenOf(ctx context.Context, digest [32]byte) (store.Token, error) {
	return call1(h, ctx, "TokenOf", h.Store.TokenOf, digest)
}

func (h hooked) Registrations(ctx context.Context, id terms.ID) ([]signed.Statement, error) {
	return call1(h, ctx, "Registrations", h.Store.Registrations, id)
}

func (h hooked) KeyState(ctx context.Context, id terms.ID, key string) (keys.State, error) {
	return call2(h, ctx, "KeyState", h.Store.KeyState, id, key)
}

func (h hooked) HandIn(ctx context.Context, sub store.Submission) (store.Acceptance, error) {
	return call1(h, ctx, "HandIn", h.Store.HandIn, sub)
}

func (h hooked) Appendable(ctx context.Context, free int64) error {
	h.free = free
	_, err := call(h, ctx, "Appendable", func(context.Context) (bool, error) { return true, h.Store.Appendable(ctx, free) })
	return err
}

func (h hooked) RevisionState(ctx context.Context, area terms.Area,
	key packets.Key) (store.RevisionState, error) {
	return call2(h, ctx, "RevisionState", h.Store.RevisionState, area, key)
}

func (h hooked) Feed(ctx context.Context, p store.Permissions, about store.About, after string,
	most int) (store.RecordFeed, error) {
	return call(h, ctx, "Feed",
		func(context.Context) (store.RecordFeed, error) { return h.Store.Feed(ctx, p, about, after, most) })
}

func (h hooked) ReadRecord(ctx context.Context, p store.Permissions,
	id records.RecordID) (store.ServedRecord, error) {
	return call2(h, ctx, "ReadRecord", h.Store.ReadRecord, p, id)
}

func (h hooked) ProveRecord(ctx context.Context, p store.Permissions,
	id records.RecordID) (proof store.Inclusion, checkpoint []byte, err error) {
	proof, err = call(h, ctx, "ProveRecord", func(context.Context) (store.Inclusion, error) {
		proof, checkpoint, err = h.Store.ProveRecord(ctx, p, id)
		return proof, err
	})
	return proof, checkpoint, err
}

func (h hooked) Reliance(ctx context.Context, p *store.Permissions,
	about store.About) (store.Reliance, error) {
	return call2(h, ctx, "Reliance", h.Store.Reliance, p, about)
}

func (h hooked) ServiceStatements(ctx context.Context) ([]signed.Statement, error) {
	return call(h, ctx, "ServiceStatements", h.Store.ServiceStatements)
}

func (h hooked) SignRejection(ctx context.Context, r records.Rejection) (string, error) {
	return call1(h, ctx, "SignRejection", h.Store.SignRejection, r)
}

func (h hooked) Page(ctx context.Context, p store.Permissions, after string,
	most int) (store.Page, error) {
	return call(h, ctx, "Page",
		func(context.Context) (store.Page, error) { return h.Store.Page(ctx, p, after, most) })
}

func (h hooked) Packet(ctx context.Context, p store.Permissions, id terms.ID) (store.Page, error) {
	return call2(h, ctx, "Packet", h.Store.Packet, p, id)
}

func (h hooked) Sees(ctx context.Context, p store.Permissions, table terms.Table,
	id terms.ID) (bool, error) {
	return call(h, ctx, "Sees", func(context.Context) (bool, error) { return h.Store.Sees(ctx, p, table, id) })
}

func (h hooked) Verifier(ctx context.Context) (string, error) {
	return call(h, ctx, "Verifier", h.Store.Verifier)
}

func (h hooked) PublishedCheckpoint(ctx context.Context) ([]byte, error) {
	return call(h, ctx, "PublishedCheckpoint", h.Store.PublishedCheckpoint)
}

func (h hooked) Tile(ctx context.Context, tile tlog.Tile) ([]byte, error) {
	return call1(h, ctx, "Tile", h.Store.Tile, tile)
}

func (h hooked) TileEntries(ctx context.Context, tile tlog.Tile) ([]verify.Entry, error) {
	return call1(h, ctx, "TileEntries", h.Store.TileEntries, tile)
}

func (h hooked) Head(ctx context.Context) (records.LogHead, error) {
	return call(h, ctx, "Head", h.Store.Head)
}

func (h hooked) Findings() []verify.Finding { return append(h.Store.Findings(), h.findings...) }

// ofLog reports whether a route gives a public part of the log out.
func ofLog(route *serve.Route) bool {
	return strings.HasPrefix(route.Path, api.CheckpointPath) || route.Path == api.TilePath
}

// Whichever call of the store fails, a request is answered as unavailable, or as internal for an
// error that the store does not name: an answer lacks no part, and no record is rejected on grounds
// that could not be read or without a signature.
func TestARequestOfWhichAnyCallOfTheStoreFailsIsUnavailable(t *testing.T) {
	s := serving(t)
	inForce := s.recorded(t, s.Case, Reviewer, nil)
	tried := 0
	failsAt := func(at int, cause error, request func() *http.Request) (answered reply,
		failed bool) {
		calls := 0
		s.before = func(context.Context, string) error {
			if calls++; calls == at {
				return cause
			}
			return nil
		}
		answered = s.send(t, request())
		s.before = nil
		return answered, calls >= at
	}
	sweep := func(name string, want int, request func() *http.Request) {
		for at := 1; ; at++ {
			for _, c := range []struct {
				cause error
				want  api.ProblemKind
			}{
				{&store.Problem{Kind: store.ErrLocked}, api.Unavailable},
				{&store.Problem{Kind: store.ErrDiskFull, Path: canary}, api.Unavailable},
				{store.ErrClosed, api.Unavailable},
				{fmt.Errorf("the tree: %w", store.ErrDamaged), api.Unavailable},
				{fmt.Errorf("a packet: %w", packets.ErrStoredPacket), api.Unavailable},
				{errors.New(canary), api.Internal},
			} {
				answered, failed := failsAt(at, c.cause, request)
				if !failed {
					answered.want(t, want, name)
					return
				}
				tried++
				if problem := answered.problem(t); problem.Kind() != c.want ||
					problem.Rejection != "" {
					t.Errorf("%s: call %d fails with %v, and the answer is %d: %s", name, at,
						c.cause, answered.status, answered.body)
				}
				silent(t, answered)
			}
		}
	}
	for _, route := range serve.Routes() {
		if strings.HasSuffix(route.Path, "/enforce") || route.Access != serve.Bearer &&
			!ofLog(&route) {
			continue
		}
		path := pathOf(&route, s.Case.Key.ID)
		if strings.HasPrefix(path, api.RecordsPath) {
			path = strings.Replace(path, aRecordID, string(inForce), 1)
		}
		request := func() *http.Request {
			r := s.request(route.Method, path, Admin, s.bodyFor(t, route.Path))
			if route.Access != serve.Bearer {
				r.Header.Del("Authorization") // with a token that cannot be looked up, the caller is anybody
			}
			return r
		}
		sweep(route.Method+" "+path, s.send(t, request()).status, request)
	}
	blind := s.Decide(s.Case, Reviewer, nil)
	honest := s.Decide(s.Case, Reviewer, func(c *records.Choice) {
		c.AddedBlockers = terms.SetOf(terms.NoticeMissing)
	})
	differing := verifytest.Record{"computedBlockers": []string{"notice_missing"},
		"reviewerBlockers": []string{}}
	for _, c := range []struct {
		name   string
		want   int
		record records.Enforcement
	}{
		{"a record", http.StatusCreated, s.Decide(s.Amendment, Reviewer, nil)},
		{"a record that does not supersede the one in force", http.StatusConflict, blind},
		{"a record under an id that is taken", http.StatusConflict,
			s.forged(t, blind, verifytest.Record{"recordId": string(inForce)})},
		{"a record whose evaluation differs", http.StatusUnprocessableEntity,
			s.forged(t, honest, differing)},
	} {
		body := s.Body(t, c.record)
		sweep(c.name, c.want, func() *http.Request {
			return s.request(http.MethodPost, enforcePath(c.record), Reviewer, body)
		})
	}
	if tried < 6*40 {
		t.Errorf("only %d calls failed", tried)
	}
}

func TestWhatTakesTooLongIsUnavailable(t *testing.T) {
	s := serving(t, within(func(l *serve.Limits) { l.Handler = time.Millisecond }))
	for call, ask := range map[string]func() reply{
		"HandIn":  func() reply { return s.handIn(t, s.Decide(s.Case, Reviewer, nil), Reviewer) },
		"TokenOf": func() reply { return s.get(t, api.QueuePath, Reviewer) },
		"Head":    func() reply { return s.get(t, api.AmendmentHealthPath, person{}) },
	} {
		s.before = func(ctx context.Context, made string) error {
			if made != call {
				return nil
			}
			<-ctx.Done()
			return fmt.Errorf("a call of the store: %w", ctx.Err())
		}
		ask().is(t, api.Unavailable)
	}
}

func TestAConsoleLearnsSoonThatTheDatabaseIsFrozen(t *testing.T) {
	t.Parallel()
	limits, retry := unlimited, client.DefaultRetry()
	if limits.Handler >= retry.Total || retry.Total > 15*time.Second {
		t.Errorf("a console waits %s for the answer that the service is frozen, which takes %s", retry.Total, limits.Handler)
	}
	retry.Total = 2 * time.Second
	s := newHarness(t, newDatabaseStore(t, postgrestest.New(t)),
		within(func(l *serve.Limits) { l.Handler = 50 * time.Millisecond }))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.service.ServeHTTP(w, r) }))
	defer server.Close()
	token, err := client.ParseToken(TokenOf(Reviewer))
	must(t, err)
	console, err := client.New(client.Options{Address: server.URL, Token: token, Retry: retry})
	must(t, err)
	defer console.Close()
	var body api.Enforce
	must(t, json.Unmarshal(s.Body(t, s.Decide(s.Case, Reviewer, nil)), &body))
	pull := func() error { _, err := console.Page(t.Context(), ""); return err }
	push := func() error { _, _, err := console.Enforce(t.Context(), terms.Appeals, body); return err }
	db := s.beside(t)
	defer func() { _ = db.Close() }()
	tables := strings.Join(tablesOf(t, db), ", docket.")
	lock, err := db.Begin()
	must(t, err)
	_, err = lock.Exec("LOCK TABLE docket." + tables + " IN ACCESS EXCLUSIVE MODE")
	must(t, err)
	for name, ask := range map[string]func() error{"a pull": pull, "a push": push} {
		err := ask()
		var problem *api.Problem
		if !errors.As(err, &problem) || problem.Kind() != api.Unavailable || !strings.Contains(problem.Error(), "ry again later") {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, lock.Rollback())
	s.restart(t)
	must(t, errors.Join(pull(), push()))
}

func TestATokenThatIsRevokedWhileARecordWaitsHandsNothingIn(t *testing.T) {
	s := serving(t)
	s.before = func(ctx context.Context, call string) error {
		if call == "HandIn" {
			return s.store.RevokeToken(ctx, Reviewer.Token)
		}
		return nil
	}
	answered := s.handIn(t, s.Decide(s.Case, Reviewer, nil), Reviewer)
	answered.is(t, api.Unauthenticated)
	if challenge := answered.header.Get("WWW-Authenticate"); !strings.Contains(challenge, "invalid_token") {
		t.Errorf("the challenge is %q", challenge)
	}
	s.holds(t, 0)
}

func TestAStoreThatIsClosedIsUnavailable(t *testing.T) {
	s := serving(t)
	body := s.bodyFor(t, api.AppealEnforcePath)
	must(t, s.store.Close())
	for _, route := range serve.Routes() {
		if route.Access == serve.Bearer || route.Path == api.ReadyPath {
			r := s.request(route.Method, pathOf(&route, s.Case.Key.ID), Reviewer, body)
			s.send(t, r).is(t, api.Unavailable)
		}
	}
}

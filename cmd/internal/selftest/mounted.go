package selftest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"docket/cmd/internal/api"
	"docket/cmd/internal/health"
	"docket/cmd/internal/serve"
	"docket/domain/overlap"
	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store"
)

// A mounted service is the service's HTTP handler over a separate store. It is called in this process, without a
// listener.
type mounted struct {
	handler http.Handler
	path    string
	token   string
	key     note.Verifier
}

// mountOver makes a service with a pair in its store, and a token and the key of the bench's reviewer.
func (b *bench) mountOver(ctx context.Context, sample pair) (*mounted, error) {
	policy, record, fault := b.readPair(sample)
	if fault != nil {
		return nil, fault
	}
	o := b.options()
	o.Service = true
	s, err := b.openStore(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("open a service's store: %w", err)
	}
	b.stores = append(b.stores, s)
	if _, err := s.Import(ctx, []packets.Packet{policy, record}); err != nil {
		return nil, err
	}
	m := &mounted{path: o.Path, token: api.TokenPrefix + strings.Repeat("selftest", 5)}
	if m.key, err = verifierOf(ctx, s); err != nil {
		return nil, err
	}
	reviewer := b.identity.Reviewer()
	var owners []terms.ID
	if amendment := record.Amendment(); amendment != nil {
		owners = append(owners, amendment.Record().OwnerID)
	}
	err = s.AddToken(ctx, store.Token{ID: "selftest", Digest: serve.TokenDigest(m.token), Principal: reviewer.ID, Role: reviewer.Role,
		Owners: owners, Expires: terms.InstantOf(b.clock.Add(24 * time.Hour))})
	if err != nil {
		return nil, err
	}
	_, key, _ := strings.Cut(b.identity.AllowedSigner(), `" `)
	if _, err := s.AddKey(ctx, reviewer.ID, key); err != nil {
		return nil, err
	}
	m.handler, err = b.mount(serve.Config{Store: s, Now: b.now, Log: slog.New(slog.DiscardHandler),
		Health: func(context.Context) (health.Health, error) { return health.Health{}, nil }})
	return m, err
}

// mount makes the service's handler.
func mount(c serve.Config) (http.Handler, error) { return serve.New(c) }

// A reply is an answer of the handler; it is the http.ResponseWriter of one request.
type reply struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the header of the answer.
func (r *reply) Header() http.Header { return r.header }

// WriteHeader takes the first status.
func (r *reply) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

// Write takes a part of the body.
func (r *reply) Write(part []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(part)
}

// ask sends a body to a route; token is "" for none.
func (m *mounted) ask(ctx context.Context, method, path, token string, body []byte) (*reply, error) {
	request, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.RemoteAddr = "192.0.2.1:1"
	request.Header.Set("Content-Type", api.JSON)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answered := &reply{header: http.Header{}}
	m.handler.ServeHTTP(answered, request)
	return answered, nil
}

// is checks the status of an answer, and that it does not repeat the request.
func (r *reply) is(route string, statuses ...int) error {
	for _, status := range statuses {
		if r.status == status {
			if bytes.Contains(r.body.Bytes(), []byte(canary)) {
				return fmt.Errorf("the route %s repeats what it was asked", route)
			}
			return nil
		}
	}
	return fmt.Errorf("the route %s answers %d, not %d", route, r.status, statuses[0])
}

var (
	evaluatePaths = map[terms.Area]string{terms.Appeals: api.AppealEvaluatePath, terms.Amendments: api.AmendmentEvaluatePath}
	overlapRoutes = map[overlap.Action]struct{ method, path string }{
		overlap.CheckOverlap:  {http.MethodPost, api.OverlapCheckPath},
		overlap.RefreshTokens: {http.MethodPost, api.OverlapRefreshPath},
		overlap.DeleteTokens:  {http.MethodDelete, api.OverlapTokensPath},
	}
)

// evaluateServed sends the input of `docket evaluate` to the evaluate route of the service.
func (b *bench) evaluateServed(ctx context.Context, area terms.Area, sample pair, unreadable [][]byte) error {
	m, err := b.mountOver(ctx, sample)
	if err != nil {
		return err
	}
	path := evaluatePaths[area]
	for _, line := range [][]byte{b.line(area, &sample.policy, &sample.record), b.line(area, nil, nil)} {
		answered, err := m.ask(ctx, http.MethodPost, path, m.token, line)
		if err != nil {
			return err
		}
		if err := answered.is(path, http.StatusOK); err != nil {
			return err
		}
		if !bytes.Equal(answered.body.Bytes(), b.evaluate(line)) {
			return fmt.Errorf("the route %s answers other than `docket evaluate`", path)
		}
	}
	for _, line := range unreadable {
		answered, err := m.ask(ctx, http.MethodPost, path, m.token, line)
		if err != nil {
			return err
		}
		if err := answered.is(path, http.StatusBadRequest); err != nil {
			return err
		}
	}
	return nil
}

// enforceServed hands a record in at the enforce route of the service: without a token, then twice with one.
func (b *bench) enforceServed(ctx context.Context, area terms.Area, sample pair) error {
	console, _, record, err := b.openPair(ctx, sample)
	if err != nil {
		return err
	}
	m, err := b.mountOver(ctx, sample)
	if err != nil {
		return err
	}
	view, err := b.look(ctx, console, record)
	if err != nil {
		return err
	}
	sub, err := b.submit(ctx, console, &view, b.choice(&view))
	if err != nil {
		return err
	}
	before, err := contents(ctx, m.path)
	if err != nil {
		return err
	}
	path := routes[area].path
	body := encoded(api.Enforce{Record: sub.Record.Document(), Signature: string(sub.Signature), PacketSalt: sub.PacketSalt,
		Statement: &sub.Statement})
	var last []byte
	for _, step := range []struct {
		token  string
		status int
	}{{"", http.StatusUnauthorized}, {m.token, http.StatusCreated}, {m.token, http.StatusOK}} {
		answered, err := m.ask(ctx, http.MethodPost, path, step.token, body)
		if err != nil {
			return err
		}
		if err := answered.is(path, step.status); err != nil {
			return err
		}
		if last = answered.body.Bytes(); step.token == "" {
			now, err := contents(ctx, m.path)
			if err != nil {
				return err
			}
			if !maps.Equal(before, now) {
				return fmt.Errorf("the route %s writes for a caller without a token", path)
			}
		}
	}
	answer, err := decoded(last)
	if err != nil {
		return err
	}
	if err := withMembers("an answer", answer, "receipt", "receivedAt", "checkpoint"); err != nil {
		return err
	}
	after, err := contents(ctx, m.path)
	if err != nil {
		return err
	}
	return oneMore(before, after, terms.EnforcementTable(area))
}

// overlapServed calls the planned routes of the service without a token: each answers every body with 403, the three
// members, its blocker and a receipt that the service's key signed, and nothing is written.
func (b *bench) overlapServed(ctx context.Context) error {
	sample, err := b.pair(terms.Appeals)
	if err != nil {
		return err
	}
	m, err := b.mountOver(ctx, sample)
	if err != nil {
		return err
	}
	bodies := append(refusedRequests(), brokenCopy{"one token", tokenText(tag("1"))})
	return unwritten(ctx, m.path, func() error {
		for action, route := range overlapRoutes {
			for _, asked := range bodies {
				answered, err := m.ask(ctx, route.method, route.path, "", asked.record)
				if err != nil {
					return err
				}
				if err := m.blocked(action, route.path, answered); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// blocked checks an answer of a planned route.
func (m *mounted) blocked(action overlap.Action, path string, answered *reply) error {
	if err := answered.is(path, http.StatusForbidden); err != nil {
		return err
	}
	answer, err := decoded(answered.body.Bytes())
	if err != nil {
		return err
	}
	if err := withMembers("an answer", answer, outputMembers...); err != nil {
		return err
	}
	if list, _ := answer["blockers"].([]any); len(list) == 0 || list[0] != routeStatuses[action] {
		return fmt.Errorf("the route %s does not block with %s", path, routeStatuses[action])
	}
	id, _ := answer["receipt_id"].(string)
	if receipt, err := overlap.ReceiptID(id).Open(m.key); err != nil || receipt.Action != action {
		return fmt.Errorf("the receipt of the route %s does not prove itself", path)
	}
	return nil
}

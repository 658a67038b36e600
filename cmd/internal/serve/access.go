package serve

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"

	"docket/cmd/internal/exchange"
	"docket/domain"
)

// challenges are what WWW-Authenticate says (RFC 6750): to whom brought no token, and to whom brought one that is not good.
const (
	challenge        = `Bearer realm="docket"`
	challengeInvalid = challenge + `, error="invalid_token"`
)

// TokenDigest is under what a token is stored.
func TokenDigest(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// admit finds out who calls and whether they may use the route, and counts the call against their limit. The principal is
// zero where none is asked for.
func (s *Service) admit(w http.ResponseWriter, r *http.Request, route *Route) (Principal, error) {
	if route.Access == Anybody || route.Access == Operator && s.isLocal(r) {
		return Principal{}, s.limitPeer(w, r, route)
	}
	principal, err := s.authenticate(r)
	var problem *exchange.Problem
	if errors.As(err, &problem) && problem.Kind() == exchange.Unauthenticated {
		w.Header().Set("WWW-Authenticate", challenge)
		if r.Header.Get("Authorization") != "" {
			w.Header().Set("WWW-Authenticate", challengeInvalid)
		}
		return Principal{}, errors.Join(s.limitPeer(w, r, route), err)
	}
	if err != nil {
		return Principal{}, err
	}
	if wait, ok := s.principals.allow(string(principal.ID), s.now()); !ok {
		return principal, tooMany(w, wait)
	}
	switch route.Access {
	case Bearer:
		return principal, nil
	case Operator:
		if principal.Role == domain.SafetyAdmin {
			return principal, nil
		}
	}
	return principal, exchange.Forbidden.New("Use a token of a safety admin.")
}

// authenticate returns whom the request's token stands for.
func (s *Service) authenticate(r *http.Request) (Principal, error) {
	token, ok := bearerToken(r.Header.Values("Authorization"))
	if !ok {
		return Principal{}, exchange.Unauthenticated.New("Send a token as Authorization: Bearer.")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), s.limits.Handler)
	defer cancel()
	principal, err := s.backing.Registry.Principal(ctx, TokenDigest(token))
	if err != nil {
		return Principal{}, problemOf(err)
	}
	if !principal.ID.Present() || !principal.Role.Present() {
		return Principal{}, exchange.Unauthenticated.New("Ask whoever runs the service for a token.")
	}
	return principal, nil
}

// bearerToken reads the one Authorization header of a request.
func bearerToken(headers []string) (string, bool) {
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, found := strings.Cut(headers[0], " ")
	if !found || !strings.EqualFold(scheme, "Bearer") || !strings.HasPrefix(token, exchange.TokenPrefix) ||
		len(token) > exchange.LongestToken {
		return "", false
	}
	return token, true
}

// isLocal tells whether the request comes from this machine and through nobody: a proxy in between says so in a header,
// unless it was told not to, which is what Config.BehindProxy is for.
func (s *Service) isLocal(r *http.Request) bool {
	for _, header := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if len(r.Header.Values(header)) > 0 {
			return false
		}
	}
	return !s.behindProxy && peerOf(r.RemoteAddr).IsLoopback()
}

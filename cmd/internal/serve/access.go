package serve

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"

	"docket/cmd/internal/api"
	"docket/domain/terms"
	"docket/store"
)

// The values of WWW-Authenticate (RFC 6750): for a request without a token, and for one whose token is not valid.
const (
	challenge        = `Bearer realm="docket"`
	challengeInvalid = challenge + `, error="invalid_token"`
)

// TokenDigest returns the digest under which a token is stored.
func TokenDigest(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// authorize authenticates the caller, checks that it may use the route, and counts the call against its rate limit. The
// token is zero if the route needs none.
func (s *Service) authorize(w http.ResponseWriter, r *http.Request, route *Route) (store.Token, error) {
	if route.Access == Anybody || route.Access == Operator && s.isLocal(r) {
		return store.Token{}, s.limitPeer(w, r, route)
	}
	caller, err := s.authenticate(r)
	var problem *api.Problem
	if errors.As(err, &problem) && problem.Kind() == api.Unauthenticated {
		w.Header().Set("WWW-Authenticate", challenge)
		if r.Header.Get("Authorization") != "" {
			w.Header().Set("WWW-Authenticate", challengeInvalid)
		}
		return store.Token{}, errors.Join(s.limitPeer(w, r, route), err)
	}
	if err != nil {
		return store.Token{}, err
	}
	if wait, ok := s.principals.allow(string(caller.Principal), s.now()); !ok {
		return caller, tooMany(w, wait)
	}
	switch route.Access {
	case Bearer:
		return caller, nil
	case Operator:
		if caller.Role == terms.SafetyAdmin {
			return caller, nil
		}
	}
	return caller, api.Forbidden.New("Use a token of a safety admin.")
}

// authenticate returns the valid token that the request carries.
func (s *Service) authenticate(r *http.Request) (store.Token, error) {
	token, ok := bearerToken(r.Header.Values("Authorization"))
	if !ok {
		return store.Token{}, api.Unauthenticated.New("Send a token as Authorization: Bearer.")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), s.limits.Handler)
	defer cancel()
	caller, err := s.store.TokenOf(ctx, TokenDigest(token))
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return store.Token{}, problemOf(err)
	case err != nil, !caller.Principal.Present(), !caller.Role.Present():
		return store.Token{}, api.Unauthenticated.New(askForToken)
	}
	return caller, nil
}

// bearerToken reads the token of the Authorization header, which must occur exactly once.
func bearerToken(headers []string) (string, bool) {
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, found := strings.Cut(headers[0], " ")
	if !found || !strings.EqualFold(scheme, "Bearer") || !strings.HasPrefix(token, api.TokenPrefix) ||
		len(token) > api.LongestToken {
		return "", false
	}
	return token, true
}

// isLocal reports whether the request comes from this machine without a proxy. Most proxies set one of the headers;
// Config.BehindProxy is for those that do not.
func (s *Service) isLocal(r *http.Request) bool {
	for _, header := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if len(r.Header.Values(header)) > 0 {
			return false
		}
	}
	return !s.behindProxy && peerOf(r.RemoteAddr).IsLoopback()
}

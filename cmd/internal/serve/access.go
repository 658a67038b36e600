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

// The values of WWW-Authenticate (RFC 6750): without a token, and with one that is not valid.
const (
	challenge        = `Bearer realm="docket"`
	challengeInvalid = challenge + `, error="invalid_token"`
)

// TokenDigest returns the digest under which a token is stored.
func TokenDigest(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// authorize authenticates the caller, zero if the route needs none, counts the request against its
// token or else its address, and checks that it may use the route.
func (s *Service) authorize(w http.ResponseWriter, r *http.Request, v *visit) error {
	route := v.route
	public := route.Access == Anybody
	if route.Access == Operator && s.isLocal(r) || public && (route.place == placeNone || r.Header.Get("Authorization") == "") {
		return s.admitAddress(w, v, route.unlimited)
	}
	caller, err := s.authenticate(r, route)
	if public {
		if err != nil {
			return s.admitAddress(w, v, route.unlimited)
		}
		return s.admit(w, v, s.limiting.tokens, caller.ID) // others at its address do not stop it
	}
	var problem *api.Problem
	if errors.As(err, &problem) && problem.Kind() == api.Unauthenticated {
		w.Header().Set("WWW-Authenticate", challenge)
		if r.Header.Get("Authorization") != "" {
			w.Header().Set("WWW-Authenticate", challengeInvalid)
		}
		return errors.Join(s.admitAddress(w, v, route.unlimited), err)
	}
	if err != nil {
		return err
	}
	v.caller = caller
	if err := s.admit(w, v, s.limiting.tokens, caller.ID); err != nil {
		return err
	}
	switch route.Access {
	case Bearer:
		return nil
	case Operator:
		if caller.Role == terms.SafetyAdmin || caller.Metrics {
			return nil
		}
	}
	return api.Forbidden.New(forSafetyAdmins)
}

// authenticate returns the valid token of the request; one for the metrics is for no other route.
func (s *Service) authenticate(r *http.Request, route *Route) (store.Token, error) {
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
	case err != nil, !caller.Principal.Present(), caller.Metrics != (caller.Role == 0), caller.Metrics && route.Access != Operator:
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

// isLocal reports whether the request comes from this machine without a proxy, by the headers that
// most proxies set; Config.BehindProxy is for the others.
func (s *Service) isLocal(r *http.Request) bool {
	for _, header := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if len(r.Header.Values(header)) > 0 {
			return false
		}
	}
	peer := peerOf(r.RemoteAddr)
	return !s.behindProxy && !s.proxies.trust(peer) && peer.IsLoopback()
}

const forSafetyAdmins = "Use a token of a safety admin."

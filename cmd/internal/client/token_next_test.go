package client_test

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
)

// knowing is a service that answers pages to each caller with one of its tokens. It notes which token each request had.
func knowing(t *testing.T, seen *[]string, valid ...string) string {
	return serving(t, func(w http.ResponseWriter, r *http.Request) {
		token := r.Header.Get("Authorization")[len("Bearer "):]
		*seen = append(*seen, token)
		switch {
		case r.URL.Path == api.CheckpointPath: // is for anybody
			w.Header().Set("Content-Type", api.Text)
			_, _ = io.WriteString(w, "a checkpoint")
		case !slices.Contains(valid, token):
			saying(http.StatusUnauthorized, api.ProblemJSON, `{"type":"about:blank","status":401}`)(w, r)
		default:
			saying(http.StatusOK, api.JSON, `{"packets":[],"key":"k"}`)(w, r)
		}
	})
}

// A token that is to take the place of another one does so when the service accepts it, and not before: until then the other one goes on.
func TestANewTokenTakesTheOldOnesPlaceWhenItIsAccepted(t *testing.T) {
	const old, next = "docket_SECRET", "docket_NEXT"
	for _, c := range []struct {
		name           string
		valid          []string
		accepted, asks int
		seen           []string
		fails          bool
	}{
		{"only the old one is valid", []string{old}, 0, 2, []string{next, next, old, old}, false},
		{"both are", []string{old, next}, 1, 2, []string{next, next, next}, false},
		{"only the new one is", []string{next}, 1, 2, []string{next, next, next}, false},
		{"neither is", nil, 0, 2, []string{next, next, old, old}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen []string
			accepted := 0
			second, err := client.ParseToken(next)
			if err != nil {
				t.Fatal(err)
			}
			caller := to(t, knowing(t, &seen, c.valid...), func(o *client.Options) { o.Next, o.Accepted = second, func() { accepted++ } })
			if _, err := caller.Checkpoint(t.Context()); err != nil || accepted > 0 {
				t.Errorf("what anybody may read: %v, accepted %d times", err, accepted)
			}
			for range c.asks {
				_, err := caller.Page(t.Context(), "")
				var problem *api.Problem
				if refused := errors.As(err, &problem) && problem.Status == http.StatusUnauthorized; refused != c.fails || !refused && err != nil {
					t.Errorf("answered %v", err)
				}
			}
			if accepted != c.accepted || !slices.Equal(seen, c.seen) {
				t.Errorf("accepted %d times; tried %q", accepted, seen)
			}
		})
	}
}

package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
)

func TestATokenIsReadWithTheWhiteSpaceThatAFileHas(t *testing.T) {
	for _, text := range []string{"docket_SECRET", "docket_SECRET\n", " docket_SECRET\r\n", "docket_" + strings.Repeat("x", 121)} {
		if _, err := client.ParseToken(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "\n", "docket_", "SECRET", "docket_SECRET docket_SECRET", "docket_SECRET\ndocket_SECRET",
		"docket_SECRET\x00", "docket_SECRETé", "docket_SECRET" + strings.Repeat("x", 600), "docket_" + strings.Repeat("x", 122)} {
		_, err := client.ParseToken(text)
		if err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func TestATokenIsNeverPrinted(t *testing.T) {
	token, err := client.ParseToken(token)
	must(t, err)
	whole := struct{ Token client.Token }{token}
	var printed bytes.Buffer
	fmt.Fprintf(&printed, "%v %+v %#v %s %q %x %d", token, token, token, token, token, token, token)
	fmt.Fprintf(&printed, "%v %+v %#v", whole, whole, &whole)
	text, err := json.Marshal(whole)
	must(t, err)
	printed.Write(text)
	slog.New(slog.NewTextHandler(&printed, nil)).Info("x", "token", token, "whole", whole)
	slog.New(slog.NewJSONHandler(&printed, nil)).Info("x", "token", token, "whole", whole)
	fmt.Fprint(&printed, fmt.Errorf("x: %v", whole))
	if strings.Contains(printed.String(), "SECRET") || strings.Contains(printed.String(), "534543524554") {
		t.Error(printed.String())
	}
}

// A token that is to take the place of another one does so when the service accepts it, and not before: until then the other one goes on.
func TestANewTokenTakesTheOldOnesPlaceWhenItIsAccepted(t *testing.T) {
	const next = "docket_NEXT"
	second, err := client.ParseToken(next)
	must(t, err)
	for _, c := range []struct {
		valid    []string
		accepted int
		seen     []string
	}{
		{[]string{token}, 0, []string{next, next, token, token}},
		{[]string{token, next}, 1, []string{next, next, next}},
		{[]string{next}, 1, []string{next, next, next}},
		{nil, 0, []string{next, next, token, token}},
	} {
		var seen []string
		accepted := 0
		caller := to(t, serving(t, func(w http.ResponseWriter, r *http.Request) {
			held := r.Header.Get("Authorization")[len("Bearer "):]
			seen = append(seen, held)
			switch {
			case r.URL.Path == api.CheckpointPath: // is for anybody
				saying(200, api.Text, "a checkpoint")(w, r)
			case slices.Contains(c.valid, held):
				saying(200, api.JSON, aPage)(w, r)
			default:
				saying(401, api.ProblemJSON, `{"type":"about:blank","status":401}`)(w, r)
			}
		}), func(o *client.Options) { o.Next, o.Accepted = second, func() { accepted++ } })
		if _, err := caller.Checkpoint(t.Context()); err != nil || accepted > 0 {
			t.Errorf("what anybody may read: %v, accepted %d times", err, accepted)
		}
		for range 2 {
			_, err := caller.Page(t.Context(), "")
			var problem *api.Problem
			if refused := errors.As(err, &problem) && problem.Status == 401; refused != (c.valid == nil) || !refused && err != nil {
				t.Errorf("%q are valid: %v", c.valid, err)
			}
		}
		if accepted != c.accepted || !slices.Equal(seen, c.seen) {
			t.Errorf("%q are valid: accepted %d times; tried %q", c.valid, accepted, seen)
		}
	}
}

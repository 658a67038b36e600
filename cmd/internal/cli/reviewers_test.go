package cli

import (
	"errors"
	"strings"
	"testing"

	"docket/domain/terms"
)

func at(t *testing.T, text string) terms.Instant {
	t.Helper()
	instant, ok := terms.ParseInstant(text)
	if !ok {
		t.Fatal(text)
	}
	return instant
}

func TestTheLastContactIsTheNewestRequestInALogOfEitherFormat(t *testing.T) {
	log := strings.Join([]string{
		"-- Boot 5eed --",
		"time=2026-01-31T10:00:00.000+01:00 level=INFO msg=reloaded",
		"time=2026-01-31T09:10:00.000Z level=INFO msg=answered method=GET route=/api/trade/queue status=200 principal=rev-1 token=token-a",
		"time=2026-01-31T09:20:00.5Z level=ERROR msg=answered method=GET route=/api/trade/queue status=500 principal=rev-1 token=token-b " +
			`cause="x principal=rev-9 token=token-z"`,
		"time=2026-01-31T09:15:00.000Z level=INFO msg=answered status=200 principal=rev-1 token=token-c",
		`{"time":"2026-01-31T09:30:00.25Z","level":"INFO","msg":"answered","status":401,"address":"192.0.2.1"}`,
		`{"time":"2026-01-31T09:40:00Z","level":"INFO","msg":"answered","status":200,"principal":"rev-2","token":"token-d"}`,
		`{"time":"2026-01-31T09:50:00Z","level":"INFO","msg":"something else","principal":"rev-2","token":"token-e"}`,
		`{"time":"2026-01-31T09:50:00Z","msg":"answered","principal":"not an id","token":"token-e"}`,
		`{"time":"yesterday","msg":"answered","principal":"rev-3","token":"token-e"}`,
		`{broken`,
		`{"msg":"` + strings.Repeat("x", 2*longestLogLine) + `","time":"2026-01-31T09:50:00Z","principal":"rev-3","token":"t"}`,
		`{"time":"2026-01-31T09:55:00Z","msg":"answered","principal":"rev-4","token":"token-f"}`, // without an end
	}, "\n")
	c := contacts{}
	if err := c.read("log", strings.NewReader(log)); err != nil {
		t.Fatal(err)
	}
	since := at(t, "2026-01-31T09:00:00Z")
	for principal, want := range map[terms.ID]lastContact{
		"rev-1": {at(t, "2026-01-31T09:20:00.5Z"), "token-b", since},
		"rev-2": {at(t, "2026-01-31T09:40:00Z"), "token-d", since},
		"rev-3": {Since: since},
		"rev-4": {at(t, "2026-01-31T09:55:00Z"), "token-f", since},
		"rev-9": {Since: since},
	} {
		if got := c.of(principal); got != want {
			t.Errorf("%s: %+v, not %+v", principal, got, want)
		}
	}
	if len(c.uses) != 5 {
		t.Errorf("%+v", c.uses)
	}
}

func TestWithoutALogTheLastContactIsNotKnownRatherThanNone(t *testing.T) {
	unknown, none := (&contacts{}).of("rev-1"), lastContact{Since: at(t, "2026-01-31T09:00:00Z")}
	if unknown.String() != "not known: no service runs here" || none.String() != "none since 2026-01-31T09:00:00Z" {
		t.Errorf("%s, %s", &unknown, &none)
	}
	for _, text := range []string{"", "\n", "no log at all\n", strings.Repeat("x", 3*longestLogLine)} {
		var failed *failure
		if err := (&contacts{}).read("log", strings.NewReader(text)); !errors.As(err, &failed) || failed.status != Refused {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

package serve_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/terms"
	"docket/store"
)

func TestTheMetricsAreForThisMachineAndForSafetyAdmins(t *testing.T) {
	t.Parallel()
	trusted, err := serve.ParseProxies([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	newObserved(t, serve.Config{Limits: unlimited, Proxies: trusted}).ask(t, http.MethodGet, api.MetricsPath, here).is(t, api.Unauthenticated)
	for _, behindProxy := range []bool{false, true} {
		w := newObserved(t, serve.Config{Limits: unlimited, BehindProxy: behindProxy})
		if status := w.ask(t, http.MethodGet, api.MetricsPath, here).status; (status == http.StatusOK) == behindProxy {
			t.Errorf("behind a proxy %t: %d", behindProxy, status)
		}
		if status := w.ask(t, http.MethodGet, api.MetricsPath, "[::1]:1").status; (status == http.StatusOK) == behindProxy {
			t.Errorf("behind a proxy %t: %d", behindProxy, status)
		}
		for _, from := range []string{elsewhere, "[2001:db8::1]:1", "[::ffff:192.0.2.7]:1", "", "@"} {
			w.ask(t, http.MethodGet, api.MetricsPath, from).is(t, api.Unauthenticated)
		}
		for _, header := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"} {
			w.ask(t, http.MethodGet, api.MetricsPath, here, header, "127.0.0.1").is(t, api.Unauthenticated)
		}
		w.get(t, api.MetricsPath, Reviewer).is(t, api.Forbidden)
		if answered := w.get(t, api.MetricsPath, Admin); answered.status != http.StatusOK {
			t.Errorf("a safety admin: %d", answered.status)
		}
	}
	s := newHarness(t, newServiceStore(t))
	s.service = serviceOver(t, failing{store.ErrClosed}, unlimited)
	s.get(t, api.MetricsPath, Admin).is(t, api.Unavailable)
}

func TestATokenForTheMetricsIsValidForNothingElse(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: unlimited, BehindProxy: true})
	monitor := person{ID: "monitoring", Token: "monitor"}
	if err := w.store.AddToken(t.Context(), store.Token{ID: "monitor", Digest: serve.TokenDigest(TokenOf(monitor)), Principal: monitor.ID, Metrics: true,
		Expires: terms.InstantOf(Noon.Add(time.Hour))}); err != nil {
		t.Fatal(err)
	}
	for _, route := range serve.Routes() {
		answered := w.send(t, w.request(route.Method, pathOf(&route, w.Case.Key.ID), monitor, w.bodyFor(t, route.Path)))
		switch route.Access {
		case serve.Operator:
			if answered.status != http.StatusOK {
				t.Errorf("%s: %d", route.Path, answered.status)
			}
		case serve.Anybody:
		default:
			answered.is(t, api.Unauthenticated)
		}
	}
	w.holds(t, 0)
}

func TestTheMetricsCountByRouteAndResultAndNameNobody(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: unlimited})
	record := w.Decide(w.Case, Reviewer, nil)
	w.handIn(t, record, Reviewer)
	w.handIn(t, record, Reviewer)
	w.handIn(t, record, Stranger)
	w.send(t, w.request(http.MethodPost, api.AmendmentEnforcePath, Reviewer, []byte("{"))).is(t, api.Malformed)
	w.get(t, strings.Replace(api.PacketPath, "{id}", canary, 1), Reviewer)
	w.get(t, "/"+canary, Reviewer)
	w.get(t, api.QueuePath+"?"+canary, Reviewer)
	answered := w.ask(t, http.MethodGet, api.MetricsPath, here)
	text := string(answered.body)
	for _, line := range []string{
		`docket_records_total{result="appended"} 1`,
		`docket_records_total{result="again"} 1`,
		`docket_records_total{result="not_the_reviewer"} 1`,
		`docket_records_total{result="malformed"} 1`,
		`docket_http_requests_total{method="POST",route="/api/trade/challenge-appeal/enforce",status="201"} 1`,
		`docket_http_requests_total{method="GET",route="/api/trade/packets/{id}",status="404"} 1`,
		`docket_http_requests_total{method="none",route="none",status="404"} 1`,
		`docket_http_in_flight 1`,
		`docket_http_request_seconds_count{method="POST",route="/api/trade/challenge-appeal/enforce"} 3`,
		`docket_http_request_seconds_bucket{method="POST",route="/api/trade/challenge-appeal/enforce",le="+Inf"} 3`,
		`go_goroutines `, `process_start_time_seconds `,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("%s is not there", line)
		}
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if resident := families["process_resident_memory_bytes"].GetMetric(); runtime.GOOS == "linux" && (len(resident) != 1 || resident[0].GetGauge().GetValue() < 1<<20) {
		t.Errorf("the memory of the process is %v", resident)
	}
	if err != nil || families["docket_http_request_seconds"].GetType() != dto.MetricType_HISTOGRAM {
		t.Errorf("Prometheus reads %d families: %v", len(families), err)
	}
	for _, name := range []string{canary, string(Reviewer.ID), Owner, string(w.Case.Key.ID), "192.0.2"} {
		if strings.Contains(text, name) {
			t.Errorf("%s is told:\n%s", name, text)
		}
	}
	if !strings.HasPrefix(answered.header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Errorf("%v", answered.header)
	}
}

func TestTheLogHoldsNoBodyNoTokenNoQueryAndNoPath(t *testing.T) {
	t.Parallel()
	w, f := newFaulty(t, unlimited)
	f.appendable = errors.New("the disk is gone")
	for _, route := range serve.Routes() {
		for _, who := range []person{Reviewer, {Token: canary}} {
			path := pathOf(&route, canary) + "?cursor=" + canary + "&" + canary + "=1"
			r := w.request(route.Method, path, who, []byte(`{"`+canary+`":"`+canary+`"}`))
			r.Header.Set("Cookie", canary)
			r.Header.Set("User-Agent", canary)
			w.send(t, r)
		}
	}
	w.get(t, "/"+canary, Reviewer)
	text := w.log.String()
	for _, secret := range []string{canary, TokenOf(Reviewer), TokenOf(person{Token: canary}), "docket_"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s is logged", secret)
		}
	}
	for _, part := range []string{`"route":"/api/trade/packets/{id}"`, `"token":"reviewer"`, `"problem":"malformed"`, "the disk is gone"} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is not logged", part)
		}
	}
}

func TestEachAnswerNamesItsRequestAndTakesNoNameOver(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: unlimited})
	seen := map[string]bool{}
	for range 50 {
		id := w.ask(t, http.MethodGet, api.LivePath, elsewhere, "X-Request-Id", canary).header.Get("X-Request-Id")
		if len(id) < 20 || seen[id] || !strings.Contains(w.log.String(), `"request":"`+id+`"`) {
			t.Fatalf("request %q", id)
		}
		seen[id] = true
	}
}

func TestAPanicOnAnyRouteIsAnInternalProblemWithoutItsValue(t *testing.T) {
	s := serving(t)
	for i, route := range serve.Routes() {
		for _, cause := range []any{canary, errors.New(canary), []byte(canary)}[i%3:][:1] {
			var log strings.Builder
			asked := 0
			service, err := serve.New(serve.Config{Store: s.store, Log: slog.New(slog.NewTextHandler(&log, nil)), Limits: unlimited,
				Now: func() time.Time {
					if asked--; asked == 0 {
						panic(cause)
					}
					return Noon
				}})
			if err != nil {
				t.Fatal(err)
			}
			s.service, asked = service, 2 // once for when the request came
			r := s.requestOf(t, &route, Admin)
			answered := s.send(t, r)
			answered.is(t, api.Internal)
			silent(t, answered)
			if strings.Contains(log.String(), canary) || !strings.Contains(log.String(), "panicked") || !strings.Contains(log.String(), "stack=") {
				t.Errorf("%s: logged %s", route.Path, log.String())
			}
			if s.ask(t, http.MethodGet, api.LivePath, here).status != http.StatusOK {
				t.Error("nothing is answered any more")
			}
		}
	}
}

// A line is a line of the log about a request.
type line struct {
	Level, Msg, Request, Method, Route, Address, Principal, Token, Problem string
	Status                                                                 int
	Duration                                                               int64
}

func TestEveryRequestIsOneLineOfTheLog(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: unlimited})
	for _, route := range serve.Routes() {
		for _, who := range []person{Reviewer, {Token: "nobody"}} {
			w.log.Reset()
			r := w.request(route.Method, pathOf(&route, w.Case.Key.ID), who, w.bodyFor(t, route.Path))
			r.RemoteAddr = "[2001:db8::7]:4711"
			answered := w.send(t, r)
			var got line
			if err := json.Unmarshal(w.log.Bytes(), &got); err != nil {
				t.Fatalf("%s: %v in %s", route.Path, err, w.log.String())
			}
			want := line{Level: "INFO", Msg: "answered", Request: answered.header.Get("X-Request-Id"), Method: route.Method, Route: route.Path,
				Address: "2001:db8::7", Status: answered.status}
			if route.Access != serve.Anybody && who.ID == Reviewer.ID {
				want.Principal, want.Token = string(Reviewer.ID), Reviewer.Token
			}
			if answered.header.Get("Content-Type") == api.ProblemJSON {
				want.Problem = answered.problem(t).Kind().Word()
			}
			if got != want {
				t.Errorf("%s of %q is logged as\n%+v, want\n%+v", route.Path, who.ID, got, want)
			}
		}
	}
}

func TestAPathIsTakenAsItIsWritten(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: unlimited})
	for _, path := range []string{"//healthz", "/healthz/", "/./healthz", "/x/../healthz", "/HEALTHZ", "/healthz%2f", "/api/trade/packets/",
		"/api/trade/packets/a/b", "/api/trade/packets/a%2fb", "/api/trade/packets/" + strings.Repeat("a", 200), "/" + canary} {
		answered := w.get(t, path, Reviewer)
		answered.is(t, api.NotFound)
		silent(t, answered)
		if answered.header.Get("Location") != "" {
			t.Errorf("%s leads to %s", path, answered.header.Get("Location"))
		}
	}
}

func TestEveryAnswerHasTheHeadersOfSafety(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: unlimited})
	for _, path := range []string{api.LivePath, api.AppealContractPath, api.QueuePath, api.MetricsPath, "/nowhere"} {
		header := w.ask(t, http.MethodGet, path, elsewhere).header
		if header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Cache-Control") == "" ||
			!strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") || header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", path, header)
		}
	}
}

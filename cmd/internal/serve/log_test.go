package serve_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"pgregory.net/rapid"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

func TestTheMetricsCountByRouteAndResultAndNameNobody(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	for _, who := range []person{Reviewer, Reviewer, Stranger} {
		s.handIn(t, record, who)
	}
	s.post(t, api.AmendmentEnforcePath, Reviewer, []byte("{")).is(t, api.Malformed)
	for _, path := range []string{strings.Replace(api.PacketPath, "{id}", canary, 1), "/" + canary,
		api.QueuePath + "?" + canary} {
		s.get(t, path, Reviewer)
	}
	answered := s.ask(t, http.MethodGet, api.MetricsPath, here)
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
	if err != nil || families["docket_http_request_seconds"].GetType() != dto.MetricType_HISTOGRAM {
		t.Errorf("Prometheus reads %d families: %v", len(families), err)
	}
	resident := families["process_resident_memory_bytes"].GetMetric()
	if runtime.GOOS == "linux" && (len(resident) != 1 ||
		resident[0].GetGauge().GetValue() < 1<<20) {
		t.Errorf("the memory of the process is %v", resident)
	}
	for _, name := range []string{canary, string(Reviewer.ID), Owner, string(s.Case.Key.ID),
		"192.0.2"} {
		if strings.Contains(text, name) {
			t.Errorf("%s is told:\n%s", name, text)
		}
	}
	if media := answered.header.Get("Content-Type"); !strings.HasPrefix(media,
		"text/plain; version=0.0.4") {
		t.Errorf("it is %s", media)
	}
}

// A line is a line of the log about a request.
type line struct {
	Level, Msg, Request, Method, Route, Address, Principal, Token, Problem string
	Status                                                                 int
	Duration                                                               int64
}

func TestEveryRequestIsOneLineOfTheLogAndItsAnswerHasTheHeadersOfSafety(t *testing.T) {
	s := serving(t)
	seen := map[string]bool{}
	for _, route := range append(serve.Routes(), serve.Route{Method: "none", Path: "none"}) {
		for _, who := range []person{Reviewer, {Token: canary}} {
			s.log.take()
			r := s.request(http.MethodGet, "/"+canary, who, nil)
			if route.Method != "none" {
				r = s.requestOf(t, &route, who)
			}
			r.URL.RawQuery = canary
			r.RemoteAddr = "[2001:db8::7]:4711"
			for _, name := range []string{"X-Request-Id", "Cookie", "User-Agent"} {
				r.Header.Set(name, canary)
			}
			answered := s.send(t, r)
			id := answered.header.Get("X-Request-Id")
			if len(id) < 20 || seen[id] {
				t.Errorf("the request is named %q", id)
			}
			seen[id] = true
			text := s.log.take()
			var got line
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatalf("%s: %v in %s", route.Path, err, text)
			}
			want := line{Level: "INFO", Msg: "answered", Request: id, Method: route.Method,
				Route:   route.Path,
				Address: "2001:db8::7", Status: answered.status}
			if (route.Access == serve.Bearer || route.Access == serve.Operator) &&
				who.ID == Reviewer.ID {
				want.Principal, want.Token = string(Reviewer.ID), Reviewer.Token
			}
			if answered.header.Get("Content-Type") == api.ProblemJSON {
				want.Problem = answered.problem(t).Kind().Word()
			}
			if got != want {
				t.Errorf("%s of %q is logged as\n%+v, want\n%+v", route.Path, who.ID, got, want)
			}
			if strings.Contains(text, canary) || strings.Contains(text, "docket_") {
				t.Errorf("%s: what the request carries is logged: %s", route.Path, text)
			}
			header := answered.header
			if header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Cache-Control") == "" ||
				!strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") || header.Get("Referrer-Policy") != "no-referrer" {
				t.Errorf("%s: %v", route.Path, header)
			}
		}
	}
}

// carried draws a text that must not be logged: a canary, or the id of a packet, with more around it.
func carried(packet terms.ID) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		around := rapid.SampledFrom([]string{"", " ", "\"", "\n", "\x00", "%", "=", "\u202e", "../", "{id}", "docket_"})
		secret := rapid.SampledFrom([]string{canary, canary, string(packet)}).Draw(t, "secret")
		return around.Draw(t, "before") + secret + around.Draw(t, "after")
	})
}

// drawRequest draws a request that carries such texts in each place of a request.
func (s *harness) drawRequest(t *rapid.T, bodies [][]byte) *http.Request {
	text := carried(s.Case.Key.ID)
	pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	route := rapid.SampledFrom(serve.Routes()).Draw(t, "route")
	path := strings.NewReplacer("{id}", url.PathEscape(text.Draw(t, "id")), "{level}",
		url.PathEscape(text.Draw(t, "level")),
		"{index}", url.PathEscape(text.Draw(t, "index"))).Replace(route.Path)
	if rapid.Bool().Draw(t, "elsewhere") {
		path = pick("below", "", "/api", route.Path) + "/" + url.PathEscape(text.Draw(t, "path"))
	}
	method := pick("method", route.Method, route.Method, http.MethodGet, http.MethodPost,
		http.MethodDelete, http.MethodTrace, canary)
	query := pick("query", "", "?", "?cursor=", "?after=", "?caseId=", "?a=1;b=")
	body := rapid.SampledFrom(bodies).Draw(t, "body")
	at := rapid.IntRange(0, len(body)).Draw(t, "at")
	switch pick("damage", "none", "none", "more", "less", "again") {
	case "more":
		body = append(append(bytes.Clone(body[:at]), text.Draw(t, "in the body")...), body[at:]...)
	case "less":
		body = append(bytes.Clone(body[:at]), body[min(at+1+rapid.IntRange(0, 20).Draw(t, "less"),
			len(body)):]...)
	case "again":
		body = append(bytes.Clone(body[:at]), body[at/2:]...)
	}
	r := httptest.NewRequest(method, path+query+url.QueryEscape(text.Draw(t, "value")), bytes.NewReader(body))
	r.RemoteAddr = pick("from", here, elsewhere, "@", "[2001:db8::1]:7")
	token := pick("token", "", TokenOf(Reviewer), TokenOf(Admin), TokenOf(Stranger),
		"docket_"+canary, canary)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for _, name := range []string{"Content-Type", "If-None-Match", "X-Request-Id", "User-Agent",
		"Cookie", "X-Forwarded-For",
		"Forwarded", "Accept-Encoding", "Content-Encoding", "Referer", canary} {
		if rapid.IntRange(0, 3).Draw(t, name) == 0 {
			r.Header.Set(name, text.Draw(t, "header"))
		}
	}
	if rapid.Bool().Draw(t, "JSON") {
		r.Header.Set("Content-Type", api.JSON)
	}
	return r
}

// Thousands of requests by chance append records, and do nothing else; what they carry is not
// logged.
func TestNoRequestChangesAPacketAPolicyOrARecordOrIsLoggedWithWhatItCarries(t *testing.T) {
	s := serving(t)
	s.book = nil
	inForce := map[verify.Ref]records.RecordID{}
	bodies := [][]byte{nil, []byte(canary), []byte(`{"` + canary + `":"` + canary + `"}`),
		// as far as each check
		[]byte(`{"table":"trade_appeal_cases","at":"2026-06-15T12:00:00Z","caseFile":{"caseId":"` + canary + `"}}`)}
	rounds, before := 0, s.Dump(t)
	rapid.Check(t, func(r *rapid.T) {
		if rounds++; rounds%5 == 1 {
			for _, on := range s.subjects() {
				record := s.Decide(on, Reviewer, func(c *records.Choice) {
					c.NoteDigest, c.Supersedes = terms.HashOf([]byte(canary)), inForce[on]
				})
				s.takes(t, record, Reviewer)
				inForce[on] = record.Members().RecordID
				signed := s.Body(t, record)
				bodies = append(bodies, signed, bytes.Replace(signed, []byte(`"signature":"`),
					[]byte(`"signature":"`+canary), 1), s.Body(t, s.Decide(on, Reviewer, nil)))
			}
		}
		for range 30 {
			s.log.take()
			recorder := httptest.NewRecorder()
			s.service.ServeHTTP(recorder, s.drawRequest(r, bodies))
			if recorder.Code >= http.StatusInternalServerError &&
				recorder.Code != http.StatusServiceUnavailable {
				r.Fatalf("%d %s", recorder.Code, recorder.Body)
			}
			text := s.log.take()
			for _, secret := range []string{canary, string(s.Case.Key.ID), "docket_", "cursor",
				"SSH SIGNATURE"} {
				if strings.Contains(strings.ToUpper(text), strings.ToUpper(secret)) {
					r.Fatalf("%q is logged: %s", secret, text)
				}
			}
			if n := strings.Count(text, `"msg":"answered"`); n != 1 || !strings.Contains(text, `"address":"`) {
				r.Fatalf("a request is %d lines: %s", n, text)
			}
		}
		if rounds == 50 {
			middle := s.Dump(t)
			grown(t, before, middle, growing)
			before = middle
		}
	})
	after := s.Dump(t)
	grown(t, before, after, growing)
	for _, table := range enforcements {
		if len(after[table]) < 10 {
			t.Errorf("only %d rows in %s: the requests did not try", len(after[table]), table)
		}
	}
}

func TestNoLineOfTheLogHoldsWhatIsNoRequest(t *testing.T) {
	r := run(t, serving(t), nil)
	for _, text := range []string{
		"GET /" + canary + " HTTP/1.1\r\n\r\n",
		"GET /" + canary + " HTTP/9.9\r\nHost: x\r\n\r\n",
		canary + "\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\n" + canary + " x: y\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: " + canary + "/\\\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: " + canary + "\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + canary + "\r\n\r\n",
		"POST " + api.AppealEnforcePath + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + TokenOf(Reviewer) + "\r\nContent-Type: application/json\r\n" +
			"Transfer-Encoding: chunked\r\n\r\n" + canary + "\r\n",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + canary,
		"\x16\x03\x01" + canary + "\r\n\r\n",
		"GET /healthz?" + canary + ";" + canary + " HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-A: "+canary+"\r\n", 4000) + "\r\n",
	} {
		conn := r.write(t, "")
		_, _ = io.WriteString(conn, text) // it may be refused before all of it is read
		_ = conn.CloseWrite()
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	}
	r.live(t)
	r.stop()
	<-r.ended
	for _, secret := range []string{canary, "docket_"} {
		if strings.Contains(r.log.String(), secret) {
			t.Errorf("%s is logged:\n%s", secret, r.log.String())
		}
	}
	if !strings.Contains(r.log.String(), `"route":"/healthz"`) {
		t.Error("nothing is logged")
	}
}

package serve_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/records"
	"docket/domain/terms"
)

// carried draws a text that must not be logged: a canary, or the id of a packet, with more around it.
func carried(packet terms.ID) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		around := rapid.SampledFrom([]string{"", " ", "\"", "\n", "\x00", "%", "=", "\u202e", "../", "{id}", "docket_"})
		secret := rapid.SampledFrom([]string{canary, canary, string(packet)}).Draw(t, "secret")
		return around.Draw(t, "before") + secret + around.Draw(t, "after")
	})
}

// drawRequest draws a request that carries such texts in each place of a request.
func (w *observed) drawRequest(t *rapid.T, bodies [][]byte) *http.Request {
	text := carried(w.Case.Key.ID)
	routes := serve.Routes()
	route := rapid.SampledFrom(routes).Draw(t, "route")
	path := strings.NewReplacer("{id}", url.PathEscape(text.Draw(t, "id")), "{level}", url.PathEscape(text.Draw(t, "level")), "{index}",
		url.PathEscape(text.Draw(t, "index"))).Replace(route.Path)
	if rapid.Bool().Draw(t, "elsewhere") {
		path = rapid.SampledFrom([]string{"", "/api", route.Path}).Draw(t, "below") + "/" + url.PathEscape(text.Draw(t, "path"))
	}
	method := rapid.SampledFrom([]string{route.Method, route.Method, http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodTrace, canary}).Draw(t, "method")
	query := rapid.SampledFrom([]string{"", "?", "?cursor=", "?after=", "?caseId=", "?a=1;b="}).Draw(t, "query")
	body := rapid.SampledFrom(bodies).Draw(t, "body")
	if at := rapid.IntRange(0, len(body)).Draw(t, "at"); rapid.Bool().Draw(t, "spoiled") {
		body = append(append(bytes.Clone(body[:at]), text.Draw(t, "in the body")...), body[at:]...)
	}
	r := httptest.NewRequest(method, path+query+url.QueryEscape(text.Draw(t, "value")), bytes.NewReader(body))
	r.RemoteAddr = rapid.SampledFrom([]string{here, elsewhere, "@", "[2001:db8::1]:7"}).Draw(t, "from")
	tokens := []string{"", TokenOf(Reviewer), TokenOf(Admin), TokenOf(Stranger), "docket_" + canary, canary}
	if token := rapid.SampledFrom(tokens).Draw(t, "token"); token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for _, name := range []string{"Content-Type", "If-None-Match", "X-Request-Id", "User-Agent", "Cookie", "X-Forwarded-For", "Forwarded", "Accept-Encoding",
		"Content-Encoding", "Referer", canary} {
		if rapid.IntRange(0, 3).Draw(t, name) == 0 {
			r.Header.Set(name, text.Draw(t, "header"))
		}
	}
	if rapid.Bool().Draw(t, "JSON") {
		r.Header.Set("Content-Type", api.JSON)
	}
	return r
}

// bodiesWithSecrets are bodies that are taken as far as each check of a request.
func (w *observed) bodiesWithSecrets(t testing.TB) [][]byte {
	record := w.Decide(w.Case, Reviewer, func(c *records.Choice) { c.NoteDigest = terms.HashOf([]byte(canary)) })
	signed := w.Body(t, record)
	return [][]byte{nil, []byte(canary), []byte(`{"` + canary + `":"` + canary + `"}`), signed, bytes.Replace(signed, []byte(`"signature":"`), []byte(`"signature":"`+canary), 1),
		[]byte(`{"table":"trade_appeal_cases","at":"2026-06-15T12:00:00Z","caseFile":{"caseId":"` + canary + `"}}`)}
}

func TestNoLineOfTheLogHoldsWhatARequestCarries(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: unlimited})
	w.book = nil
	bodies := w.bodiesWithSecrets(t)
	lines := 0
	rapid.Check(t, func(t *rapid.T) {
		w.log.Reset()
		w.service.ServeHTTP(httptest.NewRecorder(), w.drawRequest(t, bodies))
		text := w.log.String()
		for _, secret := range []string{canary, string(w.Case.Key.ID), "docket_", "cursor", "SSH SIGNATURE"} {
			if strings.Contains(strings.ToUpper(text), strings.ToUpper(secret)) {
				t.Fatalf("%q is logged: %s", secret, text)
			}
		}
		if n := strings.Count(text, `"msg":"answered"`); n != 1 || !strings.Contains(text, `"address":"`) {
			t.Fatalf("a request is %d lines: %s", n, text)
		}
		lines++
	})
	if lines == 0 {
		t.Error("no request was logged")
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

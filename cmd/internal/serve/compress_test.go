package serve_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/terms"
	"docket/store/verify/verifytest"
)

func TestADocumentForEverybodyIsCompressedForWhomItSuits(t *testing.T) {
	t.Parallel()
	s := newHarness(t, newServiceStore(t))
	s.book = nil // it reads no compressed answers
	plain := s.get(t, api.OpenAPIPath, Reviewer)
	if plain.header.Get("Content-Encoding") != "" || plain.header.Get("Vary") != "Accept-Encoding" {
		t.Fatalf("not asked for: %v", plain.header)
	}
	for accepted, want := range map[string]bool{
		"gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "*": true, "identity;q=0, *;q=0.1": true, "x-gzip": true, "gzip ; q=1": true,
		"": false, "identity": false, "gzip;q=0": false, "gzip;q=0.000, *": false, "br": false, "*;q=0": false, "gzip;q=nonsense": false, "gzip;level=9": false,
	} {
		r := s.request(http.MethodGet, api.OpenAPIPath, Reviewer, nil)
		r.Header.Set("Accept-Encoding", accepted)
		answered := s.send(t, r)
		if got := answered.header.Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("%q: compressed %t", accepted, got)
			continue
		}
		if !want {
			continue
		}
		reader, err := gzip.NewReader(bytes.NewReader(answered.body))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(reader); err != nil || !bytes.Equal(text, plain.body) || len(answered.body) > len(text)/2 {
			t.Errorf("%q: %d bytes become %d, %v", accepted, len(answered.body), len(text), err)
		}
		if answered.header.Get("ETag") == plain.header.Get("ETag") || answered.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%v", answered.header)
		}
		r.Header.Set("If-None-Match", answered.header.Get("ETag"))
		if again := s.send(t, r); again.status != http.StatusNotModified || len(again.body) > 0 || again.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: asked again: %d %v", accepted, again.status, again.header)
		}
		r.Header.Set("If-None-Match", plain.header.Get("ETag"))
		if again := s.send(t, r); again.status != http.StatusOK {
			t.Errorf("%q: the tag of the other form: %d", accepted, again.status)
		}
	}
}

func TestWhatATokenIsNeededForIsNeverCompressed(t *testing.T) {
	t.Parallel()
	s := newHarness(t, newServiceStore(t))
	for i := range 50 { // so that there is something to compress
		s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-of-%d", i), 1))
	}
	compressed := 0
	for _, route := range serve.Routes() {
		r := s.request(route.Method, pathOf(&route, s.Case.Key.ID), Admin, s.bodyFor(t, route.Path))
		r.Header.Set("Accept-Encoding", "gzip")
		r.RemoteAddr = here
		book := s.book
		s.book = nil
		answered := s.send(t, r)
		s.book = book
		if answered.header.Get("Content-Encoding") == "" {
			continue
		}
		compressed++
		if route.Access != serve.Anybody {
			t.Errorf("%s %s is compressed", route.Method, route.Path)
		}
	}
	if compressed < 3 {
		t.Errorf("only %d routes are compressed", compressed)
	}
}

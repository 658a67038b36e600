package serve

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"docket/cmd/internal/api"
)

// cacheFor is what is said of documents that may be cached: they change with the program only, and with the time of the
// check that a contract report states.
const cacheFor = "public, max-age=300"

// send writes an answer.
func (v *visit) send(w http.ResponseWriter, r *http.Request, a answer) {
	header := w.Header()
	if a.etag != "" {
		header.Set("ETag", a.etag)
		header.Set("Cache-Control", cacheFor)
		if matches(r.Header.Values("If-None-Match"), a.etag) {
			v.status = http.StatusNotModified
			w.WriteHeader(v.status)
			return
		}
	}
	media := a.media
	if media == "" {
		media = api.JSON
	}
	v.write(w, r, a.status, media, a.document)
}

// refuse writes a problem.
func (v *visit) refuse(w http.ResponseWriter, r *http.Request, p *api.Problem) {
	v.refused, v.problem = true, p.Kind()
	text, err := json.Marshal(p)
	if err != nil { // a problem that cannot be written is one of its own
		v.cause, v.problem = err, api.Internal
		text, _ = json.Marshal(api.Internal.New(""))
	}
	v.write(w, r, v.problem.Status(), api.ProblemJSON, text)
}

// write writes the head and, unless only that was asked for, the body. That a caller is gone is not the service's concern.
func (v *visit) write(w http.ResponseWriter, r *http.Request, status int, media string, body []byte) {
	v.status = status
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// matches tells whether If-None-Match names the tag, compared weakly as RFC 9110 asks for.
func matches(headers []string, etag string) bool {
	for _, header := range headers {
		for _, tag := range strings.Split(header, ",") {
			tag = strings.TrimSpace(tag)
			if tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
				return true
			}
		}
	}
	return false
}

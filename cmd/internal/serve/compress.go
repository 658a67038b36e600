package serve

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
)

// Only documents that are the same for all callers are compressed: the contract reports, the profile and the OpenAPI
// document. An answer with a packet or a record also contains texts that its opponents wrote, and the size of the
// compressed answer, which every observer of the network sees, tells where the two agree (BREACH, CVE-2013-3587).
// Answers to a token are therefore not compressed.

// minCompressed is the size in bytes of the smallest document that is compressed: a smaller one fits into one network
// packet.
const minCompressed = 1400

// gzipOf returns a document compressed; nil if compression gains nothing.
func gzipOf(text []byte) []byte {
	if len(text) < minCompressed {
		return nil
	}
	var out bytes.Buffer
	to, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is one of the package
	_, _ = to.Write(text)                                    // a buffer takes all
	_ = to.Close()
	return out.Bytes()
}

// encode chooses between the document of an answer and its compressed form, which has an ETag of its own.
func (a *answer) encode(w http.ResponseWriter, r *http.Request) {
	if a.gzip == nil {
		return
	}
	w.Header().Set("Vary", "Accept-Encoding")
	if !acceptsGzip(r.Header.Values("Accept-Encoding")) {
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	a.document, a.etag = a.gzip, strings.TrimSuffix(a.etag, `"`)+`-gzip"`
}

// acceptsGzip reports whether Accept-Encoding names gzip, or everything, with a weight above zero (RFC 9110, section 12.5.3).
func acceptsGzip(headers []string) bool {
	named, all := -1.0, 0.0
	for _, coding := range strings.Split(strings.Join(headers, ","), ",") {
		coding, parameter, weighted := strings.Cut(coding, ";")
		weight := 1.0
		if weighted {
			name, text, _ := strings.Cut(strings.TrimSpace(parameter), "=")
			number, err := strconv.ParseFloat(text, 64)
			if !strings.EqualFold(name, "q") || err != nil {
				number = 0
			}
			weight = number
		}
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			named = weight
		case "*":
			all = weight
		}
	}
	if named < 0 {
		named = all
	}
	return named > 0
}

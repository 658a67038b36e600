package serve

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
)

// A document is bytes that may be cached, with their tag. The zero document is none.
type document struct {
	text []byte
	etag string
}

func documentOf(text []byte) document {
	digest := sha256.Sum256(text)
	return document{text: text, etag: `"` + base64.RawURLEncoding.EncodeToString(digest[:18]) + `"`}
}

func (d *document) answer() answer {
	return answer{status: http.StatusOK, document: d.text, etag: d.etag}
}

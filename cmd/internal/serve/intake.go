package serve

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"sync"

	"docket/cmd/internal/api"
	"docket/domain/canonical"
	"docket/domain/packets"
)

// maxBodies limits the bodies in memory at a time. A parsed body of 1 MiB takes about 20 MiB.
const maxBodies = 64

// acquireBody waits for a place for a body; leave releases it.
func (s *Service) acquireBody(ctx context.Context) (leave func(), err error) {
	select {
	case s.bodies <- struct{}{}:
		return func() { <-s.bodies }, nil
	case <-ctx.Done():
		return nil, api.Unavailable.New(tryLater)
	}
}

// readRequest reads the body of a request: JSON of at most api.MaxBody bytes.
func readRequest(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if types := r.Header.Values("Content-Type"); len(types) != 1 || !isJSON(types[0]) {
		return nil, api.UnsupportedMediaType.New("Send the body as " + api.JSON + ".")
	}
	if len(r.Header.Values("Content-Encoding")) > 0 {
		return nil, api.UnsupportedMediaType.New("Send the body without a Content-Encoding.")
	}
	if r.ContentLength > api.MaxBody {
		w.Header().Set("Connection", "close") // the rest of the body is not read
		return nil, api.BodyTooLarge.New("")
	}
	limited := http.MaxBytesReader(w, r.Body, api.MaxBody)
	var text []byte
	var err error
	if r.ContentLength >= 0 {
		text = make([]byte, r.ContentLength)
		_, err = io.ReadFull(limited, text)
	} else {
		text, err = io.ReadAll(limited)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, api.BodyTooLarge.New("")
	case err != nil:
		w.Header().Set("Connection", "close")
		return nil, api.Malformed.New("the body is incomplete")
	}
	return text, nil
}

// isJSON reports whether a media type is JSON, without a charset or in UTF-8.
func isJSON(text string) bool {
	media, parameters, err := mime.ParseMediaType(text)
	if err != nil || media != api.JSON {
		return false
	}
	for name, value := range parameters {
		if name != "charset" || value != "utf-8" && value != "UTF-8" {
			return false
		}
	}
	return true
}

// A reader holds the memory for reading a body. One request uses it at a time.
type reader struct {
	document  canonical.Document // the body of an enforce or checkpoints request
	domain    packets.Reader     // a record or an evaluation input
	canonical []byte             // a record in canonical form
	written   []byte             // an answer that is being written
}

// readers holds the idle readers. The zero value is ready to use.
type readers struct{ idle sync.Pool }

// maxReused is the size in bytes of the largest body after which a reader is reused. The memory of a reader grows with the
// bodies that it reads.
const maxReused = 64 << 10

// take returns a reader for one request.
func (r *readers) take() *reader {
	if reader, ok := r.idle.Get().(*reader); ok {
		return reader
	}
	return &reader{}
}

// give returns the reader after it has read a body of that size.
func (r *readers) give(used *reader, size int) {
	if size <= maxReused {
		r.idle.Put(used)
	}
}

package serve

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"sync"

	"docket/cmd/internal/api"
	"docket/domain"
	"docket/domain/canonical"
)

// maxBodies is how many bodies are held at a time, so that memory has a bound however many callers there are: read, a body
// of 1 MiB takes some twenty times as much.
const maxBodies = 64

// acquireBody waits until one more body may be held; leave gives the place back.
func (s *Service) acquireBody(ctx context.Context) (leave func(), err error) {
	select {
	case s.bodies <- struct{}{}:
		return func() { <-s.bodies }, nil
	case <-ctx.Done():
		return nil, api.Unavailable.New(tryLater)
	}
}

// readRequest reads the body of a request: JSON, at most api.MaxBody bytes, as it is.
func readRequest(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if types := r.Header.Values("Content-Type"); len(types) != 1 || !isJSON(types[0]) {
		return nil, api.UnsupportedMediaType.New("Send the body as " + api.JSON + ".")
	}
	if len(r.Header.Values("Content-Encoding")) > 0 {
		return nil, api.UnsupportedMediaType.New("Send the body without a Content-Encoding.")
	}
	if r.ContentLength > api.MaxBody {
		w.Header().Set("Connection", "close") // what is on its way is not read
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
		return nil, api.Malformed.New("the body broke off")
	}
	return text, nil
}

// isJSON tells whether a media type is that of JSON, in UTF-8 if it says so at all.
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

// A reader is what the reading of a body needs: memory that is used again, by one request at a time.
type reader struct {
	document  canonical.Document // the body of an enforce or checkpoints request
	domain    domain.Reader      // a record or an evaluation input
	canonical []byte             // a record in canonical form
	written   []byte             // an answer while it is written
}

// readers are the readers that no request is using. The zero value is ready to use.
type readers struct{ idle sync.Pool }

// maxReused is the size in bytes of the largest body after which a reader is used again: the memory of a reader grows
// with what it reads, so that one large body would be paid for by all that follow.
const maxReused = 64 << 10

// take returns a reader for one request.
func (r *readers) take() *reader {
	if reader, ok := r.idle.Get().(*reader); ok {
		return reader
	}
	return &reader{}
}

// give takes the reader back after it has read a body of that size.
func (r *readers) give(used *reader, size int) {
	if size <= maxReused {
		r.idle.Put(used)
	}
}

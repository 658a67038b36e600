package serve

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"sync"
	"time"

	"docket/cmd/internal/admission"
	"docket/cmd/internal/api"
	"docket/domain/canonical"
	"docket/domain/packets"
)

// receive reads the body of a request: JSON of at most api.MaxBody bytes. free is called once the body is no longer used, also after an
// error.
func (s *Service) receive(w http.ResponseWriter, r *http.Request, v *visit) (body []byte, free func(), err error) {
	if types := r.Header.Values("Content-Type"); len(types) != 1 || !isJSON(types[0]) {
		return nil, func() {}, api.UnsupportedMediaType.New(fmt.Sprintf("Send the body as %s.", api.JSON))
	}
	if len(r.Header.Values("Content-Encoding")) > 0 {
		return nil, func() {}, api.UnsupportedMediaType.New("Send the body without a Content-Encoding.")
	}
	if r.ContentLength > api.MaxBody {
		w.Header().Set("Connection", "close") // the rest of the body is not read
		return nil, func() {}, api.BodyTooLarge.New("")
	}
	limits := s.limits.Load()
	body, free, err = s.limiting.bodies.Read(v.account.key, http.MaxBytesReader(w, r.Body, api.MaxBody), r.ContentLength, api.MaxBody,
		admission.Pace{Rate: limits.BodyRate, Longest: limits.Read, Stop: stopOf(r.Context()), Deadline: http.NewResponseController(w).SetReadDeadline})
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		v.received = true
	case errors.Is(err, admission.ErrCrowded):
		err = s.tooMany(w, r, time.Second)
	case errors.Is(err, admission.ErrFull):
		err = api.Unavailable.New(tryLater)
	case errors.As(err, &tooLarge):
		err = api.BodyTooLarge.New("")
	default:
		w.Header().Set("Connection", "close")
		err = api.Malformed.New("the body is incomplete, or came too slowly")
	}
	return body, free, err
}

// lateBody is how long the body of a refused request may still arrive, so that the connection can be used again.
const lateBody = time.Second

// expectNoMore limits the time for a body that is not read. net/http reads it before the next request.
func (v *visit) expectNoMore(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 && !v.received {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(lateBody)) // a test's response has none
	}
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
	document  canonical.Document // the body of an enforce request
	domain    packets.Reader     // a record or an evaluation input
	canonical []byte             // a record in canonical form
	written   []byte             // an answer that is being written
}

// readers holds the idle readers. The zero value is ready to use.
type readers struct{ idle sync.Pool }

// maxReused is the size in bytes of the largest body after which a reader is reused, because the memory of a reader
// grows with the bodies that it reads.
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

package serve

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"docket/cmd/internal/api"
)

// receive reads JSON of at most api.MaxBody bytes, with a place among the bodies for the visit.
func (s *Service) receive(w http.ResponseWriter, r *http.Request, v *visit) ([]byte, error) {
	if types := r.Header.Values("Content-Type"); len(types) != 1 || !isJSON(types[0]) {
		return nil, api.UnsupportedMediaType.New(fmt.Sprintf("Send the body as %s.", api.JSON))
	}
	if len(r.Header.Values("Content-Encoding")) > 0 {
		return nil, api.UnsupportedMediaType.New("Send the body without a Content-Encoding.")
	}
	if r.ContentLength > api.MaxBody {
		w.Header().Set("Connection", "close") // the rest of the body is not read
		return nil, api.BodyTooLarge.New("")
	}
	select {
	case s.limiting.bodies <- struct{}{}:
		v.leave = append(v.leave, func() { <-s.limiting.bodies })
	default:
		return nil, api.Unavailable.New(tryLater)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, api.MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, api.BodyTooLarge.New("")
	case err != nil:
		w.Header().Set("Connection", "close")
		return nil, api.Malformed.New("the body is incomplete, or came too slowly")
	}
	v.received = true
	return body, nil
}

// lateBody is how long a refused body may still arrive, so that the connection can be used again.
const lateBody = time.Second

// expectNoMore limits the time for an unread body: net/http reads it before the next request.
func (v *visit) expectNoMore(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 && !v.received {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(lateBody)) // tests have none
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

package client

import (
	"fmt"
	"mime"
	"net/http"

	"docket/cmd/internal/api"
)

// A StatusError says that something answered that does not speak as a service does: a proxy, or another program.
type StatusError struct{ Status int }

// Error says what the status means here.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("%v: its status is %d %s", ErrUnreadable, e.Status, http.StatusText(e.Status))
	if e.Status >= 300 && e.Status < 400 {
		return text + "; a token is not sent on to another address, so name the one at which the service is"
	}
	return text + "; see whether the address is the one of a service"
}

// Unwrap returns ErrUnreadable.
func (e *StatusError) Unwrap() error { return ErrUnreadable }

// problemOf reads an answer that grants nothing. A problem whose type has another status than the answer is none.
func problemOf(got *reply) error {
	if got.status < 400 || !isMedia(got.media, api.ProblemJSON) {
		return &StatusError{got.status}
	}
	problem, err := readAnswer(got.body, problemShape)
	if err != nil {
		return err
	}
	known := problem.Kind()
	if problem.Status != got.status || problem.Type == known.URI() && known.Status() != got.status {
		return fmt.Errorf("%w: its problem is not one of its status", ErrUnreadable)
	}
	if problem.Type == known.URI() {
		problem.Title = known.Title()
	}
	return &problem
}

// isMedia tells whether a Content-Type is of this media type.
func isMedia(contentType, media string) bool {
	stated, _, err := mime.ParseMediaType(contentType)
	return err == nil && stated == media
}

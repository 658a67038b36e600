package client

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"docket/cmd/internal/api"
	"docket/domain/json"
)

const (
	// mostDepth is the largest nesting depth of an answer: a packet within its page.
	mostDepth = 64 + 2
	// mostValues limits the values, which take many times the room of their text once read.
	mostValues = 4 << 20
)

var (
	pageReader     = api.NewReader[api.Page]()
	feedReader     = api.NewReader[api.RecordFeed]()
	enforcedReader = api.NewReader[api.Enforced]()
	problemReader  = api.NewReader[api.Problem]()
)

// readAnswer reads an answer; the error wraps ErrUnreadable and names only members of the type.
func readAnswer[T any](text []byte, answer api.Reader[T]) (T, error) {
	var doc json.Document
	if fault := doc.Parse(text, json.Limits{Depth: mostDepth, Values: mostValues}); fault != nil {
		return *new(T), fmt.Errorf("%w: it is not JSON that every reader reads alike: %s", ErrUnreadable, fault.Reason)
	}
	into, fault := answer.Read(doc.Root())
	if fault != nil {
		return into, fmt.Errorf("%w: %w", ErrUnreadable, fault)
	}
	return into, nil
}

// statusError says that a proxy or a program other than a docket service sent the response, and what
// to check; it wraps ErrUnreadable.
func statusError(status int) error {
	advice := "check the address of the service"
	if status >= 300 && status < 400 {
		advice = "redirects are not followed, because they would get the token: give the final address of the service"
	}
	return fmt.Errorf("%w: its status is %d %s; %s", ErrUnreadable, status, http.StatusText(status), advice)
}

// problemOf reads the problem of a response, whose status must be that of the problem's type.
func problemOf(got *reply) error {
	if got.status < 400 || !isMedia(got.media, api.ProblemJSON) {
		return statusError(got.status)
	}
	problem, err := readAnswer(got.body, problemReader)
	if err != nil {
		return err
	}
	known := problem.Kind()
	if problem.Status != got.status || problem.Type == known.URI() && known.Status() != got.status {
		return fmt.Errorf("%w: the type of its problem and its status differ", ErrUnreadable)
	}
	if problem.Type == known.URI() {
		problem.Title = known.Title()
	}
	return &problem
}

func isProblem(err error, kind api.ProblemKind) bool {
	var problem *api.Problem
	return errors.As(err, &problem) && problem.Kind() == kind
}

// isMedia reports whether a Content-Type has this media type, apart from parameters.
func isMedia(contentType, media string) bool {
	stated, _, err := mime.ParseMediaType(contentType)
	media, _, _ = strings.Cut(media, ";")
	return err == nil && stated == media
}

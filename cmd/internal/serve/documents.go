package serve

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"sync"
	"time"

	"docket/cmd/internal/api"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain/overlap"
	"docket/domain/terms"
)

// A document is a text with its ETag that clients may cache; the zero document is absent.
type document struct {
	text []byte
	etag string
}

func documentOf(text []byte) document {
	digest := sha256.Sum256(text)
	return document{text: text, etag: `"` + base64.RawURLEncoding.EncodeToString(digest[:18]) + `"`}
}

func (d document) answer() answer {
	return answer{status: http.StatusOK, document: d.text, etag: d.etag}
}

// A fresh value is made only when too old, so that callers without a token cannot have much made.
type fresh[T any] struct {
	mu    sync.Mutex
	at    time.Time
	value T
}

// get returns the value, younger than age and not from the future; an error of renew is not kept.
func (f *fresh[T]) get(now time.Time, age time.Duration, renew func() (T, error)) (T, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if since := now.Sub(f.at); since >= 0 && since < age {
		return f.value, nil
	}
	made, err := renew()
	if err == nil {
		f.at, f.value = now.Truncate(time.Second), made
	}
	return made, err
}

// reportMaxAge is the maximum age of the check that a report states.
const reportMaxAge = time.Hour

func (s *Service) reportOf(kind report.Kind, now time.Time) (document, error) {
	return s.reports[kind].get(now, reportMaxAge, func() (document, error) {
		r, err := report.Of(kind, terms.InstantOf(now.Truncate(time.Second)))
		if err != nil {
			return document{}, err
		}
		return documentOf(r.JSON()), nil
	})
}

// makeReports makes every report once, so that a service that cannot make them does not start.
func (s *Service) makeReports() error {
	s.reports = map[report.Kind]*fresh[document]{}
	for _, kind := range report.Kinds() {
		s.reports[kind] = &fresh[document]{}
		if _, err := s.reportOf(kind, s.now()); err != nil {
			return err
		}
	}
	return nil
}

// publishReport returns a contract report (source 2.1 and 4.4).
func publishReport(kind report.Kind) handler {
	return func(s *Service, c *call) (answer, error) {
		made, err := s.reportOf(kind, c.at.Time())
		return made.answer(), err
	}
}

// CheckProfile returns the first problem of an incident response profile that must not be published
// because it breaks its contract. Warnings do not count.
func CheckProfile(text []byte) error {
	_, problems := incident.Read(text)
	if problems.OK() {
		return nil
	}
	first := problems.List[0]
	return fmt.Errorf("the incident response profile breaks its contract at %q: it %s; `docket profile check` lists every problem",
		first.Pointer, first.Reason)
}

// readProfile checks the profile to publish; nil is none.
func readProfile(text []byte) (document, error) {
	if text == nil {
		return document{}, nil
	}
	if err := CheckProfile(text); err != nil {
		return document{}, err
	}
	return documentOf(bytes.Clone(text)), nil
}

// handleProfile returns the incident response profile (source 2.2).
func handleProfile(s *Service, _ *call) (answer, error) {
	if s.profile.text == nil {
		return answer{}, api.NotFound.New("No incident response profile is configured here.")
	}
	return s.profile.answer(), nil
}

// answerOverlap answers a planned route of the private-overlap pilot (source 3.4 and 4.3): it does
// not read the request, keeps nothing, and always answers the same except for the receipt's id.
func answerOverlap(route overlap.Endpoint) handler {
	return func(*Service, *call) (answer, error) {
		return written(http.StatusForbidden, overlap.AnswerTo(route, rand.Text()))
	}
}

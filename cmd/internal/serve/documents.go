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

// A document is a text that clients may cache, with its ETag. The zero document is absent.
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

// reportMaxAge is the maximum age of the check that a report states.
const reportMaxAge = time.Hour

// reports caches the contract reports. The zero value is ready to use.
type reports struct {
	mu   sync.Mutex
	made map[report.Kind]cachedReport
}

type cachedReport struct {
	document
	at time.Time // checkedAt
}

// of returns the report of a kind. A report that is older than reportMaxAge, or is in the future because the clock was
// set back, is made again.
func (p *reports) of(kind report.Kind, now time.Time) (document, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if held, ok := p.made[kind]; ok {
		if age := now.Sub(held.at); age >= 0 && age < reportMaxAge {
			return held.document, nil
		}
	}
	at := now.Truncate(time.Second)
	r, err := report.Of(kind, terms.InstantOf(at))
	if err != nil {
		return document{}, err
	}
	made := cachedReport{documentOf(r.JSON()), at}
	if p.made == nil {
		p.made = map[report.Kind]cachedReport{}
	}
	p.made[kind] = made
	return made.document, nil
}

// check makes every report once, so that a service that cannot make them does not start.
func (p *reports) check(now time.Time) error {
	for _, kind := range report.Kinds() {
		if _, err := p.of(kind, now); err != nil {
			return err
		}
	}
	return nil
}

// publishReport returns a contract report (source 2.1 and 4.4).
func publishReport(kind report.Kind) handler {
	return func(s *Service, c *call) (answer, error) {
		made, err := s.reports.of(kind, c.at.Time())
		return made.answer(), err
	}
}

// A ProfileError says that an incident response profile violates the contract.
type ProfileError struct{ Problems incident.Problems }

// Error names the first problem.
func (e *ProfileError) Error() string {
	first := e.Problems.List[0]
	return fmt.Sprintf("the incident response profile breaks its contract at %q: it %s; `docket profile check` lists every problem",
		first.Pointer, first.Reason)
}

// CheckProfile returns a *ProfileError if the profile must not be published. Warnings do not count.
func CheckProfile(text []byte) error {
	if _, problems := incident.Read(text); !problems.OK() {
		return &ProfileError{problems}
	}
	return nil
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

// answerOverlap answers a planned route of the private-overlap pilot (source 3.4 and 4.3). It does not
// read the request, and keeps nothing: all answers of a route are the same except for the receipt's id.
func answerOverlap(route overlap.Endpoint) handler {
	return func(*Service, *call) (answer, error) {
		return written(http.StatusForbidden, overlap.AnswerTo(route, rand.Text()))
	}
}

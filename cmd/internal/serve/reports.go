package serve

import (
	"sync"
	"time"

	"docket/contracts/report"
	"docket/domain"
)

// recheckAfter is how old the check that a report states may be before the contract is checked anew.
const recheckAfter = time.Hour

// reports are the contract reports as they were made last. The zero value is ready to use.
type reports struct {
	mu   sync.Mutex
	made map[report.Kind]madeReport
}

type madeReport struct {
	document
	at time.Time // checkedAt
}

// of is the report of a kind, not older than recheckAfter and not of the future, should the clock have been set back.
func (p *reports) of(kind report.Kind, now time.Time) (document, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if held, ok := p.made[kind]; ok {
		if age := now.Sub(held.at); age >= 0 && age < recheckAfter {
			return held.document, nil
		}
	}
	at := now.Truncate(time.Second)
	r, err := report.Of(kind, domain.InstantOf(at))
	if err != nil {
		return document{}, err
	}
	made := madeReport{documentOf(r.JSON()), at}
	if p.made == nil {
		p.made = map[report.Kind]madeReport{}
	}
	p.made[kind] = made
	return made.document, nil
}

// check makes every report once, so that a program that cannot does not start.
func (p *reports) check(now time.Time) error {
	for _, kind := range report.Kinds() {
		if _, err := p.of(kind, now); err != nil {
			return err
		}
	}
	return nil
}

// publishReport is the route of a contract report (seed 2.1, 4.4).
func publishReport(kind report.Kind) func(*Service, *call) (answer, error) {
	return func(s *Service, c *call) (answer, error) {
		made, err := s.reports.of(kind, c.at.Time())
		if err != nil {
			return answer{}, err
		}
		return made.answer(), nil
	}
}

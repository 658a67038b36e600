package store

import (
	"fmt"
	"slices"
	"sync"

	"docket/store/verify"
)

// found makes a finding about the store as a whole.
func found(kind verify.Kind, detail string, args ...any) verify.Finding {
	return kind.OfLog(fmt.Sprintf(detail, args...))
}

// mostFindings is how many are kept: after that many the store is no better known by more of them.
const mostFindings = 100

// findings are what has been found in an open store; they only grow.
type findings struct {
	mutex sync.Mutex
	list  []verify.Finding
}

// add keeps those that are not there yet and that keep the store from taking records.
func (l *findings) add(more ...verify.Finding) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, f := range more {
		if f.Kind.Stops() && len(l.list) < mostFindings && !slices.Contains(l.list, f) {
			l.list = append(l.list, f)
		}
	}
}

func (l *findings) all() []verify.Finding {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.Clone(l.list)
}

// Findings lists what is wrong with the store, as far as is known: what was found when it was opened and since, at
// most a hundred. With any, the store is ReadOnly.
func (s *Store) Findings() []verify.Finding { return s.findings.all() }

// checkNoFindings refuses to write to a store with findings.
func (s *Store) checkNoFindings() error {
	if list := s.findings.all(); len(list) > 0 {
		return &Problem{Path: s.path, Kind: ErrTampered, Advice: "verify the store: " + list[0].Sentence()}
	}
	return nil
}

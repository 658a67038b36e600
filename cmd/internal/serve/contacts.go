package serve

import (
	"strings"
	"sync"

	"docket/domain/ordered"
	"docket/domain/terms"
	"docket/store"
)

// Contacts holds the last use of each token that a process of the service saw. It is kept in memory only.
type Contacts struct {
	Since terms.Instant `json:"since"` // from which on the process saw requests
	Uses  []TokenUse    `json:"uses"`  // by the names of the tokens
}

// A TokenUse is the newest request with a token that was valid.
type TokenUse struct {
	Token     string        `json:"token"` // its name
	Principal terms.ID      `json:"principal"`
	At        terms.Instant `json:"at"`
}

// uses holds the contacts of a service, at most as many as the store has tokens.
type uses struct {
	mutex sync.Mutex
	since terms.Instant
	list  map[string]TokenUse
}

// saw notes that a request carried a valid token.
func (u *uses) saw(token *store.Token, at terms.Instant) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if u.list == nil {
		u.list = map[string]TokenUse{}
	}
	u.list[token.ID] = TokenUse{token.ID, token.Principal, at}
}

// Contacts returns the contacts so far.
func (s *Service) Contacts() Contacts {
	s.uses.mutex.Lock()
	defer s.uses.mutex.Unlock()
	c := Contacts{Since: s.uses.since, Uses: make([]TokenUse, 0, len(s.uses.list))}
	for _, use := range s.uses.list {
		c.Uses = append(c.Uses, use)
	}
	ordered.Sort(c.Uses, func(a, b TokenUse) int { return strings.Compare(a.Token, b.Token) })
	return c
}

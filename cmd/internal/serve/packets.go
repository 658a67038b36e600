package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"docket/cmd/internal/api"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
)

const (
	pageSize  = 100  // packets or records
	maxCursor = 1024 // bytes
)

func handleQueue(s *Service, c *call) (answer, error) {
	query, err := readQuery(c, api.CursorParameter)
	if err != nil {
		return answer{}, err
	}
	page, err := s.store.Page(c.request.Context(), permissionsOf(&c.caller),
		query[api.CursorParameter], pageSize)
	if err != nil {
		return answer{}, err
	}
	return s.page(c, page)
}

// readQuery reads the query strictly: each parameter is one of the given ones and occurs once.
func readQuery(c *call, known ...string) (map[string]string, error) {
	values, err := url.ParseQuery(c.request.URL.RawQuery)
	if err != nil {
		return nil, malformed("", "the query cannot be read")
	}
	query := map[string]string{}
	for name, given := range values {
		switch {
		case !slices.Contains(known, name):
			return nil, malformed("", fmt.Sprintf("the query has an unknown parameter; it may have %s", strings.Join(known, ", ")))
		case len(given) > 1:
			return nil, malformed("", "the query has a parameter twice")
		}
		query[name] = given[0]
	}
	if len(query[api.CursorParameter])+len(query[api.AfterParameter]) > maxCursor {
		return nil, store.ErrCursor
	}
	return query, nil
}

// handlePacket returns all revisions of one case or amendment.
func handlePacket(s *Service, c *call) (answer, error) {
	id, ok := terms.ParseID(c.request.PathValue("id"))
	if !ok {
		return answer{}, api.NotFound.New("")
	}
	page, err := s.store.Packet(c.request.Context(), permissionsOf(&c.caller), id)
	if err != nil {
		return answer{}, err
	}
	return s.page(c, page)
}

// page returns the answer with the packets and the key of the service's log.
func (s *Service) page(c *call, read store.Page) (answer, error) {
	key, err := s.store.Verifier(c.request.Context())
	if err != nil {
		return answer{}, err
	}
	statements, err := s.store.ServiceStatements(c.request.Context())
	if err != nil {
		return answer{}, err
	}
	page := api.Page{Packets: []json.RawMessage{}, Cursor: read.Cursor, More: read.More, Key: key,
		Erasures: api.Statements(read.Erasures), Statements: api.Statements(statements)}
	for _, r := range read.Reassigned {
		page.Reassigned = append(page.Reassigned, api.Reassigned{Table: r.Table, ID: r.Key.ID, Revision: r.Key.Number})
	}
	registrations, err := s.store.Registrations(c.request.Context(), c.caller.Principal)
	if err != nil {
		return answer{}, problemOf(err)
	}
	page.Keys = api.Statements(registrations)
	made, err := written(http.StatusOK, page)
	if err != nil {
		return answer{}, err
	}
	made.document = withPackets(made.document, read.Packets)
	return made, nil
}

// withPackets puts packets into a page without any: they are JSON already, and most of the page.
func withPackets(page []byte, list [][]byte) []byte {
	const start = `{"packets":[`
	size := len(page) + len(list)
	for _, document := range list {
		size += len(document)
	}
	filled := append(make([]byte, 0, size), start...)
	for i, document := range list {
		if i > 0 {
			filled = append(filled, ',')
		}
		filled = append(filled, visible.JSON(document)...)
	}
	return append(filled, page[len(start):]...)
}

package serve

import (
	"encoding/json"
	"net/http"
	"net/url"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
)

// pageSize is the maximum number of packets on a page.
const pageSize = 100

// maxCursor is in bytes.
const maxCursor = 1024

// handleQueue returns a page of packets.
func handleQueue(s *Service, c *call) (answer, error) {
	cursor, err := readCursor(c.request.URL.RawQuery)
	if err != nil {
		return answer{}, err
	}
	page, err := s.store.Page(c.request.Context(), permissionsOf(&c.caller), cursor, pageSize)
	if err != nil {
		return answer{}, err
	}
	return s.page(c, page)
}

// readCursor reads the query of the queue route strictly: at most one cursor, and no other parameter.
func readCursor(query string) (string, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", malformed("", "the query cannot be read")
	}
	cursors := values[api.CursorParameter]
	switch {
	case len(values) > 1 || len(values) == 1 && cursors == nil:
		return "", malformed("", "the query has an unknown parameter; the only one is "+api.CursorParameter)
	case len(cursors) == 0:
		return "", nil
	case len(cursors) > 1:
		return "", malformed("", "the query has the cursor twice")
	case len(cursors[0]) > maxCursor || !isCursorText(cursors[0]):
		return "", problemOf(store.ErrCursor)
	}
	return cursors[0], nil
}

// isCursorText reports whether a text has only visible ASCII characters, as every cursor does.
func isCursorText(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return false
		}
	}
	return true
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
	statements, err := s.store.LogStatements(c.request.Context())
	if err != nil {
		return answer{}, err
	}
	page := api.Page{Packets: make([]json.RawMessage, len(read.Packets)), Cursor: read.Cursor, More: read.More, Key: key,
		Erasures: api.Statements(read.Erasures)}
	for i, document := range read.Packets {
		page.Packets[i] = document
	}
	for _, stated := range statements {
		read, err := records.ReadLogStatement(stated.Text)
		if err == nil && (read.AboutOperator() || read.Kind == records.LogRestored) {
			page.Statements = append(page.Statements, api.Statements([]signed.Statement{stated})...)
		}
	}
	registrations, err := s.store.Registrations(c.request.Context(), c.caller.Principal)
	if err != nil {
		return answer{}, problemOf(err)
	}
	page.Keys = api.Statements(registrations)
	return written(http.StatusOK, page)
}

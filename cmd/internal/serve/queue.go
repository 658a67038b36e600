package serve

import (
	"net/http"
	"net/url"

	"docket/cmd/internal/exchange"
	"docket/domain"
)

// pageSize is how many packets the queue route answers with at most.
const pageSize = 100

// largestCursor is in bytes.
const largestCursor = 1024

// handleQueue is the route that gives out packets page by page.
func handleQueue(s *Service, c *call) (answer, error) {
	cursor, err := readCursor(c.request.URL.RawQuery)
	if err != nil {
		return answer{}, err
	}
	page, err := s.backing.Library.Page(c.request.Context(), c.principal, cursor, pageSize)
	if err != nil {
		return answer{}, problemOf(err)
	}
	return written(http.StatusOK, page)
}

// readCursor reads the query of the queue route as strictly as a body: the cursor once or not at all, and nothing else.
func readCursor(query string) (string, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", malformed("", "the query cannot be read")
	}
	cursors := values[exchange.CursorParameter]
	switch {
	case len(values) > 1 || len(values) == 1 && cursors == nil:
		return "", malformed("", "the query has a parameter that is not known; there is only "+exchange.CursorParameter)
	case len(cursors) == 0:
		return "", nil
	case len(cursors) > 1:
		return "", malformed("", "the query has the cursor twice")
	case len(cursors[0]) > largestCursor || !isCursorText(cursors[0]):
		return "", problemOf(ErrCursor)
	}
	return cursors[0], nil
}

// isCursorText tells whether a text is of visible ASCII characters only, of which every cursor is.
func isCursorText(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// handlePacket is the route that gives out all revisions of one case or amendment.
func handlePacket(s *Service, c *call) (answer, error) {
	id, ok := domain.ParseID(c.request.PathValue("id"))
	if !ok {
		return answer{}, exchange.NotFound.New("")
	}
	page, err := s.backing.Library.Packet(c.request.Context(), c.principal, id)
	if err != nil {
		return answer{}, problemOf(err)
	}
	return written(http.StatusOK, page)
}

package serve

import (
	"net/http"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/merkle"
)

// The Cache-Control of parts of the log. A tile never changes: the path of a partial one has its width. After a restore
// the new log has other tiles under the same paths, behind the restored records; docket's client therefore asks caches
// to revalidate.
const (
	cacheCheckpoint = "no-cache"
	cacheTile       = "public, max-age=31536000, immutable"
	cacheEntries    = "private, max-age=31536000, immutable"
)

// handleCheckpoint returns the newest checkpoint (C2SP tlog-checkpoint), with the cosignatures of witnesses.
func handleCheckpoint(s *Service, c *call) (answer, error) {
	checkpoint, err := s.store.PublishedCheckpoint(c.request.Context())
	if err != nil {
		return answer{}, err
	}
	return fromLog(checkpoint, api.Text, cacheCheckpoint), nil
}

// handleCosigned returns the newest checkpoint with the most cosignatures of witnesses, and these.
func handleCosigned(s *Service, c *call) (answer, error) {
	checkpoint, err := s.store.CosignedCheckpoint(c.request.Context())
	if err != nil {
		return answer{}, err
	}
	return fromLog(checkpoint, api.Text, cacheCheckpoint), nil
}

// handleStatements returns the statements that name the operator of the service, and those that lead from the keys that its log had
// before a restore to the key that it has: without a token a reader who kept an earlier checkpoint follows them.
func handleStatements(s *Service, c *call) (answer, error) {
	list, err := s.store.ServiceStatements(c.request.Context())
	if err != nil {
		return answer{}, err
	}
	given, err := written(http.StatusOK, api.LogStatements{Statements: append([]api.LogStatement{}, api.Statements(list)...)})
	if err != nil {
		return answer{}, err
	}
	return fromLog(given.document, api.JSON, cacheCheckpoint), nil
}

// handleTile returns a tile of hashes (C2SP tlog-tiles).
func handleTile(s *Service, c *call) (answer, error) {
	tile, err := tileOf(c)
	if err != nil {
		return answer{}, err
	}
	data, err := s.store.Tile(c.request.Context(), tile)
	if err != nil {
		return answer{}, err
	}
	return fromLog(data, api.Octets, cacheTile), nil
}

// handleEntries returns a tile of records. The caller may read all of them, or gets none.
func handleEntries(s *Service, c *call) (answer, error) {
	if c.caller.Role != terms.SafetyAdmin {
		return answer{}, api.Forbidden.New(forSafetyAdmins)
	}
	tile, err := tileOf(c)
	if err != nil {
		return answer{}, err
	}
	documents, err := s.store.TileEntries(c.request.Context(), tile)
	if err != nil {
		return answer{}, err
	}
	var data []byte
	var reader packets.Reader
	for _, document := range documents {
		if !seesRecord(&reader, &c.caller, document) {
			return answer{}, api.Forbidden.New("The tile has records of owners that the token does not cover.")
		}
		data = merkle.AppendEntry(data, document)
	}
	return fromLog(data, api.Octets, cacheEntries), nil
}

// seesRecord reports whether a safety admin may read a record: all of appeals, and those of amendments whose owner the token covers.
func seesRecord(reader *packets.Reader, caller *store.Token, document []byte) bool {
	if _, err := records.ReadEnforcement(reader, terms.Appeals, document); err == nil {
		return true
	}
	record, err := records.ReadEnforcement(reader, terms.Amendments, document)
	return err == nil && slices.Contains(caller.Owners, record.Members().OwnerID)
}

// tileOf reads the tile that the path names.
func tileOf(c *call) (tlog.Tile, error) {
	tile, ok := merkle.ParseTilePath(strings.TrimPrefix(c.request.URL.Path, "/"))
	if !ok {
		return tlog.Tile{}, api.NotFound.New("")
	}
	return tile, nil
}

// fromLog returns the answer with a part of the log.
func fromLog(data []byte, media, cache string) answer {
	given := documentOf(data)
	return answer{status: http.StatusOK, document: given.text, etag: given.etag, media: media, cache: cache}
}

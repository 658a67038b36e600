package serve

import (
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

// The Cache-Control of parts of the log: a tile never changes under its path, except after a
// restore, for which docket's client asks caches to revalidate.
const (
	cacheCheckpoint = "no-cache"
	cacheTile       = "public, max-age=31536000, immutable"
	cacheEntries    = "private, max-age=31536000, immutable"
)

// handleCheckpoint returns the newest checkpoint (C2SP tlog-checkpoint).
func handleCheckpoint(s *Service, c *call) (answer, error) {
	checkpoint, err := s.store.PublishedCheckpoint(c.request.Context())
	return fromLog(checkpoint, api.Text, cacheCheckpoint), err
}

// handleTile returns a tile of hashes (C2SP tlog-tiles).
func handleTile(s *Service, c *call) (answer, error) {
	tile, err := tileOf(c)
	if err != nil {
		return answer{}, err
	}
	data, err := s.store.Tile(c.request.Context(), tile)
	return fromLog(data, api.Octets, cacheTile), err
}

// handleEntries returns a tile of records to a caller that may read all of them.
func handleEntries(s *Service, c *call) (answer, error) {
	if c.caller.Role != terms.SafetyAdmin {
		return answer{}, api.Forbidden.New(forSafetyAdmins)
	}
	tile, err := tileOf(c)
	if err != nil {
		return answer{}, err
	}
	entries, err := s.store.TileEntries(c.request.Context(), tile)
	if err != nil {
		return answer{}, err
	}
	var data []byte
	var reader packets.Reader
	for i := range entries {
		if !seesRecord(&reader, &c.caller, entries[i].Document) {
			return answer{}, api.Forbidden.New("The tile has records of owners that the token does not cover.")
		}
		data = merkle.AppendEntry(data, entries[i].Leaf())
	}
	return fromLog(data, api.Octets, cacheEntries), nil
}

// seesRecord reports whether a safety admin may read a record: of appeals, or of a covered owner.
func seesRecord(reader *packets.Reader, caller *store.Token, document []byte) bool {
	if _, err := records.ReadEnforcement(reader, terms.Appeals, document); err == nil {
		return true
	}
	record, err := records.ReadEnforcement(reader, terms.Amendments, document)
	return err == nil && slices.Contains(caller.Owners, record.Members().OwnerID)
}

func tileOf(c *call) (tlog.Tile, error) {
	tile, ok := merkle.ParseTilePath(strings.TrimPrefix(c.request.URL.Path, "/"))
	if !ok {
		return tlog.Tile{}, api.NotFound.New("")
	}
	return tile, nil
}

func fromLog(data []byte, media, cache string) answer {
	given := documentOf(data).answer()
	given.media, given.cache = media, cache
	return given
}

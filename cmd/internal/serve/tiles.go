package serve

import (
	"errors"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/merkle"
	"docket/store/verify"
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

// handleEntries returns a tile of entries to a caller that may read all of them whole. Of an entry
// that a caller may not read, its position and its leaf hash, in a tile of hashes, are all there is.
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
		sees, err := s.seesEntry(c, &reader, &entries[i])
		if err != nil {
			return answer{}, err
		}
		if !sees {
			return answer{}, api.Forbidden.New("The tile has entries of owners that the token does not cover.")
		}
		data = merkle.AppendEntry(data, entries[i].Leaf())
	}
	return fromLog(data, api.Octets, cacheEntries), nil
}

// seesEntry reports whether the body of an entry is for a safety admin: of policies and appeals, and
// of an amendment and its records where the token covers the owner, by the same rule as the packet.
func (s *Service) seesEntry(c *call, reader *packets.Reader, e *verify.Entry) (bool, error) {
	id := e.Key.ID
	switch {
	case e.Kind == records.RecordEntry:
		record, err := records.ReadEnforcement(reader, terms.AreaOf(e.Table), e.Document)
		if err != nil {
			return false, nil
		}
		m := record.Members()
		if id = m.Key.ID; m.Area == terms.Appeals || !slices.Contains(c.caller.Owners, m.OwnerID) {
			return m.Area == terms.Appeals, nil
		}
	case e.Kind == records.StatementEntry:
		return s.seesStatement(c, e.Document)
	case e.Kind != records.PacketEntry:
		return false, nil
	case e.Table != terms.AmendmentRecords:
		return e.Table.Present(), nil
	}
	return s.store.Sees(c.request.Context(), permissionsOf(&c.caller), terms.AmendmentRecords, id)
}

// seesStatement reports whether a statement is for a safety admin: all but those on erasures of what
// the token does not cover.
func (s *Service) seesStatement(c *call, text []byte) (bool, error) {
	stated, err := records.ReadLogStatement(string(text))
	if err != nil {
		return false, nil
	}
	e, is := stated.Erasure()
	permissions := permissionsOf(&c.caller)
	switch {
	case is && e.Record.Present():
		_, err = s.store.ReadRecord(c.request.Context(), permissions, e.Record)
		if errors.Is(err, store.ErrNotFound) {
			return false, nil
		}
		return err == nil, err
	case is && e.Table == terms.AmendmentRecords:
		return s.store.Sees(c.request.Context(), permissions, e.Table, e.Key.ID)
	}
	return true, nil
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

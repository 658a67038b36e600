package store

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/store/verify"
)

func TestTheTileOfEntriesHoldsTheLoggedRecords(t *testing.T) {
	t.Parallel()
	d := logOfMany(t, 3)
	tile := tlog.Tile{H: 8, L: -1, N: 0, W: 3}
	documents, err := d.store.TileEntries(t.Context(), tile)
	if err != nil || len(documents) != 3 {
		t.Fatalf("%d entries, %v", len(documents), err)
	}
	list := need(d.store.Records(t.Context(), 0, 3))(t)
	for i, document := range documents {
		wantSame(t, i, string(document), string(list[2-i].Record.Document()))
	}
	tile.W = 4
	if documents, err := d.store.TileEntries(t.Context(), tile); !errors.Is(err, ErrNotFound) || documents != nil {
		t.Errorf("of a tile that is not full yet %d entries, %v", len(documents), err)
	}
	forge(t, d.store.Path(), "UPDATE trade_challenge_appeal_enforcement_records SET document = replace(document, '\"rulesVersion\":\"t', '\"rulesVersion\":\"T') WHERE sequence = 1")
	tile.W = 3
	if documents, err := d.store.TileEntries(t.Context(), tile); !errors.Is(err, ErrDamaged) || documents != nil || !strings.Contains(err.Error(), "record 1 is not the one that was logged") {
		t.Errorf("of an edited record %d entries, %v", len(documents), err)
	}
}

// Of a log with findings nothing is given out.
func TestALogWithFindingsGivesOutNeitherCheckpointNorTile(t *testing.T) {
	t.Parallel()
	d := logOfMany(t, 2)
	d.store.findings.add(found(verify.RolledBack, "for the test"))
	for name, read := range map[string]func() ([]byte, error){
		"the checkpoint": func() ([]byte, error) { return d.store.PublishedCheckpoint(t.Context()) },
		"a tile":         func() ([]byte, error) { return d.store.Tile(t.Context(), tlog.Tile{H: 8, W: 2}) },
		"the entries": func() ([]byte, error) {
			list, err := d.store.TileEntries(t.Context(), tlog.Tile{H: 8, L: -1, W: 2})
			return bytes.Join(list, nil), err
		},
	} {
		if got, err := read(); !errors.Is(err, ErrTampered) || len(got) > 0 {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

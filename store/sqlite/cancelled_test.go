package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"docket/store/disk"
	"docket/store/engine"
	"docket/store/sqlite"
)

func TestAReadThatIsCancelledBetweenARowAndItsValuesIsNoDamage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "docket.db")
	if err := disk.CreateFile(path); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.New(sqlite.Options{Path: path, Busy: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Create(t.Context(), func(context.Context, engine.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := db.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, c := range []struct {
		name, value string
		cancel      bool
		damaged     bool
	}{
		{"cancelled", "1", true, false},
		{"another type", "'one'", false, true},
		{"right", "1", false, false},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.View(ctx, func(ctx context.Context, tx engine.Tx) error {
			return tx.EachRow(ctx, "SELECT "+c.value, func(scan engine.Scan) error {
				var into int
				if !c.cancel {
					return scan(&into)
				}
				cancel()
				for {
					if err := scan(&into); err != nil {
						return err
					}
				}
			})
		})
		cancel()
		if errors.Is(err, disk.ErrDamaged) != c.damaged || (err != nil) != (c.cancel || c.damaged) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

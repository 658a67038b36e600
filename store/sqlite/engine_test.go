package sqlite_test

import (
	"flag"
	"path/filepath"
	"testing"
	"time"

	"docket/store/disk"
	"docket/store/engine"
	"docket/store/engine/enginetest"
	"docket/store/sqlite"
)

var update = flag.Bool("update", false, "write the transcript of the operations")

func TestTheEngineIsOne(t *testing.T) {
	written := ""
	if *update {
		written = filepath.Join("..", "engine", "enginetest", "transcript.txt")
	}
	enginetest.Test(t, enginetest.Engine{Update: written, New: func(t *testing.T) (engine.Database, func() engine.Database) {
		path := filepath.Join(t.TempDir(), "docket.db")
		if err := disk.CreateFile(path); err != nil {
			t.Fatal(err)
		}
		again := func() engine.Database {
			db, err := sqlite.New(sqlite.Options{Path: path, Busy: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			return db
		}
		return again(), again
	}})
}

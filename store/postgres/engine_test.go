package postgres_test

import (
	"testing"
	"time"

	"docket/store/engine"
	"docket/store/engine/enginetest"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
)

func TestTheEngineIsOne(t *testing.T) {
	enginetest.Test(t, enginetest.Engine{New: func(t *testing.T) (engine.Database, func() engine.Database) {
		database := postgrestest.New(t)
		again := func() engine.Database {
			db, err := postgres.New(postgres.Options{DSN: database.DSN(postgrestest.Superuser), Busy: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			return db
		}
		return again(), again
	}})
}

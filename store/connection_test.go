package store

import (
	"context"
	"testing"

	"docket/store/engine"
)

func TestAStatementThatChangesNothingIsAnError(t *testing.T) {
	d := withCase(t)
	err := d.store.writing(t.Context(), "change nothing", func(ctx context.Context, tx engine.Tx) error {
		return changeOne(ctx, tx, "DELETE FROM main.docket_skips WHERE false")
	})
	if err == nil {
		t.Error("it is none")
	}
}

func TestEveryConnectionOfAPoolIsGuarded(t *testing.T) {
	d := withCase(t)
	for range d.store.db.Reader().Stats().MaxOpenConnections {
		conn, err := d.store.db.Reader().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
		}()
		if _, err := conn.ExecContext(t.Context(), "PRAGMA query_only = 0"); err == nil {
			t.Error("a reader can be made a writer")
		}
	}
}

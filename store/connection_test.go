package store

import (
	"context"
	"database/sql"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestAConnectionThatDoesNotKeepASettingIsNotUsed(t *testing.T) {
	path := withCase(t).store.Path()
	connect := func(change, into string) error {
		c := newConnector(writing, path, time.Second).(connector)
		changed := strings.Replace(c.dsn, change, into, 1)
		if changed == c.dsn && change != into {
			t.Fatalf("%s is not in %s", change, c.dsn)
		}
		c.dsn = changed
		conn, err := c.Connect(t.Context())
		if err != nil {
			return err
		}
		return conn.Close()
	}
	if err := connect("", ""); err != nil {
		t.Fatalf("the right settings: %v", err)
	}
	if connect("_defensive=1", "_defensive=0") == nil {
		t.Error("it is used without defensive mode")
	}
	for _, s := range writing.settings(time.Second) {
		other := map[string]string{"1": "0", "0": "1", "2": "1", "1000": "7"}[s.value]
		if s.name == "journal_mode" {
			continue // the file itself keeps it
		}
		if connect(url.QueryEscape(s.name+"("+s.value+")"), url.QueryEscape(s.name+"("+other+")")) == nil {
			t.Errorf("it is used with %s at %s", s.name, other)
		}
	}
}

func TestAStatementThatChangesNothingIsAnError(t *testing.T) {
	d := withCase(t)
	err := d.store.writing(t.Context(), "change nothing", func(ctx context.Context, tx *sql.Tx) error {
		return changeOne(ctx, tx, "DELETE FROM main.docket_skips WHERE false")
	})
	if err == nil {
		t.Error("it is none")
	}
}

func TestEveryConnectionOfAPoolIsGuarded(t *testing.T) {
	d := withCase(t)
	for range readers {
		conn, err := d.store.read.Conn(t.Context())
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

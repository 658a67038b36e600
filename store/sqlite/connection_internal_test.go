package sqlite

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/store/disk"
	"docket/store/engine"
)

// newStore is the path of a database with the schema and without rows.
func newStore(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "docket.db")
	if err := disk.CreateFile(path); err != nil {
		t.Fatal(err)
	}
	db, err := New(Options{Path: path, Busy: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	made, err := db.Create(t.Context(), func(context.Context, engine.Tx) error { return nil })
	if err != nil || !made {
		t.Fatal(made, err)
	}
	return path
}

func TestAConnectionThatDoesNotKeepASettingIsNotUsed(t *testing.T) {
	path := newStore(t)
	connect := func(change, into string) error {
		c := Connect(Writing, path, time.Second).(connector)
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
	for _, s := range Writing.settings(time.Second) {
		other := map[string]string{"1": "0", "0": "1", "2": "1", "1000": "7"}[s.value]
		if s.name == "journal_mode" {
			continue // the file itself keeps it
		}
		if connect(url.QueryEscape(s.name+"("+s.value+")"), url.QueryEscape(s.name+"("+other+")")) == nil {
			t.Errorf("it is used with %s at %s", s.name, other)
		}
	}
}

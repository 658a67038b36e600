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

func TestEveryConnectionOfAPoolIsGuarded(t *testing.T) {
	db := opened(t)
	for range readers {
		conn, err := db.Reader.Conn(t.Context())
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

func TestAStatementThatChangesNothingIsAnError(t *testing.T) {
	err := opened(t).Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		return tx.Exec1(ctx, "DELETE FROM main.docket_local WHERE false")
	})
	if err == nil {
		t.Error("it is none")
	}
}

// opened is an open database with the schema and without rows.
func opened(t *testing.T) *DB {
	t.Helper()
	db, err := New(Options{Path: newStore(t), Busy: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// Conditions of the schema that list words of a vocabulary list those of the domain, and its expressions are those of the queries.
func TestTheWordsOfTheSchemaAreThoseOfTheDomain(t *testing.T) {
	indexes := map[string]string{}
	for _, o := range schema {
		if strings.Contains(o.SQL, " NOT IN (") || strings.Contains(o.SQL, " IN ('") {
			indexes[o.Name] = o.SQL
		}
	}
	unsettled := `"status" NOT IN (` + engine.Settled() + ")"
	for _, index := range []string{"trade_appeal_cases_assignee", "trade_appeal_cases_deadline"} {
		if !strings.HasSuffix(indexes[index], " WHERE "+unsettled) {
			t.Errorf("%s is not limited to %s", index, unsettled)
		}
		delete(indexes, index)
	}
	for name := range indexes {
		t.Errorf("nothing holds the words in %s to the domain", name)
	}
	for _, o := range schema {
		_, expression, _ := strings.Cut(o.SQL, " (")
		expression, _, is := strings.Cut(expression, ", \"")
		if strings.HasSuffix(o.Name, "_assignee") && !(is && strings.Contains(own, "\n"+strings.Replace(expression, "(", "({row}.", 1)+"\n")) {
			t.Errorf("%s is not on the expression of the queries", o.Name)
		}
	}
}

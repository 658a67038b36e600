package postgres

import (
	"context"
	"slices"
	"strings"
	"testing"

	"docket/store/engine"
)

// as runs a statement in a role, in a transaction that is rolled back.
func (d *DB) as(t *testing.T, role, statement string) error {
	t.Helper()
	pool, err := d.connect(t.Context(), role, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.Close() }()
	_, err = pool.ExecContext(t.Context(), "BEGIN; "+statement)
	return err
}

// apply runs a statement in the role of the login, and commits it.
func (d *DB) apply(t *testing.T, statement string) {
	t.Helper()
	err := d.alone(t.Context(), func(tx *transaction) error {
		if err := tx.run(t.Context(), statement); err != nil {
			return err
		}
		return tx.commit()
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The writer has no right to change what is there, and a login that has it meets the triggers, which fire in each mode of a session.
func TestOnlyTheOwnerCouldLiftWhatKeepsTheTables(t *testing.T) {
	db := opened(t)
	var tables []string
	for line := range strings.Lines(described) {
		if words := strings.Fields(line); words[0] == "table" {
			tables = append(tables, words[1])
		}
	}
	local := []string{"docket_revoked_keys", "docket_skips", "docket_drafts", "docket_handin_pull", "docket_handin_reassigned", "docket_head"}
	if len(tables) < 30 {
		t.Fatalf("there are %d tables", len(tables))
	}
	for _, table := range tables {
		column := ""
		for line := range strings.Lines(described) {
			if rest, is := strings.CutPrefix(line, "column "+table+"."); is && column == "" {
				column = strings.Fields(rest)[0]
			}
		}
		changed := "UPDATE docket." + table + " SET " + column + " = " + column
		for _, statement := range []string{"TRUNCATE docket." + table, "DROP TABLE docket." + table, "ALTER TABLE docket." + table + " DISABLE TRIGGER ALL",
			"ALTER TABLE docket." + table + " ADD COLUMN more text", "CREATE INDEX more ON docket." + table + " (" + column + ")"} {
			if code := codeOf(db.as(t, writerRole, statement)); code != "42501" {
				t.Errorf("%s by the writer: %q", statement, code)
			}
		}
		if code := codeOf(db.as(t, ownerRole, "TRUNCATE docket."+table)); code != "23001" {
			t.Errorf("TRUNCATE %s by the owner: %q", table, code)
		}
		if slices.Contains(local, table) {
			continue
		}
		if code := codeOf(db.as(t, writerRole, changed)); code != "42501" {
			t.Errorf("%s by the writer: %q", changed, code)
		}
		if code := codeOf(db.as(t, ownerRole, "SET LOCAL session_replication_role = origin; "+changed)); code != "23001" && code != "42501" {
			t.Errorf("%s by the owner: %q", changed, code)
		}
		if err := db.as(t, "", "SET LOCAL session_replication_role = replica; "+changed); codeOf(err) != "23001" {
			t.Errorf("%s by the superuser: %v", changed, err)
		}
		for _, role := range []string{readerRole, auditorRole} {
			for _, statement := range []string{changed, "DELETE FROM docket." + table, "INSERT INTO docket." + table + " DEFAULT VALUES"} {
				if code := codeOf(db.as(t, role, statement)); code != "42501" {
					t.Errorf("%s by %s: %q", statement, role, code)
				}
			}
			if err := db.as(t, role, "SELECT * FROM docket."+table); err != nil {
				t.Error(err)
			}
		}
	}
	for _, statement := range []string{"SET session_replication_role = replica", "INSERT INTO docket.docket_head (id, turn) VALUES (0, 0)", "DELETE FROM docket.docket_head",
		"CREATE TABLE docket.more (a text)", "CREATE FUNCTION docket.more() RETURNS int LANGUAGE sql AS 'SELECT 1'", "INSERT INTO docket.docket_schema (version) VALUES (9)"} {
		if err := db.as(t, writerRole, statement); err == nil {
			t.Errorf("%s by the writer is done", statement)
		}
	}
}

func TestWhatIsOtherThanItWasMadeIsNamed(t *testing.T) {
	for change, due := range map[string]string{
		"ALTER TABLE docket.docket_notes DISABLE TRIGGER erase":                                                  "trigger docket_notes.erase",
		"ALTER TABLE docket.docket_log ENABLE TRIGGER keep":                                                      "trigger docket_log.keep",
		"DROP TRIGGER keep ON docket.docket_meta":                                                                "trigger docket_meta.keep",
		"CREATE OR REPLACE FUNCTION docket.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'": "function refuse",
		"GRANT UPDATE ON docket.docket_log TO docket_writer":                                                     "table docket_log",
		"GRANT INSERT ON docket.docket_log TO PUBLIC":                                                            "table docket_log",
		"CREATE TABLE docket.more (a text)":                                                                      "An added table",
		"CREATE RULE swallow AS ON INSERT TO docket.docket_log DO INSTEAD NOTHING":                               "An added rule",
		"DROP INDEX docket.trade_appeal_cases_assigned":                                                          "index trade_appeal_cases.trade_appeal_cases_assigned",
		"ALTER TABLE docket.docket_log OWNER TO docket_writer":                                                   "table docket_log",
		"ALTER TABLE docket.docket_signatures ALTER signature DROP NOT NULL":                                     "column docket_signatures.signature",
	} {
		db := opened(t)
		db.apply(t, change)
		err := db.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
			altered, err := tx.Structure().Altered(ctx)
			if !slices.Contains(altered, due) {
				t.Errorf("%s: %q", change, altered)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

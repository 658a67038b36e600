package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"

	"docket/store/disk"
	"docket/store/engine"
)

// SchemaVersion is PRAGMA user_version. It has to be raised whenever schema.sql changes. Versions
// up to 6 are of stores made before the first release, which kept the log's private key in the
// file; they are refused.
const SchemaVersion = 13

// Version is the version of SQLite.
const Version = sqlite3.SQLITE_VERSION

// applicationID is PRAGMA application_id: "dock" in ASCII, which tells a store from other files.
const applicationID = 0x646f636b

//go:embed schema.sql
var schemaText string

// schema is all objects in the order of creation; a store with any other is not written to.
var schema = parseSchema(schemaText)

// An object is one table, index or trigger: a row of sqlite_schema.
type object struct {
	Kind, Name, Table string // the table of an index or a trigger is the one that it is on
	SQL               string // as SQLite keeps it
}

func parseSchema(text string) (objects []object) {
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		sql := strings.TrimSuffix(part, ";")
		words := strings.Fields(strings.Replace(sql, " UNIQUE ", " ", 1))
		if words[0] == "--" {
			continue
		}
		o := object{Kind: strings.ToLower(words[1]), Name: words[2], Table: words[2], SQL: sql}
		if _, rest, found := strings.Cut(sql, " ON "); found && o.Kind != "table" {
			o.Table = strings.Fields(rest)[0]
		}
		objects = append(objects, o)
	}
	return objects
}

// columns lists the stored columns and keys of a table, which reading a store needs.
func (o *object) columns() (columns []string) {
	for line := range strings.SplitSeq(o.SQL, "\n  ") {
		name, definition, _ := strings.Cut(line, " ")
		constraint := name == strings.ToUpper(name)
		derived := strings.Contains(definition, "GENERATED ALWAYS") && !strings.Contains(definition, "NOT NULL")
		if !constraint && !derived {
			columns = append(columns, strings.Trim(name, `"`))
		}
	}
	return columns
}

// tables says of each table whether no trigger forbids changes and deletions; erasable, whether its
// trigger lets a row be deleted once a statement says that it is erased.
var tables, erasable = func() (mutable, erasable map[string]bool) {
	mutable, erasable = map[string]bool{}, map[string]bool{}
	for _, o := range schema { // a table comes before its triggers
		switch {
		case o.Kind == "table":
			mutable[o.Name] = true
		case strings.HasSuffix(o.Name, "_no_update"):
			mutable[o.Table] = false
		case strings.Contains(o.SQL, "_no_delete BEFORE DELETE ON "+o.Table+" WHEN "):
			erasable[o.Table] = true
		}
	}
	return mutable, erasable
}()

func inspect(ctx context.Context, tx *sql.Tx) (engine.State, error) {
	var application, version, objects int64
	err := errors.Join(
		tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&application),
		tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version))
	if err == nil && application == 0 && version == 0 { // else the caller reads the schema
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM main.sqlite_schema").Scan(&objects)
	}
	switch {
	case err != nil:
		return engine.Foreign, err
	case application == 0 && version == 0 && objects == 0:
		return engine.Empty, nil
	case application != applicationID:
		return engine.Foreign, nil
	}
	return engine.StateOf(version, SchemaVersion), nil
}

// Altered compares every table, index and trigger with schema.sql, to the letter. A missing trigger
// is therefore found before anything relies on it.
func (flavor) Altered(ctx context.Context, q engine.Tx) (altered []string, err error) {
	there, err := engine.List[object](ctx, q, "SELECT type, name, tbl_name, coalesce(sql, '') FROM main.sqlite_schema")
	if err != nil {
		return nil, err
	}
	wanted := map[string]*object{}
	for i := range schema {
		wanted[schema[i].Name] = &schema[i]
	}
	for _, o := range there {
		due, known := wanted[o.Name]
		switch delete(wanted, o.Name); {
		case !known && !o.implied():
			altered = append(altered, "An added table, index or trigger")
		case known && *due != o:
			altered = append(altered, o.Name)
		}
	}
	for name, due := range wanted {
		if due.Kind != "trigger" {
			return nil, disk.ErrAltered
		}
		altered = append(altered, name)
	}
	for i := 0; i < len(schema) && len(altered) > 0; i++ {
		if o := &schema[i]; o.Kind == "table" && !selects(ctx, q, o.Name, o.columns()) {
			return nil, disk.ErrAltered
		}
	}
	slices.Sort(altered)
	return altered, nil
}

// implied reports whether the row is of an index that SQLite makes for a table.
func (o *object) implied() bool {
	return o.SQL == "" && o.Kind == "index" && strings.HasPrefix(o.Name, "sqlite_autoindex_"+o.Table+"_")
}

func selects(ctx context.Context, q engine.Tx, table string, columns []string) bool {
	query := fmt.Sprintf(`SELECT "%s" FROM main.%s LIMIT 0`, strings.Join(columns, `", "`), table)
	return q.EachRow(ctx, query, func(engine.Scan) error { return nil }) == nil
}

package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A schemaRow is what SQLite keeps of a table, index or trigger.
type schemaRow struct{ kind, name, table, sql string }

// row is what SQLite keeps of the object.
func (o object) row() schemaRow {
	words := strings.Fields(strings.Replace(o.sql, " UNIQUE ", " ", 1))
	r := schemaRow{kind: strings.ToLower(words[1]), name: o.name, table: o.name, sql: o.sql}
	if _, rest, found := strings.Cut(o.sql, " ON "); found && r.kind != "table" {
		r.table = strings.Fields(rest)[0]
	}
	return r
}

func (o object) isTrigger() bool { return o.row().kind == "trigger" }

// alteredSchema compares every table, index and trigger with what this version makes, to the letter, and names those
// that are gone, other or too many. A trigger that is gone is thereby found before anything relies on it. The error is
// ErrAltered if the store cannot even be read with what there is.
func alteredSchema(ctx context.Context, q querier) ([]string, error) {
	altered, there, err := compareSchema(ctx, q)
	if err != nil || len(altered) == 0 {
		return nil, err
	}
	for _, o := range schemaObjects() {
		if !o.isTrigger() && !there[o.name] {
			return nil, ErrAltered
		}
	}
	for table, columns := range readColumns() {
		if !selects(ctx, q, table, columns) {
			return nil, ErrAltered
		}
	}
	slices.Sort(altered)
	return altered, nil
}

// compareSchema lists what is not as wanted, and what is there.
func compareSchema(ctx context.Context, q querier) (altered []string, there map[string]bool, err error) {
	want := map[string]schemaRow{}
	for _, o := range schemaObjects() {
		want[o.name] = o.row()
	}
	there = map[string]bool{}
	const query = "SELECT type, name, tbl_name, coalesce(sql, '') FROM main.sqlite_schema"
	err = eachRow(ctx, q, query, func(scan func(...any) error) error {
		var r schemaRow
		if err := scan(&r.kind, &r.name, &r.table, &r.sql); err != nil {
			return err
		}
		there[r.name] = true
		switch wanted, known := want[r.name]; {
		case !known && !r.implied():
			altered = append(altered, "An added table, index or trigger")
		case known && wanted != r:
			altered = append(altered, r.name)
		}
		return nil
	})
	for name := range want {
		if !there[name] {
			altered = append(altered, name)
		}
	}
	return altered, there, err
}

// implied tells whether the row is of an index that SQLite makes on its own for a table.
func (r *schemaRow) implied() bool {
	return r.sql == "" && r.kind == "index" && strings.HasPrefix(r.name, "sqlite_autoindex_"+r.table+"_")
}

// selects tells whether the columns can be read at all.
func selects(ctx context.Context, q querier, table string, columns []string) bool {
	rows, err := q.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM main.%s LIMIT 0", quoteAll(columns), table))
	if err != nil {
		return false
	}
	return errors.Join(rows.Err(), rows.Close()) == nil
}

package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// alteredSchema compares every table, index and trigger with what this version makes, to the letter, and names those
// that are gone, other or too many. A trigger that is gone is thereby found before anything relies on it. The error is
// ErrAltered if the store cannot even be read with what there is.
func alteredSchema(ctx context.Context, q querier) ([]string, error) {
	objects := schemaObjects()
	want := map[string]string{}
	for _, o := range objects {
		want[o.name] = o.sql
	}
	altered, there, err := compareSchema(ctx, q, want)
	if err != nil || len(altered) == 0 {
		return nil, err
	}
	for _, o := range objects {
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
func compareSchema(ctx context.Context, q querier, want map[string]string) (altered []string, there map[string]bool, err error) {
	rows, err := q.QueryContext(ctx, "SELECT name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	there = map[string]bool{}
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, nil, err
		}
		there[name] = true
		switch wanted, known := want[name]; {
		case !known:
			altered = append(altered, "An added table, index or trigger")
		case wanted != text:
			altered = append(altered, name)
		}
	}
	for name := range want {
		if !there[name] {
			altered = append(altered, name)
		}
	}
	return altered, there, rows.Err()
}

func (o object) isTrigger() bool { return strings.HasPrefix(o.sql, "CREATE TRIGGER ") }

// selects tells whether the columns can be read at all.
func selects(ctx context.Context, q querier, table string, columns []string) bool {
	rows, err := q.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM main.%s LIMIT 0", quoteAll(columns), table))
	if err != nil {
		return false
	}
	return errors.Join(rows.Err(), rows.Close()) == nil
}

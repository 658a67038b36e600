package selftest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"

	_ "modernc.org/sqlite" // the driver, for looking at a store as another program does

	"docket/domain"
)

// A tableFile is a store's file as any program with SQLite sees it: without this program's own guards.
type tableFile struct{ *sql.DB }

func openFile(path string) (tableFile, error) {
	name := (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "mode=rw&_pragma=busy_timeout(10000)"}).String()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return tableFile{}, err
	}
	db.SetMaxOpenConns(1)
	return tableFile{db}, nil
}

// A content is how many rows a table has, and the hash of their documents in order.
type content struct {
	rows int
	hash domain.Hash
}

// contents are those of the packet and enforcement tables of a store's file.
func contents(ctx context.Context, path string) (found map[domain.Table]content, err error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	found = map[domain.Table]content{}
	for _, table := range domain.Tables.All() {
		documents, err := file.texts(ctx, fmt.Sprintf("SELECT document FROM main.%s ORDER BY rowid", table))
		if err != nil {
			return nil, err
		}
		found[table] = content{len(documents), domain.HashOf(encoded(documents))}
	}
	return found, nil
}

// texts are the values of the first column of a query.
func (f tableFile) texts(ctx context.Context, query string, arguments ...any) (texts []string, err error) {
	rows, err := f.QueryContext(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}

// oneMore holds two looks at a store to one more row in that table and no other change.
func oneMore(before, after map[domain.Table]content, table domain.Table) error {
	if grown := after[table].rows - before[table].rows; grown != 1 {
		return fmt.Errorf("recording adds %d rows to %s", grown, table)
	}
	rest := maps.Clone(after)
	rest[table] = before[table]
	if !maps.Equal(rest, before) {
		return errors.New("recording changes another table")
	}
	return nil
}

// unwritten does some work and holds a store's file to not having been written meanwhile: not one transaction was committed.
func unwritten(ctx context.Context, path string, work func() error) (err error) {
	file, err := openFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	before, err := file.texts(ctx, "PRAGMA data_version")
	if err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	after, err := file.texts(ctx, "PRAGMA data_version")
	if err == nil && !slices.Equal(before, after) {
		err = errors.New("the store was written")
	}
	return err
}

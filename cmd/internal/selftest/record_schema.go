package selftest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver, for looking at a store as another program does

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/wording"
)

// recordSchema checks the enforcement table of an area in a store's file, as another program sees it, and how strictly
// its records are read.
func recordSchema(area terms.Area) check {
	return func(ctx context.Context, b *bench) (evidence string, err error) {
		s, o, sub, err := b.withRecord(ctx, area)
		if err != nil {
			return "", err
		}
		if err := s.Close(); err != nil {
			return "", err
		}
		file, err := openFile(o.Path)
		if err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		table := terms.EnforcementTable(area)
		members, err := file.columns(ctx, table, area)
		if err != nil {
			return "", err
		}
		changes, err := file.changes(ctx, o.Path, table)
		if err != nil {
			return "", err
		}
		documents, err := file.texts(ctx, fmt.Sprintf("SELECT document FROM main.%s", table))
		if err != nil {
			return "", err
		}
		if len(documents) != 1 || documents[0] != string(sub.Record.Document()) {
			return "", errors.New("what the table holds is not the record that was signed")
		}
		refused, err := b.recordRead(area, []byte(documents[0]))
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("STRICT with %s; %s refused; a record reads back to its bytes, %s refused",
			wording.Plural(members, "generated column", "generated columns"), wording.Plural(changes, "changing statement", "changing statements"), wording.Plural(refused, "altered record", "altered records")), nil
	}
}

// columns checks that a table is STRICT, with one generated column for each member of the area's records.
func (f tableFile) columns(ctx context.Context, table terms.Table, area terms.Area) (int, error) {
	strict, err := f.texts(ctx, "SELECT strict FROM pragma_table_list WHERE schema = 'main' AND name = ?", table.String())
	if err != nil {
		return 0, err
	}
	if !slices.Equal(strict, []string{"1"}) {
		return 0, fmt.Errorf("%s is not a STRICT table", table)
	}
	// hidden is 2 for a generated column that is not stored.
	generated, err := f.texts(ctx, "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 2 ORDER BY name", table.String())
	if err != nil {
		return 0, err
	}
	var members []string
	for _, member := range records.EnforcementShape(area).Members {
		members = append(members, member.Name)
	}
	if slices.Sort(members); !slices.Equal(generated, members) || len(members) == 0 {
		return 0, fmt.Errorf("%s has %s for %s", table, wording.Plural(len(generated), "generated column", "generated columns"), wording.Plural(len(members), "member", "members"))
	}
	return len(members), nil
}

// changingStatements are statements that an attacker with the file may try; %s is the table.
var changingStatements = []struct{ name, statement string }{
	{"UPDATE", `UPDATE main.%s SET document = replace(document, '"gate":"pass"', '"gate":"blocked"')`},
	{"DELETE", "DELETE FROM main.%s"},
	{"REPLACE", "REPLACE INTO main.%[1]s (sequence, document) SELECT sequence, document FROM main.%[1]s"},
	{"INSERT OR REPLACE", "INSERT OR REPLACE INTO main.%[1]s (sequence, document) SELECT sequence + 1, document FROM main.%[1]s"},
	{"UPDATE OR REPLACE", "UPDATE OR REPLACE main.%s SET sequence = sequence + 1"},
}

// changes tries to change the one row. Each attempt has to fail and to change nothing.
func (f tableFile) changes(ctx context.Context, path string, table terms.Table) (int, error) {
	before, err := contents(ctx, path)
	if err != nil {
		return 0, err
	}
	for _, try := range changingStatements {
		if _, err := f.ExecContext(ctx, fmt.Sprintf(try.statement, table)); err == nil {
			return 0, fmt.Errorf("%s takes %s", table, try.name)
		}
	}
	after, err := contents(ctx, path)
	if err == nil && !maps.Equal(before, after) {
		err = fmt.Errorf("a refused statement changed %s", table)
	}
	return len(changingStatements), err
}

// recordRead checks that the reader of records reads this one back to the same bytes, and refuses each copy with a
// missing, wrongly typed, unknown or doubled member.
func (b *bench) recordRead(area terms.Area, document []byte) (refused int, err error) {
	again, err := b.readRecord(area, document)
	if err != nil {
		return 0, err
	}
	if !bytes.Equal(again.Document(), document) {
		return 0, errors.New("a record that was read is written with other bytes")
	}
	record, err := decoded(document)
	if err != nil {
		return 0, err
	}
	type copied struct {
		what string
		text []byte
	}
	copies := []copied{
		{"an unknown member", encoded(edited(record, canary, canary))},
		{"a double member", twice(document)},
		{"bytes behind it", append(bytes.Clone(document), ' ')},
	}
	for _, member := range records.EnforcementShape(area).Members {
		copies = append(copies, copied{fmt.Sprintf("no %s", member.Name), encoded(edited(record, member.Name, removed{}))},
			copied{fmt.Sprintf("a wrong type in %s", member.Name), encoded(edited(record, member.Name, wrongFor(record[member.Name])))})
	}
	for _, c := range copies {
		_, err := b.readRecord(area, c.text)
		if err == nil {
			return 0, fmt.Errorf("a record with %s is taken", c.what)
		}
		if !errors.Is(err, records.ErrEnforcement) {
			return 0, fmt.Errorf("a record with %s is not refused as one", c.what)
		}
		if strings.Contains(err.Error(), canary) {
			return 0, fmt.Errorf("the refusal of a record with %s repeats it", c.what)
		}
	}
	return len(copies), nil
}

// wrongFor returns a value of another type than the given one.
func wrongFor(value any) any {
	switch value.(type) {
	case object, []any:
		return canary
	}
	return object{canary: canary}
}

// twice writes an object's first member a second time.
func twice(text []byte) []byte {
	comma := bytes.IndexByte(text, ',')
	if comma < 0 {
		return text
	}
	return slices.Concat([]byte("{"), text[1:comma+1], text[1:])
}

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
	hash terms.Hash
}

// contents returns those of the packet and enforcement tables of a store's file.
func contents(ctx context.Context, path string) (found map[terms.Table]content, err error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	found = map[terms.Table]content{}
	for _, table := range terms.Tables.All() {
		documents, err := file.texts(ctx, fmt.Sprintf("SELECT document FROM main.%s ORDER BY rowid", table))
		if err != nil {
			return nil, err
		}
		found[table] = content{len(documents), terms.HashOf(encoded(documents))}
	}
	return found, nil
}

// texts returns the values of the first column of a query.
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

// oneMore checks that the second of two contents has one more row in a table and no other change.
func oneMore(before, after map[terms.Table]content, table terms.Table) error {
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

// unwritten does some work and checks that no transaction was committed to a store's file meanwhile.
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

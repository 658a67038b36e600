package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/store/disk"
	"docket/store/engine"
)

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed roles.sql
var roles string

//go:embed describe.sql
var describing string

// described is the schema as describe writes it for a new store.
//
//go:embed schema.txt
var described string

// SchemaVersion is the number of the last file of migrations; each is applied once, in order.
const SchemaVersion = 1

// DDL returns all statements that make the schema in a database without one, for a person to read,
// or to run in one transaction as a login that may make roles and schemas.
func DDL() string {
	return "BEGIN;\n\n" + strings.Join(found{}.steps(), "\n") + "\nCOMMIT;\n"
}

type found struct {
	schema  bool  // there is a schema of the name
	version int64 // of docket's schema; 0 if it is none
	filled  bool  // it holds a store
}

func (f found) state() engine.State {
	if !f.schema || f.version == SchemaVersion && !f.filled {
		return engine.Empty
	}
	return engine.StateOf(f.version, SchemaVersion)
}

// steps returns the statements for one transaction with the fill of a new store: libraries for
// migrations commit each on their own connection.
func (f found) steps() (list []string) {
	if !f.schema {
		list = append(list, roles)
	}
	if f.version < SchemaVersion {
		list = append(list, "SET LOCAL ROLE "+ownerRole+";\n")
	}
	for version := f.version + 1; version <= SchemaVersion; version++ {
		text, err := migrations.ReadFile(fmt.Sprintf("migrations/%d.sql", version))
		if err != nil {
			panic(err) // it is a part of the program
		}
		list = append(list, string(text), fmt.Sprintf("INSERT INTO docket.docket_schema (version) VALUES (%d);\n", version))
	}
	return list
}

// look reads what the database holds in the role of the login, and a store as a reader.
func look(ctx context.Context, t *transaction) (f found, err error) {
	ours := false
	const query = "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'docket'), EXISTS (SELECT 1 FROM pg_tables" +
		" WHERE schemaname = 'docket' AND tablename = 'docket_schema' AND tableowner = '" + ownerRole + "')"
	if err := t.Row(ctx, query, nil, &f.schema, &ours); err != nil || !ours {
		return f, err
	}
	if err := t.run(ctx, "SET LOCAL ROLE "+readerRole); err != nil {
		return f, err
	}
	err = t.Row(ctx,
		"SELECT (SELECT coalesce(max(version), 0) FROM docket.docket_schema), EXISTS (SELECT 1 FROM docket.docket_meta)",
		nil, &f.version, &f.filled)
	return f, err
}

// Inspect reads the database through its own connection, changing nothing.
func (d *DB) Inspect(ctx context.Context) (state engine.State, err error) {
	err = d.alone(ctx, func(t *transaction) error {
		f, err := look(ctx, t)
		state = f.state()
		return err
	})
	return state, err
}

// alone runs do in the login's role on its own connection, and rolls back what is not committed.
func (d *DB) alone(ctx context.Context, do func(t *transaction) error) (err error) {
	pool, err := d.open(ctx, "", 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	t, err := d.begin(ctx, pool, writing, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.End()) }()
	return do(t)
}

// Migrate makes the roles and the schema if they are missing, and brings an older schema to this
// version, in one transaction. Its login has to be allowed to make roles and schemas; later a
// member of docket_owner suffices. It returns the versions before and after.
func (d *DB) Migrate(ctx context.Context) (before, after int, err error) {
	err = d.alone(ctx, func(t *transaction) error {
		f, err := look(ctx, t)
		if err != nil {
			return err
		}
		before, after = int(f.version), SchemaVersion
		if f.version > SchemaVersion {
			return &disk.Problem{Path: d.Name(), Kind: disk.ErrNewer, Advice: "use the docket that wrote it, or a later one"}
		}
		if f.schema && f.version == 0 {
			return &disk.Problem{Path: d.Name(), Kind: disk.ErrNotAStore,
				Advice: "it has a schema docket that is not docket's own; name another database"}
		}
		if err := migrate(ctx, t, f); err != nil {
			return err
		}
		return t.Commit()
	})
	return before, after, err
}

// migrate brings the schema to this version, and leaves the transaction in the role of the owner.
func migrate(ctx context.Context, t *transaction, f found) error {
	for _, statements := range append([]string{"RESET ROLE"}, f.steps()...) {
		if err := t.run(ctx, statements); err != nil {
			return err
		}
	}
	return nil
}

// Create makes the schema, if it is missing, and fills it, in one transaction. made is false if
// another process made a store of it just before, and after an error. If the schema exists, the
// rights of docket_writer suffice.
func (d *DB) Create(ctx context.Context, fill engine.Work) (made bool, err error) {
	err = d.alone(ctx, func(t *transaction) error {
		f, err := look(ctx, t)
		if err != nil || f.state() != engine.Empty {
			return err
		}
		if err := migrate(ctx, t, f); codeOf(err) == "42P06" || codeOf(err) == "23505" { // made meanwhile
			return nil
		} else if err != nil {
			return err
		}
		if err := t.run(ctx, "SET LOCAL ROLE "+writerRole); err != nil {
			return err
		}
		if err := t.Row(ctx, lockHead, nil, new(int64)); err != nil {
			return err
		}
		if err := t.Row(ctx, "SELECT 1 FROM docket.docket_meta LIMIT 1", nil, new(int64)); !errors.Is(err, engine.ErrNoRow) {
			return err
		}
		if err := fill(ctx, t.Tx); err != nil {
			return err
		}
		err = t.Commit()
		made = err == nil
		return err
	})
	return made, err
}

// describe returns the schema as sorted lines, one for each table, column, constraint and so on.
func describe(ctx context.Context, q engine.Tx) ([]string, error) {
	lines, err := engine.List[string](ctx, q, describing)
	slices.Sort(lines)
	return lines, err
}

// Altered compares the schema, line by line, with that of a new store.
func (*transaction) Altered(ctx context.Context, q engine.Tx) ([]string, error) {
	there, err := describe(ctx, q)
	if err != nil {
		return nil, err
	}
	due := strings.Split(strings.TrimSuffix(described, "\n"), "\n")
	var altered []string
	for _, line := range due {
		if _, held := slices.BinarySearch(there, line); held {
			continue
		}
		altered = append(altered, thing(line))
		if strings.HasPrefix(line, "column ") && !slices.ContainsFunc(there, func(l string) bool { return thing(l) == thing(line) }) {
			return nil, disk.ErrAltered // without the column the store cannot be read
		}
	}
	for _, line := range there {
		if _, known := slices.BinarySearch(due, line); !known && !slices.Contains(altered, thing(line)) {
			altered = append(altered, fmt.Sprintf("An added %s", strings.Fields(line)[0]))
		}
	}
	slices.Sort(altered)
	return slices.Compact(altered), nil
}

// thing returns the first two words of a line of a description, such as "column TABLE.COLUMN".
func thing(line string) string { return strings.Join(strings.Fields(line)[:2], " ") }

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

// described is the schema as describe writes it for a new store.
//
//go:embed schema.txt
var described string

// SchemaVersion is the number of the last file of migrations, which are applied in their order, each once, and only forward.
const SchemaVersion = 1

// migration returns the statements that turn the earlier version into a version. They and the fill of a new store are
// one transaction; libraries for migrations are not used because each of them commits on its own connection.
func migration(version int) (string, error) {
	text, err := migrations.ReadFile(fmt.Sprintf("migrations/%d.sql", version))
	return string(text), err
}

// DDL returns all statements that make the schema in a database without one, for a person to read, or to run in one
// transaction as a login that may make roles and schemas.
func DDL() (string, error) {
	text := "BEGIN;\n\n" + roles + "\nSET LOCAL ROLE " + ownerRole + ";\n"
	for version := 1; version <= SchemaVersion; version++ {
		one, err := migration(version)
		if err != nil {
			return "", err
		}
		text += "\n" + one + "\n" + noteVersion(version) + ";\n"
	}
	return text + "\nCOMMIT;\n", nil
}

func noteVersion(version int) string {
	return fmt.Sprintf("INSERT INTO docket.docket_schema (version) VALUES (%d)", version)
}

// A found says what a database holds.
type found struct {
	schema  bool  // there is a schema of the name
	version int64 // of docket's schema; 0 if it is none
	filled  bool  // it holds a store
}

func (f found) state() engine.State {
	switch {
	case !f.schema, f.version == SchemaVersion && !f.filled:
		return engine.Empty
	case f.version < 1:
		return engine.Foreign
	case f.version < SchemaVersion:
		return engine.Older
	case f.version > SchemaVersion:
		return engine.Newer
	}
	return engine.Current
}

// look reads what the database holds, on a connection in the role of the login, and as a reader if there is a store to
// read.
func look(ctx context.Context, t *transaction) (f found, err error) {
	ours := false
	const query = "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'docket'), EXISTS (SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace" +
		" JOIN pg_roles AS r ON r.oid = c.relowner WHERE n.nspname = 'docket' AND c.relname = 'docket_schema' AND r.rolname = '" + ownerRole + "')"
	if err := t.Row(ctx, query, nil, &f.schema, &ours); err != nil || !ours {
		return f, err
	}
	if err := t.run(ctx, "SET LOCAL ROLE "+readerRole); err != nil {
		return f, err
	}
	err = t.Row(ctx, "SELECT (SELECT coalesce(max(version), 0) FROM docket.docket_schema), EXISTS (SELECT 1 FROM docket.docket_meta)", nil, &f.version, &f.filled)
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

// alone runs do in a transaction on its own connection, in the role of the login. What do does not commit is rolled
// back.
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

// Migrate makes the roles and the schema if they are missing, and brings an older schema to this version, in one
// transaction. Its login has to be allowed to make roles and schemas; later a member of docket_owner suffices. It
// returns the versions before and after.
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
			return &disk.Problem{Path: d.Name(), Kind: disk.ErrNotAStore, Advice: "it has a schema docket that is not docket's own; name another database"}
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
	if err := t.run(ctx, "RESET ROLE"); err != nil {
		return err
	}
	if !f.schema {
		if err := t.run(ctx, roles); err != nil {
			return err
		}
	}
	if int(f.version) == SchemaVersion {
		return nil
	}
	if err := t.run(ctx, "SET LOCAL ROLE "+ownerRole); err != nil {
		return err
	}
	for version := int(f.version) + 1; version <= SchemaVersion; version++ {
		text, err := migration(version)
		if err == nil {
			err = t.run(ctx, text)
		}
		if err == nil {
			err = t.run(ctx, noteVersion(version))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Create makes the schema, if it is missing, and fills it, in one transaction. made is false if another process made a
// store of it just before, and after an error. If the schema exists, the rights of docket_writer suffice.
func (d *DB) Create(ctx context.Context, fill engine.Work) (made bool, err error) {
	err = d.alone(ctx, func(t *transaction) error {
		f, err := look(ctx, t)
		if err != nil || f.state() != engine.Empty {
			return err
		}
		if err := migrate(ctx, t, f); codeOf(err) == "42P06" || codeOf(err) == "23505" { // another process made it meanwhile
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

// describing selects a line for each object of the schema: its kind, its name, and its properties except those that
// servers write differently.
const describing = `
WITH ours AS (SELECT oid, relname, relkind, relowner, relacl FROM pg_class WHERE relnamespace = 'docket'::regnamespace AND relkind IN ('r', 'v', 'm', 'S', 'p', 'f'))
SELECT 'table ' || relname || ' kind ' || relkind::text || ' owner ' || pg_get_userbyid(relowner) || ' rights ' ||
  coalesce((SELECT string_agg(CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END || ' ' || privilege_type, ', '
    ORDER BY CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END COLLATE "C", privilege_type COLLATE "C")
    FROM aclexplode(relacl) WHERE grantee <> relowner), 'none') FROM ours
UNION ALL SELECT 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attcollation = 0 THEN '' ELSE ' collation ' || collname END ||
  CASE WHEN attnotnull THEN ' required' ELSE '' END || CASE WHEN attacl IS NULL THEN '' ELSE ' rights' END || CASE attgenerated WHEN '' THEN '' ELSE ' generated' END
  FROM ours JOIN pg_attribute ON attrelid = ours.oid LEFT JOIN pg_collation ON pg_collation.oid = attcollation WHERE attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'constraint ' || relname || '.' || conname || ' ' || contype::text || CASE WHEN convalidated THEN '' ELSE ' unchecked' END ||
  ' columns ' || coalesce((SELECT string_agg(attname, ' ' ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS k (number, place) JOIN pg_attribute ON attrelid = conrelid AND attnum = number), '')
  FROM ours JOIN pg_constraint ON conrelid = ours.oid WHERE contype <> 'n'
UNION ALL SELECT 'index ' || ours.relname || '.' || c.relname || CASE WHEN indisunique THEN ' unique' ELSE '' END || CASE WHEN indisvalid AND indisready THEN '' ELSE ' unusable' END ||
  ' columns ' || (SELECT string_agg(coalesce(attname, 'expression') || CASE WHEN indoption[place - 1] & 1 = 1 THEN ' down' ELSE '' END, ', ' ORDER BY place)
    FROM unnest(indkey::int2[]) WITH ORDINALITY AS k (number, place) LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number) || CASE WHEN indpred IS NULL THEN '' ELSE ' partial' END
  FROM ours JOIN pg_index ON indrelid = ours.oid JOIN pg_class AS c ON c.oid = indexrelid
UNION ALL SELECT 'trigger ' || relname || '.' || tgname || ' type ' || tgtype || ' fires ' || tgenabled::text || ' calls ' || proname || CASE WHEN tgqual IS NULL THEN '' ELSE ' if' END
  FROM ours JOIN pg_trigger ON tgrelid = ours.oid JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal
UNION ALL SELECT 'rule ' || relname || '.' || rulename FROM ours JOIN pg_rewrite ON ev_class = ours.oid
UNION ALL SELECT 'policy ' || relname || '.' || polname FROM ours JOIN pg_policy ON polrelid = ours.oid
UNION ALL SELECT 'function ' || proname || ' owner ' || pg_get_userbyid(proowner) || ' volatile ' || provolatile::text || CASE WHEN prosecdef THEN ' definer' ELSE '' END ||
  ' source ' || encode(sha256(convert_to(prosrc, 'UTF8')), 'hex') || CASE WHEN has_function_privilege('docket_reader', oid, 'EXECUTE') THEN '' ELSE ' refused' END
  FROM pg_proc WHERE pronamespace = 'docket'::regnamespace
UNION ALL SELECT 'schema owner ' || pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'docket'
UNION ALL SELECT 'version ' || version FROM docket.docket_schema`

// describe returns a description of the schema: a line for each table, column, constraint, index, trigger, rule and
// function, sorted.
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

// thing returns the name in a line of a description: that of the table and, after a point, that of its part.
func thing(line string) string { return strings.Join(strings.Fields(line)[:2], " ") }

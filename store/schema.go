package store

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain"
	"docket/domain/shape"
)

// schemaVersion is PRAGMA user_version. It has to be raised whenever the text of schemaObjects changes. Up to 6 it was of
// stores made before the first release: they kept the log's private key in the file, and are refused.
const schemaVersion = 8

// applicationID is PRAGMA application_id: "dock" in ASCII. It tells a store from any other SQLite file.
const applicationID = 0x646f636b

// An object is one table, index or trigger of the schema.
type object struct {
	name string
	sql  string // as SQLite keeps it
}

// schemaObjects is the whole schema in the order in which it is created. A store that holds anything else is not
// written to.
func schemaObjects() []object {
	var objects []object
	for _, table := range domain.Tables.All() {
		objects = append(objects, documentTable(table)...)
	}
	return append(objects, localObjects()...)
}

// A source says where the columns of a document table come from.
type source struct {
	table   domain.Table
	shape   shape.Shape
	at      string // path of the record within the document, with its dot
	key     []string
	local   string // definitions of columns that are not in the document
	refuses []string
	indexes []object
}

// quote makes an identifier of a member's name; some, such as trigger, are words of SQL.
func quote(name string) string { return `"` + name + `"` }

func quoteAll(names []string) string { return quote(strings.Join(names, `", "`)) }

// keyColumns are the columns that name a row: id and number, in that order.
func keyColumns(table domain.Table) (id, number string) {
	if info, ok := domain.Info(table); ok {
		return info.IDMember, info.NumberMember
	}
	if domain.AreaOf(table) == domain.Appeals {
		return "caseId", "caseRevision"
	}
	return "amendmentId", "amendmentRevision"
}

// keyIndex is the index on the key columns; it covers what the queue has to look up.
func keyIndex(table domain.Table) string { return table.String() + "_key" }

// supersedesIndex is the index of an enforcement table on what a record supersedes.
func supersedesIndex(table domain.Table) string { return table.String() + "_supersedes" }

// documentTable builds a table whose rows are documents, with its indexes and guards.
func documentTable(table domain.Table) []object {
	s := sourceOf(table)
	objects := append([]object{s.definition()}, s.indexes...)
	return append(objects, guards(table.String(), s.refuses...)...)
}

// sourceOf is where the columns of a table of documents come from.
func sourceOf(table domain.Table) source {
	if domain.PacketTables.Has(table) {
		return packetSource(table)
	}
	return enforcementSource(table)
}

// readColumns lists the columns of each table that are needed to read a store.
func readColumns() map[string][]string {
	tables := map[string][]string{}
	for _, table := range domain.Tables.All() {
		s := sourceOf(table)
		local, _, _ := strings.Cut(s.local, " ")
		tables[table.String()] = append([]string{"document", local}, s.key...)
	}
	for _, table := range localTables {
		tables[table.name] = table.names()
	}
	return tables
}

func packetSource(table domain.Table) source {
	info, _ := domain.Info(table)
	id, number := keyColumns(table)
	key := []string{id, number}
	return source{
		table: table, shape: info.Shape, at: "$.record.", key: key, local: "importedAt TEXT NOT NULL",
		refuses: []string{same(table.String(), key...)},
		indexes: slices.Concat([]object{index("UNIQUE INDEX", keyIndex(table), table, key...)}, queueIndexes(table),
			relatedIndexes(table, key)),
	}
}

// relatedColumn is the column by which packets of a table belong together; "" if there is none.
func relatedColumn(table domain.Table) string {
	switch table {
	case domain.AppealCases:
		return "subjectId"
	case domain.AmendmentRecords:
		return "agreementId"
	}
	return ""
}

// relatedIndex is the index on that column.
func relatedIndex(table domain.Table) string { return table.String() + "_related" }

func relatedIndexes(table domain.Table, key []string) []object {
	column := relatedColumn(table)
	if column == "" {
		return nil
	}
	return []object{index("INDEX", relatedIndex(table), table, append([]string{column}, key...)...)}
}

func enforcementSource(table domain.Table) source {
	id, number := keyColumns(table)
	return source{
		table: table, shape: domain.EnforcementShape(domain.AreaOf(table)), at: "$.",
		key: []string{"recordId", id, number},
		// Where the record stands in the log: all that belongs to a record is found by this one number.
		local:   "sequence INTEGER PRIMARY KEY",
		refuses: enforcementRefuses(table, supersededAlready(table)),
		indexes: []object{
			index("UNIQUE INDEX", table.String()+"_record", table, "recordId"),
			index("INDEX", keyIndex(table), table, id, number, "recordId"),
			index("INDEX", supersedesIndex(table), table, "supersedes", "recordId"),
		},
	}
}

// enforcementRefuses are the conditions on which a record is refused; again says when another one supersedes the same.
func enforcementRefuses(table domain.Table, again string) []string {
	return []string{same(table.String(), "recordId"), again,
		fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %s WHERE sequence = NEW.sequence AND recordId = NEW.recordId"+
			" AND tableName = '%s')", logTable, table)}
}

// definition writes the table: the document, then a generated column for each member.
func (s *source) definition() object {
	columns := []string{"document TEXT NOT NULL"}
	if s.local != "" {
		columns = append(columns, s.local)
	}
	for i := range s.shape.Members {
		columns = append(columns, s.column(&s.shape.Members[i]))
	}
	name := s.table.String()
	return object{name, fmt.Sprintf("CREATE TABLE %s (\n  %s\n) STRICT", name, strings.Join(columns, ",\n  "))}
}

// column derives a member's column from its form. They are computed when read, not kept: so they cannot disagree
// with the document even in a file that was edited, and importing is not slowed down by writing everything twice.
func (s *source) column(m *shape.MemberShape) string {
	kind := "TEXT"
	if m.Form.Kind == shape.FormVersion || m.Form.Kind == shape.FormFlag {
		kind = "INTEGER"
	}
	text := fmt.Sprintf("%s %s GENERATED ALWAYS AS (json_extract(document, '%s%s')) VIRTUAL",
		quote(m.Name), kind, s.at, m.Name)
	for _, key := range s.key {
		if key == m.Name {
			return text + " NOT NULL"
		}
	}
	return text
}

func index(kind, name string, table domain.Table, columns ...string) object {
	return object{name, fmt.Sprintf("CREATE %s %s ON %s (%s)", kind, name, table, quoteAll(columns))}
}

// same is the condition that a row with the values of the new one exists.
func same(table string, columns ...string) string {
	tests := make([]string, len(columns))
	for i, column := range columns {
		tests[i] = quote(column) + " = NEW." + quote(column)
	}
	return fmt.Sprintf("EXISTS (SELECT 1 FROM %s WHERE %s)", table, strings.Join(tests, " AND "))
}

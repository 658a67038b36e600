package engine

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
)

//go:embed queries.sql
var shared string

var blocks = parseBlocks(shared)

// A block of SQL is a query, or a word of queries: with what stands for its parameters in them.
type block struct {
	params []string
	text   string
}

// parseBlocks reads blocks, each begun by a line "-- name: N" or "-- name: N(parameters) of table",
// and by lines of comment that say why it is as it is.
func parseBlocks(text string) map[string]block {
	read := map[string]block{}
	for _, part := range strings.Split(text, "-- name: ")[1:] {
		name, part, _ := strings.Cut(part, "\n")
		part, _, _ = strings.Cut(part, "\n\n")
		for strings.HasPrefix(part, "--") {
			_, part, _ = strings.Cut(part, "\n")
		}
		b := block{text: strings.TrimSuffix(strings.TrimRight(part, "\n"), ";")}
		if before, rest, is := strings.Cut(name, "("); is {
			params, table, _ := strings.Cut(rest, ")")
			name, b.params = before+table, strings.Split(params, " | ")
		}
		if _, there := read[name]; there || name == "" {
			panic(fmt.Sprintf("two queries are named %q", name))
		}
		read[name] = b
	}
	return read
}

// A Dialect is how an engine writes the queries.
type Dialect struct {
	own   map[string]block
	texts sync.Map // of queries that were asked, by what they were asked with
}

// NewDialect returns the dialect with the words of a text, in the form of queries.sql.
func NewDialect(own string) *Dialect { return &Dialect{own: parseBlocks(own)} }

// on returns the transaction with the words of a table for its queries, and with more.
func (t Tx) on(table terms.Table, more ...string) Tx {
	t.table, t.words = table, [4]string{}
	copy(t.words[:], more)
	return t
}

// named returns the query of a name; a test holds that there is one.
func (t Tx) named(name string) string {
	dialect, asked := t.flavor.Dialect(), fmt.Sprint(t.table, name, t.words)
	text, there := dialect.texts.Load(asked)
	if !there {
		scope := scopeOf(t.table)
		for i := 0; i < len(t.words); i += 2 {
			scope[t.words[i]] = dialect.expand(t.words[i+1], scope)
		}
		text, _ = dialect.texts.LoadOrStore(asked, dialect.meaning(name, "", scope))
	}
	return text.(string)
}

// keyOf returns the columns with the id and the number of a table of documents.
func keyOf(table terms.Table) (id, number string) {
	if info, ok := packets.Info(table); ok {
		return info.IDMember, info.NumberMember
	}
	if terms.AreaOf(table) == terms.Appeals {
		return "caseId", "caseRevision"
	}
	return "amendmentId", "amendmentRevision"
}

// scopeOf returns the words of a table of documents: {table}, its columns {id} and {number}, its
// area's tables {packets}, {policies} and {records}, {on}, the number in the last, and
// {numbered}, the column of the position in the log.
func scopeOf(table terms.Table) map[string]string {
	if table == 0 {
		return map[string]string{}
	}
	area := terms.AreaOf(table)
	id, number := keyOf(table)
	_, on := keyOf(terms.EnforcementTable(area))
	return map[string]string{"table": table.String(), "id": id, "number": number, "on": on, "packets": terms.RecordTable(area).String(),
		"policies": terms.PolicyTable(area).String(), "records": terms.EnforcementTable(area).String(),
		"settled": Settled(), "numbered": stored(table.String()).Number()}
}

// Settled lists the words of the condition of the indexes of appeals, and therefore of their
// queries: otherwise the deadlines of closed cases would fill the top of the queue.
func Settled() string {
	var list []string
	for _, word := range queue.SettledCaseStatuses() {
		list = append(list, "'"+word.String()+"'")
	}
	return strings.Join(list, ", ")
}

// expand puts its text for each word in braces.
func (d *Dialect) expand(text string, scope map[string]string) string {
	var out strings.Builder
	for {
		before, rest, there := strings.Cut(text, "{")
		out.WriteString(before)
		if !there {
			return out.String()
		}
		end := 0
		for open := 1; open > 0; end++ {
			switch rest[end] {
			case '{':
				open++
			case '}':
				open--
			}
		}
		name, args, _ := strings.Cut(rest[:end-1], " ")
		out.WriteString(d.meaning(name, d.expand(args, scope), scope))
		text = rest[end:]
	}
}

func (d *Dialect) meaning(name, args string, scope map[string]string) string {
	if text, is := scope[name]; is {
		return text
	}
	if name == "of" {
		table, word, _ := strings.Cut(args, " ")
		parsed, _ := terms.Tables.Parse(table)
		return d.expand("{"+word+"}", scopeOf(parsed))
	}
	for _, name := range []string{name + " of " + scope["table"], name} {
		for _, from := range []map[string]block{d.own, blocks} {
			b, is := from[name]
			if !is {
				continue
			}
			within := maps.Clone(scope)
			for i, arg := range strings.Split(args, " | ") {
				if i < len(b.params) {
					within[b.params[i]] = arg
				}
			}
			return d.expand(b.text, within)
		}
	}
	panic("there is no query " + name)
}

// one returns the first row of a named query, or ErrNoRow.
func one[T any](ctx context.Context, t Tx, name string, args ...any) (row T, err error) {
	err = t.get(ctx, name, args, columns(&row)...)
	return row, err
}

func all[T any](ctx context.Context, t Tx, name string, args ...any) ([]T, error) {
	return List[T](ctx, t, t.named(name), args...)
}

func each[T any](ctx context.Context, t Tx, name string, yield func(*T) error, args ...any) error {
	return eachOf(ctx, t, t.named(name), yield, args...)
}

// get reads the first row of a named query, or returns ErrNoRow.
func (t Tx) get(ctx context.Context, name string, args []any, into ...any) error {
	return t.Row(ctx, t.named(name), args, into...)
}

// add runs a named statement that has to change exactly one row.
func (t Tx) add(ctx context.Context, name string, args ...any) error {
	return t.Exec1(ctx, t.named(name), args...)
}

func (t Tx) run(ctx context.Context, name string, args ...any) (changed int64, err error) {
	return t.Exec(ctx, t.named(name), args...)
}

// listed is a list as one argument: a JSON array.
func listed[T int64 | string | []any](list []T) string {
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // numbers and texts have a form in JSON
	}
	return string(text)
}

package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"docket/store/engine"

	"github.com/jackc/pgx/v5/pgconn"
)

// asked is a query to be read ahead.
type asked struct {
	query string
	args  []any
}

func (a *asked) name() string { return fmt.Sprintf("%q %s", a.args, a.query) }

// answered are the rows of a query that were read ahead, as the server sent them.
type answered struct {
	fields []pgconn.FieldDescription
	rows   [][][]byte
	left   int // how often they may be taken
}

// Ahead implements engine.Tx: it collects the queries of ask and sends them in one pipeline, the same query with
// different arguments as one.
func (t *transaction) Ahead(ctx context.Context, ask func(ctx context.Context, tx engine.Tx)) (err error) {
	var list []asked
	ask(ctx, &transaction{conn: t.conn, asking: &list})
	t.ahead = map[string]*answered{}
	var texts []string
	due := map[string]*asking{}
	for i := range list {
		a := &list[i]
		if known := t.ahead[a.name()]; known != nil {
			known.left++
			continue
		}
		if due[a.query] == nil {
			texts, due[a.query] = append(texts, a.query), &asking{}
		}
		rows := &answered{left: 1}
		t.ahead[a.name()] = rows
		due[a.query].add(a.args, rows)
	}
	if len(texts) == 0 {
		return nil
	}
	if err := t.flush(ctx); err != nil {
		return err
	}
	var all []statement
	for _, text := range texts {
		query, args := due[text].statement(text)
		all = append(all, statement{-1, query, args})
	}
	t.sent++
	sent := t.conn.send(ctx, all)
	for _, text := range texts {
		if err = due[text].read(sent); err != nil {
			break
		}
	}
	if failed := sent.close(); err == nil {
		err = failed
	}
	if err != nil {
		t.ahead = nil
	}
	return t.failed(err)
}

// asking is a query with the arguments of each call, and its answers.
type asking struct {
	args [][]any
	rows []*answered
}

func (a *asking) add(args []any, rows *answered) {
	a.args, a.rows = append(a.args, args), append(a.rows, rows)
}

// statement returns the query itself for one call; for several it returns a query over lists of the arguments, in which
// each row begins with the number of its arguments.
func (a *asking) statement(query string) (string, []any) {
	if len(a.rows) == 1 {
		return query, a.args[0]
	}
	lists := make([]any, len(a.args[0]))
	var casts, names []string
	for i := len(lists) - 1; i >= 0; i-- {
		name, kind := fmt.Sprintf("p%d", i+1), "text"
		value := "(asked." + name + ` COLLATE "C")`
		if reflect.TypeOf(a.args[0][i]).Kind() == reflect.String {
			lists[i] = columnOf(a.args, i, reflect.Value.String)
		} else {
			kind, value = "bigint", "asked."+name
			lists[i] = columnOf(a.args, i, reflect.Value.Int)
		}
		query = strings.ReplaceAll(query, fmt.Sprintf("$%d", i+1), value)
		casts, names = append(casts, fmt.Sprintf("$%d::%s[]", i+1, kind)), append(names, name)
	}
	slices.Reverse(casts)
	slices.Reverse(names)
	return fmt.Sprintf("SELECT asked.n, answer.* FROM unnest(%s) WITH ORDINALITY AS asked (%s, n) CROSS JOIN LATERAL (%s) AS answer",
		strings.Join(casts, ", "), strings.Join(names, ", "), query), lists
}

// columnOf returns one argument of all calls.
func columnOf[T any](args [][]any, place int, of func(reflect.Value) T) (column []T) {
	for _, one := range args {
		column = append(column, of(reflect.ValueOf(one[place])))
	}
	return column
}

// read keeps the rows of the next statement of a batch.
func (a *asking) read(sent *batch) error {
	rows, err := sent.next()
	if err != nil {
		return err
	}
	fields := slices.Clone(rows.FieldDescriptions())
	if len(a.rows) > 1 {
		fields = fields[1:]
	}
	for _, of := range a.rows {
		of.fields = fields
	}
	for rows.NextRow() {
		values := slices.Clone(rows.Values())
		for i, value := range values {
			values[i] = slices.Clone(value)
		}
		of := a.rows[0]
		if len(a.rows) > 1 {
			of, values = a.rows[binary.BigEndian.Uint64(values[0])-1], values[1:]
		}
		of.rows = append(of.rows, values)
	}
	_, err = rows.Close()
	return err
}

// takeAhead returns the answer to a query that was read ahead, or nil.
func (t *transaction) takeAhead(query string, args []any) *answered {
	if len(t.ahead) == 0 {
		return nil
	}
	a := t.ahead[(&asked{query, args}).name()]
	if a == nil || a.left == 0 {
		return nil
	}
	a.left--
	return a
}

// each calls look for each row.
func (a *answered) each(look func(scan engine.Scan) error) error {
	for _, values := range a.rows {
		err := look(func(into ...any) error { return scanRow(a.fields, values, into) })
		if err != nil {
			return err
		}
	}
	return nil
}

// errAsking says that a statement which writes was to be read ahead.
var errAsking = errors.New("only what reads is asked ahead")

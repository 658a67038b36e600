package queue

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"docket/domain/json"
	"docket/domain/pages"
	"docket/domain/terms"
)

// Boards are what goes out of the boards of both dockets, as they were filtered and sorted.
type Boards struct {
	Filter string
	List   []*Board
}

func (l *BoardLine) document(area terms.Area) json.Object {
	o := json.Of("docket", area.String())
	for i := range BoardColumns {
		o = o.With(BoardColumns[i].Member, BoardColumns[i].value(l))
	}
	return o
}

// Document is the boards as one JSON document.
func (b *Boards) Document() []byte {
	var dockets []json.Object
	at := terms.Instant{}
	for _, board := range b.List {
		var lines []json.Object
		for i := range board.Lines {
			lines = append(lines, board.Lines[i].document(board.Area)[1:])
		}
		at = board.At
		dockets = append(dockets, json.Of("docket", board.Area.String(), "open", board.Open, "blocked", board.Blocked,
			"unreadable", board.Unreadable, "blockers", lines))
	}
	return json.Of("at", at.String(), "filter", b.Filter, "dockets", dockets).Indented()
}

// Sheet is the boards as comma-separated values, a line for each blocker.
func (b *Boards) Sheet() (string, error) {
	var lines [][]byte
	for _, board := range b.List {
		for i := range board.Lines {
			lines = append(lines, board.Lines[i].document(board.Area).Text())
		}
	}
	head := BoardLine{}
	return json.Sheet(head.document(terms.Appeals).Text(), lines)
}

const barWidth = 24

// Page is the boards as one self-contained web page, with the blockers that hold anything or did.
func (b *Boards) Page() string {
	d := pages.Page{Title: "What blocks the open cases"}
	for _, board := range b.List {
		heads, largest, table := []string{}, 1, &pages.Table{Caption: board.Counts()}
		for i := range BoardColumns {
			if heads = append(heads, strings.ToLower(BoardColumns[i].Head)); i == ByHeld {
				heads = append(heads, "")
			}
		}
		table.Heads = heads
		for i := range board.Lines {
			largest = max(largest, board.Lines[i].Held)
		}
		for i := range board.Lines {
			if l := &board.Lines[i]; !l.Empty() {
				cells := l.Cells(func(at terms.Instant) string { return at.Time().Format(time.DateOnly) })
				bar := strings.Repeat("█", (l.Held*barWidth+largest-1)/largest)
				table.Rows = append(table.Rows, append(append(append([]string{}, cells[:ByHeld+1]...), bar), cells[ByHeld+1:]...))
			}
		}
		d.Parts = append(d.Parts, pages.Part{Title: strings.ToUpper(board.Area.String()[:1]) + board.Area.String()[1:],
			Blocks: []pages.Block{{Table: table}}})
		if d.Notices == nil {
			d.Notices = []string{fmt.Sprintf("As of %s.", board.At)}
			if b.Filter != "" {
				d.Notices = append(d.Notices, fmt.Sprintf("Only what the filter lets through: %s", b.Filter))
			}
		}
	}
	return d.HTML()
}

// Counts says how many cases are open and blocked.
func (b *Board) Counts() string {
	text := fmt.Sprintf("%d open, of which %d blocked", b.Open, b.Blocked)
	if b.Unreadable > 0 {
		text += fmt.Sprintf("; %d cannot be read", b.Unreadable)
	}
	return text
}

// Empty reports whether the blocker holds nothing, and held nothing that came in in these weeks.
func (l *BoardLine) Empty() bool { return l.Held == 0 && l.Earlier == 0 && l.Weeks == [Weeks]int{} }

// Cells are the columns of a line for reading; when writes a time.
func (l *BoardLine) Cells(when func(at terms.Instant) string) []string {
	cells := make([]string, len(BoardColumns))
	for i := range BoardColumns {
		switch v := BoardColumns[i].value(l).(type) {
		case int:
			cells[i] = strconv.Itoa(v)
		case []any:
			cells[i] = strings.Trim(fmt.Sprint(v), "[]")
		case string:
			cells[i] = v
			if at, is := terms.ParseInstant(v); is {
				cells[i] = when(at)
			}
		}
	}
	return cells
}

var errBoardForm = errors.New("the name of the file must end in .csv, .json or .html")

// File is the boards in the form that the ending of a file's name says.
func (b *Boards) File(name string) (string, error) {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv":
		return b.Sheet()
	case ".json":
		return string(b.Document()), nil
	case ".html":
		return b.Page(), nil
	}
	return "", errBoardForm
}

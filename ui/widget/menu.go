package widget

import (
	"strings"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
)

// A Menu lists rows, narrows them as the reader types, and carries out the one under the cursor:
// actions, saved filters, texts of one's own.
type Menu struct {
	title, verb   string // verb: what Enter does
	rows          []Row
	labels, codes int // widths of the first two columns
	editor        *Editor
	list          List
}

// A Row is a line of a Menu.
type Row struct {
	Label string
	Codes string // keys, or ""
	Text  string
	Why   string // why it cannot be chosen; "" if it can
	Does  screen.Then
}

const (
	labelWithCodes = 15
	mostCodes      = 13
	labelAlone     = 24
)

func NewMenu(title, verb string, rows []Row) *Menu {
	m := &Menu{title: title, verb: verb, rows: rows, editor: NewEditor("❯ ", "type to filter", "")}
	for _, row := range rows {
		m.labels = min(max(m.labels, line.Width(row.Label)+2), labelAlone)
		if row.Codes != "" {
			m.codes = min(max(m.codes, line.Width(row.Codes)+1), mostCodes)
			m.labels = labelWithCodes
		}
	}
	return m
}

// found lists rows with every word typed, then those whose label only has its letters in order.
func (m *Menu) found() []Row {
	var whole, letters []Row
	for _, row := range m.rows {
		text, label := strings.ToLower(row.Label+" "+row.Text+" "+row.Codes), strings.ToLower(row.Label)
		holds, has := true, true
		for word := range strings.FieldsSeq(strings.ToLower(m.editor.Text())) {
			held := strings.Contains(text, word)
			holds, has = holds && held, has && (held || inOrder(word, label))
		}
		switch {
		case holds:
			whole = append(whole, row)
		case has:
			letters = append(letters, row)
		}
	}
	return append(whole, letters...)
}

func inOrder(word, text string) bool {
	for _, letter := range word {
		_, after, is := strings.Cut(text, string(letter))
		if !is {
			return false
		}
		text = after
	}
	return true
}

func (m *Menu) Press(p action.Press, s *screen.Scene) screen.Cmd {
	found := m.found()
	switch p.Name {
	case "esc":
		return s.Lower()
	case "enter":
		if at := Clamp(m.list.Cursor, len(found)); len(found) > 0 && found[at].Why == "" {
			s.Lower()
			return found[at].Does(s)
		}
	default:
		before := m.editor.Text()
		if m.list.Move(TypingMoves[p.Name], len(found)) {
			return nil
		}
		m.editor.Take(p)
		if m.editor.Text() != before {
			m.list = List{Height: m.list.Height}
		}
	}
	return nil
}

func (m *Menu) Keys() []screen.Key {
	return []screen.Key{{Key: "enter", Label: m.verb}, {Key: "esc", Label: "cancel"},
		{Key: "down", Label: "down"}, {Key: "up", Label: "up"}}
}

func (m *Menu) Box(width, height int) (line.Sheet, int) {
	size := min(width, 90)
	found := m.found()
	room := min(max(height-5, 1), max(len(m.rows), 1))
	sheet := line.Sheet{m.editor.View(size - 4)}
	if height > 10 {
		sheet = append(sheet, line.Rule(size-4))
	}
	sheet = append(sheet, m.list.Rows(len(found), room, size-4, func(i int) line.Line { return m.line(&found[i], size) })...)
	if len(found) == 0 {
		sheet = append(sheet, line.Of(theme.Dim, "  nothing matches"))
	}
	return line.Box(m.title, sheet.Window(0, height-2), size), size
}

func (m *Menu) line(row *Row, size int) line.Line {
	codes, label := theme.Accent, theme.Plain
	if row.Why != "" {
		codes, label = theme.Dim, theme.Dim
	}
	out := line.Of(label, row.Label).Pad(m.labels)
	if m.codes > 0 {
		out = out.Plus(line.Of(codes, row.Codes).Pad(m.codes))
	}
	switch {
	case size < 50:
		return out
	case row.Why != "":
		return out.And(theme.Warn, "✗ "+row.Why)
	}
	return out.And(theme.Dim, row.Text)
}

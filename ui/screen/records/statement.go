package records

import (
	"context"
	"fmt"
	"strings"

	"docket/domain/pages"
	"docket/domain/records"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

type statementScreen struct {
	screen.Silent
	id      records.RecordID
	laid    pages.Page
	sound   bool
	read    bool
	trouble string
	scroll  widget.Scroll

	sheet    line.Sheet // as last drawn, of that width
	width    int
	headings []int // the lines on which sections begin

	sought string // "" for no search
	finds  []int  // lines
	at     int    // the match that was shown last
}

func openStatement(scene *screen.Scene, id records.RecordID) screen.Cmd {
	s := &statementScreen{id: id}
	scene.Show(s)
	return scene.Go("composing a statement", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		laid, sound, err := workbench.Statement(ctx, id)
		return func(*screen.Scene) screen.Cmd {
			if s.read, s.laid, s.sound = err == nil, laid, sound; err != nil {
				s.trouble = err.Error()
			}
			return nil
		}
	})
}

func (s *statementScreen) seek(text string, scene *screen.Scene) screen.Cmd {
	s.sought, s.at = text, -1
	s.draw(scene)
	return s.next(scene, 1)
}

func (s *statementScreen) write(scene *screen.Scene, path string, form pages.Form) screen.Cmd {
	after := ""
	if !s.sound {
		after = "; the record does not verify, as its top says"
	}
	return widget.WriteFile(scene, path, form.Write(&s.laid), after, false)
}

func (s *statementScreen) Place() action.Place { return action.InParties }

func (s *statementScreen) Obstacle(v action.Verb, scene *screen.Scene) string {
	switch v {
	case action.WriteStatement, action.EditFilter:
		switch {
		case s.trouble != "":
			return "the record has none"
		case !s.read:
			return "the statement is still being composed"
		}
	case action.LaterMatch, action.EarlierMatch:
		if s.sought == "" {
			return fmt.Sprintf("no search; %s searches", scene.Key(action.EditFilter, action.InParties))
		}
	}
	return ""
}

func (s *statementScreen) Handle(v action.Verb, scene *screen.Scene) screen.Cmd {
	if s.scroll.Move(v) {
		return nil
	}
	switch v {
	case action.LaterSection, action.EarlierSection:
		s.scroll.ToHeading(s.headings, v == action.LaterSection)
	case action.EditFilter:
		return scene.Raise(&widget.Prompt{Title: "Search the statement", Text: fmt.Sprintf("For which words? %s and %s go from match to match.",
			scene.Key(action.LaterMatch, action.InParties), scene.Key(action.EarlierMatch, action.InParties)),
			Missing: "type what to look for", Editor: widget.NewEditor("/ ", "text in this statement", s.sought),
			Answer: s.seek})
	case action.LaterMatch:
		return s.next(scene, 1)
	case action.EarlierMatch:
		return s.next(scene, -1)
	case action.WriteStatement:
		return widget.Ask(scene, widget.Prompt{Title: "Write the statement to a file",
			Text:    "To which file? The ending sets the format: .txt, .md for Markdown, .html for a web page. Only you can read the file.",
			Missing: "a file is needed", Editor: widget.NewEditor("❯ ", "~/statement.txt", wording.StatementFile(&s.laid))},
			pages.FormOf, s.write)
	case action.GoBack:
		if s.sought != "" {
			s.sought, s.finds, s.sheet = "", nil, nil
			return nil
		}
		return scene.Leave()
	}
	return nil
}

func (s *statementScreen) next(scene *screen.Scene, step int) screen.Cmd {
	count := len(s.finds)
	if count == 0 {
		return scene.Say("✗ nothing in this statement matches")
	}
	s.at = ((s.at+step)%count + count) % count
	row := s.finds[s.at]
	if row < s.scroll.Top || row >= s.scroll.Top+s.scroll.Height {
		s.scroll.To(row - s.scroll.Height/2)
	}
	return scene.Say(fmt.Sprintf("%s of %s", wording.Thousands(s.at+1), wording.Plural(count, "match", "matches")))
}

func (s *statementScreen) Title(scene *screen.Scene) line.Line {
	left := line.Of(theme.Accent, "statement").And(theme.Dim, " to the parties")
	if !s.read || scene.Compact {
		return left
	}
	return line.Spread(left, line.Of(theme.Dim, "record "+string(s.id)), scene.Width)
}

func (s *statementScreen) View(scene *screen.Scene) line.Sheet {
	switch {
	case s.trouble != "":
		return append(line.Sheet{nil}, line.Of(theme.Bad, "✗ "+wording.NoStatement+": ").And(theme.Plain, s.trouble+".").Wrap(scene.Width, 2)...)
	case !s.read:
		return line.Sheet{nil, line.Of(theme.Dim, "  Composing the statement …")}
	}
	s.draw(scene)
	return s.sheet.Window(s.scroll.Window(len(s.sheet), scene.Height), scene.Height)
}

const (
	statementLabel = 28
	widestText     = 90
)

func (s *statementScreen) draw(scene *screen.Scene) {
	width := min(scene.Width, widestText)
	if s.sheet != nil && s.width == width && len(s.finds) == 0 && s.sought == "" {
		return
	}
	s.width, s.sheet, s.headings = width, line.Of(theme.Strong, s.laid.Title).Wrap(width, 0), nil
	for _, notice := range s.laid.Notices {
		s.sheet = append(s.sheet, line.Of(theme.Bad, "! ").And(theme.Plain, notice).Wrap(width, 2)...)
	}
	for i := range s.laid.Parts {
		section := &s.laid.Parts[i]
		s.sheet = append(s.sheet, nil)
		s.headings = append(s.headings, len(s.sheet))
		s.sheet = append(s.sheet, widget.Heading(section.Title, width))
		for j := range section.Blocks {
			if j > 0 {
				s.sheet = append(s.sheet, nil)
			}
			s.sheet = append(s.sheet, blockLines(&section.Blocks[j], section.Title, width)...)
		}
	}
	s.finds = s.finds[:0]
	for row, found := range s.sheet.With(s.sought) {
		if found {
			s.finds = append(s.finds, row)
			s.sheet[row] = s.sheet[row].Marked(s.sought, theme.Accent)
		}
	}
}

func blockLines(b *pages.Block, section string, width int) (sheet line.Sheet) {
	switch {
	case b.Table != nil:
		if b.Table.Caption != section {
			sheet = append(sheet, line.Of(theme.Dim, b.Table.Caption+":"))
		}
		for _, row := range b.Table.Rows {
			last := len(row) - 1
			value := line.Of(theme.Plain, row[last])
			if between := strings.Join(row[1:last], ", "); between != "" {
				value = line.Of(theme.Dim, between+": ").Plus(value)
			}
			pair, _ := widget.Pair(nil, row[0], value, statementLabel, width)
			sheet = append(sheet, pair...)
		}
	case b.Items != nil:
		for _, item := range b.Items {
			sheet = append(sheet, line.Of(theme.Plain, "- "+item).Wrap(width, 2)...)
		}
	case b.Quote != nil:
		for _, text := range b.Quote {
			sheet = append(sheet, line.Of(theme.Dim, "> ").And(theme.Plain, text).Wrap(width, 2)...)
		}
	case b.Command != "":
		return line.Of(theme.Plain, "  "+b.Command).Wrap(width, 4)
	default:
		return line.Of(theme.Plain, b.Text).Wrap(width, 0)
	}
	return sheet
}

func (s *statementScreen) Copies(*screen.Scene) []screen.CopyItem {
	items := []screen.CopyItem{screen.Copy("record", string(s.id))}
	for i := range s.laid.Parts {
		for _, block := range s.laid.Parts[i].Blocks {
			if block.Command != "" {
				items = append(items, screen.Copy("command that checks it", block.Command))
			}
		}
	}
	return items
}

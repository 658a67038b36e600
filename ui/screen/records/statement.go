package records

import (
	"context"

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
	widget.Document
	id      records.RecordID
	laid    pages.Page
	sound   bool
	read    bool
	trouble string
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
		return s.NoSearch(scene)
	}
	return ""
}

func (s *statementScreen) Handle(v action.Verb, scene *screen.Scene) screen.Cmd {
	if v == action.WriteStatement {
		return widget.Ask(scene, widget.Prompt{Title: "Write the statement to a file",
			Text:    "To which file? The ending sets the format: .txt, .md for Markdown, .html for a web page. Only you can read the file.",
			Missing: "a file is needed", Editor: widget.NewEditor("❯ ", "~/statement.txt", wording.StatementFile(&s.laid))},
			pages.FormOf, s.write)
	}
	return s.Document.Handle(v, scene)
}

func (s *statementScreen) Title(scene *screen.Scene) line.Line {
	left := line.Of(theme.Accent, "statement").And(theme.Dim, " to the parties")
	if !s.read || scene.Compact {
		return left
	}
	return line.Spread(left, line.Of(theme.Dim, s.laid.Title), scene.Width)
}

func (s *statementScreen) View(scene *screen.Scene) line.Sheet {
	switch {
	case s.trouble != "":
		return append(line.Sheet{nil}, line.Of(theme.Bad, "✗ "+wording.NoStatement+": ").And(theme.Plain,
			s.trouble+".").Wrap(scene.Width, 2)...)
	case !s.read:
		return line.Sheet{nil, line.Of(theme.Dim, "  Composing the statement …")}
	}
	return s.Show(&s.laid, scene)
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

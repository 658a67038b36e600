package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docket/cmd/internal/output"
)

// everyCommand lists docket's commands at all depths.
func everyCommand(at *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{at}
	for _, below := range at.Commands() {
		if below.IsAvailableCommand() {
			list = append(list, everyCommand(below)...)
		}
	}
	return list
}

func TestEachHelpPageHasExamplesThatCanBeTyped(t *testing.T) {
	for _, cmd := range everyCommand(newRoot(&program{})) {
		if cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		if !cmd.HasParent() || cmd.Parent().HasParent() {
			continue
		}
		if !slices.ContainsFunc(groups, func(g *cobra.Group) bool { return g.ID == cmd.GroupID }) {
			t.Errorf("%s is in no group", cmd.CommandPath())
		}
	}
	for name, page := range pages {
		path := strings.TrimSuffix("docket "+name, " docket")
		for _, example := range strings.Split(strings.TrimSpace(page.example), "\n") {
			found := false
			for call := range strings.SplitSeq(example, " | ") {
				words := strings.Fields(strings.ReplaceAll(call, "'", ""))
				if words[0] != "docket" {
					continue
				}
				root, words := newRoot(&program{}), words[1:]
				if cut := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, ">") || word == "<" }); cut >= 0 {
					words = words[:cut]
				}
				cmd, rest, err := root.Find(withNegations(words))
				if err == nil {
					err = cmd.ParseFlags(rest)
				}
				if err == nil && cmd.Args != nil {
					err = cmd.Args(cmd, cmd.Flags().Args())
				}
				if err != nil {
					t.Errorf("%q: %v", example, err)
				}
				found = found || cmd != nil && (cmd.CommandPath() == path || strings.HasPrefix(cmd.CommandPath(), path+" "))
			}
			if !found {
				t.Errorf("%q shows nothing of %s", example, path)
			}
		}
	}
}

// The life of a token has no default.
func TestAnExampleOfATokenGivesItsLife(t *testing.T) {
	count := 0
	for _, cmd := range everyCommand(newRoot(&program{})) {
		if cmd.Flag("expires") == nil {
			continue
		}
		for _, example := range strings.Split(strings.TrimSpace(cmd.Example), "\n") {
			if count++; !strings.Contains(example, " --expires ") {
				t.Errorf("%s: %q", cmd.CommandPath(), example)
			}
		}
	}
	if count < 2 {
		t.Errorf("%d examples were looked at", count)
	}
}

func TestAHelpPageIsOfACommand(t *testing.T) {
	var paths []string
	for _, cmd := range everyCommand(newRoot(&program{})) {
		paths = append(paths, strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "docket")))
	}
	for path := range pages {
		if path != "help" && path != "docket" && !slices.Contains(paths, path) {
			t.Errorf("%s is no command", path)
		}
	}
}

func TestHelpListsTheWordsOfEachEnumeratedFlagAndAShellCompletesThem(t *testing.T) {
	root := newRoot(&program{})
	for _, e := range enumeratedFlags() {
		cmd := below(root, e.command)
		if cmd == nil || cmd.Flag(e.flag) == nil {
			t.Errorf("%s has no flag --%s", e.command, e.flag)
			continue
		}
		for _, word := range e.words {
			if !strings.Contains(cmd.Flag(e.flag).Usage, word) {
				t.Errorf("the help of %s --%s does not list %s", e.command, e.flag, word)
			}
		}
		if complete, known := cmd.GetFlagCompletionFunc(e.flag); !known {
			t.Errorf("%s --%s is not completed", e.command, e.flag)
		} else if words, _ := complete(cmd, nil, ""); !slices.Equal(words, e.words) {
			t.Errorf("%s --%s is completed with %q", e.command, e.flag, words)
		}
	}
}

// worded are the names of values that are words of a list.
var worded = []string{"WORD", "ROLE", "REASON", "FORMAT", "LEVEL", "MODE", "PERIOD"}

// A flag whose help promises a word of a list is in the table of enumerated flags, or is a setting.
func TestNoFlagTakesWordsThatNoTableLists(t *testing.T) {
	for _, cmd := range everyCommand(newRoot(&program{})) {
		cmd.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
			if _, completed := cmd.GetFlagCompletionFunc(flag.Name); completed || flag.Value.Type() != "string" {
				return
			}
			name, _ := pflag.UnquoteUsage(flag)
			if slices.Contains(worded, name) || name == "string" {
				t.Errorf("%s --%s is not completed", cmd.CommandPath(), flag.Name)
			}
		})
	}
}

func TestHelpPagesFitATerminalOf80Columns(t *testing.T) {
	for _, cmd := range everyCommand(newRoot(&program{})) {
		cmd.InitDefaultHelpFlag()
		page := output.WrapHelp(cmd.Long+"\n\n"+cmd.UsageString(), 80)
		part := ""
		for line := range strings.Lines(page) {
			line = strings.TrimRight(line, "\n")
			if line != "" && line[0] != ' ' {
				part = line
			}
			// What is typed stays on one line.
			if ansi.StringWidth(line) > 80 && part != "Usage:" && part != "Examples:" {
				t.Errorf("%s: %q", cmd.CommandPath(), line)
			}
		}
		if got, want := strings.Fields(page), strings.Fields(cmd.Long+" "+cmd.UsageString()); !slices.Equal(got, want) {
			t.Errorf("%s: wrapping changed the words", cmd.CommandPath())
		}
	}
}

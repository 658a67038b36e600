package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
	for _, g := range guides {
		path := strings.TrimSpace("docket " + g.command)
		for _, example := range g.examples {
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

func TestARowOfTheGuideIsOfACommand(t *testing.T) {
	var paths []string
	for _, cmd := range everyCommand(newRoot(&program{})) {
		paths = append(paths, strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "docket")))
	}
	for _, g := range guides {
		if g.command != "help" && !slices.Contains(paths, g.command) {
			t.Errorf("%s is no command", g.command)
		}
	}
}

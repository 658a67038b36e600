package cli

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docket/cmd/internal/output"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
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
	for name, page := range helpPages {
		path := strings.TrimSuffix("docket "+name, " docket")
		for _, example := range strings.Split(strings.TrimSpace(page.example), "\n") {
			found := false
			for call := range strings.SplitSeq(example, " | ") {
				words := strings.Fields(strings.ReplaceAll(call, "'", ""))
				if words[0] != "docket" {
					continue
				}
				root, words := newRoot(&program{System: System{Now: time.Now}}), words[1:]
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
	for path := range helpPages {
		if path != "help" && path != "docket" && !slices.Contains(paths, path) {
			t.Errorf("%s is no command", path)
		}
	}
}

func TestHelpListsTheWordsOfEachEnumeratedFlagAndAShellCompletesThem(t *testing.T) {
	count := 0
	for _, cmd := range everyCommand(newRoot(&program{})) {
		cmd.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
			complete, known := cmd.GetFlagCompletionFunc(flag.Name)
			if !known {
				return
			}
			words, _ := complete(cmd, nil, "")
			for _, word := range words {
				if count++; !strings.Contains(flag.Usage, word) {
					t.Errorf("the help of %s --%s does not list %s", cmd.CommandPath(), flag.Name, word)
				}
			}
		})
	}
	for call, words := range map[string][]string{
		"restore --reason": records.RestoreReasons.Texts(), "erase --reason": records.ErasureReasons.Texts(), "statement --format": {"text", "markdown", "html"},
		"board --sort": boardOrders(), "stats --period": {"week", "month", "quarter", "all"}, "identity init --role": terms.Roles.Texts(),
		"serve invite --role": store.TokenRoles(), "serve token add --role": store.TokenRoles(),
	} {
		path, flag, _ := strings.Cut(call, " --")
		cmd, _, err := newRoot(&program{}).Find(strings.Fields(path))
		if err != nil {
			t.Fatal(err)
		}
		if complete, known := cmd.GetFlagCompletionFunc(flag); !known {
			t.Errorf("%s is not completed", call)
		} else if completed, _ := complete(cmd, nil, ""); !slices.Equal(completed, words) {
			t.Errorf("%s is completed with %q", call, completed)
		}
	}
	if count < 40 {
		t.Errorf("%d words were looked at", count)
	}
}

// worded are the names of values that are words of a list.
var worded = []string{"WORD", "ROLE", "REASON", "FORMAT", "LEVEL", "MODE", "PERIOD"}

// A flag whose help promises a word of a list is in the table of enumerated flags, or is a setting.
func TestNoFlagTakesWordsThatNoTableLists(t *testing.T) {
	for _, cmd := range everyCommand(newRoot(&program{})) {
		cmd.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
			if _, completed := cmd.GetFlagCompletionFunc(flag.Name); completed || flag.Value.Type() != "string" && flag.Value.Type() != "func" {
				return
			}
			name, _ := pflag.UnquoteUsage(flag)
			if slices.Contains(worded, name) || name == "string" || name == "value" {
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

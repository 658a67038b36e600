package cli

import (
	"regexp"
	"slices"
	"testing"

	"github.com/spf13/pflag"
)

// A shell offers files where a path is meant and nowhere else.
func TestFilesAreOfferedForPathsOnly(t *testing.T) {
	p := &program{System: System{Getenv: func(string) string { return "" }}}
	for _, cmd := range everyCommand(newRoot(p)) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			name, _ := pflag.UnquoteUsage(flag)
			if _, completed := cmd.GetFlagCompletionFunc(flag.Name); name != "" && flag.Name != "help" && completed == slices.Contains(files, name) {
				t.Errorf("%s --%s takes %s, and is completed otherwise: %t", cmd.CommandPath(), flag.Name, name, completed)
			}
		})
		if path := regexp.MustCompile(`FILE|DIR|BUNDLE|RECEIPT`).MatchString(cmd.Use); path == (cmd.ValidArgsFunction != nil || len(cmd.ValidArgs) > 0) && cmd.Name() != "push" {
			t.Errorf("docket %s takes a path: %t, and is completed otherwise: %t", cmd.Use, path, !path)
		}
	}
}

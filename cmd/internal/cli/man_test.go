package cli

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/pflag"

	"docket/cmd/internal/manual"
	"docket/cmd/internal/settings"
	"docket/domain/queue"
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

func TestEachCommandHasAManPageWithItsFlagsAndExamples(t *testing.T) {
	root := newRoot(&program{})
	pages := map[string]string{}
	from := manual.Edition{Version: "1.2.0", Date: "2026-11-22"}
	for _, page := range manual.Pages(root) {
		text := page.Roff(from)
		if again := page.Roff(from); again != text {
			t.Errorf("%s is another page the second time", page.File())
		}
		if pages[page.File()] != "" {
			t.Errorf("there are two pages %s", page.File())
		}
		if !strings.HasPrefix(text, ".TH \""+strings.ToUpper(page.Name)+"\" \""+page.Section+"\" \"2026-11-22\" \"docket 1.2.0\" \"docket\"\n.nh\n.ad l\n.SH NAME\n"+strings.ReplaceAll(page.Name, "-", `\-`)) ||
			strings.Contains(text, "`") || strings.Contains(text, "spf13") {
			t.Errorf("%s begins\n%.200s", page.File(), text)
		}
		pages[page.File()] = text
	}
	// Back to what a reader types, long lines joined.
	typed := strings.NewReplacer(" \\e\n    ", " ", `\-`, "-", `\(aq`, "'", `\(ti`, "~", `\(ha`, "^", `\e`, `\`)
	for _, cmd := range everyCommand(root) {
		text := pages[strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"]
		for _, example := range strings.Split(strings.TrimSpace(cmd.Example), "\n") {
			if !strings.Contains(typed.Replace(text), strings.TrimSpace(example)) {
				t.Errorf("the page of %s lacks %q", cmd.CommandPath(), example)
			}
		}
	}
	for _, key := range queue.FilterKeys() {
		if !strings.Contains(pages["docket-filter.7"], `\fB`+key.Key+`:\fP`) {
			t.Errorf("docket-filter(7) lacks %s", key.Key)
		}
	}
	for _, s := range settings.Table() {
		if !strings.Contains(strings.ReplaceAll(pages["docket-config.5"], `\`, ""), "fB"+s.Name+"fP") {
			t.Errorf("docket-config(5) lacks %s", s.Name)
		}
	}
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not installed")
	}
	for name, text := range pages {
		format := exec.Command("groff", "-Kutf8", "-man", "-t", "-Tutf8", "-ww", "-rLL=80n", "-P-c", "-P-b", "-P-u")
		format.Stdin = strings.NewReader(text)
		var warned strings.Builder
		format.Stderr = &warned
		page, err := format.Output()
		if err != nil || warned.Len() > 0 {
			t.Errorf("%s: %v\n%s", name, err, warned.String())
		}
		for line := range strings.Lines(string(page)) {
			if line = strings.TrimRight(line, "\n"); ansi.StringWidth(line) > 80 || strings.HasSuffix(line, "\u2010") {
				t.Errorf("%s does not fit a terminal of 80 columns, or hyphenates: %s", name, line)
			}
		}
	}
}

package licenses_test

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/licenses"
)

// The notices are of the modules that are linked, on all platforms of a release, and of no others.
func TestTheNoticesAreOfTheModulesThatAreLinked(t *testing.T) {
	linked := map[string]bool{}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
		system, processor, _ := strings.Cut(platform, "/")
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "docket/cmd/docket")
		list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range strings.Fields(string(out)) {
			linked[module] = true
		}
	}
	noticed := map[string]bool{}
	for _, part := range strings.Split(licenses.Notices, strings.Repeat("=", 80)+"\n")[1:] {
		names, text, _ := strings.Cut(part, "\n\n")
		if len(strings.TrimSpace(text)) < 3 {
			t.Errorf("the notice of %s is empty", names)
		}
		for name := range strings.Lines(names) {
			noticed[strings.TrimSpace(name)] = true
		}
	}
	delete(noticed, "Go, its runtime and standard library")
	if got, want := slices.Sorted(maps.Keys(noticed)), slices.Sorted(maps.Keys(linked)); !slices.Equal(got, want) || len(want) < 40 {
		t.Errorf("notices of\n\t%v\nlinked are\n\t%v\nedit notices.txt by what the modules' folders hold", got, want)
	}
}

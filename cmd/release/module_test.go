//go:build linux

package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

func TestOneScriptChangesTheModulesPathAndNothingNamesTheOldOne(t *testing.T) {
	programtest.Needs(t, "git", "go")
	root := filepath.Join("..", "..")
	if exec.Command("git", "-C", root, "rev-parse", "--git-dir").Run() != nil {
		t.Skip("the sources are no git repository")
	}
	scratch := t.TempDir()
	copied := exec.Command("sh", "-c", `git -C "$0" ls-files -z | tar -C "$0" --null -T - -cf - | tar -xf - -C "$1" && cd "$1" && git init -q . && git add -A`, root, scratch)
	if out, err := copied.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	changed := exec.Command(filepath.Join(scratch, ".ci", "module-path"), "example.org/docket")
	changed.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false")
	if out, err := changed.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list := exec.Command("go", "list", "-deps", "-test", "./...")
	list.Dir = scratch
	out, err := list.Output()
	must(t, err)
	if n := strings.Count(string(out), "example.org/docket/"); n < 60 || strings.Contains("\n"+string(out), "\ndocket/") {
		t.Errorf("%d packages have the new path; one has the old one: %t", n, strings.Contains("\n"+string(out), "\ndocket/"))
	}
	left := exec.Command("git", "grep", "-nE", `"docket/(cmd|contracts|domain|store|ui)["/]`, "--", "*.go", ":!cmd/release/module_test.go")
	left.Dir = scratch
	if out, _ := left.Output(); strings.Contains(strings.ReplaceAll(string(out), "docket/service/", ""), `"docket/`) {
		t.Errorf("these name the old path:\n%s", out)
	}
}

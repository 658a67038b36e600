package recording_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"docket/ui/workbench"
)

func TestAStatementIsWrittenForItsOwnerAndReplacesNothingUnasked(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	var d workbench.Workbench
	content := func(path string) string {
		text, err := os.ReadFile(path)
		must(t, err)
		if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("%s has the mode %v, %v", path, info.Mode(), err)
		}
		return string(text)
	}
	path := filepath.Join(home, "out.txt")
	if err := d.WriteStatement(t.Context(), "~/out.txt", "first", false); err != nil || content(path) != "first" {
		t.Fatal(err)
	}
	if err := d.WriteStatement(t.Context(), path, "second", false); !errors.Is(err, fs.ErrExist) || content(path) != "first" {
		t.Errorf("a file that is there: %v", err)
	}
	if err := d.WriteStatement(t.Context(), path, "second", true); err != nil || content(path) != "second" {
		t.Errorf("replaced: %v", err)
	}
	if err := d.WriteStatement(t.Context(), filepath.Join(home, "new.txt"), "third", true); err != nil || content(filepath.Join(home, "new.txt")) != "third" {
		t.Errorf("to a new file, with replace: %v", err)
	}
	for name, row := range map[string]struct {
		path    string
		replace bool
		says    string
	}{
		"a folder":                      {home, true, "no regular file"},
		"no folder":                     {filepath.Join(home, "none", "out.txt"), false, "its folder does not exist; create the folder"},
		"no folder, with replace":       {filepath.Join(home, "none", "out.txt"), true, "its folder does not exist; create the folder"},
		"a link to nowhere, no replace": {link(t, home, "nowhere"), false, "is there already"},
		"a link, with replace":          {link(t, home, "out.txt"), true, "no regular file"},
	} {
		err := d.WriteStatement(t.Context(), row.path, "fourth", row.replace)
		if err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(home, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a folder was made")
	}
	if _, err := os.Stat(filepath.Join(home, "nowhere")); !errors.Is(err, fs.ErrNotExist) || content(path) != "second" {
		t.Error("a link was followed")
	}
	if rest, err := filepath.Glob(filepath.Join(home, ".docket-*")); err != nil || len(rest) > 0 {
		t.Errorf("left: %v, %v", rest, err)
	}
}

// link makes a link of a fresh name.
func link(t *testing.T, folder, to string) string {
	t.Helper()
	path := filepath.Join(folder, "link-to-"+to)
	must(t, os.Symlink(to, path))
	return path
}

package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/settings"
	"docket/ui"
)

func TestASavedFilterIsThereAgainHoweverItIsCalled(t *testing.T) {
	file := settings.FilterFile{filepath.Join(t.TempDir(), "docket", "filters.toml")}
	if kept, err := file.Filters(); err != nil || kept != nil {
		t.Fatalf("without a file: %+v, %v", kept, err)
	}
	want := []ui.SavedFilter{{Name: "mine", Text: "is:mine -is:decided"}, {Name: `a "b" \ c`, Text: "AC"}, {Name: "東京 = [x] # y", Text: `"x"`}, {Name: "a.b", Text: "due:<48h"}}
	for i, filter := range want {
		if kept, err := file.Save(filter); err != nil || len(kept) != i+1 {
			t.Fatalf("%q: %+v, %v", filter.Name, kept, err)
		}
	}
	if kept, err := file.Filters(); err != nil || len(kept) != len(want) || kept[0] != want[0] || kept[1] != want[1] || kept[2] != want[2] || kept[3] != want[3] {
		t.Errorf("%+v, %v", kept, err)
	}
	info, err := os.Stat(file.Path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if names, err := filepath.Glob(filepath.Dir(file.Path) + "/.*"); err != nil || len(names) != 0 {
		t.Errorf("left behind: %q, %v", names, err)
	}
}

func TestSavingReplacesTheFilterOfThatNameAndDroppingLeavesTheOthers(t *testing.T) {
	file := settings.FilterFile{filepath.Join(t.TempDir(), "filters.toml")}
	for _, filter := range []ui.SavedFilter{{Name: "a", Text: "x"}, {Name: "b", Text: "y"}, {Name: "a", Text: "z"}} {
		if _, err := file.Save(filter); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := file.Filters(); err != nil || len(kept) != 2 || kept[0] != (ui.SavedFilter{Name: "a", Text: "z"}) {
		t.Errorf("%+v, %v", kept, err)
	}
	for _, name := range []string{"a", "nobody"} {
		if kept, err := file.Drop(name); err != nil || len(kept) != 1 || kept[0].Name != "b" {
			t.Errorf("without %s: %+v, %v", name, kept, err)
		}
	}
}

func TestWhatAnotherConsoleHasSavedMeanwhileStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "filters.toml")
	one, other := settings.FilterFile{path}, settings.FilterFile{path}
	if _, err := one.Save(ui.SavedFilter{Name: "a", Text: "x"}); err != nil {
		t.Fatal(err)
	}
	if kept, err := other.Save(ui.SavedFilter{Name: "b", Text: "y"}); err != nil || len(kept) != 2 {
		t.Errorf("%+v, %v", kept, err)
	}
	if kept, err := one.Drop("b"); err != nil || len(kept) != 1 {
		t.Errorf("%+v, %v", kept, err)
	}
}

func TestAFileOfFiltersThatCannotBeReadIsRefusedWithItsLineAndLeftAlone(t *testing.T) {
	for text, says := range map[string]string{
		"theme = \"dark\"\n":                 ":1: there is no such setting; the nearest is filters",
		"[filters]\nmine = 7\n":              ":2: ",
		"[filters]\nmine = \"due:secret\"\n": ":2: the filter cannot be used",
		"[filters]\n\" a\" = \"is:mine\"\n":  ":2: a saved filter has a name",
		"[filters\n":                         ":1: this is not TOML",
		"[filters]\na = \"x\"\na = \"y\"\n":  ":3: this is not TOML",
	} {
		file := settings.FilterFile{filepath.Join(t.TempDir(), "filters.toml")}
		if err := os.WriteFile(file.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := file.Save(ui.SavedFilter{Name: "b", Text: "y"})
		var problem *settings.Problem
		if !errors.As(err, &problem) || !strings.Contains(err.Error(), file.Path+says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%.20q: %v", text, err)
		}
		if now, readErr := os.ReadFile(file.Path); readErr != nil || string(now) != text {
			t.Errorf("%.20q has become %q", text, now)
		}
		if _, err := settings.Load(settings.Source{For: settings.Console, Saved: file}); !errors.As(err, &problem) {
			t.Errorf("%.20q is taken: %v", text, err)
		}
	}
}

func TestAFolderThatCannotBeWrittenIsNamed(t *testing.T) {
	folder := t.TempDir()
	file := settings.FilterFile{filepath.Join(folder, "docket", "filters.toml")}
	if err := os.WriteFile(filepath.Join(folder, "docket"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Save(ui.SavedFilter{Name: "b", Text: "y"}); err == nil || !strings.Contains(err.Error(), file.Path) {
		t.Errorf("%v", err)
	}
}

func TestALinkToTheFileStaysALink(t *testing.T) {
	folder := t.TempDir()
	real, link := filepath.Join(folder, "real.toml"), filepath.Join(folder, "filters.toml")
	if err := errors.Join(os.WriteFile(real, nil, 0o600), os.Symlink(real, link)); err != nil {
		t.Skip(err)
	}
	if _, err := (settings.FilterFile{link}).Save(ui.SavedFilter{Name: "b", Text: "y"}); err != nil {
		t.Fatal(err)
	}
	if kept, err := (settings.FilterFile{real}).Filters(); err != nil || len(kept) != 1 {
		t.Errorf("%+v, %v", kept, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestTheFiltersOfTheConfigFileComeFirstAndAreFixed(t *testing.T) {
	folder := t.TempDir()
	config, saved := filepath.Join(folder, "config.toml"), settings.FilterFile{filepath.Join(folder, "filters.toml")}
	if err := os.WriteFile(config, []byte("[filters]\nz = \"is:mine\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := saved.Save(ui.SavedFilter{Name: "a", Text: "y"}); err != nil {
		t.Fatal(err)
	}
	e, err := settings.Load(settings.Source{For: settings.Console, Path: config, Saved: saved})
	if err != nil || len(e.Filters) != 2 || !e.Filters[0].Fixed || e.Filters[1].Fixed {
		t.Fatalf("%+v, %v", e.Filters, err)
	}
	rows := e.Rows()
	if last := rows[len(rows)-1]; last.Name != "filters.a" || last.From != "console" || last.Where != saved.Path {
		t.Errorf("%+v", last)
	}
	if before := rows[len(rows)-2]; before.Name != "filters.z" || before.From != "file" {
		t.Errorf("%+v", before)
	}
}

func TestARowOfAFilterNamesItsOwnLine(t *testing.T) {
	e := sources{file: "theme = \"dark\"\n\n[filters]\nmine = \"is:mine\"\n\nlate = \"due:<0h\"\n"}.mustLoad(t)
	where := map[string]string{}
	for _, row := range e.Rows() {
		where[row.Name] = row.Where
	}
	if where["filters.mine"] != e.Path+":4" || where["filters.late"] != e.Path+":6" {
		t.Errorf("filters are of %q and %q", where["filters.mine"], where["filters.late"])
	}
}

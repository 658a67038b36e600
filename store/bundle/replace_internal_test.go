package bundle

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// standing lists the files below a folder with what is in them.
func standing(t *testing.T, folder string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		list = append(list, filepath.ToSlash(name)+": "+string(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// placed makes a folder with these files, each of which holds its own name.
func placed(t *testing.T, names ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestFoldersThatCannotBeExchangedAtOnceAreRenamedAndBothAreKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		there  []string
		failed bool
		want   []string
	}{
		{"both are there", []string{"new/a", "old/b"}, false, []string{"new/b: old/b", "old/a: new/a"}},
		{"the earlier one is gone", []string{"new/a"}, true, []string{"new/a: new/a"}},
		{"the finished one is gone", []string{"old/b"}, true, []string{"old/b: old/b"}},
		{"something is in the way", []string{"new/a", "old/b", "new.earlier/c"}, true, []string{"new/a: new/a", "new.earlier/c: new.earlier/c", "old/b: old/b"}},
	} {
		folder := placed(t, c.there...)
		err := swapByName(filepath.Join(folder, "new"), filepath.Join(folder, "old"))
		got := standing(t, folder)
		slices.Sort(c.want)
		slices.Sort(got)
		if (err != nil) != c.failed || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, and there is %q", c.name, err, got)
		}
	}
}

func TestAnExportTakesThePlaceOnlyOfWhatWasLookedAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		there  []string
		target target
		failed bool
		want   []string
	}{
		{"nothing", []string{"new/a"}, target{}, false, []string{"out/a: new/a"}},
		{"an earlier export", []string{"new/a", "out/b"}, target{earlier: []byte("checkpoint")}, false, []string{"out/a: new/a"}},
		{"a file that came into an empty folder", []string{"new/a", "out/b"}, target{empty: true}, true, []string{"new/a: new/a", "out/b: out/b"}},
		{"a folder that came", []string{"new/a", "out/b"}, target{}, true, []string{"new/a: new/a", "out/b: out/b"}},
		{"an earlier export that went", []string{"new/a"}, target{earlier: []byte("checkpoint")}, true, []string{"new/a: new/a"}},
		{"an empty folder that went", []string{"new/a"}, target{empty: true}, true, []string{"new/a: new/a"}},
	} {
		folder := placed(t, c.there...)
		c.target.path = filepath.Join(folder, "out")
		err := c.target.publish(filepath.Join(folder, "new"))
		if got := standing(t, folder); (err != nil) != c.failed || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, and there is %q", c.name, err, got)
		}
	}
}

func TestAFolderThatIsGoneIsNotSaidToBeOnTheDisk(t *testing.T) {
	t.Parallel()
	gone := filepath.Join(t.TempDir(), "gone")
	for name, sync := range map[string]func(string) error{"a folder with all that is in it": makeDurable, "the names in a folder": syncFolder} {
		if err := sync(gone); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

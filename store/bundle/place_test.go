package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"docket/store/bundle"
	"docket/store/verify"
)

// Whatever stands where a file or a folder of a bundle has to be, the check is done to its end and finds it.
func TestWhatStandsInThePlaceOfAFileOrAFolderIsFound(t *testing.T) {
	t.Parallel()
	l := whole(t)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := written(t, l)
	places := map[string]bool{}
	for _, file := range files(t, dir) {
		for place := file; place != "."; place = filepath.Dir(place) {
			places[place] = true
		}
	}
	for name, put := range map[string]func(path string) error{
		"an empty file":   func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a folder":        func(path string) error { return os.Mkdir(path, 0o700) },
		"a link outside":  func(path string) error { return os.Symlink(outside, path) },
		"a link nowhere":  func(path string) error { return os.Symlink("nowhere", path) },
		"a link to a dir": func(path string) error { return os.Symlink(filepath.Dir(outside), path) },
	} {
		for place := range places {
			path, away := at(dir, place), filepath.Join(dir, "..", "away")
			if info, err := os.Lstat(path); err != nil || name == "an empty file" && info.Size() == 0 {
				t.Fatalf("%s: %v", place, err)
			}
			if err := errors.Join(os.Rename(path, away), put(path)); err != nil {
				t.Fatal(err)
			}
			if report, err := bundle.Check(t.Context(), dir, verify.Options{Workers: 1}); err != nil || report.OK() {
				t.Errorf("%s in the place of %s: %v", name, place, err)
			}
			if err := errors.Join(os.Remove(path), os.Rename(away, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

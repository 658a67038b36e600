package bundle_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// What happened to a bundle is said in a clause before all that was found.
func TestWhatHappenedToABundleIsSaidInAClause(t *testing.T) {
	t.Parallel()
	first := func(pattern string, do func(name string) func(string) error) func(string) error {
		return func(dir string) error {
			names, err := filepath.Glob(at(dir, pattern))
			if err != nil || len(names) == 0 {
				return fmt.Errorf("no %s: %w", pattern, err)
			}
			return do("records/" + filepath.Base(names[0]))(dir)
		}
	}
	replacingIn := func(old, with string) func(string) func(string) error {
		return func(name string) func(string) error { return replacing(name, old, with) }
	}
	size := len(mixedLog(t).List)
	for name, c := range map[string]struct {
		harm func(dir string) error
		want string
	}{
		"nothing":                         {all(), ""},
		"half of it copied":               {removing("packets", "index.html", "MANIFEST"), "the copy is incomplete: MANIFEST is missing"},
		"a signature that was not copied": {first("records/*.sig", func(name string) func(string) error { return removing(name) }), ".json.sig is missing"},
		"two files that were not copied": {removing("appeals.csv", "index.html"),
			"the copy is incomplete: 2 files are missing, the first: appeals.csv"},
		"an older MANIFEST": {replacing("MANIFEST", fmt.Sprintf("\n%d\n", size), "\n11\n"),
			fmt.Sprintf("files of an older export are mixed in: MANIFEST is of 11 entries, checkpoint of %d", size)},
		"an edited page":   {replacing("index.html", "<h1", "<h2"), "index.html is changed, or of an older export"},
		"an edited record": {first("records/*.json", replacingIn("reviewer-7", "reviewer-8")), ".json is changed, or of an older export"},
		"a record that cannot be read, from which the tables follow": {first("records/*.json", replacingIn(`"outcome":"`, `"outcome":"x`)),
			".json is changed, or of an older export"},
		"line ends": {replacing("appeals.csv", "\n", "\r\n"), "line ends were changed on the way: appeals.csv is changed"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := written(t, mixedLog(t))
			must(t, c.harm(dir))
			report := checked(t, dir, verify.Options{})
			if !strings.HasSuffix(report.Cause, c.want) || strings.HasPrefix(c.want, ".json is") && !strings.HasPrefix(report.Cause, "records/") || (report.Cause == "") != (c.want == "") {
				t.Errorf("%q; found %v", report.Cause, report.Findings)
			}
		})
	}
}

// One export that was copied over another of the same log is named as that, whichever is older.
func TestAnExportCopiedOverAnotherIsNamed(t *testing.T) {
	t.Parallel()
	log := mixedLog(t)
	older := written(t, log)
	log.Append(log.Decide(log.Hold(terms.AppealCases, verifytest.AppealCase("case-later", 1)), verifytest.Person(verifytest.Assigned, terms.NeutralReviewer), nil))
	log.Sign()
	newer := written(t, log)
	for name, c := range map[string]struct{ under, over string }{"the older over the newer": {newer, older}, "the newer over the older": {older, newer}} {
		mixed := t.TempDir()
		for _, dir := range []string{c.under, c.over} {
			must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
				into := filepath.Join(mixed, strings.TrimPrefix(path, dir))
				if err != nil || entry.IsDir() {
					return errors.Join(err, os.MkdirAll(into, 0o755))
				}
				content, err := os.ReadFile(path)
				return errors.Join(err, os.WriteFile(into, content, 0o644))
			}))
		}
		report := checked(t, mixed, verify.Options{})
		if !strings.HasPrefix(report.Cause, "files of an older export are mixed in: ") {
			t.Errorf("%s: %q; found %v", name, report.Cause, report.Findings)
		}
	}
	for name, dir := range map[string]string{"older": older, "newer": newer} {
		if report := checked(t, dir, verify.Options{}); !report.OK() || report.Cause != "" {
			t.Errorf("%s: %q; found %v", name, report.Cause, report.Findings)
		}
	}
}

package bundle_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/store/bundle"
	"docket/store/verify"
)

// What happened to a bundle is said in a clause before all that was found.
func TestWhatHappenedToABundleIsSaidInAClause(t *testing.T) {
	t.Parallel()
	edit := func(t *testing.T, path, old, now string) {
		t.Helper()
		content := need(os.ReadFile(path))(t)
		if changed := bytes.Replace(content, []byte(old), []byte(now), 1); bytes.Equal(changed, content) || os.WriteFile(path, changed, 0o644) != nil {
			t.Fatalf("%s cannot be changed", path)
		}
	}
	first := func(t *testing.T, pattern string) string {
		t.Helper()
		names := need(filepath.Glob(pattern))(t)
		if len(names) == 0 {
			t.Fatalf("no %s", pattern)
		}
		return names[0]
	}
	for name, c := range map[string]struct {
		harm func(t *testing.T, dir string)
		want string
	}{
		"nothing": {func(*testing.T, string) {}, ""},
		"half of it copied": {func(t *testing.T, dir string) {
			for _, gone := range []string{"packets", "index.html", "MANIFEST"} {
				if err := os.RemoveAll(at(dir, gone)); err != nil {
					t.Fatal(err)
				}
			}
		}, "the copy is incomplete: MANIFEST is missing"},
		"a signature that was not copied": {func(t *testing.T, dir string) {
			if err := os.Remove(first(t, at(dir, "records/*.sig"))); err != nil {
				t.Fatal(err)
			}
		}, ".json.sig is missing"},
		"two files that were not copied": {func(t *testing.T, dir string) {
			if err := os.Remove(at(dir, "appeals.csv")); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(at(dir, "index.html")); err != nil {
				t.Fatal(err)
			}
		}, "the copy is incomplete: 2 files are missing, the first: appeals.csv"},
		"an older MANIFEST": {func(t *testing.T, dir string) { edit(t, at(dir, "MANIFEST"), "\n5\n", "\n4\n") },
			"files of an older export are mixed in: MANIFEST is of 4 records, checkpoint of 5"},
		"an edited page": {func(t *testing.T, dir string) { edit(t, at(dir, "index.html"), "<h1", "<h2") }, "index.html is changed, or of an older export"},
		"an edited record": {func(t *testing.T, dir string) {
			edit(t, first(t, at(dir, "records/*.json")), "reviewer-7", "reviewer-8")
		}, ".json is changed, or of an older export"},
		"a record that cannot be read, from which the tables follow": {func(t *testing.T, dir string) {
			edit(t, first(t, at(dir, "records/*.json")), `"outcome":"`, `"outcome":"x`)
		}, ".json is changed, or of an older export"},
		"line ends": {func(t *testing.T, dir string) {
			content := need(os.ReadFile(at(dir, "appeals.csv")))(t)
			if err := os.WriteFile(at(dir, "appeals.csv"), bytes.ReplaceAll(content, []byte("\n"), []byte("\r\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "line ends were changed on the way: appeals.csv is changed"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "bundle")
			need(bundle.Write(t.Context(), dir, mixedLog(t), bundle.Options{}))(t)
			c.harm(t, dir)
			report := need(bundle.Check(t.Context(), dir, verify.Options{}))(t)
			if !strings.HasSuffix(report.Cause, c.want) || strings.HasPrefix(c.want, ".json is") && !strings.HasPrefix(report.Cause, "records/") || (report.Cause == "") != (c.want == "") {
				t.Errorf("%q; found %v", report.Cause, report.Findings)
			}
		})
	}
}

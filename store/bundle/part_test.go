package bundle_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

var update = flag.Bool("update", false, "write the examples")

// Every file of a bundle is one of a part.
func TestEveryFileIsOneOfAPart(t *testing.T) {
	t.Parallel()
	for _, s := range samples {
		for _, name := range files(t, sample(t, s.name)) {
			first, _, _ := strings.Cut(name, "/")
			if !slices.ContainsFunc(bundle.Parts(), func(p bundle.Part) bool { return p.Path == first || strings.HasPrefix(p.Path, first+"/") }) {
				t.Errorf("%s is of no part", name)
			}
		}
	}
}

// The names of packets tell ids apart on every file system, and no name is one that Windows reserves.
func TestTheNamesOfPacketsAreApartOnEveryFileSystem(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	long := strings.Repeat("A", 128)
	want := map[string]string{"CASE:1.": "%43%41%53%45%3A1%2E", "case:1.": "case%3A1%2E", "con": "%63on", "nul.x": "%6Eul.x", "com1": "%63om1", "com": "com", "lpt9.a": "%6Cpt9.a",
		"a.b": "a.b", "a_b-c": "a_b-c", long: "=", strings.ToLower(long): strings.ToLower(long)}
	for id := range want {
		l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase(id, 1)), assigned, nil))
	}
	dir := written(t, l)
	entries, err := os.ReadDir(at(dir, "packets/trade_appeal_cases"))
	if err != nil || len(entries) != len(want) {
		t.Fatalf("%d folders, %v", len(entries), err)
	}
	for id, name := range want {
		if strings.ToLower(long) == id {
			name = "="
		}
		if !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			return e.Name() == name || name == "=" && len(e.Name()) == 65 && e.Name()[0] == '='
		}) {
			t.Errorf("%s has no folder %s", id, name)
		}
	}
	wantKinds(t, dir, verify.Options{})
}

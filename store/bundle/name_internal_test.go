package bundle

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/domain/terms"
)

func TestIDsBecomeNamesThatEveryFileSystemHolds(t *testing.T) {
	t.Parallel()
	for id, want := range map[terms.ID]string{
		"case-004117":                      "case-004117",
		"a_b.c":                            "a_b.c",
		"Case-1":                           "%43ase-1",
		"urn:case:1":                       "urn%3Acase%3A1",
		"case.":                            "case%2E",
		"nul":                              "%6Eul",
		"com1.case":                        "%63om1.case",
		"com1case":                         "com1case",
		"com":                              "com",
		terms.ID(strings.Repeat("A", 128)): "=b6ac3cc10386331c765f04f041c147d0f278f2aed8eaa021e2d0057fc6f6ff9e",
	} {
		got := portable(id)
		if got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
		if back, ok := idOf(got); (!ok || back != id) && !strings.HasPrefix(want, digestMark) {
			t.Errorf("%s comes back as %s", id, back)
		}
	}
}

func TestDifferentIDsHaveDifferentNamesEvenWhereCaseIsFolded(t *testing.T) {
	t.Parallel()
	ids := rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._:-]{0,127}`)
	rapid.Check(t, func(t *rapid.T) {
		one, other := terms.ID(ids.Draw(t, "one")), terms.ID(ids.Draw(t, "other"))
		if rapid.Bool().Draw(t, "differing in case only") {
			other = terms.ID(strings.ToUpper(string(one)))
		}
		if one != other && strings.EqualFold(portable(one), portable(other)) {
			t.Fatalf("%s and %s are both %s", one, other, portable(one))
		}
		name := portable(one)
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789ABCDEF%=-_.") != "" || len(name) > maxName || strings.HasSuffix(name, ".") || isDevice(name) {
			t.Fatalf("%s is no name for a file", name)
		}
		if back, ok := idOf(name); ok && back != one || !ok && !strings.HasPrefix(name, digestMark) {
			t.Fatalf("%s comes back as %s", one, back)
		}
	})
}

func TestNamesThatStandForNoIDAreRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "%", "%zz", "Case", "%63ase", "%2E", "a%2Fb", "=00", "nul", "case."} {
		if id, ok := idOf(name); ok {
			t.Errorf("%q is taken for %s", name, id)
		}
	}
}

func TestCellsDoNotRun(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`"plain"`: "plain", `"=1+1"`: "'=1+1", `"+1"`: "'+1", `"-1"`: "'-1", `"@a"`: "'@a", `"\t=1"`: "'\t=1", `"\r=1"`: "'\r=1",
		`"'quoted"`: "''quoted", `"a=1"`: "a=1", `""`: "", `null`: "", `12`: "12", `["a","b"]`: "a b", `["=a"]`: "'=a", `[]`: "",
	} {
		got := cell([]byte(value))
		if got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}

func TestEveryCellCanBeReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		cell := harmless(text)
		if strings.TrimPrefix(cell, "'") != text && cell != text || cell != "" && strings.IndexByte(formulaStarts[:6], cell[0]) >= 0 {
			t.Fatalf("%q stands as %q", text, cell)
		}
		if back, _ := strings.CutPrefix(cell, "'"); back != text {
			t.Fatalf("%q comes back as %q", text, back)
		}
	})
}

func TestTilePathsFitTheSizeOfTheLog(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"tile/0/000": true, "tile/0/001.p/44": true, "tile/1/000.p/1": true, "tile/entries/000": true,
		"tile/entries/001.p/44": true, "tile/0/001": false, "tile/0/001.p/43": false, "tile/0/002.p/1": false,
		"tile/1/000": false, "tile/2/000.p/1": false, "tile/data/000": false, "tile/8/0/000": false, "tile/0/000.p/256": false,
		"tile/-1/000": false, "tile/00/000": false, "tile/0/0": false, "tile": false,
	} {
		if got := isTile(path, 300); got != want {
			t.Errorf("%s is a tile of 300 records: %v", path, got)
		}
	}
}

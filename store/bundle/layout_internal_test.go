package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/verify"
)

// below is a folder with these files in it; a name that ends in / is a folder, one in @ a link to nowhere.
func below(t *testing.T, names ...string) *folder {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(strings.TrimRight(name, "/@")))
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		switch {
		case strings.HasSuffix(name, "/"):
			err = errors.Join(err, os.MkdirAll(file, 0o755))
		case strings.HasSuffix(name, "@"):
			err = errors.Join(err, os.Symlink("nowhere", file))
		default:
			err = errors.Join(err, os.WriteFile(file, []byte(name), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return &folder{root: root}
}

// counting are records with their signatures, from one sequence to another.
func counting(from, to int64) (names []string) {
	for sequence := from; sequence <= to; sequence++ {
		names = append(names, path.Join(recordsFolder, recordName(sequence)), path.Join(recordsFolder, signatureName(sequence)))
	}
	return names
}

func TestTheRecordsOfABundleAreCountedByTheirNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		names     []string
		records   int64
		strays    []string
		irregular bool
	}{
		"no folder":             {nil, 0, nil, false},
		"an empty folder":       {[]string{"records/"}, 0, nil, false},
		"one":                   {counting(0, 0), 1, nil, false},
		"three":                 {counting(0, 2), 3, nil, false},
		"a gap":                 {append(counting(0, 0), counting(4, 4)...), 5, nil, false},
		"a record unsigned":     {[]string{"records/0.json"}, 1, nil, false},
		"a signature too many":  {append(counting(0, 0), "records/1.json.sig"), 1, []string{"records/1.json.sig"}, false},
		"nothing but one":       {[]string{"records/0.json.sig"}, 0, []string{"records/0.json.sig"}, false},
		"other names":           {append(counting(0, 0), "records/01.json", "records/-1.json", "records/+1.json", "records/a"), 1, []string{"records/+1.json", "records/-1.json", "records/01.json", "records/a"}, false},
		"a folder for a record": {append(counting(0, 0), "records/1.json/"), 1, []string{"records/1.json"}, true},
		"a link for a record":   {append(counting(0, 0), "records/1.json@"), 1, []string{"records/1.json"}, true},
		"the widest gap":        {[]string{"records/10000.json"}, 10_001, nil, false},
		"too wide a gap":        {[]string{"records/10001.json"}, 1, []string{"records/10001.json"}, false},
		"no sequence at all":    {append(counting(0, 0), "records/9223372036854775807.json"), 2, []string{"records/9223372036854775807.json"}, false},
	} {
		l := &layout{}
		if err := below(t, c.names...).surveyRecords(l); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		slices.Sort(l.strays)
		if l.records != c.records || !slices.Equal(l.strays, c.strays) || l.stray != int64(len(c.strays)) || l.irregular != c.irregular {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

func TestSoManyStraysAreNamedAndAllAreCounted(t *testing.T) {
	t.Parallel()
	l := &layout{}
	for i := range 103 {
		l.add(fmt.Sprint(i))
	}
	if l.stray != 103 || len(l.strays) != 100 || l.strays[0] != "0" || l.strays[99] != "99" {
		t.Errorf("%d of %d: %v", len(l.strays), l.stray, l.strays)
	}
}

func TestATreeIsWalkedAsDeepAsTheTilesOfTheLongestLogLie(t *testing.T) {
	t.Parallel()
	deep := "tile" + strings.Repeat("/x", 12)
	l := &layout{}
	seen := []string{}
	err := below(t, deep+"/file", deep+"/y/file", "tile/empty/").surveyTree(l, tilesFolder, func(name string) (bool, error) {
		seen = append(seen, name)
		return true, nil
	})
	if err != nil || !slices.Equal(l.strays, []string{deep + "/y"}) || !slices.Equal(seen, []string{deep + "/file"}) {
		t.Errorf("%v, %v: %v", seen, l.strays, err)
	}
	failed := errors.New("it cannot be said")
	if err := below(t, "tile/0").surveyTree(l, tilesFolder, func(string) (bool, error) { return true, failed }); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
}

func TestNumbersInNamesStandInOneWay(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int64{
		"0.json": 0, "7.json": 7, "10.json": 10, "9223372036854775807.json": 1<<63 - 1, "00.json": -1, "07.json": -1, "-0.json": -1, "-7.json": -1,
		"+7.json": -1, "7": -1, "7.JSON": -1, ".json": -1, "7.json.sig": -1, "9223372036854775808.json": -1, " 7.json": -1, "7 .json": -1,
	} {
		if got, ok := numbered(name, recordSuffix); ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %d, %t", name, got, ok)
		}
	}
}

func TestThePathOfAPacketSaysWhichItIs(t *testing.T) {
	t.Parallel()
	digest := portable(terms.ID(strings.Repeat("A", 128)))
	for name, want := range map[string]verify.Ref{
		"trade_appeal_cases/case-1/3.json":           {Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 3}},
		"trade_appeal_policies/%43/1.json":           {Table: terms.AppealPolicies, Key: packets.Key{ID: "C", Number: 1}},
		"trade_appeal_cases/" + digest + "/1.json":   {Table: terms.AppealCases, Key: packets.Key{Number: 1}},
		"trade_appeal_cases/case-1/03.json":          {},
		"trade_appeal_cases/case-1/3":                {},
		"trade_appeal_cases/Case-1/3.json":           {},
		"trade_appeal_cases/case-1":                  {},
		"trade_appeal_cases/case-1/3.json/4.json":    {},
		"nothing/case-1/3.json":                      {},
		"trade_appeal_enforcements/case-1/3.json":    {},
		"trade_agreement_amendment_enforcements/a/1": {},
	} {
		table, id, number, ok := packetAt(name)
		if got := (verify.Ref{Table: table, Key: packets.Key{ID: id, Number: number}}); ok != (want.Table.Present()) || ok && got != want {
			t.Errorf("%s: %+v, %t", name, got, ok)
		}
	}
}

func TestNamesOfDevicesAreKnown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"con": true, "prn": true, "aux": true, "nul": true, "nul.a.b": true, "com0": true, "com9": true, "com5.x": true, "lpt0": true, "lpt9": true,
		"com": false, "coma": false, "com/": false, "com:": false, "com10": false, "lpt": false, "abc1": false, "con1": false, "cons": false, "": false, ".con": false,
	} {
		if isDevice(name) != want {
			t.Errorf("%q: %t", name, !want)
		}
	}
}

func TestAnIDIsWrittenOutUpToTheLongestName(t *testing.T) {
	t.Parallel()
	longest, longer := terms.ID(strings.Repeat("a", 120)), terms.ID(strings.Repeat("a", 121))
	if portable(longest) != string(longest) || !strings.HasPrefix(portable(longer), digestMark) || len(portable(longer)) != 65 {
		t.Errorf("%s, %s", portable(longest), portable(longer))
	}
}

func TestAFileIsReadUpToItsLimitAndOneByteMore(t *testing.T) {
	t.Parallel()
	f := below(t, "12345", "folder/file", "link@", "empty")
	if err := f.root.WriteFile("empty", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int64]string{0: "1", 3: "1234", 4: "12345", 5: "12345", 6: "12345"} {
		if content, err := f.read("12345", limit); err != nil || string(content) != want {
			t.Errorf("up to %d bytes: %q, %v", limit, content, err)
		}
	}
	if content, err := f.read("empty", 5); err != nil || content == nil || len(content) != 0 {
		t.Errorf("an empty file: %v, %v", content, err)
	}
	for _, careful := range []bool{false, true} {
		f.careful = careful
		for _, name := range []string{"none", "none/file", "12345/file", "folder", "link", "link/file"} {
			if content, err := f.read(name, 5); err != nil || content != nil {
				t.Errorf("%s: %q, %v", name, content, err)
			}
		}
	}
	if content, err := (&folder{}).read("12345", 5); err != nil || content != nil {
		t.Errorf("a folder that is not there: %q, %v", content, err)
	}
	within, err := f.within("folder")
	if err != nil {
		t.Fatal(err)
	}
	if content, err := within.read("file", 99); err != nil || string(content) != "folder/file" || !within.careful {
		t.Errorf("%q, %v", content, err)
	}
	if within.close() != nil {
		t.Error("it cannot be closed")
	}
	if none, err := f.within("none"); err != nil || none.root != nil || none.close() != nil {
		t.Errorf("%+v, %v", none, err)
	}
	if _, err := f.within("12345"); err == nil {
		t.Error("a file is taken for a folder")
	}
}

func TestAFileIsWrittenOnceAndForEverybodyToRead(t *testing.T) {
	t.Parallel()
	f := below(t)
	if err := f.put("a/b/file", []byte("text")); err != nil {
		t.Fatal(err)
	}
	if err := f.put("a/b/file", []byte("other")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	if content, err := f.root.ReadFile("a/b/file"); err != nil || !bytes.Equal(content, []byte("text")) {
		t.Errorf("%q, %v", content, err)
	}
	for name, want := range map[string]fs.FileMode{"a": 0o755, "a/b": 0o755, "a/b/file": 0o644} {
		if info, err := f.root.Stat(name); err != nil || info.Mode().Perm()&^want != 0 || info.Mode().Perm()&0o700 != want&0o700 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if err := f.put("a/b/file/c", []byte("text")); err == nil {
		t.Error("a file is taken for a folder")
	}
}

func TestAFolderThatCannotBeReadIsNotSurveyed(t *testing.T) {
	t.Parallel()
	f := below(t, "checkpoint")
	if err := f.root.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.survey(); err == nil {
		t.Error("no error")
	}
}

func TestTheKeysOfTheServiceStandOneOnALine(t *testing.T) {
	t.Parallel()
	for content, want := range map[string][]string{"a\n": {"a"}, "a\nb\n": {"a", "b"},
		"": {"\n"}, "\n": {"\n\n"}, "a": {"\na"}, "a\nb": {"\na\nb"}, "a\n\n": {"\na\n\n"}, "\na\n": {"\n\na\n"}, "a\n\nb\n": {"\na\n\nb\n"}} {
		if got := serviceKeys([]byte(content)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
	if got := serviceKeys(nil); got != nil {
		t.Errorf("without a file: %q", got)
	}
}

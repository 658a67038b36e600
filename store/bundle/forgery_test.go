package bundle_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// forgeryList lists the forgeries of a bundle, and what each is found as.
var forgeryList = filepath.Join("testdata", "forgeries.txt")

// samples are logs that together have every part that a bundle may have.
var samples = []struct {
	name string
	log  func(testing.TB) *verifytest.Log
}{
	{"records", func(t testing.TB) *verifytest.Log { return sampleLog(t) }},
	{"answers of a service, and witnesses", whole},
	{"a service that was restored", acceptedLog},
	{"statements", statedLog},
	{"one owner", nil},
}

func sample(t testing.TB, name string) string {
	t.Helper()
	for _, s := range samples {
		if s.name == name && s.log != nil {
			return written(t, s.log(t))
		}
	}
	dir, _ := ownedBundle(t)
	return dir
}

// A change is something done to the folder of a bundle, with codes that have to be found.
type change struct {
	sample string
	name   string
	do     func(dir string) error
	want   []verify.Code
}

func removing(names ...string) func(string) error {
	return func(dir string) (err error) {
		for _, name := range names {
			err = errors.Join(err, os.RemoveAll(at(dir, name)))
		}
		return err
	}
}

func writing(name, content string) func(string) error {
	return func(dir string) error {
		return errors.Join(os.MkdirAll(filepath.Dir(at(dir, name)), 0o755), os.WriteFile(at(dir, name), []byte(content), 0o644))
	}
}

func copying(from, to string) func(string) error {
	return func(dir string) error {
		content, err := os.ReadFile(at(dir, from))
		return errors.Join(err, writing(to, string(content))(dir))
	}
}

func replacing(name, old, with string) func(string) error {
	return func(dir string) error {
		content, err := os.ReadFile(at(dir, name))
		if err == nil && !strings.Contains(string(content), old) {
			err = fmt.Errorf("%s does not have %q", name, old)
		}
		return errors.Join(err, os.WriteFile(at(dir, name), []byte(strings.ReplaceAll(string(content), old, with)), 0o644))
	}
}

// linking puts a link in the place of a file, to a copy that is elsewhere.
func linking(name string) func(string) error {
	return func(dir string) error {
		return errors.Join(os.Rename(at(dir, name), dir+".moved"), os.Symlink(dir+".moved", at(dir, name)))
	}
}

func all(changes ...func(string) error) func(string) error {
	return func(dir string) (err error) {
		for _, change := range changes {
			err = errors.Join(err, change(dir))
		}
		return err
	}
}

// leavingOut makes the line of an entry of which this is a part that of one that is left out.
func leavingOut(part string) func(string) error {
	return func(dir string) error {
		text, err := os.ReadFile(at(dir, "entries.csv"))
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			if cells := strings.Split(line, ","); strings.Contains(line, part) {
				lines[i] = cells[0] + ",,,," + cells[4] + ","
			}
		}
		return errors.Join(err, writing("entries.csv", strings.Join(lines, "\n"))(dir))
	}
}

// recordEntries are the entries that are records.
func recordEntries(l *verifytest.Log) []verify.Entry {
	return slices.DeleteFunc(slices.Clone(l.List), func(e verify.Entry) bool { return e.Kind != records.RecordEntry })
}

const policyFile = "packets/trade_appeal_policies/appeal-policy/1.json"

// byHand are the changes that need more than the removal, the edit or the addition of one file, which other tests do to each.
func byHand(t testing.TB) []change {
	const recorded, answers, restored, stated, owner = "records", "answers of a service, and witnesses", "a service that was restored", "statements", "one owner"
	other := verifytest.NewService("another")
	l := turnedAway(t)
	another := sampleLog(t)
	another.NewStoreKey("another")
	another.Sign()
	theirs := need(os.ReadFile(at(written(t, another), "MANIFEST")))(t)
	first := "evidence/rejections/" + string(l.Rejected[0].RecordID) + ".txt"
	receipt := recordEntries(acceptedLog(t))
	unproven := *receipt[1].Acceptance
	unproven.Proof = ""
	codes := func(codes ...verify.Code) []verify.Code { return codes }
	altered, answer := codes(verify.LogStatementAltered), codes(verify.EvidenceAltered)
	rejection := codes(verify.EvidenceAltered, verify.ChainBroken, verify.FileDiffers)
	ownersRecord := ""
	for _, name := range files(t, sample(t, owner)) {
		if strings.HasPrefix(name, "records/") && strings.HasSuffix(name, ".json") {
			ownersRecord = name
		}
	}
	return []change{
		{recorded, "nothing", func(string) error { return nil }, nil},
		{recorded, "all records removed", removing("records"), codes(verify.RecordMissing)},
		{recorded, "a record that is too long", writing("records/1.json", string(make([]byte, 70_000))), codes(verify.RecordAltered)},
		{recorded, "the last record and its line removed", func(dir string) error {
			id := recordOf(dir, 3)
			text, err := os.ReadFile(at(dir, "entries.csv"))
			lines := strings.SplitAfter(string(text), "\n")
			return errors.Join(err, os.Remove(at(dir, "records/"+id+".json")), writing("entries.csv", strings.Join(lines[:len(lines)-2], ""))(dir))
		}, codes(verify.TailMissing, verify.FileDiffers)},
		{recorded, "a record that the list of entries leaves out", func(dir string) error {
			return replacing("entries.csv", recordOf(dir, 2)+",", ",")(dir)
		}, codes(verify.FileDiffers)},
		{recorded, "a record left out as one of another owner", func(dir string) error {
			id := recordOf(dir, 2)
			return all(removing("records/2.json", "records/2.json.sig", "texts/2.json", "texts/2.salt.json"),
				leavingOut(","+id+","))(dir)
		}, codes(verify.FileDiffers, verify.FileUnexpected)},
		{recorded, "two lines of the list of entries swapped", func(dir string) error {
			text, err := os.ReadFile(at(dir, "entries.csv"))
			lines := strings.SplitAfter(string(text), "\n")
			lines[1], lines[2] = "0"+lines[2][1:], "1"+lines[1][1:]
			return errors.Join(err, writing("entries.csv", strings.Join(lines, ""))(dir))
		}, codes(verify.RootDiffers, verify.FileDiffers)},
		{recorded, "swapped signatures", copying("records/0.json.sig", "records/1.json.sig"), codes(verify.SignatureInvalid)},
		{recorded, "a statement of reasons of another record", copying("texts/2.json", "texts/1.json"), codes(verify.TextAltered)},
		{recorded, "a key listed for another reviewer", replacing("allowed_signers", string(verifytest.Assigned), "rev-other"), codes(verify.SignerDiffers)},
		{recorded, "the checkpoint in the place of the manifest", copying("checkpoint", "MANIFEST"), codes(verify.FileDiffers)},
		{recorded, "the manifest signed with another key", writing("MANIFEST", string(theirs)), codes(verify.FileDiffers)},
		{recorded, "a packet's name written otherwise", copying(policyFile, "packets/trade_appeal_policies/%61ppeal-policy/1.json"), codes(verify.FileUnexpected)},
		{recorded, "a packet under a digest", copying(policyFile, "packets/trade_appeal_policies/=00/1.json"), codes(verify.FileUnexpected)},
		{recorded, "a packet of no table", copying(policyFile, "packets/trade_private_notes/a/9.json"), codes(verify.FileUnexpected)},
		{recorded, "a packet more", copying(policyFile, "packets/trade_appeal_policies/appeal-policy/9.json"), codes(verify.FileUnexpected)},
		{recorded, "an empty file in the place of texts that a packet does not have", writing("texts/trade_appeal_policies/appeal-policy.1.json", ""), codes(verify.FileDiffers)},
		{recorded, "a linked folder of packets", linking("packets/trade_appeal_policies"), codes(verify.FileUnexpected, verify.PacketMissing)},
		{recorded, "linked records", linking("records"), codes(verify.FileUnexpected)},
		{recorded, "a receipt that no service gave", writing("evidence/receipts/0.json", "{}"), codes(verify.FileUnexpected)},

		{answers, "a rejection signed with another key", writing(first, string(other.Sign(verifytest.Rejection(l.Record(4), foreign)))), rejection},
		{answers, "a rejection of another record", writing(first, string(l.Rejected[1].Signed)), codes(verify.EvidenceAltered, verify.ChainBroken)},
		{answers, "a rejection of no record", writing("evidence/rejections/"+foreign+".txt", string(l.Rejected[1].Signed)), codes(verify.EvidenceAltered, verify.FileUnexpected)},
		{answers, "the service's key in two lines", writing("evidence/service.vkey", l.Says.ServiceKey+"\n\n"), codes(verify.EvidenceAltered)},
		{answers, "another service's key", writing("evidence/service.vkey", other.Key+"\n"), rejection},
		{answers, "a checkpoint that the log alone signed", copying("checkpoint", "evidence/cosignatures/0.txt"), codes(verify.EvidenceAltered)},
		{answers, "a record of the service's log that is empty", writing("evidence/elsewhere/0.json", ""), codes(verify.EvidenceAltered)},

		{restored, "a receipt of another record", copying("evidence/receipts/0.json", "evidence/receipts/1.json"), answer},
		{restored, "a receipt without its proof", writing("evidence/receipts/1.json", string(unproven.Document())), answer},
		{restored, "what a person accepted removed", removing("statements/#1.txt", "statements/#1.txt.sig"), codes(verify.EvidenceAltered)},
		{restored, "what names the service removed", removing("statements"), codes(verify.EvidenceAltered)},
		{restored, "the earlier key of the service removed", func(dir string) error {
			text, err := os.ReadFile(at(dir, "evidence/service.vkey"))
			_, newest, _ := strings.Cut(string(text), "\n")
			return errors.Join(err, writing("evidence/service.vkey", newest)(dir))
		}, codes(verify.EvidenceAltered)},
		{restored, "all evidence removed", removing("evidence"), codes(verify.FileMissing)},

		{stated, "an endorsement with another signature", copying("statements/#2.txt.sig", "statements/#0.txt.sig"), altered},
		{stated, "all statements removed", removing("statements"), codes(verify.KeyNotEndorsed, verify.FileMissing)},
		{stated, "the newest statement removed", removing("statements/#2.txt", "statements/#2.txt.sig"), codes(verify.FileMissing)},
		{stated, "a statement left out as one of another owner", func(dir string) error {
			return all(removing("statements/#0.txt", "statements/#0.txt.sig"), leavingOut(entryOf(dir, "statement", 0)[5]))(dir)
		}, codes(verify.FileDiffers, verify.FileMissing)},
		{stated, "a statement more", func(dir string) error {
			return all(copying("statements/#0.txt", "statements/9.txt"), copying("statements/#0.txt.sig", "statements/9.txt.sig"))(dir)
		}, codes(verify.FileUnexpected)},
		{stated, "two statements swapped", all(copying("statements/#0.txt", "x"), copying("statements/#2.txt", "statements/#0.txt"), copying("x", "statements/#2.txt"), removing("x"),
			copying("statements/#0.txt.sig", "x"), copying("statements/#2.txt.sig", "statements/#0.txt.sig"), copying("x", "statements/#2.txt.sig"), removing("x")), altered},

		{owner, "a record of another owner", func(dir string) error {
			return replacing(ownersRecord, `"ownerId":"owner-2"`, `"ownerId":"owner-3"`)(dir)
		}, codes(verify.FileUnexpected, verify.SignatureInvalid)},
		{owner, "the leaves of all entries", writing("tile/entries/000.p/4", "x"), codes(verify.FileUnexpected)},
		{owner, "another leaf hash", replacing("entries.csv", ",,,,", ",,,,00"), codes(verify.FileDiffers)},
	}
}

func copied(t testing.TB, from string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bundle")
	must(t, os.CopyFS(dir, os.DirFS(from)))
	return dir
}

// Every forgery of a bundle is found; the list says by which findings.
func TestWhatIsDoneToABundleIsFoundAndNamed(t *testing.T) {
	t.Parallel()
	rows, complete, pristine := map[string][]string{}, true, map[string]string{}
	for _, s := range samples {
		pristine[s.name] = sample(t, s.name)
		wantKinds(t, pristine[s.name], verify.Options{})
	}
	for _, c := range byHand(t) {
		t.Run(c.name, func(t *testing.T) {
			dir := copied(t, pristine[c.sample])
			if err := c.do(dir); err != nil {
				complete = false
				t.Fatal(err)
			}
			report := checked(t, dir, verify.Options{})
			for _, code := range c.want {
				if report.Count(code) == 0 {
					t.Errorf("%s is not found in %v", code, report.Findings)
				}
			}
			if report.OK() != (len(c.want) == 0) {
				t.Errorf("%v", report.Findings)
			}
			if !report.OK() {
				rows[c.sample] = append(rows[c.sample], fmt.Sprintf("| %s | %s | %s |\n", c.sample, c.name, strings.Join(codesOf(&report), " ")))
			}
		})
	}
	var table strings.Builder
	table.WriteString("| bundle with | what was forged | found by `docket verify DIR` as |\n|---|---|---|\n")
	for _, sample := range slices.Sorted(maps.Keys(rows)) {
		table.WriteString(strings.Join(rows[sample], ""))
	}
	if complete && !t.Failed() {
		holdTable(t, table.String())
	}
}

func codesOf(report *verify.Report) (words []string) {
	for _, code := range verify.Codes() {
		if report.Count(code) > 0 {
			words = append(words, "`"+code.String()+"`")
		}
	}
	return words
}

// holdTable fails unless the list of forgeries is table, or writes it.
func holdTable(t *testing.T, table string) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(forgeryList, []byte(table), 0o644))
	}
	if listed, err := os.ReadFile(forgeryList); err != nil {
		t.Fatal(err)
	} else if string(listed) != table {
		t.Errorf("%s is not what was found; go test ./store/bundle -run WhatIsDone -update writes it", forgeryList)
	}
}

// Every file of a bundle, removed, emptied, edited, lengthened or replaced by something else, is found and named.
func TestEveryFileOfABundleThatIsChangedIsNamed(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside")
	must(t, os.WriteFile(outside, []byte("x"), 0o600))
	changes := map[string]func(path string, content []byte) error{
		"removed":    func(path string, _ []byte) error { return os.Remove(path) },
		"emptied":    func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o644) },
		"lengthened": func(path string, content []byte) error { return os.WriteFile(path, append(content, 'x'), 0o644) },
		"edited": func(path string, content []byte) error {
			edited := bytes.Clone(content)
			edited[len(edited)/2] ^= 1
			return os.WriteFile(path, edited, 0o644)
		},
		"a folder": func(path string, _ []byte) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) },
		"a link outside": func(path string, _ []byte) error {
			return errors.Join(os.Remove(path), os.Symlink(outside, path))
		},
		"a link nowhere": func(path string, _ []byte) error {
			return errors.Join(os.Remove(path), os.Symlink("nowhere", path))
		},
	}
	for _, s := range samples {
		dir := sample(t, s.name)
		for _, name := range files(t, dir) {
			path := filepath.Join(dir, filepath.FromSlash(name))
			content := need(os.ReadFile(path))(t)
			for what, do := range changes {
				must(t, do(path, content))
				report, err := bundle.Check(t.Context(), dir, verify.Options{Workers: 1})
				if err != nil || !slices.ContainsFunc(report.Findings, func(f verify.Finding) bool { return names(&f, name) }) {
					t.Errorf("%s: %s %s: %v, %v", s.name, name, what, err, report.Findings)
				}
				must(t, errors.Join(os.RemoveAll(path), os.WriteFile(path, content, 0o644)))
			}
		}
	}
}

func names(f *verify.Finding, name string) bool {
	if name == "checkpoint" {
		return strings.Contains(f.Code.String(), "checkpoint") || f.Code == verify.RootDiffers
	}
	return strings.Contains(f.Detail, name) || f.RecordID.Present() && strings.Contains(name, string(f.RecordID))
}

// What is no part of a bundle is one finding each, which names it, and does not end the check; what file managers and
// version control leave behind is a note.
func TestWhatIsNoPartOfABundleIsOneFindingThatNamesIt(t *testing.T) {
	t.Parallel()
	pristine := sample(t, "records")
	for name, places := range map[string][]string{
		"zzz": {"zzz/a", "zzz/b/c"}, "notes.txt": {"notes.txt"}, `\x1b[2J`: {"\x1b[2J"}, "tile/1/000.p/1": {"tile/1/000.p/1"}, "records/x": {"records/x"},
		"records/" + foreign + ".json": {"records/" + foreign + ".json"}, "texts/" + foreign + ".json": {"texts/" + foreign + ".json"},
		"records/x0.json": {"records/x0.json"}, "packets/x": {"packets/x"}, "evidence/x": {"evidence/x"}, "statements/0.txt.sig": {"statements/0.txt.sig"},
	} {
		dir := copied(t, pristine)
		for _, place := range places {
			must(t, writing(place, "x")(dir))
		}
		report := checked(t, dir, verify.Options{})
		if report.Total != 1 || report.Findings[0].Code != verify.FileUnexpected || report.Findings[0].Detail != name || report.Size != 10 {
			t.Errorf("%s: %v", name, report.Findings)
		}
	}
	for _, place := range []string{".DS_Store", "records/.DS_Store", "Thumbs.db", "packets/desktop.ini", ".git/HEAD", "@eaDir/x/y", "__MACOSX/._records"} {
		dir := copied(t, pristine)
		must(t, writing(place, "x")(dir))
		if report := checked(t, dir, verify.Options{}); !report.OK() || len(report.Beside) != 1 || !strings.HasPrefix(place, report.Beside[0]) {
			t.Errorf("%s: %v, %v", place, report.Beside, report.Findings)
		}
	}
}

// Line ends that a tool changed are one finding that says so; any other change is found beside it.
func TestChangedLineEndsAreNamedAsSuchInOneFinding(t *testing.T) {
	t.Parallel()
	for _, s := range samples {
		dir := sample(t, s.name)
		for _, name := range files(t, dir) {
			content := need(os.ReadFile(at(dir, name)))(t)
			if !strings.HasPrefix(name, "tile/") {
				overwrite(t, at(dir, name), bytes.ReplaceAll(content, []byte("\n"), []byte("\r\n")))
			}
		}
		report := checked(t, dir, verify.Options{})
		if report.Total != 1 || report.Findings[0].Code != verify.LineEndsChanged {
			t.Errorf("%s: %v", s.name, report.Findings)
		}
		must(t, removing("appeals.csv")(dir))
		if report = checked(t, dir, verify.Options{}); report.Total != 2 || report.Count(verify.FileMissing) != 1 {
			t.Errorf("%s: %v", s.name, report.Findings)
		}
	}
	content, err := os.ReadFile(at(sample(t, "records"), ".gitattributes"))
	if err != nil || string(content) != "* -text\n" {
		t.Errorf("%q, %v", content, err)
	}
}

// A bundle of a service that its operator did not name, and one whose log has a forged answer.
func TestAForgedAnswerOfAServiceIsFoundByItsKeyAndNotExported(t *testing.T) {
	t.Parallel()
	l := turnedAway(t)
	wantKinds(t, written(t, l), verify.Options{ServiceKeys: []string{l.Says.ServiceKey}})
	report := checked(t, written(t, l), verify.Options{ServiceKeys: []string{verifytest.NewService("another").Key}})
	if report.Count(verify.EvidenceAltered) == 0 {
		t.Error(report.Findings)
	}
	l.Rejected[0].Signed = verifytest.NewService("another").Sign(verifytest.Rejection(l.Record(4), foreign))
	if _, err := bundle.Write(t.Context(), filepath.Join(t.TempDir(), "bundle"), l, bundle.Options{}); err == nil {
		t.Error("it is exported")
	}
}

// Of a file that is far too long no more is read than shows it.
func TestAFileThatIsFarTooLongIsFoundWithoutReadingIt(t *testing.T) {
	dir := sample(t, "records")
	for _, name := range files(t, dir) {
		info := need(os.Stat(at(dir, name)))(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := os.Truncate(at(dir, name), 1<<36); err != nil {
			t.Skipf("no file of holes: %v", err)
		}
		report, err := bundle.Check(t.Context(), dir, verify.Options{Workers: 1})
		if err != nil || report.OK() {
			t.Errorf("%s: %v", name, err)
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 192<<20 {
			t.Errorf("%s: %d MiB were allocated", name, (after.TotalAlloc-before.TotalAlloc)>>20)
		}
		must(t, os.Truncate(at(dir, name), info.Size()))
	}
}

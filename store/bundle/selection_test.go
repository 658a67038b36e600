package bundle_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// mixedLog is a log with amendments of two owners, a case, and statements about each.
func mixedLog(t testing.TB) *verifytest.Log {
	t.Helper()
	l := statedLog(t)
	theirs := verifytest.Amendment("theirs", 1)
	theirs["ownerId"] = "owner-9"
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, theirs), assigned, nil))
	ref := l.Hold(terms.AmendmentRecords, verifytest.Amendment("mine", 1))
	first := l.Decide(ref, assigned, nil)
	l.Append(first)
	l.Append(l.Decide(ref, assigned, func(c *records.Choice) { c.Supersedes = first.Members().RecordID }))
	l.Hold(terms.AmendmentRecords, verifytest.Amendment("not-judged-yet", 1))
	l.Erase(records.Erasure{What: records.ErasableDraft, Table: terms.AmendmentRecords, Key: packets.Key{ID: "mine", Number: 1}, Reason: records.ErasedMistake}, verifytest.Assigned)
	return l
}

const owner = "owner-2"

// ownedBundle is the part of mixedLog for one owner.
func ownedBundle(t testing.TB) (dir string, report verify.Report) {
	t.Helper()
	return partOf(t, mixedLog(t), bundle.Options{Owner: owner})
}

func TestAnExportForOneOwnerHoldsNothingOfOthersAndSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	dir, report := ownedBundle(t)
	// Theirs are a policy, two amendments, two records and three statements.
	if report.Size-report.LeftOut != 8 || report.LeftOut < 7 || report.Owner != owner || report.Amendments != 2 || report.Appeals != 0 {
		t.Errorf("%+v", report)
	}
	wantKinds(t, dir, verify.Options{})
	var packetsThere, recordsThere int
	for _, name := range files(t, dir) {
		content := need(os.ReadFile(at(dir, name)))(t)
		for _, hidden := range []string{"owner-9", "theirs", "case-1", "case-2", "trade_appeal_cases"} {
			if bytes.Contains(content, []byte(hidden)) || strings.Contains(name, hidden) {
				t.Errorf("%s holds %s", name, hidden)
			}
		}
		switch {
		case strings.HasPrefix(name, "tile/entries/"):
			t.Errorf("there is %s", name)
		case strings.HasPrefix(name, "packets/"):
			packetsThere++
		case strings.HasPrefix(name, "records/"):
			recordsThere++
		}
	}
	if packetsThere != 3 || recordsThere != 4 {
		t.Errorf("%d packets, %d files of records", packetsThere, recordsThere)
	}
}

// Of statements the keys of the owner's reviewers and the erasures of what is the owner's are there.
func TestAnExportForOneOwnerHoldsTheStatementsThatAreAboutIt(t *testing.T) {
	t.Parallel()
	dir, _ := ownedBundle(t)
	of := func(dir string) string { return strings.Join(files(t, at(dir, "statements")), " ") }
	whole := written(t, mixedLog(t))
	name := entryOf(whole, "statement", 1)[0] + ".txt"
	if theirs := fmt.Sprintf("%[1]s %[1]s.log %[1]s.sig ", name); strings.Replace(of(whole), theirs, "", 1) != of(dir) || !strings.Contains(of(whole), theirs) {
		t.Errorf("%s, want %s without %s", of(dir), of(whole), name)
	}
}

func TestAnExportForAnotherOwnerOrOfAllIsNotReplaced(t *testing.T) {
	t.Parallel()
	dir, _ := ownedBundle(t)
	for _, other := range []terms.ID{"", "owner-9"} {
		if _, err := bundle.Write(t.Context(), dir, mixedLog(t), bundle.Options{Owner: other}); err == nil {
			t.Errorf("an export for %q replaces it", other)
		}
	}
	need(bundle.Write(t.Context(), dir, mixedLog(t), bundle.Options{Owner: owner}))(t)
}

func TestAnExportForAnOwnerOfNothingHoldsNoRecord(t *testing.T) {
	t.Parallel()
	dir, report := partOf(t, mixedLog(t), bundle.Options{Owner: "nobody"})
	if report.LeftOut == 0 || report.LeftOut != report.Size {
		t.Errorf("%+v", report)
	}
	if names := strings.Join(files(t, dir), " "); strings.Contains(names, "packets/") || strings.Contains(names, "records/") {
		t.Error(names)
	}
}

// sinceLog is mixedLog, its checkpoint, and what was decided since: mine again, and a new case.
func sinceLog(t testing.TB) (l *verifytest.Log, since []byte) {
	t.Helper()
	l = mixedLog(t)
	since = bytes.Clone(l.Says.Checkpoint)
	mine := verify.Ref{Table: terms.AmendmentRecords, Key: packets.Key{ID: "mine", Number: 1}}
	var reader packets.Reader
	decided := recordEntries(l)
	newest := need(records.ReadEnforcement(&reader, terms.Amendments, decided[len(decided)-1].Document))(t)
	last := newest.Members().RecordID
	l.Append(l.Decide(mine, assigned, func(c *records.Choice) { c.Supersedes = last }))
	l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("new", 1)), assigned, nil))
	l.Hold(terms.AppealCases, verifytest.AppealCase("new", 2))
	return l, since
}

func TestAnExportSinceACheckpointHoldsWhatWasDecidedSinceWithAllOfIt(t *testing.T) {
	t.Parallel()
	l, since := sinceLog(t)
	dir, report := partOf(t, l, bundle.Options{Since: since})
	// Of what came before, there are two policies, an amendment, two records and four statements.
	if at := verify.SizeOf(since); report.Size != int64(len(l.List)) || at-report.LeftOut != 9 || report.Since != at || report.Owner != "" || report.Amendments != 3 || report.Appeals != 1 {
		t.Errorf("%+v", report)
	}
	wantKinds(t, dir, verify.Options{})
	names := strings.Join(files(t, dir), "\n")
	for _, there := range []string{"packets/trade_appeal_cases/new/1.json", "packets/trade_appeal_cases/new/2.json", "/mine/1.json", "/" + filepath.Base(at(dir, "statements/#1.txt")) + "\n", "since\n", "tile/0/"} {
		if !strings.Contains(names+"\n", there) {
			t.Errorf("there is no %s in\n%s", there, names)
		}
	}
	for _, gone := range []string{"case-1", "case-2", "theirs", "not-judged-yet", "tile/entries"} {
		if strings.Contains(names, gone) {
			t.Errorf("there is %s in\n%s", gone, names)
		}
	}
	need(bundle.Write(t.Context(), dir, l, bundle.Options{Since: since}))(t)
	for _, other := range []bundle.Options{{}, {Owner: owner}, {Since: l.Says.Checkpoint}} {
		if _, err := bundle.Write(t.Context(), dir, l, other); err == nil {
			t.Errorf("an export of another part replaces it: %+v", other)
		}
	}
}

// A newer revision of a decided case is in the bundle, so that what may be relied on is judged by it.
func TestRelianceInAnExportOfAPartKnowsTheNewestRevisionAndPolicy(t *testing.T) {
	t.Parallel()
	l, since := sinceLog(t)
	dir, _ := partOf(t, l, bundle.Options{Since: since})
	content := string(need(os.ReadFile(at(dir, "reliance.csv")))(t))
	if !strings.Contains(content, "trade_appeal_cases,new,2,blocked") {
		t.Error(content)
	}
	l.Hold(terms.AmendmentPolicies, verifytest.AmendmentPolicy(verifytest.Amendment("mine", 1)["policyId"].(string), 2))
	for name, part := range map[string]bundle.Options{"since": {Since: since}, "owner": {Owner: owner}} {
		dir, _ := partOf(t, l, part)
		if content := string(need(os.ReadFile(at(dir, "reliance.csv")))(t)); !strings.Contains(content, "policy_superseded") {
			t.Errorf("%s: %s", name, content)
		}
	}
}

func TestNothingSinceACheckpointIsLeftOut(t *testing.T) {
	t.Parallel()
	l, since := sinceLog(t)
	for name, c := range map[string]struct {
		change func(string) error
		want   verify.Code
		count  int64 // 0: any
	}{
		"a later checkpoint":                      {writing("since", string(l.Says.Checkpoint)), verify.FileDiffers, 0},
		"an export without the checkpoint":        {removing("since"), verify.FileMissing, 0},
		"an entry since the checkpoint, left out": {leavingOut(" new 2,"), verify.RecordMissing, 1},
	} {
		dir, _ := partOf(t, l, bundle.Options{Since: since})
		must(t, c.change(dir))
		if report := checked(t, dir, verify.Options{}); report.Count(c.want) == 0 || c.count > 0 && report.Count(c.want) != c.count {
			t.Errorf("%s passes: %v", name, report.Findings)
		}
	}
}

func TestACheckpointThatIsNotOneOfTheLogExportsNothing(t *testing.T) {
	t.Parallel()
	l, since := sinceLog(t)
	_, other := sinceLog(t)
	forked := verifytest.New(t)
	forked.Append(forked.Decide(forked.Hold(terms.AppealCases, verifytest.AppealCase("z", 1)), assigned, nil))
	for name, wrong := range map[string][]byte{"of another log": forked.Says.Checkpoint, "cut": since[:len(since)-9],
		"edited": bytes.Replace(other, fmt.Appendf(nil, "\n%d\n", verify.SizeOf(other)), []byte("\n4\n"), 1), "no checkpoint": []byte("x\n")} {
		dir := filepath.Join(t.TempDir(), "bundle")
		if _, err := bundle.Write(t.Context(), dir, l, bundle.Options{Since: wrong}); err == nil {
			t.Errorf("%s: it exports", name)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: there is a folder", name)
		}
	}
}

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

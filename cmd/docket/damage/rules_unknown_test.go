//go:build unix

package damage_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

// anchors are the checkpoints that are kept outside the store's folder, from the site's folder on.
func (f forger) anchors() (names []string) {
	f.T.Helper()
	err := filepath.WalkDir(f.At("state"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "checkpoint" {
			name, failed := filepath.Rel(f.Folder, path)
			names, err = append(names, filepath.ToSlash(name)), failed
		}
		return err
	})
	if err != nil || len(names) != 1 {
		f.T.Fatalf("%q, %v", names, err)
	}
	return names
}

// TestARecordOfAnotherRuleBookIsNotJudgedAgain has the newest record of a log name a rule book of a later day, signed by its
// reviewer and logged as such: a check says that it did not judge it, says nothing else against it, and recording goes on.
func TestARecordOfAnotherRuleBookIsNotJudgedAgain(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "sqlite3", "ssh-keygen")
	f := forger{programtest.Decided(t, "request_evidence", "uphold_decision", "request_evidence")}
	document, id := f.document(2), f.record(2)
	if !strings.Contains(document, `+docket.2"`) {
		t.Fatal(document)
	}
	const newest = "SELECT note FROM docket_checkpoints ORDER BY size DESC LIMIT 1"
	before := f.Text(newest)
	f.replace(2, strings.Replace(document, `+docket.2"`, `+docket.999"`, 1), f.At(programtest.OwnKey))
	f.rebuild()
	for _, anchor := range f.anchors() {
		f.Write(anchor, strings.ReplaceAll(f.Read(anchor), before, f.Text(newest)))
	}
	v, plain := f.Verify()
	f.Names(v, plain, "rules_unknown", 2, id)
	if v.Status != 1 || len(v.Found) != 1 {
		t.Errorf("exit status %d, %+v", v.Status, v.Found)
	}
	for _, said := range []string{"A record names a rule book that this program does not have, so it was not judged again.",
		"Check it with a version of docket that has that rule book."} {
		if !strings.Contains(strings.Join(strings.Fields(plain), " "), said) {
			t.Errorf("%q is not in\n%s", said, plain)
		}
	}
	f.Done("docket-decide", programtest.SampleCase, "uphold_decision")
	if v, _ := f.Verify(); v.Status != 1 || v.Records != 4 || len(v.Found) != 1 {
		t.Errorf("after the next record: exit status %d, %+v", v.Status, v)
	}
}

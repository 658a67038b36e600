//go:build unix

package main_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// anchors are the checkpoints that are kept outside the store's folder, from the site's folder on.
func (s *site) anchors() (names []string) {
	s.t.Helper()
	err := filepath.WalkDir(s.at("state"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "checkpoint" {
			name, failed := filepath.Rel(s.folder, path)
			names, err = append(names, filepath.ToSlash(name)), failed
		}
		return err
	})
	if err != nil || len(names) != 1 {
		s.t.Fatalf("%q, %v", names, err)
	}
	return names
}

// TestARecordOfAnotherRuleBookIsNotJudgedAgain has the newest record of a log name a rule book of a later day, signed by its
// reviewer and logged as such: a check says that it did not judge it, says nothing else against it, and recording goes on.
func TestARecordOfAnotherRuleBookIsNotJudgedAgain(t *testing.T) {
	t.Parallel()
	needs(t, "sqlite3", "ssh-keygen")
	f := forger{decided(t, "request_evidence", "uphold_decision", "request_evidence")}
	document, id := f.document(2), f.record(2)
	if !strings.Contains(document, `+docket.1"`) {
		t.Fatal(document)
	}
	const newest = "SELECT note FROM docket_checkpoints ORDER BY size DESC LIMIT 1"
	before := f.text(newest)
	f.replace(2, strings.Replace(document, `+docket.1"`, `+docket.999"`, 1), f.at(ownKey))
	f.rebuild()
	for _, anchor := range f.anchors() {
		f.write(anchor, strings.ReplaceAll(f.read(anchor), before, f.text(newest)))
	}
	v, plain := f.verify()
	f.names(v, plain, "rules_unknown", 2, id)
	if v.status != 1 || len(v.findings) != 1 {
		t.Errorf("exit status %d, %+v", v.status, v.findings)
	}
	for _, said := range []string{"A record was judged by a rule book that this program does not have, so it was not judged again.",
		"Check it with a version of docket that has that rule book."} {
		if !strings.Contains(strings.Join(strings.Fields(plain), " "), said) {
			t.Errorf("%q is not in\n%s", said, plain)
		}
	}
	f.done("docket-decide", sampleCase, "uphold_decision")
	if v, _ := f.verify(); v.status != 1 || v.Records != 4 || len(v.findings) != 1 {
		t.Errorf("after the next record: exit status %d, %+v", v.status, v)
	}
}

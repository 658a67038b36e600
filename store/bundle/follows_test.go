package bundle_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/store/verify/verifytest"
)

// followsFile holds what follows from logs with every part that a bundle may have.
var followsFile = filepath.Join("testdata", "follows.txt")

// What follows from a log is compared whole: of SUMMARY.md all but the commands, which are the same in every bundle.
func TestWhatFollowsFromALogIsWrittenAsItWas(t *testing.T) {
	t.Parallel()
	revoked, _, _ := revokedLog(t)
	var text strings.Builder
	for _, c := range []struct {
		name  string
		log   *verifytest.Log
		files []string
	}{
		{"a log with answers of a service and with cosignatures", whole(t), []string{"appeals.csv", "amendments.csv", "provenance.json"}},
		{"a log whose service lost records", acceptedLog(t), nil},
		{"a log with statements about keys and an erasure", statedLog(t), nil},
		{"a log with a record of a revoked key", revoked, []string{"provenance.json"}},
		{"an empty log", verifytest.New(t), []string{"appeals.csv", "amendments.csv", "provenance.json"}},
	} {
		dir := written(t, c.log)
		for _, name := range append([]string{"SUMMARY.md", "allowed_signers"}, c.files...) {
			content := need(os.ReadFile(at(dir, name)))(t)
			said, commands, _ := strings.Cut(string(content), "\n## How to check it\n")
			fmt.Fprintf(&text, "== %s: %s\n\n%s\n", c.name, name, said)
			for line := range strings.Lines(commands) {
				if strings.HasPrefix(line, "revoked = [") {
					fmt.Fprintf(&text, "In the commands:\n%s\n", line)
				}
			}
		}
	}
	if flag.Lookup("update").Value.String() == "true" {
		must(t, os.WriteFile(followsFile, []byte(text.String()), 0o644))
	}
	want, err := os.ReadFile(followsFile)
	if err != nil || string(want) != text.String() {
		t.Errorf("%s is not what is written; `go test ./store/bundle -run WhatFollows -update` writes it: %v", followsFile, err)
	}
}

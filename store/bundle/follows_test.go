package bundle_test

import (
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
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

func TestTheIndexHoldsEachDecisionAndReachesNowhere(t *testing.T) {
	t.Parallel()
	l := sampleLog(t)
	text := need(os.ReadFile(at(written(t, l), "index.html")))(t)
	page := need(html.Parse(strings.NewReader(string(text))))(t)
	articles, main, superseded := 0, 0, 0
	for n := range page.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "article":
			articles++
		case "main":
			main++
		case "script", "link", "img", "iframe", "form":
			t.Errorf("there is a <%s>", n.Data)
		}
		for _, a := range n.Attr {
			if slices.Contains([]string{"src", "href", "action"}, a.Key) && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	superseded = strings.Count(string(text), "no longer in force")
	if articles != len(recordEntries(l)) || main != 1 || superseded != 1 {
		t.Errorf("%d articles, %d mains, %d superseded", articles, main, superseded)
	}
	if strings.Count(string(text), "What this decision does not do") != 2 {
		t.Error("what the decisions of an area have in common does not stand once")
	}
}

func TestNothingPrivateIsInTheIndexOrTheProvenance(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	ref := l.Hold(terms.AmendmentRecords, verifytest.Amendment("change-1", 1))
	l.Append(l.Decide(ref, assigned, func(c *records.Choice) {
		c.NoteDigest = records.Note{Salt: "salt", Text: "canary-note"}.Digest()
	}))
	dir := written(t, l)
	for _, name := range []string{"index.html", "provenance.json"} {
		text := need(os.ReadFile(at(dir, name)))(t)
		for _, hidden := range []string{"canary", verifytest.Party, verifytest.Decider, verifytest.Recused, "owner-2"} {
			if strings.Contains(string(text), hidden) {
				t.Errorf("%s holds %s", name, hidden)
			}
		}
	}
}

// python is the interpreter for which Debian's python3-prov installs the library.
const python = "/usr/bin/python3"

// readProvenance reads a document with the prov library, which checks it, and returns what it counted; the second result is what
// it complains of.
func readProvenance(t *testing.T, path string) (counts, complaint string) {
	t.Helper()
	script := need(filepath.Abs(filepath.Join("testdata", "provenance.py")))(t)
	out, err := exec.CommandContext(t.Context(), python, script, path).CombinedOutput()
	if err != nil {
		return "", string(out)
	}
	return string(out), ""
}

func needProv(t *testing.T) {
	t.Helper()
	if exec.CommandContext(t.Context(), python, "-c", "import prov").Run() != nil {
		t.Skip("the prov library for python3 is not installed")
	}
}

func TestTheProvLibraryReadsTheProvenance(t *testing.T) {
	t.Parallel()
	needProv(t)
	counts, complaint := readProvenance(t, at(written(t, sampleLog(t)), "provenance.json"))
	want := "Activity 4\nAgent 1\nAssociation 4\nAttribution 4\nDerivation 9\nEntity 9\nGeneration 4\nInvalidation 1\nUsage 8\n"
	if complaint != "" || counts != want {
		t.Errorf("%s%s", complaint, counts)
	}
	if _, complaint := readProvenance(t, at(written(t, verifytest.New(t)), "provenance.json")); complaint != "" {
		t.Errorf("of an empty log: %s", complaint)
	}
}

// The check must be able to fail.
func TestTheProvLibraryRefusesProvenanceThatIsNone(t *testing.T) {
	t.Parallel()
	needProv(t)
	l := sampleLog(t)
	path, use := at(written(t, l), "provenance.json"), fmt.Sprintf(`"_:use%d.0":{"prov:activity":"judging:`, l.At(0))
	text := need(os.ReadFile(path))(t)
	for name, change := range map[string][2]string{
		"no prefix":       {`"record":"urn:uuid:"`, `"recorx":"urn:uuid:"`},
		"not described":   {use, use + "x"},
		"no such section": {`"wasGeneratedBy"`, `"wasGeneratedFrom"`},
		"time runs back":  {`"prov:startTime":"2026`, `"prov:startTime":"2027`},
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Fatalf("%s changes nothing", name)
		}
		must(t, os.WriteFile(path, []byte(changed), 0o644))
		if _, complaint := readProvenance(t, path); complaint == "" {
			t.Errorf("%s: it is accepted", name)
		}
	}
}

func TestTheProvenanceSaysWhatSupersedesWhatAndWhatWasRejected(t *testing.T) {
	t.Parallel()
	l, ref, first := oneCase(t)
	second := l.Decide(ref, assigned, superseding(first))
	l.Append(second)
	turned := l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 1)), assigned, nil)
	l.Append(turned)
	l.Reject(verifytest.NewService("one"), turned, "")
	text := need(os.ReadFile(at(written(t, l), "provenance.json")))(t)
	type section map[string]map[string]any
	var document struct {
		Bundle map[string]struct{ WasDerivedFrom, WasInvalidatedBy section }
	}
	must(t, json.Unmarshal(text, &document))
	derived, invalidated := section{}, section{}
	for _, said := range document.Bundle {
		maps.Copy(derived, said.WasDerivedFrom)
		maps.Copy(invalidated, said.WasInvalidatedBy)
	}
	name := func(r records.Enforcement) string { return "record:" + string(r.Members().RecordID) }
	if revision := derived[fmt.Sprint("_:revision", l.At(1))]; revision["prov:generatedEntity"] != name(second) || revision["prov:usedEntity"] != name(first) {
		t.Errorf("%v", revision)
	}
	if over := invalidated[fmt.Sprint("_:invalidation", l.At(0))]; over["prov:entity"] != name(first) || over["docket:reason"] != "superseded" {
		t.Errorf("%v", over)
	}
	if out := invalidated[fmt.Sprint("_:invalidation", l.At(2))]; out["prov:entity"] != name(turned) || out["docket:reason"] != "record_superseded" {
		t.Errorf("%v", out)
	}
	if len(invalidated) != 2 {
		t.Errorf("%v", invalidated)
	}
}

// relied reads the gate and the reasons of each row of reliance.csv.
func relied(t *testing.T, dir string) map[string]string {
	t.Helper()
	file := need(os.Open(filepath.Join(dir, "reliance.csv")))(t)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%v, %v", rows, err)
	}
	found := map[string]string{}
	for _, row := range rows[1:] {
		found[row[1]] = strings.TrimSpace(row[3] + " " + row[4])
	}
	return found
}

func TestRelianceIsJudgedForTheTimeOfTheExportAndHeldToTheLog(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("applied", 1)), assigned, nil))
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("revised", 1)), assigned, nil))
	l.Hold(terms.AmendmentRecords, verifytest.Amendment("revised", 2))
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("tightened", 1)), assigned, func(c *records.Choice) {
		c.AddedBlockers = terms.SetOf(terms.NoticeMissing)
	}))
	l.Hold(terms.AmendmentRecords, verifytest.Amendment("undecided", 1))
	dir := filepath.Join(t.TempDir(), "bundle")
	for year, want := range map[int]string{2026: "pass", 2006: "blocked policy_mutable notice_missing"} {
		at := time.Date(year, 6, 16, 0, 0, 0, 0, time.UTC)
		need(bundle.Write(t.Context(), dir, l, bundle.Options{At: terms.InstantOf(at)}))(t)
		got := relied(t, dir)
		if len(got) != 3 || !strings.HasPrefix(got["applied"], want) || !strings.HasSuffix(got["revised"], records.NotLatest) ||
			!slices.Contains(strings.Fields(got["tightened"]), "notice_missing") || !strings.HasSuffix(got["tightened"], records.HeldByGate) {
			t.Errorf("at %v: %q", at, got)
		}
		wantKinds(t, dir, verify.Options{})
	}
	path := filepath.Join(dir, "reliance.csv")
	text := need(os.ReadFile(path))(t)
	must(t, os.WriteFile(path, []byte(strings.Replace(string(text), records.NotLatest, "", 1)), 0o644))
	wantKinds(t, dir, verify.Options{}, verify.FileDiffers)
}

package bundle_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// forgeriesPage holds the table of forgeries of a bundle between two lines.
var forgeriesPage = filepath.Join("..", "docs", "forgeries.md")

const forgeriesBegin, forgeriesEnd = "<!-- the table of forgeries of a bundle -->\n", "<!-- end of the table of a bundle -->\n"

// statedLog is a log with statements about it: the first key endorsed a second, which signed a record; a note was erased; then a third key,
// with which nothing is signed yet, was endorsed.
func statedLog(t testing.TB) *verifytest.Log {
	t.Helper()
	l := verifytest.New(t)
	first := l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1)), assigned, nil)
	l.Append(first)
	endorse := func(name string) {
		seen, key := l.Seen(), verifytest.Key(name).PublicKey()
		about := records.LogStatement{Kind: records.KeyEndorsed, Origin: seen.Origin, Size: seen.Size, Root: seen.Root, At: first.Members().RecordedAt,
			By: verifytest.Assigned, KeyFingerprint: assigned.KeyFingerprint, Key: records.KeyChange{PublicKey: signed.AuthorizedKey(key)}}
		if n := len(l.Says.Statements); n > 0 {
			about.Key.Previous = terms.HashOf([]byte(l.Says.Statements[n-1].Text))
		}
		l.StateKey(about, verifytest.Assigned)
	}
	endorse("second")
	second := assigned
	second.KeyFingerprint = ssh.FingerprintSHA256(verifytest.Key("second").PublicKey())
	record := l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 1)), second, nil)
	l.Says.Signers = append(l.Says.Signers, verify.Signer{ID: verifytest.Assigned, Key: verifytest.Key("second").PublicKey(), Since: record.Members().RecordedAt})
	l.AppendSigned(record.Table(), record.Document(), verifytest.Key("second"))
	l.Erase(records.Erasure{What: records.ErasableDraft, Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}, Reason: records.ErasedMistake}, verifytest.Assigned)
	endorse("third")
	return l
}

// forgedStatements are a bundle with statements about its log, and what a forger does to them.
func forgedStatements(t *testing.T) (string, []changedBundle) {
	dir := written(t, statedLog(t))
	another := func(old, with string, names ...string) func(string) error {
		return func(dir string) error {
			for _, name := range names {
				text, err := os.ReadFile(at(dir, name))
				changed := strings.ReplaceAll(string(text), old, with)
				if err == nil && changed == string(text) {
					err = fmt.Errorf("%s does not have %q", name, old)
				}
				if err = errors.Join(err, os.WriteFile(at(dir, name), []byte(changed), 0o644)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	all := func(changes ...func(string) error) func(string) error {
		return func(dir string) (err error) {
			for _, change := range changes {
				err = errors.Join(err, change(dir))
			}
			return err
		}
	}
	altered := []verify.Code{verify.LogStatementAltered}
	return dir, []changedBundle{
		{"keys", "an endorsement edited", another("key_endorsed", "key_replaced", "keys/0.txt"), altered},
		{"keys", "an endorsement without its signature", removing("keys/0.txt.sig"), altered},
		{"keys", "an endorsement with another signature", copying("keys/2.txt.sig", "keys/0.txt.sig"), altered},
		{"keys", "an endorsement on which a record depends removed", all(removing("keys/0.txt"), removing("keys/0.txt.sig")), altered},
		{"keys", "the newest endorsement removed, on which nothing depends", all(removing("keys/2.txt"), removing("keys/2.txt.sig")),
			[]verify.Code{verify.FileDiffers}},
		{"keys", "all statements removed", func(dir string) error {
			return errors.Join(os.RemoveAll(at(dir, "keys")), os.RemoveAll(at(dir, "erasures")))
		}, []verify.Code{verify.KeyNotEndorsed}},
		{"keys", "two endorsements swapped", all(copying("keys/0.txt", "x"), copying("keys/2.txt", "keys/0.txt"), copying("x", "keys/2.txt"), removing("x"),
			copying("keys/0.txt.sig", "x"), copying("keys/2.txt.sig", "keys/0.txt.sig"), copying("x", "keys/2.txt.sig"), removing("x")), altered},
		{"keys", "a key listed for another reviewer", another(string(verifytest.Assigned), "rev-other", "allowed_signers"), []verify.Code{verify.SignerOther}},
		{"keys", "the time edited until which a key counts", another(`valid-after="2`, `valid-after="3`, "allowed_signers"), []verify.Code{verify.FileDiffers}},
		{"erasures", "the statement of an erasure edited", another("by_mistake", "order", "erasures/1.txt"), altered},
		{"erasures", "the statement of an erasure without the log's signature", removing("erasures/1.txt.log"), altered},
		{"erasures", "the statement of an erasure a second time", all(copying("erasures/1.txt", "erasures/3.txt"), copying("erasures/1.txt.sig", "erasures/3.txt.sig"),
			copying("erasures/1.txt.log", "erasures/3.txt.log")), altered},
		{"erasures", "the statement of an erasure in the folder of keys", all(copying("erasures/1.txt", "keys/1.txt"), removing("erasures/1.txt")), altered},
		{"salts", "a salt removed", removing("salts/0.json"), []verify.Code{verify.SaltMissing}},
		{"salts", "a salt edited", another(`alt":"`, `alt":"x`, "salts/0.json"), []verify.Code{verify.ViewDiffers}},
	}
}

// A forgedBundle is a sound bundle and what is done to copies of it.
type forgedBundle func(t *testing.T) (dir string, list []changedBundle)

// forgedBundles are all of them.
var forgedBundles = []forgedBundle{
	func(t *testing.T) (string, []changedBundle) { return written(t, sampleLog(t)), changedBundles },
	forgedRejections, forgedReceipts, forgedLost, forgedManifests, forgedCosignatures, forgedStatements,
}

// Every forgery of a bundle is found and named; the page says by which findings.
func TestWhatIsDoneToABundleIsFoundAndNamed(t *testing.T) {
	t.Parallel()
	rows, tried, whole := map[string][]string{}, 0, true
	for _, forged := range forgedBundles {
		pristine, list := forged(t)
		wantKinds(t, pristine, verify.Options{})
		for _, changed := range list {
			t.Run(changed.name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "bundle")
				if err := os.CopyFS(dir, os.DirFS(pristine)); err != nil {
					t.Fatal(err)
				}
				if err := changed.change(dir); err != nil {
					whole = false
					t.Skipf("cannot be done here: %v", err)
				}
				report := checked(t, dir, verify.Options{})
				var codes []verify.Code
				for _, finding := range report.Findings {
					t.Log(finding)
					codes = append(codes, finding.Code)
				}
				for _, code := range changed.want {
					if report.Count(code) == 0 {
						t.Errorf("%s is not found", code)
					}
				}
				if report.OK() != (len(changed.want) == 0) {
					t.Errorf("%d findings", report.Total)
				}
				if report.OK() {
					return
				}
				slices.Sort(codes)
				var words []string
				for _, code := range slices.Compact(codes) {
					words = append(words, "`"+code.String()+"`")
				}
				tried++
				rows[changed.class] = append(rows[changed.class], fmt.Sprintf("| %s | %s | %s |\n", changed.class, changed.name, strings.Join(words, " ")))
			})
		}
	}
	var table strings.Builder
	table.WriteString("| class | what was forged | found by `docket verify DIR` as |\n|---|---|---|\n")
	for _, class := range slices.Sorted(maps.Keys(rows)) {
		for _, row := range rows[class] {
			table.WriteString(row)
		}
	}
	if whole {
		holdTable(t, table.String())
	}
	t.Logf("%d forgeries tried, all found", tried)
}

// holdTable fails unless the page holds the table, or writes it there.
func holdTable(t *testing.T, table string) {
	t.Helper()
	text, err := os.ReadFile(forgeriesPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), forgeriesBegin)
	_, after, ends := strings.Cut(rest, forgeriesEnd)
	if !begins || !ends {
		t.Fatalf("%s has no table of bundles", forgeriesPage)
	}
	want := before + forgeriesBegin + table + forgeriesEnd + after
	switch {
	case flag.Lookup("update").Value.String() == "true":
		if err := os.WriteFile(forgeriesPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	case want != string(text):
		t.Errorf("%s does not hold the table of forgeries of a bundle; go test ./store/bundle -run WhatIsDone -update writes it", forgeriesPage)
	}
}

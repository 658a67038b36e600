package bundle_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// exported is a bundle of two records, one of each area.
var exported = filepath.Join("testdata", "export")

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestTheBundleOfTheExamplesIsWhatIsWritten(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1)), assigned, nil))
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("amendment-1", 1)), assigned, nil))
	dir := written(t, l)
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.RemoveAll(exported); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(exported, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
	}
	if !maps.Equal(contents(t, exported), contents(t, dir)) {
		t.Errorf("%s is not what is written; `go test ./store/bundle -run TheBundleOfTheExamples -update` writes it", exported)
	}
}

// A program that is given a bundle checks all of it: the signature of the checkpoint, the tree, each record with its signature, judged again
// from its packets, and every other file. A checkpoint whose key is not named by the caller is checked with the key that the bundle names:
// compare that key with one from elsewhere.
func ExampleCheck() {
	report, err := bundle.Check(context.Background(), exported, verify.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("verified:", report.OK())
	fmt.Println("entries:", report.Size, "records:", report.Records())
	fmt.Println("key:", report.VerifierKey)
	// Output:
	// verified: true
	// entries: 6 records: 2
	// key: docket/0123456789abcdef+4f2092dc+AfXKG8l3m51LBPLd8rHzjjhyDArJeod+b3Zn0qU/6bTz
}

// Each fault of a bundle is a finding with a code and the position of the entry. Here one byte of the reasons
// for a record was changed: they differ from the digest that was signed, and the page that follows from the log differs, too.
func ExampleCheck_findings() {
	folder, err := os.MkdirTemp("", "bundle")
	if err != nil {
		log.Fatal(err)
	}
	dir := filepath.Join(folder, "changed")
	if err := os.CopyFS(dir, os.DirFS(exported)); err != nil {
		log.Fatal(err)
	}
	name := at(dir, "texts/0.json")
	text, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(name, bytes.Replace(text, []byte("The"), []byte("the"), 1), 0o644); err != nil {
		log.Fatal(err)
	}

	report, err := bundle.Check(context.Background(), dir, verify.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("verified:", report.OK())
	for _, finding := range report.Findings {
		fmt.Println(finding.Sequence, finding.Code)
	}
	if err := os.RemoveAll(folder); err != nil {
		log.Fatal(err)
	}
	// Output:
	// verified: false
	// 3 text_altered
	// -1 file_differs
}

// Each is called with every entry of a bundle, in the order of the log: here, of each record, its position, its gate, and how many packets it was judged from.
func ExampleCheck_records() {
	_, err := bundle.Check(context.Background(), exported, verify.Options{Each: func(c verify.Checked) error {
		if c.Entry.Kind == records.RecordEntry {
			fmt.Println(c.Entry.Sequence, c.Record.Members().Gate, len(c.Packets))
		}
		return nil
	}})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 3 pass 2
	// 5 pass 2
}

package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// flips are the changes that are made to each byte: a low bit, which keeps a letter a letter, and the bit that folds
// case.
var flips = [...]byte{0x01, 0x20}

// flipStep is how far apart the bytes lie that are changed; with DOCKET_LONG=1 it is every one.
func flipStep() int {
	if os.Getenv("DOCKET_LONG") == "1" {
		return 1
	}
	return 127
}

func TestAFlippedByteAnywhereInABundleIsFound(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("Case-1", 1)), assigned, nil))
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("amendment-1", 1)), assigned, nil))
	tried := flipped(t, written(t, l), func(string) bool { return true })
	// What else there is in bundles with statements about keys and erasures, with cosignatures, and with what a service answered and lost.
	for _, forged := range []forgedBundle{forgedRejections, forgedReceipts, forgedLost, forgedCosignatures, forgedStatements} {
		dir, _ := forged(t)
		tried += flipped(t, dir, func(name string) bool { return !slices.Contains(alike, strings.SplitN(name, "/", 2)[0]) })
	}
	t.Logf("%d flips, each found", tried)
}

// alike are the parts of which every bundle has the same sort.
var alike = []string{"records", "packets", "salts", "statements", "tile", "allowed_signers", "appeals.csv", "amendments.csv", "index.html", "provenance.json", "SUMMARY.md",
	"MANIFEST", "checkpoint"}

// flipped flips bytes of the files in a bundle, one after the other, and fails if one is not found. It returns how many it flipped.
func flipped(t *testing.T, dir string, which func(name string) bool) (tried int) {
	t.Helper()
	for i, name := range files(t, dir) {
		if !which(name) {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for offset := i % flipStep(); offset < len(content); offset += flipStep() {
			for _, change := range flips {
				tried++
				flipped := append([]byte(nil), content...)
				flipped[offset] ^= change
				overwrite(t, path, flipped)
				report, err := bundle.Check(t.Context(), dir, verify.Options{Workers: 1})
				if err == nil && report.OK() {
					t.Errorf("%s: byte %d changed from %q to %q is not found", name, offset, content[offset], flipped[offset])
				}
			}
		}
		overwrite(t, path, content)
	}
	if report := checked(t, dir, verify.Options{}); !report.OK() {
		t.Errorf("the bundle was not put right again: %v", report.Findings)
	}
	return tried
}

func overwrite(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// changedBundle is something done to the folder of a bundle, with kinds that have to be found.
type changedBundle struct {
	class  string // of the table of forgeries of a bundle
	name   string
	change func(dir string) error
	want   []verify.Code
}

func at(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

func removing(name string) func(string) error {
	return func(dir string) error { return os.Remove(at(dir, name)) }
}

func writing(name, content string) func(string) error {
	return func(dir string) error {
		if err := os.MkdirAll(filepath.Dir(at(dir, name)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(at(dir, name), []byte(content), 0o644)
	}
}

// copying copies a file of the bundle to another name in it.
func copying(from, to string) func(string) error {
	return func(dir string) error {
		content, err := os.ReadFile(at(dir, from))
		return errors.Join(err, writing(to, string(content))(dir))
	}
}

// linking puts a link in the place of a file, to a copy that stands elsewhere.
func linking(name string) func(string) error {
	return func(dir string) error {
		return errors.Join(os.Rename(at(dir, name), dir+".moved"), os.Symlink(dir+".moved", at(dir, name)))
	}
}

const policyFile = "packets/trade_appeal_policies/appeal-policy/1.json"

var changedBundles = []changedBundle{
	{"", "nothing", func(string) error { return nil }, nil},
	{"checkpoint", "no checkpoint", removing("checkpoint"), []verify.Code{verify.CheckpointMissing}},
	{"keys", "no allowed_signers", removing("allowed_signers"), []verify.Code{verify.FileMissing, verify.SignerUnknown}},
	{"derived files", "no SUMMARY.md", removing("SUMMARY.md"), []verify.Code{verify.FileMissing, verify.CheckpointUnknownKey}},
	{"derived files", "no spreadsheet", removing("appeals.csv"), []verify.Code{verify.FileMissing}},
	{"derived files", "no page", removing("index.html"), []verify.Code{verify.FileMissing}},
	{"derived files", "no provenance", removing("provenance.json"), []verify.Code{verify.FileMissing}},
	{"manifest", "no manifest", removing("MANIFEST"), []verify.Code{verify.FileMissing}},
	{"derived files", "a script in the page", func(dir string) error {
		content, err := os.ReadFile(at(dir, "index.html"))
		return errors.Join(err, os.WriteFile(at(dir, "index.html"), append(content, "<script>alert(1)</script>"...), 0o644))
	}, []verify.Code{verify.FileDiffers}},
	{"links", "a linked page", linking("index.html"), []verify.Code{verify.FileUnexpected, verify.FileMissing}},
	{"manifest", "a folder for the manifest", func(dir string) error {
		return errors.Join(os.Remove(at(dir, "MANIFEST")), os.Mkdir(at(dir, "MANIFEST"), 0o755))
	}, []verify.Code{verify.FileUnexpected, verify.FileMissing}},
	{"receipts", "a receipt that no service gave", writing("receipts/0.json", "{}"), []verify.Code{verify.AnswerAltered}},
	{"receipts", "a stray beside the receipts", writing("receipts/x", ""), []verify.Code{verify.FileUnexpected}},
	{"tree", "no tile", removing("tile/0/000.p/4"), []verify.Code{verify.FileMissing}},
	{"packets", "no packet", removing(policyFile), []verify.Code{verify.PacketMissing, verify.FileDiffers}},
	{"records", "no first record", removing("records/0.json"), []verify.Code{verify.RecordMissing, verify.RootDiffers}},
	{"records", "no last record", removing("records/3.json"), []verify.Code{verify.TailMissing, verify.FileUnexpected}},
	{"signatures", "no signature", removing("records/1.json.sig"), []verify.Code{verify.SignatureMissing}},
	{"records", "no records at all", func(dir string) error { return os.RemoveAll(at(dir, "records")) }, []verify.Code{verify.TailMissing}},
	{"records", "an empty record", writing("records/1.json", ""), []verify.Code{verify.RecordUnreadable}},
	{"records", "a record that is too long", writing("records/1.json", string(make([]byte, 70_000))), []verify.Code{verify.RecordUnreadable}},
	{"statements of reasons", "a statement of reasons removed", removing("statements/2.json"), []verify.Code{verify.StatementMissing}},
	{"statements of reasons", "a statement of reasons that is empty", writing("statements/2.json", ""), []verify.Code{verify.StatementDiffers}},
	{"statements of reasons", "a statement of reasons of no record", copying("statements/2.json", "statements/7.json"), []verify.Code{verify.FileUnexpected}},
	{"signatures", "swapped signatures", copying("records/0.json.sig", "records/1.json.sig"), []verify.Code{verify.SignatureInvalid}},
	{"records", "one record more", copying("records/0.json", "records/4.json"), []verify.Code{verify.RecordDuplicate, verify.TailUnsigned}},
	{"records", "a record far away", copying("records/0.json", "records/9000000000.json"), []verify.Code{verify.FileUnexpected}},
	{"signatures", "a signature of no record", copying("records/0.json.sig", "records/7.json.sig"), []verify.Code{verify.FileUnexpected}},
	{"records", "a record's number written otherwise", copying("records/0.json", "records/00.json"), []verify.Code{verify.FileUnexpected}},
	{"derived files", "a longer spreadsheet", func(dir string) error {
		content, err := os.ReadFile(at(dir, "appeals.csv"))
		return errors.Join(err, os.WriteFile(at(dir, "appeals.csv"), append(content, '\n'), 0o644))
	}, []verify.Code{verify.FileDiffers}},
	{"derived files", "a shorter spreadsheet", func(dir string) error { return os.Truncate(at(dir, "amendments.csv"), 100) }, []verify.Code{verify.FileDiffers}},
	{"tree", "a longer tile", func(dir string) error {
		content, err := os.ReadFile(at(dir, "tile/0/000.p/4"))
		return errors.Join(err, os.WriteFile(at(dir, "tile/0/000.p/4"), append(content, 0), 0o644))
	}, []verify.Code{verify.FileDiffers}},
	{"what is no part of a bundle", "a private note beside it", writing("notes.txt", "private"), []verify.Code{verify.FileUnexpected}},
	{"what is no part of a bundle", "a folder beside it", writing("notes/1.txt", "private"), []verify.Code{verify.FileUnexpected}},
	{"what is no part of a bundle", "a name that is an escape", writing("\x1b[2J", ""), []verify.Code{verify.FileUnexpected}},
	{"tree", "a tile of a larger tree", writing("tile/1/000.p/1", ""), []verify.Code{verify.FileUnexpected}},
	{"packets", "a packet that nobody judged", copying(policyFile, "packets/trade_appeal_policies/appeal-policy/9.json"), []verify.Code{verify.FileUnexpected}},
	{"packets", "a packet of no table", copying(policyFile, "packets/trade_private_notes/a/9.json"), []verify.Code{verify.FileUnexpected}},
	{"packets", "a packet under a digest", copying(policyFile, "packets/trade_appeal_policies/=00/1.json"), []verify.Code{verify.FileUnexpected}},
	{"packets", "a packet's name written otherwise", copying(policyFile, "packets/trade_appeal_policies/%61ppeal-policy/1.json"), []verify.Code{verify.FileUnexpected}},
	{"links", "a linked record", linking("records/1.json"), []verify.Code{verify.FileUnexpected, verify.RecordMissing}},
	{"links", "a linked checkpoint", linking("checkpoint"), []verify.Code{verify.FileUnexpected, verify.CheckpointMissing}},
	{"links", "a linked spreadsheet", linking("appeals.csv"), []verify.Code{verify.FileUnexpected, verify.FileMissing}},
	{"links", "a linked packet", linking(policyFile), []verify.Code{verify.FileUnexpected, verify.PacketMissing}},
	{"links", "a linked folder of packets", linking("packets/trade_appeal_policies"), []verify.Code{verify.FileUnexpected, verify.PacketMissing}},
	{"links", "a linked folder of tiles", linking("tile/0"), []verify.Code{verify.FileUnexpected, verify.FileMissing}},
	{"links", "linked records", linking("records"), []verify.Code{verify.FileUnexpected}},
	{"records", "a folder for a record", func(dir string) error {
		return errors.Join(os.Remove(at(dir, "records/2.json")), os.Mkdir(at(dir, "records/2.json"), 0o755))
	}, []verify.Code{verify.FileUnexpected, verify.RecordMissing}},
}

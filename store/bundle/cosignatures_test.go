package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
)

var cosignedAt = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// cosigned is a bundle whose checkpoint two witnesses cosigned, one of them twice, and an earlier checkpoint that one of them cosigned.
func cosigned(t *testing.T) (dir string, east, west verifytest.Witness, size int) {
	t.Helper()
	east, west = verifytest.NewWitness(t, "east.example.org"), verifytest.NewWitness(t, "west.example.org")
	l := verifytest.Crowd(t, 12)
	newest := l.Says.Checkpoint
	earlier := verifytest.Crowd(t, 12)
	earlier.List = slices.Clone(l.List[:11])
	earlier.Rebuild()
	l.Cosigned = []verify.Cosigned{west.Cosign(newest, cosignedAt), east.Cosign(newest, cosignedAt.Add(-time.Hour)), east.Cosign(newest, cosignedAt.Add(time.Minute)),
		east.Cosign(earlier.Says.Checkpoint, cosignedAt.Add(-2*time.Hour))}
	return written(t, l), east, west, len(l.List)
}

func TestABundleHoldsWhatWitnessesCosignedAsC2SPsToolsReadIt(t *testing.T) {
	t.Parallel()
	dir, east, west, size := cosigned(t)
	report := checked(t, dir, verify.Options{Policy: verifytest.Policy(t, east, west), MaxAge: time.Hour, Now: terms.InstantOf(cosignedAt.Add(time.Minute))})
	want := verify.Coverage{Met: true, Size: int64(size), At: terms.InstantOf(cosignedAt)}
	if !report.OK() || *report.Coverage != want || len(report.Cosigners) != 2 || !report.Cosigners[0].At.Time().Equal(cosignedAt.Add(time.Minute)) {
		t.Errorf("%+v %+v %v", report.Coverage, report.Cosigners, report.Findings)
	}
	log, err := note.NewVerifier(report.VerifierKey)
	if err != nil {
		t.Fatal(err)
	}
	policies := []torchwood.Policy{torchwood.OriginPolicy(log.Name()), torchwood.SingleVerifierPolicy(log)}
	for _, w := range []verifytest.Witness{east, west} {
		verifier, err := torchwood.NewCosignatureVerifier(w.Key)
		if err != nil {
			t.Fatal(err)
		}
		policies = append(policies, torchwood.SingleVerifierPolicy(verifier))
	}
	signed, err := os.ReadFile(filepath.Join(dir, "cosignatures", "12"))
	if err != nil {
		t.Fatal(err)
	}
	if c, _, err := torchwood.VerifyCheckpoint(signed, torchwood.ThresholdPolicy(4, policies...)); err != nil || c.N != int64(size) {
		t.Errorf("%+v %v", c, err)
	}
	report = checked(t, dir, verify.Options{Policy: verifytest.Policy(t, verifytest.NewWitness(t, "another")), Now: terms.InstantOf(cosignedAt)})
	if report.Total != 1 || report.Count(verify.PolicyUnmet) != 1 {
		t.Errorf("%v", report.Findings)
	}
}

func TestEveryFlippedByteOfACosignatureIsFound(t *testing.T) {
	t.Parallel()
	dir, _, _, _ := cosigned(t)
	for _, name := range []string{"11", "12", "witnesses"} {
		path := filepath.Join(dir, "cosignatures", name)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := range content {
			if at%7 != 0 && !strings.ContainsRune("\n+ —", rune(content[at])) {
				continue // some of each line, and what takes it apart
			}
			flipped := slices.Clone(content)
			flipped[at] ^= 1
			if err := os.WriteFile(path, flipped, 0o600); err != nil {
				t.Fatal(err)
			}
			if report := checked(t, dir, verify.Options{}); report.OK() {
				t.Errorf("byte %d of %s is flipped, and nothing is found", at, name)
			}
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// forgedCosignatures are a bundle with cosignatures, and what a forger does to them.
func forgedCosignatures(t *testing.T) (string, []changedBundle) {
	dir, _, _, _ := cosigned(t)
	in := func(change func(at func(string) string) error) func(string) error {
		return func(dir string) error {
			return change(func(name string) string { return filepath.Join(dir, "cosignatures", name) })
		}
	}
	return dir, []changedBundle{
		{"cosignatures", "a cosigned checkpoint under another size", in(func(at func(string) string) error { return os.Rename(at("11"), at("1")) }), []verify.Code{verify.CosignatureAltered}},
		{"cosignatures", "a cosigned checkpoint of the future", in(func(at func(string) string) error { return os.Rename(at("11"), at("13")) }), []verify.Code{verify.CosignatureAltered}},
		{"cosignatures", "no list of witnesses", in(func(at func(string) string) error { return os.Remove(at("witnesses")) }), []verify.Code{verify.CosignatureAltered}},
		{"cosignatures", "a list without cosignatures", in(func(at func(string) string) error {
			return errors.Join(os.Remove(at("11")), os.Remove(at("12")))
		}), []verify.Code{verify.CosignatureAltered}},
		{"cosignatures", "a checkpoint that the log alone signed", in(func(at func(string) string) error {
			signed, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(at("12"))), "checkpoint"))
			return errors.Join(err, os.WriteFile(at("12"), signed, 0o600))
		}), []verify.Code{verify.CosignatureAltered}},
		{"cosignatures", "a stray beside the cosignatures", in(func(at func(string) string) error { return os.WriteFile(at("README"), nil, 0o600) }), []verify.Code{verify.FileUnexpected}},
		{"cosignatures", "a folder in the place of a cosigned checkpoint", in(func(at func(string) string) error { return os.Mkdir(at("9"), 0o700) }), []verify.Code{verify.FileUnexpected}},
		{"cosignatures", "an empty cosigned checkpoint", in(func(at func(string) string) error { return os.WriteFile(at("12"), nil, 0o600) }), []verify.Code{verify.CosignatureAltered}},
	}
}

package bundle_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"docket/store/verify"
)

func TestTheManifestListsEachFileThatFollowsFromTheLog(t *testing.T) {
	t.Parallel()
	dir := written(t, sampleLog(t))
	text, err := os.ReadFile(at(dir, "MANIFEST"))
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for _, name := range files(t, dir) {
		content, err := os.ReadFile(at(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		top, _, below := strings.Cut(name, "/")
		follows := top == "tile" || !below && name != "checkpoint" && name != "MANIFEST"
		if line := fmt.Sprintf("%x  %s\n", sha256.Sum256(content), name); bytes.Contains(text, []byte(line)) != follows {
			t.Errorf("%s is listed: %v", name, !follows)
		} else if follows {
			listed++
		}
	}
	if got := bytes.Count(text, []byte("  ")); got != listed || listed < 8 {
		t.Errorf("%d files are listed, %d follow", got, listed)
	}
}

// forgedManifests are what a forger does to the manifest of a bundle.
func forgedManifests(t *testing.T) (string, []changedBundle) {
	return written(t, sampleLog(t)), []changedBundle{
		{"manifest", "the checkpoint in the place of the manifest", copying("checkpoint", "MANIFEST"), []verify.Code{verify.FileDiffers}},
		{"manifest", "the manifest without its signature", func(dir string) error {
			text, err := os.ReadFile(at(dir, "MANIFEST"))
			if err != nil {
				return err
			}
			text, _, _ = bytes.Cut(text, []byte("\n\n"))
			return os.WriteFile(at(dir, "MANIFEST"), append(text, '\n'), 0o644)
		}, []verify.Code{verify.FileDiffers}},
		{"manifest", "the manifest signed with another key", func(dir string) error {
			l := sampleLog(t)
			l.NewStoreKey("another")
			l.Sign()
			text, err := os.ReadFile(at(written(t, l), "MANIFEST"))
			if err != nil {
				return err
			}
			return os.WriteFile(at(dir, "MANIFEST"), text, 0o644)
		}, []verify.Code{verify.FileDiffers}},
	}
}

package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mostFiles is how many files of the product a room has at most; leastLines is how many lines a file has at least that gives no reason.
const (
	mostFiles  = 30
	leastLines = 40
)

// ofPlatform is the name of a file for some platforms: it holds what differs there, however short.
var ofPlatform = regexp.MustCompile(`_(linux|unix|bsd|windows|other)\.go$`)

// shortFiles are the reasons of other files with fewer lines.
var shortFiles = map[string]string{
	"cmd/docket/main.go":                "all that is outside cmd/internal/cli",
	"cmd/internal/licenses/licenses.go": "embeds a list",
	"store/disk/lock.go":                "what the lock files of the platforms share",
	"store/peertest/peer.go":            "the whole of a room for tests of other programs",
	"cmd/internal/serve/evaluate.go":    "one route",
	"cmd/internal/serve/overlap.go":     "one route, which answers 403",
	"cmd/internal/serve/generate.go":    "a program that packs a document",
	"cmd/internal/symptom/symptom.go":   "a type that serve and doctor share",
	"cmd/internal/workbench/stats.go":   "the figures, which no other file has",
	"domain/terms/nearest.go":           "one algorithm",
	"store/verify/verifytest/erase.go":  "one forgery of tests",
	"ui/contractpage/contractpage.go":   "the types that screens and the workbench share",
	"ui/decision/addition.go":           "one step of the flow",
}

// files are the files of the product in the package.
func (p goPackage) files() []string {
	return slices.DeleteFunc(slices.Concat(p.GoFiles, p.IgnoredGoFiles), func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

func TestARoomHasAtMostThirtyFiles(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if count := len(p.files()); count > mostFiles {
			t.Errorf("%s has %d files; one of its ideas is a room of its own", p.ImportPath, count)
		}
	}
}

func TestAShortFileHasAReason(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]bool{}
	for _, p := range packages(t) {
		for _, name := range p.files() {
			path, err := filepath.Rel(root, filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			path = filepath.ToSlash(path)
			lines := bytes.Count(text, []byte("\n"))
			if lines >= leastLines || name == "doc.go" || ofPlatform.MatchString(name) {
				continue
			}
			if given[path] = true; shortFiles[path] == "" {
				t.Errorf("%s has %d lines: put it where it belongs, or give the reason here", path, lines)
			}
		}
	}
	for path := range shortFiles {
		if !given[path] {
			t.Errorf("%s needs no reason", path)
		}
	}
}

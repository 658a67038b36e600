package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A store that is made outlasts a power failure only if the folders that name its files are synced, too: each that was made, the one
// that they were made in, and those of the anchor and the key.
func TestEveryFolderOfANewStoreIsSynced(t *testing.T) {
	t.Parallel()
	options := func(folder string) Options {
		return Options{Path: filepath.Join(folder, "new", "store", "docket.db"), AnchorFolder: filepath.Join(folder, "state", "anchors")}
	}
	if folder := os.Getenv(pathVariable); folder != "" {
		if err := openWith(t, options(folder)).Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	program := straced(t)
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(t.TempDir(), "trace")
	command := again(t, t.Name(), folder)
	command.Args = append([]string{program, "-ff", "-y", "-qq", "-o", trace, "-e", "trace=fsync"}, command.Args...)
	command.Path = program
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	traces, err := filepath.Glob(trace + ".*") // one a thread: in a common one the calls of two threads cut each other in two
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for _, trace := range traces {
		of, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, of...)
	}
	anchors, err := filepath.Glob(filepath.Join(folder, "state", "anchors", "*"))
	if err != nil || len(anchors) == 0 {
		t.Fatalf("%d anchors, %v", len(anchors), err)
	}
	for _, made := range append(anchors, folder, filepath.Join(folder, "new"), filepath.Join(folder, "new", "store"),
		filepath.Join(folder, "state"), filepath.Join(folder, "state", "anchors")) {
		if !strings.Contains(string(text), "<"+made+">) = 0") {
			t.Errorf("%s is not synced", made)
		}
	}
}

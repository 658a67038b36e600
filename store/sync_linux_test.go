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
		must(t, openWith(t, options(folder)).Close())
		return
	}
	program := straced(t)
	folder := need(filepath.EvalSymlinks(t.TempDir()))(t)
	trace := filepath.Join(t.TempDir(), "trace")
	command := again(t, t.Name(), folder)
	command.Args = append([]string{program, "-ff", "-y", "-qq", "-o", trace, "-e", "trace=fsync"}, command.Args...)
	command.Path = program
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	traces, err := filepath.Glob(trace + ".*") // one a thread: in a common one the calls of two threads cut each other in two
	must(t, err)
	var text []byte
	for _, trace := range traces {
		of := need(os.ReadFile(trace))(t)
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

//go:build unix

package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestARecordIsAnsweredAlsoWhereTheCheckpointOutsideTheStoreCannotBeKept(t *testing.T) {
	w := serving(t)
	anchors, err := filepath.Glob(filepath.Join(filepath.Dir(w.path), "anchors", "*", "checkpoint"))
	if err != nil || len(anchors) == 0 {
		t.Fatalf("%d anchors, %v", len(anchors), err)
	}
	for _, path := range anchors { // others may read them, and nobody may write them
		file, err := os.Open(path)
		must(t, err)
		defer func() { _ = file.Close() }()
		must(t, syscall.Flock(int(file.Fd()), syscall.LOCK_SH))
	}
	w.takes(t, w.Decide(w.Case, Reviewer, nil), Reviewer)
	if !strings.Contains(w.log.String(), "checkpoint outside the store") {
		t.Errorf("logged is %q", w.log.String())
	}
}

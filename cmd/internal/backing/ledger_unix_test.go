//go:build unix

package backing_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestARecordIsAnsweredAlsoWhereTheCheckpointOutsideTheStoreCannotBeKept(t *testing.T) {
	s := newService(t)
	handed := s.handed(s.decided("case-1"))
	anchors, err := filepath.Glob(filepath.Join(s.options.AnchorFolder, "*", "checkpoint"))
	if err != nil || len(anchors) == 0 {
		t.Fatalf("%d anchors, %v", len(anchors), err)
	}
	for _, path := range anchors { // others may read them, and nobody may write them
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_SH); err != nil {
			t.Fatal(err)
		}
	}
	if answer, _ := s.append(handed); answer.Receipt.TreeSize != 1 || answer.Checkpoint == "" {
		t.Errorf("%+v", answer)
	}
	if !strings.Contains(s.log.String(), "checkpoint outside the store") {
		t.Errorf("logged is %q", s.log.String())
	}
}

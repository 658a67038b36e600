//go:build unix

package damage_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"docket/cmd/internal/programtest"
)

// Two writers decide the same case over and over while backups are made. Each backup verifies by itself, and holds what
// was acknowledged before it began.
func TestABackupMadeWhileTwoWriteIsConsistent(t *testing.T) {
	t.Parallel()
	s := programtest.Decided(t, "request_evidence")
	var acknowledged sync.Map // ids of records
	stop := make(chan struct{})
	var writers sync.WaitGroup
	stopWriters := sync.OnceFunc(func() { close(stop); writers.Wait() })
	defer stopWriters()
	for range 2 {
		writers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				// Where the other one was first, this one is refused: that is no fault.
				if got := programtest.Run(t, "docket-decide", s.Folder, programtest.SampleCase, "request_evidence"); got.Status == 0 {
					acknowledged.Store(strings.TrimSpace(got.Stdout), true)
				} else if strings.Contains(got.Stderr, "goroutine") {
					t.Errorf("%s", got.Stderr)
				}
			}
		})
	}
	for i := range 4 {
		var before []string
		acknowledged.Range(func(id, _ any) bool {
			before = append(before, id.(string))
			return true
		})
		path := s.At(fmt.Sprintf("copy-%d.db", i))
		s.Done("docket", "backup", path)
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		for _, name := range s.List() {
			if strings.Contains(name, "docket-backup") || strings.HasPrefix(name, fmt.Sprintf("/copy-%d.db-", i)) {
				t.Errorf("%s is left", name)
			}
		}
		// As a copy: this machine knows of newer records by now.
		if got := s.Docket("verify", path); got.Status != 0 || !strings.Contains(got.Stdout, "✓ everything verifies") ||
			!strings.Contains(got.Stdout, "not held to an anchor") {
			t.Errorf("the copy does not verify: %s", got.Stdout)
		}
		elsewhere := programtest.EmptySite(t)
		listed := elsewhere.Docket("--db", path, "records", "--json")
		if listed.Status != 1 || !strings.Contains(listed.Stderr, "anchor_missing") {
			t.Errorf("on a machine that never saw it: exit status %d, %s", listed.Status, listed.Stderr)
		}
		held := listed.Stdout
		for _, id := range before {
			if !strings.Contains(held, id) {
				t.Errorf("record %s was acknowledged before the backup, and is not in it", id)
			}
		}
	}
	stopWriters()
	if v, plain := s.Verify(); v.Status != 0 {
		t.Errorf("%s", plain)
	}
}

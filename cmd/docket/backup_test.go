//go:build unix

package main_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// Two writers decide the same case over and over while backups are made. Each backup verifies by itself, and holds what
// was acknowledged before it began.
func TestABackupMadeWhileTwoWriteIsConsistent(t *testing.T) {
	t.Parallel()
	s := decided(t, "request_evidence")
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
				if got := run(t, "docket-decide", s.folder, sampleCase, "request_evidence"); got.status == 0 {
					acknowledged.Store(strings.TrimSpace(got.stdout), true)
				} else if strings.Contains(got.stderr, "goroutine") {
					t.Errorf("%s", got.stderr)
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
		path := s.at(fmt.Sprintf("copy-%d.db", i))
		s.done("docket", "backup", path)
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		for _, name := range s.list() {
			if strings.Contains(name, "docket-backup") || strings.HasPrefix(name, fmt.Sprintf("/copy-%d.db-", i)) {
				t.Errorf("%s is left", name)
			}
		}
		// As a copy: this machine knows of newer records by now.
		if got := s.docket("verify", path); got.status != 0 || !strings.Contains(got.stdout, "✓ everything verifies") ||
			!strings.Contains(got.stdout, "not held to an anchor") {
			t.Errorf("the copy does not verify: %s", got.stdout)
		}
		elsewhere := &site{t, t.TempDir()}
		listed := elsewhere.docket("--db", path, "records", "--json")
		if listed.status != 1 || !strings.Contains(listed.stderr, "anchor_missing") {
			t.Errorf("on a machine that never saw it: exit status %d, %s", listed.status, listed.stderr)
		}
		held := listed.stdout
		for _, id := range before {
			if !strings.Contains(held, id) {
				t.Errorf("record %s was acknowledged before the backup, and is not in it", id)
			}
		}
	}
	stopWriters()
	if v, plain := s.verify(); v.status != 0 {
		t.Errorf("%s", plain)
	}
}

// Package damage_test runs docket on stores and bundles that somebody forged, on disks that are full or can only be read, with calls of the
// system that fail, beside programs that hold the store, and kills it.
package damage_test

import (
	"os/exec"
	"testing"

	"docket/cmd/internal/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

var must = programtest.Must

// needsStrace skips the test where no system call can be traced.
func needsStrace(t *testing.T) {
	t.Helper()
	programtest.Needs(t, "strace")
	if out, err := exec.Command("strace", "-qq", "-e", "trace=none", "true").CombinedOutput(); err != nil {
		t.Skipf("this machine does not allow tracing: %v %s", err, out)
	}
}

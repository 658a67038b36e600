//go:build linux

package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// mostBytes is how large the program of a release may be: 26 MB.
const mostBytes = 26_000_000

func TestTheProgramOfAReleaseStaysSmall(t *testing.T) {
	needs(t, "go")
	program := filepath.Join(t.TempDir(), "docket")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "../docket")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > mostBytes {
		t.Errorf("%d bytes, more than %d: .ci/size says what the largest parts are, and what names methods at run time", info.Size(), mostBytes)
	}
}

// Package peertest builds programs of third parties, or programs that only call their code, for tests. Each is in a
// separate module under testdata, so that docket does not require it.
package peertest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Build builds a package in the module in a folder under testdata, and returns the program's path. The test is skipped
// if the required modules cannot be downloaded.
func Build(t testing.TB, testdata, module, pkg string) (program string) {
	t.Helper()
	if testing.Short() {
		t.Skip("a program of another module is not built in short mode")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not there")
	}
	command := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir = filepath.Join(testdata, module)
		return cmd.CombinedOutput()
	}
	if out, err := command("list", "-deps", pkg); err != nil {
		t.Skipf("the module proxy cannot be reached: %s", strings.ReplaceAll(string(out), "\n", " "))
	}
	program = filepath.Join(t.TempDir(), filepath.Base(pkg))
	if pkg == "." {
		program = filepath.Join(t.TempDir(), module)
	}
	if out, err := command("build", "-o", program, pkg); err != nil {
		t.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	return program
}

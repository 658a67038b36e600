// Package peertest installs programs that nobody here wrote, which tests hold docket to.
package peertest

import (
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Install builds the program PACKAGE@VERSION of another module in a temporary folder, and returns its path. The test is
// skipped if the module cannot be downloaded.
func Install(t testing.TB, program string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a program of another module is not built in short mode")
	}
	folder := t.TempDir()
	install := exec.Command("go", "install", program)
	install.Dir = folder
	install.Env = append(os.Environ(), "GOBIN="+folder, "GOFLAGS=")
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("%s cannot be installed: %s", program, strings.ReplaceAll(string(out), "\n", " "))
	}
	name, _, _ := strings.Cut(path.Base(program), "@")
	return filepath.Join(folder, name)
}

// Fsck returns a check of the tiles at an address, file:// or http://, by the checker of github.com/transparency-dev/tessera: it
// hashes every entry, computes the root and every tile from them, and compares. It knows nothing of docket.
func Fsck(t testing.TB) func(address, key string, more ...string) (output string, err error) {
	t.Helper()
	program := Install(t, "github.com/transparency-dev/tessera/cmd/fsck@v1.0.4")
	return func(address, key string, more ...string) (string, error) {
		file := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(file, []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
		arguments := append([]string{"--ui=false", "--N=2", "--storage_url", address, "--public_key", file}, more...)
		out, err := exec.Command(program, arguments...).CombinedOutput()
		if err == nil && strings.Contains(string(out), "fsck failed") { // it then exits with 0
			err = errors.New("the tiles are not what the checkpoint signs")
		}
		return string(out), err
	}
}

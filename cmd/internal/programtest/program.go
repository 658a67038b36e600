// Package programtest drives docket in tests as a person or a script does: as a program of its own,
// on a machine with a store on it, and at a terminal in tmux. A package whose tests do so has Main
// as its TestMain.
package programtest

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"docket/cmd/internal/cli"
	"docket/store/disk/disktest"
)

// Main is the TestMain of a package whose tests run docket. It makes `docket` a command, which is
// the same program, run by the test binary, and `docket-decide` another. Most tests wait for a
// disk, a lock or a terminal, so that more run at once than there are processors.
func Main(m *testing.M) {
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	testscript.Main(tidy{m}, map[string]func(){
		"docket-decide": decideOnce,
		"docket":        func() { os.Exit(int(cli.Main(os.Args[1:], cli.ThisProcess()))) },
	})
}

// tidy takes away what the tests built for all of them.
type tidy struct{ *testing.M }

// Run implements testscript.TestingM.
func (t tidy) Run() int {
	disktest.InMemory()
	defer func() {
		folder, _ := builtFolder()
		_ = os.RemoveAll(folder) // none is no folder
	}()
	return t.M.Run()
}

// Built is the path of docket, which is the test binary under another name.
func Built(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("docket")
	Must(t, err)
	return path
}

// BuiltFolder is a folder for programs that are built once for all tests of a package.
func BuiltFolder(t *testing.T) string {
	t.Helper()
	folder, err := builtFolder()
	Must(t, err)
	return folder
}

var builtFolder = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "docket-built-") })

// Needs skips the test where a program is missing.
func Needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
}

// Must fails a test at an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Testdata is a file of the module's testdata.
func Testdata(t *testing.T, elem ...string) string {
	t.Helper()
	root, err := os.Getwd()
	for ; err == nil; root = filepath.Dir(root) {
		if _, err = os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		} else if filepath.Dir(root) != root {
			err = nil
		}
	}
	Must(t, err)
	return filepath.Join(append([]string{root, "testdata"}, elem...)...)
}

// Canary is in every private value and every private detail in a text. It must be nowhere else.
const Canary = "kanarienvogel"

// HoldNoTrace holds every file below the folder to have none of the traces in it. At least the
// store, its key and what is kept of its log have to be there.
func HoldNoTrace(t *testing.T, folder string, traces ...[]byte) {
	t.Helper()
	searched := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		searched++
		content, err := os.ReadFile(path)
		for _, trace := range traces {
			if bytes.Contains(content, trace) {
				t.Errorf("%s holds %q", path, trace)
			}
		}
		return err
	})
	if err != nil || searched < 3 {
		t.Fatalf("%d files were searched: %v", searched, err)
	}
}

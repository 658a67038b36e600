package bundle_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"docket/store/verify/verifytest"
)

// tool skips the test where a stock tool is missing.
func tool(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}

// inFolder runs a command in a folder, and returns what it printed and whether it was content.
func inFolder(t *testing.T, dir, name string, args ...string) (string, bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// printedCommands are the sh blocks of SUMMARY.md, just as they are printed.
func printedCommands(t *testing.T, dir string) (blocks []string) {
	t.Helper()
	text := need(os.ReadFile(filepath.Join(dir, "SUMMARY.md")))(t)
	for _, part := range strings.Split(string(text), "```sh\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		blocks = append(blocks, block)
	}
	if len(blocks) != 4 {
		t.Fatalf("%d commands are printed", len(blocks))
	}
	return blocks
}

func TestThePrintedCommandsAcceptTheBundle(t *testing.T) {
	t.Parallel()
	tool(t, "sh", "sed", "ssh-keygen", "python3", "openssl", "mktemp")
	for name, l := range map[string]*verifytest.Log{"records": sampleLog(t), "statements": statedLog(t), "none": verifytest.New(t), "for one owner": nil} {
		dir, _ := ownedBundle(t)
		if l != nil {
			dir = written(t, l)
		}
		for _, command := range printedCommands(t, dir) {
			if out, ok := inFolder(t, dir, "sh", "-c", command); !ok {
				t.Errorf("%s: %s%s", name, command, out)
			}
		}
	}
}

func TestThePrintedCommandsRefuseWhatWasChanged(t *testing.T) {
	t.Parallel()
	tool(t, "sh", "sed", "ssh-keygen", "python3", "openssl", "mktemp")
	l := mixedLog(t)
	pristine, size := written(t, l), fmt.Sprintf("\n%d\n", len(l.List))
	for name, c := range map[string]struct {
		change  func(string) error
		refused [4]bool // signatures, root, checkpoint and MANIFEST, files
	}{
		"an edited record":    {replacing("records/3.json", "owner-2", "owner-3"), [4]bool{true, true, false, false}},
		"a swapped signature": {copying("records/0.json.sig", "records/1.json.sig"), [4]bool{true, false, false, false}},
		"another signer":      {replacing("allowed_signers", "reviewer-7", "reviewer-8"), [4]bool{true, false, false, true}},
		"another namespace":   {replacing("allowed_signers", "enforcement-record", "enforcement-recorx"), [4]bool{true, false, false, true}},
		"a deleted record":    {removing("records/3.json"), [4]bool{true, true, false, false}},
		"another size":        {replacing("checkpoint", size, "\n9\n"), [4]bool{false, true, true, false}},
		"an edited statement": {replacing("statements/#1.txt", "by_mistake", "order"), [4]bool{false, true, false, true}},
		"an edited page":      {replacing("index.html", "Decisions", "Decisiens"), [4]bool{false, false, false, true}},
		"another digest":      {replacing("MANIFEST", "  index.html", "  indes.html"), [4]bool{false, false, true, true}},
		"an entry left out":   {func(dir string) error { return replacing("entries.csv", "records/"+recordOf(dir, 1)+".json", "")(dir) }, [4]bool{true, false, false, true}},
		"another verifier key": {func(dir string) error {
			key, err := os.ReadFile(at(dir, "log.vkey"))
			return errors.Join(err, writing("log.vkey", string(key[:len(key)-9])+"AAAAAAA=\n")(dir))
		}, [4]bool{false, false, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := copied(t, pristine)
			must(t, c.change(dir))
			for i, command := range printedCommands(t, dir) {
				if out, ok := inFolder(t, dir, "sh", "-c", command); ok == c.refused[i] {
					t.Errorf("refused: %v: %s%s", !ok, command, out)
				}
			}
		})
	}
}

// The printed commands, run from a clean shell, run nothing that lies in the bundle: no module, script or binary.
func TestThePrintedCommandsRunNothingOfTheBundle(t *testing.T) {
	t.Parallel()
	tool(t, "sh", "ssh-keygen", "python3", "openssl", "mktemp", "env")
	dir, ran := written(t, sampleLog(t)), filepath.Join(t.TempDir(), "ran")
	for _, module := range []string{"json", "hashlib", "base64", "csv", "os", "re", "sys", "io", "codecs", "encodings", "site", "sitecustomize", "usercustomize"} {
		overwrite(t, filepath.Join(dir, module+".py"), []byte("open("+strconv.Quote(ran)+", 'w').write('module')\n"))
	}
	for _, program := range []string{"python3", "ssh-keygen", "openssl", "mktemp", "rm", "sh", "read", "END", ".profile", ".bashrc", ".env", "openssl.cnf"} {
		script := "#!/bin/sh\necho program >" + ran + "\n"
		must(t, os.WriteFile(filepath.Join(dir, program), []byte(script), 0o755))
	}
	for _, command := range printedCommands(t, dir) {
		out, ok := inFolder(t, dir, "env", "-i", "PATH="+os.Getenv("PATH"), "TMPDIR="+t.TempDir(), "sh", "-c", command)
		if !ok {
			t.Errorf("%s%s", command, out)
		}
	}
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("something of the bundle ran: a %s", text)
	}
}

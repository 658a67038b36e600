package bundle_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"docket/domain/records"
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
func inFolder(t *testing.T, dir string, stdin []byte, name string, args ...string) (string, bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// printedCommands are the sh blocks of SUMMARY.md, just as they are printed.
func printedCommands(t *testing.T, dir string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "SUMMARY.md"))
	if err != nil {
		t.Fatal(err)
	}
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
	for name, l := range map[string]*verifytest.Log{"records": sampleLog(t), "none": verifytest.New(t)} {
		dir := written(t, l)
		for _, command := range printedCommands(t, dir) {
			if out, ok := inFolder(t, dir, nil, "sh", "-c", command); !ok {
				t.Errorf("%s: %s%s", name, command, out)
			}
		}
	}
}

func TestThePrintedCommandsRefuseWhatWasChanged(t *testing.T) {
	t.Parallel()
	tool(t, "sh", "sed", "ssh-keygen", "python3", "openssl", "mktemp")
	replace := func(name, old, replacement string) func(string) error {
		return func(dir string) error {
			content, err := os.ReadFile(at(dir, name))
			if err != nil {
				return err
			}
			changed := strings.Replace(string(content), old, replacement, 1)
			if changed == string(content) {
				return os.ErrInvalid
			}
			return os.WriteFile(at(dir, name), []byte(changed), 0o644)
		}
	}
	for name, c := range map[string]struct {
		change  func(string) error
		refused [4]bool // signatures, root, checkpoint and MANIFEST, files
	}{
		"an edited record":     {replace("records/1.json", "owner-2", "owner-3"), [4]bool{true, true, false, false}},
		"a swapped signature":  {copying("records/0.json.sig", "records/1.json.sig"), [4]bool{true, false, false, false}},
		"another signer":       {replace("allowed_signers", "reviewer-7", "reviewer-8"), [4]bool{true, false, false, true}},
		"another namespace":    {replace("allowed_signers", "enforcement-record", "enforcement-recorx"), [4]bool{true, false, false, true}},
		"a deleted record":     {removing("records/3.json"), [4]bool{false, true, false, false}},
		"another size":         {replace("checkpoint", "\n4\n", "\n3\n"), [4]bool{false, true, true, false}},
		"an edited page":       {replace("index.html", "Decisions", "Decisiens"), [4]bool{false, false, false, true}},
		"another digest":       {replace("MANIFEST", "  index.html", "  indes.html"), [4]bool{false, false, true, true}},
		"a time long past":     {replace("records/0.json", `"recordedAt":"2026`, `"recordedAt":"1926`), [4]bool{true, true, false, false}},
		"another verifier key": {anotherKey, [4]bool{false, false, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := written(t, sampleLog(t))
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			for i, command := range printedCommands(t, dir) {
				if out, ok := inFolder(t, dir, nil, "sh", "-c", command); ok == c.refused[i] {
					t.Errorf("refused: %v: %s%s", !ok, command, out)
				}
			}
		})
	}
}

// anotherKey puts another verifier key into SUMMARY.md.
func anotherKey(dir string) error {
	text, err := os.ReadFile(at(dir, "SUMMARY.md"))
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "- verifier key") {
			lines[i] = line[:len(line)-4] + "AAAA"
		}
	}
	return os.WriteFile(at(dir, "SUMMARY.md"), []byte(strings.Join(lines, "\n")), 0o644)
}

func TestSSHKeygenAcceptsEveryRecordAndNothingElse(t *testing.T) {
	t.Parallel()
	tool(t, "ssh-keygen")
	l := sampleLog(t)
	dir := written(t, l)
	verify := func(document []byte, signature, namespace, signer string) bool {
		_, ok := inFolder(t, dir, document, "ssh-keygen", "-Y", "verify", "-f", "allowed_signers", "-I", signer, "-n", namespace, "-s", signature)
		return ok
	}
	for i := range l.List {
		document, own := l.List[i].Document, filepath.Join("records", string(rune('0'+i))+".json.sig")
		other := filepath.Join("records", string(rune('0'+(i+1)%len(l.List)))+".json.sig")
		edited := bytes.Replace(document, []byte("append_only_enforcement_record"), []byte("append_only_enforcement_recorx"), 1)
		for name, got := range map[string]struct{ accepted, want bool }{
			"the record":        {verify(document, own, records.SignatureNamespace, verifytest.Assigned), true},
			"an edited record":  {verify(edited, own, records.SignatureNamespace, verifytest.Assigned), false},
			"a swapped one":     {verify(document, other, records.SignatureNamespace, verifytest.Assigned), false},
			"another namespace": {verify(document, own, "file", verifytest.Assigned), false},
			"another signer":    {verify(document, own, records.SignatureNamespace, "reviewer-8"), false},
		} {
			if got.accepted != got.want {
				t.Errorf("record %d: %s: accepted is %v", i, name, got.accepted)
			}
		}
	}
}

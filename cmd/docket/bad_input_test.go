//go:build unix

package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"docket/cmd/internal/programtest"
)

// The file is written block by block, because what this process holds counts as its child's memory too.
func TestALineOf200MegabytesIsRefusedInLittleMemory(t *testing.T) { // alone: the memory that a child had counts what this process has
	docket, folder := programtest.Built(t), t.TempDir()
	path := filepath.Join(folder, "long.jsonl")
	file, err := os.Create(path)
	must(t, err)
	head, tail, _ := strings.Cut(programtest.GoodPacket, `"x"`)
	_, err = file.WriteString(head + `"`)
	block := bytes.Repeat([]byte("x"), 1<<20)
	for i := 0; i < 200 && err == nil; i++ {
		_, err = file.Write(block)
	}
	if err == nil {
		_, err = file.WriteString(`"` + tail + "\n" + programtest.GoodPacket + "\n")
	}
	must(t, err)
	must(t, file.Close())
	got := programtest.Run(t, docket, folder, "import", path)
	if got.Status != 1 || !strings.Contains(got.Stderr, "long.jsonl, line 1: is over 16 MiB") || !strings.Contains(got.Stderr, "1 imported") {
		t.Errorf("exit status %d, %s", got.Status, got.Stderr)
	}
	if got.Memory > 192<<10 {
		t.Errorf("%d KiB of memory", got.Memory)
	}
}

func TestAnInputThatIsNoFileIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	docket, folder := programtest.Built(t), t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	must(t, syscall.Mkfifo(pipe, 0o600))
	for path, reason := range map[string]string{pipe: "standard input", folder: "folder", folder + "/none": "no such file"} {
		for _, command := range []string{"import", "evaluate", "seal"} {
			got := programtest.Run(t, docket, folder, command, path)
			if got.Status != 3 || !strings.Contains(got.Stderr, reason) || strings.Contains(got.Stderr, "goroutine") {
				t.Errorf("docket %s %s: exit status %d, %s", command, path, got.Status, got.Stderr)
			}
		}
	}
}

func TestABadStoreEndsWithStatusThreeAndStaysAsItIs(t *testing.T) {
	t.Parallel()
	docket, folder := programtest.Built(t), t.TempDir()
	text := filepath.Join(folder, "text.db")
	content := []byte(strings.Repeat("not a database\n", 100))
	must(t, os.WriteFile(text, content, 0o600))
	packets := filepath.Join(folder, "good.jsonl")
	must(t, os.WriteFile(packets, []byte(programtest.GoodPacket), 0o600))
	for _, path := range []string{text, folder, packets + "/below.db"} {
		for _, args := range [][]string{{"import", packets}, {"queue"}, {"show", "case-good"}, {"records"}} {
			got := programtest.Run(t, docket, folder, append([]string{"--db", path}, args...)...)
			if got.Status != 3 || !strings.Contains(got.Stderr, "docket: ") || strings.Contains(got.Stderr, "goroutine") {
				t.Errorf("docket %s on %s: exit status %d, %s", args[0], path, got.Status, got.Stderr)
			}
		}
	}
	if now, err := os.ReadFile(text); err != nil || !bytes.Equal(now, content) {
		t.Errorf("the text file was changed: %v", err)
	}
}

func TestAContractReportOfOneHundredMegabytesIsRefusedWithoutBeingHeld(t *testing.T) { // alone: the memory that a child had counts what this process has
	docket, folder := programtest.Built(t), t.TempDir()
	path := filepath.Join(folder, "huge.json")
	must(t, os.WriteFile(path, []byte(`{"ok": "`), 0o600))
	must(t, os.Truncate(path, 100<<20))
	got := programtest.Run(t, docket, folder, "contract", "check", path)
	if got.Status != 1 || got.Stdout != "" || !strings.Contains(got.Stderr, "is over 16 MiB") {
		t.Errorf("status %d, %q, %q", got.Status, got.Stdout, got.Stderr)
	}
	if limit := int64(80 << 10); got.Memory > limit {
		t.Errorf("%d KiB were resident, more than %d", got.Memory, limit)
	}
}

//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAContractReportOfOneHundredMegabytesIsRefusedWithoutBeingHeld(t *testing.T) { // alone: the memory that a child had counts what this process has
	docket, folder := program(t), t.TempDir()
	path := filepath.Join(folder, "huge.json")
	if err := os.WriteFile(path, []byte(`{"ok": "`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 100<<20); err != nil {
		t.Fatal(err)
	}
	got := run(t, docket, folder, "contract", "check", path)
	if got.status != 1 || got.stdout != "" || !strings.Contains(got.stderr, "is over 16 MiB") {
		t.Errorf("status %d, %q, %q", got.status, got.stdout, got.stderr)
	}
	if limit := int64(80 << 10); got.memory > limit {
		t.Errorf("%d KiB were resident, more than %d", got.memory, limit)
	}
}

//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

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

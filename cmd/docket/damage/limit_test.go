//go:build unix

package damage_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

// manyCases are packets of as many cases.
func manyCases(count int) string {
	var lines strings.Builder
	for i := range count {
		lines.WriteString(strings.Replace(programtest.GoodPacket, "case-good", fmt.Sprintf("case-%06d", i), 1) + "\n")
	}
	return lines.String()
}

// limited runs docket where no file may be longer than so many blocks of 512 bytes: as on a full disk, for those who
// cannot mount one.
func limited(s *programtest.Site, blocks int, args ...string) programtest.Ran {
	s.T.Helper()
	docket, err := exec.LookPath("docket")
	must(s.T, err)
	script := fmt.Sprintf(`ulimit -f %d; exec "$@"`, blocks)
	return programtest.Run(s.T, "sh", s.Folder, append([]string{"-c", script, "sh", docket}, args...)...)
}

func TestAFileThatMayNotGrowIsAnErrorAndLeavesNothingHalfWritten(t *testing.T) {
	t.Parallel()
	const records = 20 // in a bundle, one file has them all
	s := programtest.Decided(t, slices.Repeat([]string{"request_evidence"}, records)...)
	s.Write("many.jsonl", manyCases(5000))
	for _, c := range []struct {
		blocks int
		args   []string
	}{
		{512, []string{"import", s.At("many.jsonl")}}, {65, []string{"export", s.At("out")}}, {64, []string{"backup", s.At("copy.db")}},
	} {
		before := s.List()
		got := limited(s, c.blocks, c.args...)
		if got.Status != 3 || !strings.HasPrefix(got.Stderr[strings.LastIndex(strings.TrimSpace(got.Stderr), "\n")+1:], "docket: ") || strings.Contains(got.Stderr, "goroutine") {
			t.Errorf("docket %s: exit status %d, %s", c.args[0], got.Status, got.Stderr)
		}
		s.Unchanged(before, "docket "+c.args[0])
	}
	if v, plain := s.Verify(); v.Status != 0 || v.Records != records {
		t.Errorf("%s", plain)
	}
	s.Done("docket", "import", s.At("many.jsonl"))
	s.Done("docket", "export", s.At("out"))
}

//go:build unix

package main_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// manyCases are packets of as many cases.
func manyCases(count int) string {
	var lines strings.Builder
	for i := range count {
		lines.WriteString(strings.Replace(good, "case-good", fmt.Sprintf("case-%06d", i), 1) + "\n")
	}
	return lines.String()
}

// limited runs docket where no file may be longer than so many blocks of 512 bytes: as on a full disk, for those who
// cannot mount one.
func (s *site) limited(blocks int, args ...string) ran {
	s.t.Helper()
	docket, err := exec.LookPath("docket")
	if err != nil {
		s.t.Fatal(err)
	}
	script := fmt.Sprintf(`ulimit -f %d; exec "$@"`, blocks)
	return run(s.t, "sh", s.folder, append([]string{"-c", script, "sh", docket}, args...)...)
}

func TestAFileThatMayNotGrowIsAnErrorAndLeavesNothingHalfWritten(t *testing.T) {
	t.Parallel()
	const records = 20 // in a bundle, one file has them all
	s := decided(t, slices.Repeat([]string{"request_evidence"}, records)...)
	s.write("many.jsonl", manyCases(5000))
	for _, c := range []struct {
		blocks int
		args   []string
	}{
		{512, []string{"import", s.at("many.jsonl")}}, {65, []string{"export", s.at("out")}}, {64, []string{"backup", s.at("copy.db")}},
	} {
		before := s.list()
		got := s.limited(c.blocks, c.args...)
		if got.status != 3 || !strings.HasPrefix(got.stderr[strings.LastIndex(strings.TrimSpace(got.stderr), "\n")+1:], "docket: ") || strings.Contains(got.stderr, "goroutine") {
			t.Errorf("docket %s: exit status %d, %s", c.args[0], got.status, got.stderr)
		}
		s.unchanged(before, "docket "+c.args[0])
	}
	if v, plain := s.verify(); v.status != 0 || v.Records != records {
		t.Errorf("%s", plain)
	}
	s.done("docket", "import", s.at("many.jsonl"))
	s.done("docket", "export", s.at("out"))
}

//go:build unix

package damage_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

// pageOfCases overwrites a page with cases that an opening does not read, in a process of its own.
func pageOfCases(s *programtest.Site) {
	s.T.Helper()
	page := sqlite(s, "SELECT pageno FROM dbstat WHERE name = 'trade_appeal_cases' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET 5")
	command := exec.Command("sh", "-c", fmt.Sprintf("dd if=/dev/urandom of=%s bs=4096 count=1 seek=$((%s - 1)) conv=notrunc", s.DB(), page))
	if out, err := command.CombinedOutput(); err != nil {
		s.T.Fatalf("%v: %s", err, out)
	}
}

// A page that SQLite cannot read ends recording in both consoles, whether it was damaged before they were opened or after.
func TestBothConsolesSayThatThePageOfTheStoreIsDamagedAndTakeNothing(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "sqlite3", "tmux")
	pristine := programtest.Decided(t, "request_evidence")
	pristine.Write("many.jsonl", pristine.Done("docket", "demo", "--print", "--cases", "60").Stdout)
	pristine.Done("docket", "import", pristine.At("many.jsonl"))
	policy := strings.ReplaceAll(pristine.Read("packets.jsonl"), `"pol-appeals"`, `"pol-other"`)
	pristine.Write("unsealed.jsonl", policy[:strings.Index(policy, "\n")+1])
	pristine.Write("policy.jsonl", pristine.Done("docket", "seal", pristine.At("unsealed.jsonl")).Stdout)
	for name, c := range map[string]struct{ flag, ready, again string }{
		"full":  {"", "✓ log checked", "R"},
		"plain": {" --plain", "Number or command:", "appeals"},
	} {
		for _, opened := range []string{"before", "after"} {
			t.Run(name+", opened "+opened, func(t *testing.T) {
				t.Parallel()
				s := pristine.Copied(t)
				if opened == "after" {
					pageOfCases(s)
				}
				term := programtest.OpenTerminal(t, 120, 150, fmt.Sprintf("export XDG_CONFIG_HOME=%[1]s/config XDG_STATE_HOME=%[1]s/state; %[2]s --db %[3]s%[4]s",
					s.Folder, programtest.Built(t), s.DB(), c.flag))
				if opened == "before" {
					term.WaitFor(c.ready)
					pageOfCases(s)
					s.Done("docket", "import", s.At("policy.jsonl")) // the whole queue is read again
					if name == "full" {
						term.Press(c.again)
					}
				}
				if name == "plain" {
					term.Press("-l", c.again)
					term.Press("Enter")
				}
				term.WaitFor("The file is damaged: part of it cannot be read", "restore a backup", "Nothing can be recorded")
			})
		}
	}
}

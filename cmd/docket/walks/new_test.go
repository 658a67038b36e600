//go:build unix

package walks_test

import (
	"fmt"
	"testing"

	"docket/cmd/internal/programtest"
)

// What came in since a reviewer last left the console is new to them, whichever process brought it.
func TestWhatCameInSinceTheConsoleWasLeftIsNew(t *testing.T) {
	t.Parallel()
	docket, packets, folder := programtest.Built(t), programtest.Testdata(t, "packets"), t.TempDir()
	importing := func(name string) string {
		return fmt.Sprintf("%[1]s seal %[2]s/%[4]s.json | %[1]s --db %[3]s/docket.db import - 2>>%[3]s/log", docket, packets, folder, name)
	}
	count := func(when string) string {
		return fmt.Sprintf(`echo "%s: $(%s --db %s/docket.db queue --json is:new | wc -l) new"`, when, docket, folder)
	}
	term := programtest.OpenTerminal(t, 100, 40, fmt.Sprintf("%[1]s identity init --id rev-0417 --role neutral_reviewer --no-passphrase >%[2]s/log 2>&1; "+
		"%[3]s; %[1]s --db %[2]s/docket.db --plain; clear; %[4]s; %[5]s; %[6]s", docket, folder,
		importing("appeals")+"; "+count("before"), count("after"), importing("amendments"), count("again")))
	through(term, "sees before: 1 new", "and Number or command:", "quiet", "line quit",
		"sees after: 0 new", "and again: 2 new", "and exit status 0")
}

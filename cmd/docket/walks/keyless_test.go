//go:build unix

package walks_test

import (
	"fmt"
	"testing"

	"docket/cmd/internal/programtest"
)

// A console whose signing key cannot be used is for reading, and says why and what to do.
func TestWithAKeyThatCannotBeUsedTheConsoleOnlyReads(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "ssh-keygen")
	docket := programtest.Built(t)
	for name, c := range map[string]struct {
		spoil, typed, says string
		plain              []bool
	}{
		"gone": {spoil: "rm $key", says: "there is no key at", plain: []bool{false, true}},
		"locked": {"ssh-keygen -q -p -P '' -N 'correct horse' -f $key", "correct house", "not the passphrase of the key",
			[]bool{false, true}},
		"identity broken": {spoil: "echo x >$XDG_CONFIG_HOME/docket/identity.toml", says: "is not an identity as docket writes it",
			plain: []bool{false}},
	} {
		for _, plain := range c.plain {
			t.Run(fmt.Sprintf("%s, plain %t", name, plain), func(t *testing.T) {
				t.Parallel()
				folder := t.TempDir()
				term := programtest.OpenTerminal(t, 100, 50, "key=$XDG_CONFIG_HOME/docket/id_ed25519; "+reviewing(t, docket, folder)+
					fmt.Sprintf("%s; clear; %s --db %s/docket.db --plain=%t", c.spoil, docket, folder, plain))
				if c.typed != "" {
					term.WaitFor("Passphrase of")
					for range 3 {
						through(term, "line "+c.typed)
					}
					term.WaitFor("Enter opens the console for reading")
					term.Press("-l", c.typed+"q") // a fourth attempt is not keys of the console
					term.Press("Enter")
				}
				if plain {
					through(term, "sees Read-only: no record can be signed here", "and docket doctor",
						"and Start. Number or command:", "line open case-2026-00117",
						"sees You cannot decide on it here: no record can be signed here", "line quit")
				} else {
					through(term, "sees the signing key cannot be used", "and No record can be signed here",
						"and docket doctor", "and "+c.says, "Enter", "sees READ-ONLY", "and case-2026-00117",
						"Enter", "sees PASS", "and What is said",
						"and ! not yours to decide: no record can be signed here", "d",
						"sees ✗ no record can be signed here", "q")
				}
				term.WaitFor("exit status 0")
			})
		}
	}
}

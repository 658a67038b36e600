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
	packets := programtest.Testdata(t, "packets")
	for name, c := range map[string]struct{ spoil, typed, says string }{
		"gone":            {spoil: "rm $key", says: "there is no key at"},
		"open to others":  {spoil: "chmod 644 $key", says: "can be read by others"},
		"another file":    {spoil: "echo x >$key", says: "is not an OpenSSH private key"},
		"locked":          {spoil: "ssh-keygen -q -p -P '' -N 'correct horse' -f $key", typed: "correct house", says: "not the passphrase of the key"},
		"identity broken": {spoil: "echo x >$XDG_CONFIG_HOME/docket/identity.toml", says: "is not an identity as docket writes it"},
	} {
		for _, plain := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, plain %t", name, plain), func(t *testing.T) {
				folder := t.TempDir()
				command := fmt.Sprintf("key=$XDG_CONFIG_HOME/docket/id_ed25519; %[1]s identity init --id rev-0417 --role neutral_reviewer --no-passphrase >%[2]s/log; "+
					"%[1]s seal %[3]s/appeals.json | %[1]s --db %[2]s/docket.db import - 2>>%[2]s/log; %[4]s; clear; %[1]s --db %[2]s/docket.db --plain=%[5]t",
					docket, folder, packets, c.spoil, plain)
				term := programtest.OpenTerminal(t, 100, 50, command)
				if c.typed != "" {
					term.WaitFor("Passphrase of")
					for range 3 {
						term.Press("-l", c.typed)
						term.Press("Enter")
					}
					term.WaitFor("Enter opens the console for reading")
					term.Press("-l", c.typed+"q") // a fourth attempt is not keys of the console
					term.Press("Enter")
				}
				if plain {
					term.WaitFor("Read-only: no record can be signed here", "docket doctor", "Start. Number or command:")
					term.Press("-l", "open case-2026-00117")
					term.Press("Enter")
					term.WaitFor("You cannot decide on it here: no record can be signed here")
					term.Press("-l", "quit")
					term.Press("Enter")
				} else {
					term.WaitFor("the signing key cannot be used", "No record can be signed here", "docket doctor", c.says)
					term.Press("Enter")
					term.WaitFor("READ-ONLY", "case-2026-00117")
					term.Press("Enter")
					term.WaitFor("PASS", "What is said", "! not yours to decide: no record can be signed here")
					term.Press("d")
					term.WaitFor("✗ no record can be signed here")
					term.Press("q")
				}
				term.WaitFor("exit status 0")
			})
		}
	}
}

//go:build unix

package programtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Ran is what became of one run of the program.
type Ran struct {
	Status         int
	Stdout, Stderr string
	Memory         int64 // the largest that was resident, in KiB on Linux
}

// Run runs docket on a store of its own, with an empty home and no terminal.
func Run(t *testing.T, docket, folder string, args ...string) Ran {
	t.Helper()
	var out, err bytes.Buffer
	command := exec.Command(docket, args...)
	command.Stdout, command.Stderr = &out, &err
	command.Env = append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder+"/data", "XDG_CONFIG_HOME="+folder+"/config",
		"XDG_STATE_HOME="+folder+"/state", "DOCKET_DB="+folder+"/docket.db")
	if failure := command.Run(); failure != nil && command.ProcessState == nil {
		t.Fatal(failure)
	}
	usage, _ := command.ProcessState.SysUsage().(*syscall.Rusage)
	return Ran{command.ProcessState.ExitCode(), out.String(), err.String(), int64(usage.Maxrss)}
}

// GoodPacket is a packet that is taken in.
const GoodPacket = `{"table":"trade_appeal_cases","record":{"caseId":"case-good","revision":1,"contractVersion":"x","status":"filed"}}`

// OwnKey is the reviewer's key at a site.
const OwnKey = "config/docket/id_ed25519"

// InitAs is `docket identity init` for the sample's reviewer.
func InitAs(more ...string) []string {
	return append([]string{"identity", "init", "--id", "rev-0417", "--role", "neutral_reviewer"}, more...)
}

// Keygen makes a key with ssh-keygen.
func Keygen(t *testing.T, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", append([]string{"-q", "-C", "", "-f", path}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	return path
}

// Fingerprint is that of a key file.
func Fingerprint(t *testing.T, path string) string {
	t.Helper()
	out, err := exec.Command("ssh-keygen", "-l", "-f", path).Output()
	if err != nil || len(strings.Fields(string(out))) < 2 {
		t.Fatalf("ssh-keygen: %v", err)
	}
	return strings.Fields(string(out))[1]
}

//go:build unix

package programtest

import (
	"bytes"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// Ran is the result of one run of the program.
type Ran struct {
	Status         int
	Stdout, Stderr string
	Memory         int64 // the largest that was resident, in KiB on Linux
}

// Command calls a program on a machine that has only the folder, with store, home and settings.
func Command(folder string, args ...string) *exec.Cmd {
	command := exec.Command(args[0], args[1:]...)
	command.Env = append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder+"/data", "XDG_CONFIG_HOME="+folder+"/config",
		"XDG_STATE_HOME="+folder+"/state", "DOCKET_DB="+folder+"/docket.db")
	return command
}

// Run runs a program on a store of its own, with an empty home and no terminal.
func Run(t *testing.T, program, folder string, args ...string) Ran {
	t.Helper()
	var out, err bytes.Buffer
	command := Command(folder, append([]string{program}, args...)...)
	command.Stdout, command.Stderr = &out, &err
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

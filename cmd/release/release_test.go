//go:build linux

// Package release tries the files with which the service is run: the units of systemd, the sites of nginx and Caddy, and the container.
package release

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"docket/cmd/internal/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

var must = programtest.Must

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	must(t, err)
	return string(text)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(name, []byte(text), 0o600))
}

// replaced is a text in which each of the old strings stands, and is replaced.
func replaced(t *testing.T, text string, oldAndNew ...string) string {
	t.Helper()
	for pair := range slices.Chunk(oldAndNew, 2) {
		if !strings.Contains(text, pair[0]) {
			t.Fatalf("%q is not in it", pair[0])
		}
		text = strings.ReplaceAll(text, pair[0], pair[1])
	}
	return text
}

// A running is a program that runs beside the test.
type running struct {
	first string // line of its standard output
	cmd   *exec.Cmd
	log   bytes.Buffer // its standard error, once it has ended
	ended error
}

// started starts a program and waits for its first line, if it prints one. It is ended with the test.
func started(t *testing.T, cmd *exec.Cmd, speaks bool) *running {
	t.Helper()
	r := &running{cmd: cmd}
	cmd.Stderr = &r.log
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { r.stop() })
	if !speaks {
		return r
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		r.stop()
		t.Fatalf("%v says nothing: %v\n%s", cmd.Args, err, r.log.String())
	}
	r.first = strings.TrimSpace(line)
	go func() { _, _ = io.Copy(io.Discard, lines) }() // ends with the program
	return r
}

// stop ends the program as systemd does, and returns how it ended.
func (r *running) stop() error {
	if r.cmd.ProcessState == nil {
		_ = r.cmd.Process.Signal(syscall.SIGTERM)
		r.ended = r.cmd.Wait()
	}
	return r.ended
}

// stopTraced is stop for a program that strace runs, which passes no signal on. The trace begins with the program's id.
func (r *running) stopTraced(t *testing.T, trace string) error {
	t.Helper()
	first, _, _ := strings.Cut(read(t, trace), " ")
	id, err := strconv.Atoi(first)
	must(t, err)
	must(t, syscall.Kill(id, syscall.SIGTERM))
	r.ended = r.cmd.Wait()
	return r.ended
}

// stocked is a machine with a service's store that holds the sample appeals, and the token of a reviewer.
func stocked(t *testing.T) (m *programtest.Site, token string) {
	t.Helper()
	m = programtest.EmptySite(t)
	m.Write("packets.jsonl", m.Done("docket", "seal", programtest.Testdata(t, "packets", "appeals.json")).Stdout)
	token = strings.TrimSpace(m.Done("docket", "serve", "token", "add", "--principal", "rev-0417", "--role", "neutral_reviewer", "--expires", "1d").Stdout)
	m.Done("docket", "import", m.At("packets.jsonl"))
	return m, token
}

// short is a folder with a short path: that of a socket may not be long.
func short(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "docket")
	must(t, err)
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// serving starts the service with the settings of the release, on another socket; what stands before the program runs it.
func serving(m *programtest.Site, before ...string) (service *running, socket string) {
	m.T.Helper()
	folder := short(m.T)
	socket, config := filepath.Join(folder, "s"), filepath.Join(folder, "service.toml")
	write(m.T, config, replaced(m.T, read(m.T, "service.toml"), "/run/docket/docket.sock", socket))
	return started(m.T, programtest.Command(m.Folder, append(before, "docket", "serve", "--config", config)...), true), socket
}

// built builds the program as a release does, without cgo, into a folder.
func built(t *testing.T, folder string) {
	t.Helper()
	programtest.Needs(t, "go")
	cmd := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(folder, "docket"), "../docket")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

//go:build unix

package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// ran is what became of one run of the program.
type ran struct {
	status         int
	stdout, stderr string
	memory         int64 // the largest that was resident, in KiB on Linux
}

// run runs docket on a store of its own, with an empty home and no terminal.
func run(t *testing.T, docket, folder string, args ...string) ran {
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
	return ran{command.ProcessState.ExitCode(), out.String(), err.String(), int64(usage.Maxrss)}
}

// good is a packet that is taken in.
const good = `{"table":"trade_appeal_cases","record":{"caseId":"case-good","revision":1,"contractVersion":"x","status":"filed"}}`

func TestBadInputIsRefusedWithAReasonAndTheRestGoesIn(t *testing.T) {
	t.Parallel()
	docket := program(t)
	for name, test := range map[string]struct{ text, reason string }{
		"broken JSON":            {`{"table":"trade_appeal_cases","record":{"caseId":`, ""},
		"deep nesting":           {strings.Repeat(`{"a":[`, 5000) + strings.Repeat(`]}`, 5000), "nested"},
		"a giant exponent":       {strings.Replace(good, `"revision":1`, `"revision":1e10000000`, 1), "/record/revision"},
		"a number over 2^53":     {strings.Replace(good, `"revision":1`, `"revision":9007199254740992`, 1), "/record/revision"},
		"invalid UTF-8":          {strings.Replace(good, `"x"`, "\"\xff\"", 1), "UTF-8"},
		"a duplicate member":     {strings.Replace(good, `"revision":1`, `"revision":1,"revision":1`, 1), "duplicate"},
		"a name in another case": {strings.Replace(good, `"revision"`, `"Revision"`, 1), "wrong case"},
		"trailing bytes":         {good + ` and more`, "trailing"},
		"no packet":              {`[1, 2]`, "/0"},
		"a record of over 1 MiB": {strings.Replace(good, `"x"`, `"`+strings.Repeat("x", 1<<20)+`"`, 1), "1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "bad.jsonl")
			if err := os.WriteFile(path, []byte(test.text+"\n"+good+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			got := run(t, docket, folder, "import", path)
			if got.status != 1 || !strings.Contains(got.stderr, "bad.jsonl:1: ") || !strings.Contains(got.stderr, test.reason) {
				t.Errorf("exit status %d, %s", got.status, got.stderr)
			}
			if !strings.Contains(got.stderr, "1 imported") || strings.Contains(got.stderr, "goroutine") {
				t.Errorf("the good packet behind it: %s", got.stderr)
			}
			if queue := run(t, docket, folder, "queue", "--json"); !strings.Contains(queue.stdout, "case-good") {
				t.Errorf("the good packet is not in the queue: %s", queue.stdout)
			}
		})
	}
}

// The file is written block by block, because what this process holds counts as its child's memory too.
func TestALineOf200MegabytesIsRefusedInLittleMemory(t *testing.T) { // alone: the memory that a child had counts what this process has
	docket, folder := program(t), t.TempDir()
	path := filepath.Join(folder, "long.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	head, tail, _ := strings.Cut(good, `"x"`)
	_, err = file.WriteString(head + `"`)
	block := bytes.Repeat([]byte("x"), 1<<20)
	for i := 0; i < 200 && err == nil; i++ {
		_, err = file.Write(block)
	}
	if err == nil {
		_, err = file.WriteString(`"` + tail + "\n" + good + "\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	got := run(t, docket, folder, "import", path)
	if got.status != 1 || !strings.Contains(got.stderr, "long.jsonl:1: is over 16 MiB") || !strings.Contains(got.stderr, "1 imported") {
		t.Errorf("exit status %d, %s", got.status, got.stderr)
	}
	if got.memory > 192<<10 {
		t.Errorf("%d KiB of memory", got.memory)
	}
}

func TestAnInputThatIsNoFileIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	docket, folder := program(t), t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, reason := range map[string]string{pipe: "standard input", folder: "folder", folder + "/none": "no such file"} {
		for _, command := range []string{"import", "evaluate", "seal"} {
			got := run(t, docket, folder, command, path)
			if got.status != 1 || !strings.Contains(got.stderr, reason) || strings.Contains(got.stderr, "goroutine") {
				t.Errorf("docket %s %s: exit status %d, %s", command, path, got.status, got.stderr)
			}
		}
	}
}

func TestABadStoreEndsWithStatusThreeAndStaysAsItIs(t *testing.T) {
	t.Parallel()
	docket, folder := program(t), t.TempDir()
	text := filepath.Join(folder, "text.db")
	content := []byte(strings.Repeat("not a database\n", 100))
	if err := os.WriteFile(text, content, 0o600); err != nil {
		t.Fatal(err)
	}
	packets := filepath.Join(folder, "good.jsonl")
	if err := os.WriteFile(packets, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, folder, packets + "/below.db"} {
		for _, args := range [][]string{{"import", packets}, {"queue"}, {"show", "case-good"}, {"records"}} {
			got := run(t, docket, folder, append([]string{"--db", path}, args...)...)
			if got.status != 3 || !strings.Contains(got.stderr, "docket: ") || strings.Contains(got.stderr, "goroutine") {
				t.Errorf("docket %s on %s: exit status %d, %s", args[0], path, got.status, got.stderr)
			}
		}
	}
	if now, err := os.ReadFile(text); err != nil || !bytes.Equal(now, content) {
		t.Errorf("the text file was changed: %v", err)
	}
}

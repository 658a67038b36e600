package walks_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"docket/cmd/internal/programtest"
)

// A console whose terminal nobody reads any more ends within five seconds of a signal, with its
// writes, the last error included, still waiting.
func TestATerminalThatNobodyReadsDoesNotKeepTheConsole(t *testing.T) {
	docket := programtest.Built(t)
	for plain, begins := range map[string]string{"--plain=false": "log checked", "--plain": "command:"} {
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
			t.Run(fmt.Sprintf("%s %s", plain, signal), func(t *testing.T) {
				t.Parallel()
				master, slave, number := pseudoTerminal(t)
				console := exec.Command(docket, "demo", plain)
				home := t.TempDir()
				console.Env = append(os.Environ(), "TERM=xterm-256color", "HOME="+home, "XDG_DATA_HOME="+home,
					"XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home)
				console.Stdin, console.Stdout, console.Stderr = slave, slave, slave
				console.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
				must(t, console.Start())
				ended := make(chan error, 1)
				go func() { ended <- console.Wait() }()
				t.Cleanup(func() { _ = console.Process.Kill() })
				readUntil(t, master, begins)
				fill(t, number)
				if _, err := master.WriteString("j\rj\rhelp\r"); err != nil { // each draws or says something
					t.Fatal(err)
				}
				<-time.After(300 * time.Millisecond)
				must(t, console.Process.Signal(signal))
				select {
				case <-ended:
				case <-time.After(5 * time.Second):
					t.Fatal("it still runs")
				}
			})
		}
	}
}

func pseudoTerminal(t *testing.T) (master, slave *os.File, number int) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	if err == nil {
		number, err = unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80})
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	must(t, err)
	t.Cleanup(func() { slave.Close() })
	return master, slave, number
}

// readUntil reads what the terminal is sent until it holds a text.
func readUntil(t *testing.T, master *os.File, text string) {
	t.Helper()
	var all strings.Builder
	buffer := make([]byte, 4096)
	for !strings.Contains(all.String(), text) {
		n, err := master.Read(buffer)
		if err != nil {
			t.Fatalf("%v after\n%s", err, all.String())
		}
		all.Write(buffer[:n])
	}
}

// fill writes to the terminal until it takes no more.
func fill(t *testing.T, number int) {
	t.Helper()
	terminal, err := unix.Open(fmt.Sprintf("/dev/pts/%d", number), unix.O_WRONLY|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	must(t, err)
	defer unix.Close(terminal)
	for {
		if _, err := unix.Write(terminal, make([]byte, 512)); err != nil {
			return
		}
	}
}

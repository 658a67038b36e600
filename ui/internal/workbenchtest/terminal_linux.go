package workbenchtest

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"docket/store/disk/disktest"
)

// These have a test binary run a console on its terminal in place of tests, over a store.
const (
	childMode   = "DOCKET_TEST_CHILD"
	childFolder = "DOCKET_TEST_CHILD_FOLDER"
)

// Main is the TestMain of a package that has a Terminal: on one, child runs over the sample. In the
// mode signing nothing is ever signed; in the mode panic Open panics.
func Main(m *testing.M, child func(mode string, workbench *Workbench)) {
	if mode := os.Getenv(childMode); mode != "" {
		workbench := OpenSample(os.Getenv(childFolder))
		workbench.Panics = mode == "panic"
		if mode == "signing" { // the agent hangs
			workbench.Signing = func(ctx context.Context) error {
				fmt.Print("SIGNING")
				<-ctx.Done()
				return fmt.Errorf("not signed: %w", context.Cause(ctx))
			}
		}
		child(mode, workbench)
		os.Exit(0)
	}
	disktest.InMemory()
	os.Exit(m.Run())
}

// A Terminal is a pseudo terminal that never answers anything, with a console running on it.
type Terminal struct {
	T       *testing.T
	TypedAt int // how much output there was when keys were typed last
	Process *exec.Cmd

	master, slave *os.File
	mutex         sync.Mutex
	output        strings.Builder
	news          chan struct{} // there is more output
	before        unix.Termios
}

// OnTerminal starts a console in a mode, at a terminal of a kind and size. Its errors are written
// to the terminal, too, or to stderr.
func OnTerminal(
	t *testing.T, mode, kind string, lines, columns uint16, stderr io.Writer,
) *Terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals here: %v", err)
	}
	p := &Terminal{T: t, master: master, news: make(chan struct{}, 1)}
	number := 0
	raw, err := master.SyscallConn() // closing ends a read of what does not wait in the kernel
	must(err)
	must(raw.Control(func(fd uintptr) {
		must(unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0))
		must(unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: lines, Col: columns}))
		number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
	}))
	must(err)
	p.slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	must(err)
	p.before = p.settings()
	self, err := os.Executable()
	must(err)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	p.Process = exec.CommandContext(ctx, self)
	p.Process.Env = append(os.Environ(), "TERM="+kind, childMode+"="+mode,
		childFolder+"="+SampleFolder(t))
	p.Process.Stdin, p.Process.Stdout, p.Process.Stderr = p.slave, p.slave, stderr
	if stderr == nil {
		p.Process.Stderr = p.slave
	}
	p.Process.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(p.Process.Start())
	go p.read()
	t.Cleanup(func() { _ = p.Process.Process.Kill(); p.HangUp() })
	return p
}

func (p *Terminal) settings() unix.Termios {
	settings, err := unix.IoctlGetTermios(int(p.slave.Fd()), unix.TCGETS)
	must(err)
	return *settings
}

func (p *Terminal) read() {
	buffer := make([]byte, 4096)
	for {
		n, err := p.master.Read(buffer)
		p.mutex.Lock()
		p.output.Write(buffer[:n])
		p.mutex.Unlock()
		select {
		case p.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// Text is all that was written to the terminal.
func (p *Terminal) Text() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.output.String()
}

// Wait waits until something holds of the text.
func (p *Terminal) Wait(about string, holds func(text string) bool) {
	p.T.Helper()
	tooLong := time.After(2 * time.Minute)
	for !holds(p.Text()) {
		select {
		case <-p.news:
		case <-tooLong:
			p.T.Fatalf("%q did not come:\n%q", about, p.Text())
		}
	}
}

// Quiet waits until nothing has been written for longer than a question waits for its reader.
func (p *Terminal) Quiet() {
	for {
		select {
		case <-p.news:
		case <-time.After(600 * time.Millisecond):
			return
		}
	}
}

// Type types keys.
func (p *Terminal) Type(keys string) {
	p.TypedAt = len(p.Text())
	_, err := io.WriteString(p.master, keys)
	must(err)
}

// Signal sends the console a signal.
func (p *Terminal) Signal(s os.Signal) { must(p.Process.Process.Signal(s)) }

// HangUp takes the terminal away.
func (p *Terminal) HangUp() {
	p.slave.Close()
	p.master.Close()
}

// Ended waits until the console has ended well, and holds its terminal to what it was before.
func (p *Terminal) Ended() {
	p.T.Helper()
	if err := p.Process.Wait(); err != nil {
		p.T.Fatalf("%v\n%s", err, p.Text())
	}
	if after := p.settings(); after != p.before {
		p.T.Errorf("the terminal is not restored: %+v, not %+v", after, p.before)
	}
}

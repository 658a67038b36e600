package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"docket/cmd/internal/identity"
)

// pseudoTerminal is the two ends of one: what a person types into, and what a program reads.
func pseudoTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

func settingsOf(t *testing.T, terminal *os.File) unix.Termios {
	t.Helper()
	settings, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *settings
}

// prompting calls when the prompt has been written and the terminal shows nothing that is typed.
type prompting struct {
	said    strings.Builder
	when    func()
	running sync.WaitGroup // what was called
}

func (p *prompting) String() string { return p.said.String() }

func (p *prompting) Write(text []byte) (int, error) {
	if strings.Contains(string(text), "Passphrase") {
		p.running.Go(p.when)
	}
	return p.said.Write(text)
}

// untilHidden waits until what is typed does not show.
func untilHidden(t *testing.T, slave *os.File) {
	for settingsOf(t, slave).Lflag&unix.ECHO != 0 {
	}
}

func TestAPassphraseIsReadFromTheInputThatTheSystemNames(t *testing.T) {
	master, slave := pseudoTerminal(t)
	before := settingsOf(t, slave)
	said := &prompting{when: func() {
		untilHidden(t, slave)
		if _, err := io.WriteString(master, "correct horse\r"); err != nil {
			t.Error(err)
		}
	}}
	p := &program{System: System{In: slave, Err: said, InTerminal: true}}
	typed, err := p.askPassphrase(t.Context(), "Passphrase of key: ")
	said.running.Wait()
	if err != nil || string(typed) != "correct horse" {
		t.Errorf("%q, %v", typed, err)
	}
	if said.String() != "Passphrase of key: \n" {
		t.Errorf("it says %q", said.String())
	}
	if settingsOf(t, slave) != before {
		t.Error("the terminal is not as it was")
	}
}

func TestAPassphraseIsNotWaitedForOnceTheProgramIsToldToStop(t *testing.T) {
	_, slave := pseudoTerminal(t)
	before := settingsOf(t, slave)
	ctx, stop := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	said := &prompting{when: func() { untilHidden(t, slave); stop(reason) }}
	p := &program{System: System{In: slave, Err: said, InTerminal: true}}
	typed, err := p.askPassphrase(ctx, "Passphrase of key: ")
	said.running.Wait()
	if !errors.Is(err, reason) || typed != nil {
		t.Errorf("%q, %v", typed, err)
	}
	if settingsOf(t, slave) != before {
		t.Error("the terminal is not as it was")
	}
	if _, err := p.askPassphrase(ctx, "Passphrase of key: "); !errors.Is(err, reason) {
		t.Errorf("asked after the end: %v", err)
	}
}

func TestWhereNobodySitsNoPassphraseIsAskedFor(t *testing.T) {
	_, slave := pseudoTerminal(t)
	for name, system := range map[string]System{
		"no terminal":         {In: slave},
		"what is no file":     {In: strings.NewReader("correct horse\n"), InTerminal: true},
		"nothing":             {InTerminal: true},
		"a file that is none": {In: regularFile(t), InTerminal: true},
	} {
		said := &strings.Builder{}
		system.Err = said
		p := &program{System: system}
		if typed, err := p.askPassphrase(t.Context(), "Passphrase of key: "); !errors.Is(err, identity.ErrNobodyToAsk) || typed != nil {
			t.Errorf("%s: %q, %v", name, typed, err)
		}
		if said.String() != "" {
			t.Errorf("%s: it says %q", name, said)
		}
	}
}

func regularFile(t *testing.T) *os.File {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "typed")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

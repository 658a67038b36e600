package identity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/charmbracelet/x/term"
)

// ErrNobodyToAsk: a passphrase is needed and there is no terminal to type it at.
var ErrNobodyToAsk = errors.New("a passphrase can only be typed at a terminal: run the command at one, or use a key of ssh-agent")

// AskAt asks for a passphrase at the terminal, without echo. When ctx ends it restores the terminal
// and returns at once; the pending read stays until the program ends.
func AskAt(ctx context.Context, terminal term.File, out io.Writer, prompt string) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	descriptor := terminal.Fd() // taken once: the read may still wait when the file is closed
	before, err := term.GetState(descriptor)
	if err != nil {
		return nil, ErrNobodyToAsk
	}
	type answer struct {
		typed []byte
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				answered <- answer{nil, errors.Join(fmt.Errorf("reading the passphrase panicked: %T", cause), term.Restore(descriptor, before))}
			}
		}()
		typed, err := term.ReadPassword(descriptor)
		answered <- answer{typed, err}
	}()
	awaitSilence(descriptor, before)
	if _, err := io.WriteString(out, prompt); err != nil {
		return nil, errors.Join(err, term.Restore(descriptor, before))
	}
	var got answer
	select {
	case got = <-answered:
	case <-ctx.Done():
		got.err = errors.Join(context.Cause(ctx), term.Restore(descriptor, before))
	}
	_, err = io.WriteString(out, "\n")
	return got.typed, errors.Join(got.err, err)
}

// awaitSilence waits, a second at most, until the terminal does not echo an answer typed at once.
func awaitSilence(descriptor uintptr, before *term.State) {
	for range 1000 {
		if now, err := term.GetState(descriptor); err != nil || *now != *before {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

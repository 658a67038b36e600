package ui

import (
	"fmt"
	"io"
	"strings"

	"github.com/aymanbagabas/go-osc52/v2"
)

// A multiplexer is a program between the console and the terminal that keeps sequences for the terminal to itself
// unless they are wrapped for it.
type multiplexer uint8

const (
	noMultiplexer multiplexer = iota
	tmux
	gnuScreen
)

// multiplexerOf says which one the environment names.
func multiplexerOf(getenv func(string) string) multiplexer {
	switch {
	case getenv("TMUX") != "":
		return tmux
	case getenv("STY") != "", strings.HasPrefix(getenv("TERM"), "screen"):
		return gnuScreen
	}
	return noMultiplexer
}

// toClipboard asks the terminal to put a text on the clipboard, by OSC 52: that also works over ssh, and runs no other
// program. Nothing says whether the terminal did. The sequence goes out in one write, so that it never lands within a
// frame, which is one write, too. Only ids and hashes are copied; anything else is refused.
func toClipboard(out io.Writer, through multiplexer, text string) error {
	if !copyable(text) {
		return fmt.Errorf("it holds characters that no id and no hash has, so it was not copied")
	}
	sequence := osc52.New(text)
	written := sequence.String()
	switch through {
	case tmux: // it takes the plain form where set-clipboard is on, and passes the wrapped one on where that is allowed
		written += sequence.Tmux().String()
	case gnuScreen:
		written = sequence.Screen().String()
	}
	if _, err := io.WriteString(out, written); err != nil {
		return fmt.Errorf("the terminal: %w", err)
	}
	return nil
}

// copyable tells whether a text has the form of an id or a hash, so that pasting it does nothing but write it.
func copyable(text string) bool {
	if text == "" || len(text) > 256 {
		return false
	}
	for _, c := range []byte(text) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("._:+/=-", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// said is what the status line says of a copy.
func (c copied) said() effect {
	if c.err != nil {
		return say{text: "✗ not copied: " + c.err.Error()}
	}
	return say{text: "copied: " + c.what + ", if the terminal allows it"}
}

package client

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"docket/cmd/internal/api"
)

// A Token authenticates a caller to a service. No way of printing it shows its text.
type Token struct{ secret string }

const hiddenToken = "a token, not shown"

// ErrNoToken says that a text is not a token. It does not repeat the text.
var ErrNoToken = errors.New("it holds no token of a service: one line that begins with " + api.TokenPrefix)

// ParseToken reads a token. It ignores white space around it.
func ParseToken(text string) (Token, error) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, api.TokenPrefix) || len(text) == len(api.TokenPrefix) || len(text) > api.LongestToken {
		return Token{}, ErrNoToken
	}
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return Token{}, ErrNoToken
		}
	}
	return Token{text}, nil
}

// Format implements fmt.Formatter. No verb shows the text.
func (Token) Format(out fmt.State, _ rune) { _, _ = io.WriteString(out, hiddenToken) }

// String does not return the token.
func (Token) String() string { return hiddenToken }

// MarshalText does not return the token.
func (Token) MarshalText() ([]byte, error) { return []byte(hiddenToken), nil }

// LogValue does not return the token.
func (Token) LogValue() slog.Value { return slog.StringValue(hiddenToken) }

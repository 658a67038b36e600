package client

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"docket/cmd/internal/api"
)

// A Token is what a service knows a caller by. It prints as what it is, never as its text, however it is printed.
type Token struct{ secret string }

const hiddenToken = "a token, not shown"

// ErrNoToken says that a text is no token. Nothing of the text is repeated.
var ErrNoToken = errors.New("it holds no token as a service gives them out: " + api.TokenPrefix + " and what follows, on one line")

// ParseToken reads a token with the white space around it that a file or a variable may have.
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

// Format implements fmt.Formatter: whatever the verb, the text is not shown.
func (Token) Format(out fmt.State, _ rune) { _, _ = io.WriteString(out, hiddenToken) }

// String is not the token.
func (Token) String() string { return hiddenToken }

// MarshalText is not the token.
func (Token) MarshalText() ([]byte, error) { return []byte(hiddenToken), nil }

// LogValue is not the token.
func (Token) LogValue() slog.Value { return slog.StringValue(hiddenToken) }

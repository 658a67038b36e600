package client

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"

	"docket/cmd/internal/api"
)

// A Token authenticates a caller to a service. No way of printing it shows its text.
type Token struct{ secret string }

const hiddenToken = "a token, not shown"

// ErrNoToken says that a text is not a token. It does not repeat the text.
var ErrNoToken = fmt.Errorf("it holds no token of a service: one line that begins with %s", api.TokenPrefix)

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

// tokens holds the tokens of a client: the present one, and the one that replaces it.
type tokens struct {
	current Token
	mutex   sync.Mutex
	next    Token // the zero Token for none, and once it was refused or accepted
	tell    func()
}

// authenticated lists the paths whose routes require a valid token.
var authenticated = map[string]bool{api.QueuePath: true, api.AppealEnforcePath: true, api.AmendmentEnforcePath: true}

// toTry returns the token for the next request.
func (t *tokens) toTry() Token {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return cmp.Or(t.next, t.current)
}

// refused reports whether the refused token was the next one; from then on the present one is used.
func (t *tokens) refused(tried Token) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.next = Token{}
	return tried != t.current
}

// accepted makes a token that authenticated a request the present one.
func (t *tokens) accepted(tried Token) {
	t.mutex.Lock()
	switched := t.next != Token{} && tried == t.next
	if switched {
		t.current, t.next = tried, Token{}
	}
	t.mutex.Unlock()
	if switched && t.tell != nil {
		t.tell()
	}
}

// Format implements fmt.Formatter. No verb shows the text.
func (Token) Format(out fmt.State, _ rune) { _, _ = io.WriteString(out, hiddenToken) }

// String does not return the token.
func (Token) String() string { return hiddenToken }

// MarshalText does not return the token.
func (Token) MarshalText() ([]byte, error) { return []byte(hiddenToken), nil }

// LogValue does not return the token.
func (Token) LogValue() slog.Value { return slog.StringValue(hiddenToken) }

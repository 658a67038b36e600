package client

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"docket/cmd/internal/api"
	"docket/cmd/internal/identity"
	"docket/store/disk"
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

const maxTokenFile = 4 << 10

// ReadToken reads the token in a file, which only its owner may read. The error wraps
// identity.ErrNoFile where there is none.
func ReadToken(path string) (Token, error) {
	text, err := identity.ReadPrivate(path, maxTokenFile)
	if err != nil {
		return Token{}, fmt.Errorf("the token file %w", err)
	}
	token, err := ParseToken(string(text))
	if err != nil {
		return Token{}, fmt.Errorf("the token file %s: %w", path, err)
	}
	return token, nil
}

// NextToken is the file of a token that replaces the one at the path once the service accepts it.
func NextToken(path string) string { return path + ".next" }

// KeepToken keeps the token of an invitation. A present token that may still work is not replaced:
// the new one is kept in a file beside it until the service accepts it.
func KeepToken(path, token string) (pending bool, err error) {
	switch held, err := identity.ReadPrivate(path, maxTokenFile); {
	case err != nil && !errors.Is(err, identity.ErrNoFile):
		return false, fmt.Errorf("the token file %w", err)
	case err != nil || strings.TrimSpace(string(held)) == token:
	default:
		if _, err := ParseToken(string(held)); err == nil {
			path, pending = NextToken(path), true
		}
	}
	if err := disk.Replace(path, []byte(token+"\n")); err != nil {
		return false, fmt.Errorf("write the token: %w", disk.Reason(err))
	}
	return pending, nil
}

// tokens holds the tokens of a client: the present one, and the one that replaces it.
type tokens struct {
	current Token
	mutex   sync.Mutex
	next    Token // the zero Token for none, and once it was refused or accepted
	tell    func()
}

var authenticated = map[string]bool{api.QueuePath: true, api.AppealEnforcePath: true, api.AmendmentEnforcePath: true}

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

// MarshalText does not return the token.
func (Token) MarshalText() ([]byte, error) { return []byte(hiddenToken), nil }

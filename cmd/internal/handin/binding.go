package handin

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"docket/store"
)

// A Key is the key of a service's log. ParseKey makes one; the zero Key verifies nothing.
type Key struct {
	verifier note.Verifier
	text     string
}

// servicePrefix begins the origin of a service's log; 32 hex digits follow.
const (
	servicePrefix = "docket/service/"
	originDigits  = 32
)

// ErrNotAService says that what answers is no service: its key is not one of a service's log.
var ErrNotAService = errors.New("what answers at this address is not a service: it has no key of a service's log")

// ParseKey reads a verifier key as golang.org/x/mod/sumdb/note writes it, of a log of a service.
func ParseKey(text string) (Key, error) {
	verifier, err := note.NewVerifier(text)
	if err != nil {
		return Key{}, ErrNotAService
	}
	digits, ok := strings.CutPrefix(verifier.Name(), servicePrefix)
	if _, err := hex.DecodeString(digits); !ok || err != nil || len(digits) != originDigits || strings.ToLower(digits) != digits {
		return Key{}, ErrNotAService
	}
	return Key{verifier, text}, nil
}

// Origin is the origin of the log, and the name of the key.
func (k Key) Origin() string { return k.verifier.Name() }

// String is the key as it was read: "<origin>+<hash>+<base64>".
func (k Key) String() string { return k.text }

// bind binds the console to the service with this key, or makes sure that it is bound to it. first tells that they never met
// before. The error wraps store.ErrOtherService if the console is bound to another one.
func bind(ctx context.Context, b Bound, stated string) (key Key, first bool, err error) {
	if key, err = ParseKey(stated); err != nil {
		return Key{}, false, err
	}
	held, err := b.Service(ctx)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return key, true, b.BindService(ctx, stated)
	case err != nil:
		return Key{}, false, err
	case held != stated:
		return Key{}, false, fmt.Errorf("%w: the one that answers now is %s, with the key %s", store.ErrOtherService, key.Origin(), key)
	}
	return key, false, nil
}

//go:build unix

package identity_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"docket/cmd/internal/identity"
)

// Nobody writes into the pipe: opening it would wait for ever.
func TestAPipeIsNeitherAKeyNorAPrivateFileAndIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	must(t, syscall.Mkfifo(path, 0o600))
	if content, err := identity.ReadPrivate(path, 100); content != nil || err == nil || !strings.Contains(err.Error(), "it is no regular file") {
		t.Errorf("%q, %v", content, err)
	}
	if _, err := setUp(t, identity.Setup{KeyFile: path}); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("it was taken for a key: %v", err)
	}
}

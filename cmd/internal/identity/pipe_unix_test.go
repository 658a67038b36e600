//go:build unix

package identity

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// Nobody writes into the pipe: opening it would wait for ever.
func TestAPipeIsNeitherAKeyNorAPrivateFileAndIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if content, err := ReadPrivate(path, 100); content != nil || !errors.Is(err, errOddFile) {
		t.Errorf("%q, %v", content, err)
	}
	if _, err := loadKey(t.Context(), path, nobody); err == nil {
		t.Error("it was taken for a key")
	}
}

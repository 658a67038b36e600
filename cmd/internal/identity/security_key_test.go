package identity_test

import (
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/identity"
	"docket/domain/terms"
)

// A file that ssh-keygen writes for a security key holds no private key, only its handle.
func TestAKeyOnASecurityKeyIsSaidToBeOne(t *testing.T) {
	public := ssh.Marshal(struct {
		Type, Key, Application string
	}{"sk-ssh-ed25519@openssh.com", strings.Repeat("k", 32), "ssh:"})
	file := append([]byte("openssh-key-v1\x00"), ssh.Marshal(struct {
		Cipher, Derivation, Options string
		Keys                        uint32
		Public, Private             []byte
	}{"none", "none", "", 1, public, append(make([]byte, 8), public...)})...)
	path := filepath.Join(t.TempDir(), "id_ed25519_sk")
	text := pem.EncodeToMemory(&pem.Block{Type: "OPENSSH PRIVATE KEY", Bytes: file})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	place := identity.Place{Folder: t.TempDir()}
	_, err := place.Init(t.Context(), identity.Setup{ID: "rev-7", Role: terms.NeutralReviewer, KeyFile: path}, nil)
	if err == nil || !strings.Contains(err.Error(), "lies on a security key") {
		t.Error(err)
	}
}

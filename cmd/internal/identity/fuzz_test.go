package identity

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"docket/domain/terms"
)

const wholeSettings = "id = 'rev-0417'\nrole = 'neutral_reviewer'\nkey = '/home/rev/id_ed25519'\n"

// checkSettings holds the reader of identity.toml to taking what it would write, and to refusing all else quietly.
func checkSettings(t *testing.T, text []byte) {
	t.Helper()
	keep, ok := parseSettings(text)
	if !ok {
		return
	}
	id, role, err := keep.parse()
	if err != nil || !id.Present() || !role.Present() || (keep.Key == "") == (keep.Agent == "") {
		t.Errorf("%q is taken as %+v", text, keep)
	}
	written, err := toml.Marshal(keep)
	if again, ok := parseSettings(written); err != nil || !ok || again != keep {
		t.Errorf("%q is taken as %+v, which is read back as %+v: %v", text, keep, again, err)
	}
}

func FuzzSettings(f *testing.F) {
	for _, text := range []string{wholeSettings, "", "id = ", "[a]\n[a.b]\n", "id = 'x'\nid = 'y'\n", strings.Repeat("[", 1000), strings.Repeat("a.", 1000) + "b = 1\n",
		"id = '''\nx'''\nrole = 'safety_admin'\nagent = 'SHA256:x'\n", "id = 'rev-1'\nrole = 'safety_admin'\nkey = '/k'\nagent = 'SHA256:x'\n", "id = 1e999999999\n",
		"id = 'rev-1'\nrole = 'safety_admin'\n", "\xff\xfe", "key = \"\\u0000\"\nid = 'r'\nrole = 'neutral_reviewer'\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(checkSettings)
}

// FuzzKeyFile holds the reader of key files to ending in a key or in an error that quotes nothing of the file.
func FuzzKeyFile(f *testing.F) {
	folder := f.TempDir()
	place := Place{Folder: folder}
	nobody := func(context.Context, string) ([]byte, error) { return nil, nil }
	if _, err := place.Init(f.Context(), Setup{ID: "rev-0417", Role: terms.NeutralReviewer}, nobody); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(place.key())
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{string(whole), "", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
		strings.ReplaceAll(string(whole), "OPENSSH", "RSA"), strings.Replace(string(whole), "b3BlbnNzaC1rZXkt", "b3BlbnNzaC1rZXku", 1), string(whole[:len(whole)/2])} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		signer, err := parseKey(t.Context(), "KEY", text, nobody)
		if (signer == nil) != (err != nil) {
			t.Errorf("%q: %v, %v", text, signer, err)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// TestARandomChangeOfTheSettingsIsTakenOrRefused makes a few changes; with DOCKET_LONG=1 many.
func TestARandomChangeOfTheSettingsIsTakenOrRefused(t *testing.T) {
	changes := 2_000
	if os.Getenv("DOCKET_LONG") == "1" {
		changes = 500_000
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range changes {
		text := []byte(wholeSettings)
		for range 1 + random.IntN(3) {
			text[random.IntN(len(text))] = byte(random.Uint32())
		}
		checkSettings(t, text)
	}
}

package identity_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/identity"
	"docket/domain/terms"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// answering gives the passphrases one by one, and counts the questions.
func answering(asked *int, passphrases ...string) identity.AskPassphrase {
	return func(context.Context, string) ([]byte, error) {
		*asked++
		if *asked > len(passphrases) {
			return nil, errors.New("nobody is there")
		}
		return []byte(passphrases[*asked-1]), nil
	}
}

var neutral = identity.Setup{ID: "rev-0417", Role: terms.NeutralReviewer}

func TestAPassphraseIsAskedForUpToThreeTimes(t *testing.T) {
	place, made := identity.Place{Folder: filepath.Join(t.TempDir(), "docket")}, 0
	if _, err := place.Load(t.Context(), nil); !errors.Is(err, identity.ErrNone) {
		t.Errorf("before: %v", err)
	}
	set, err := place.Init(t.Context(), neutral, answering(&made, "correct horse", "correct horse"))
	must(t, err)
	for _, c := range []struct {
		typed []string
		asked int
		works bool
	}{
		{[]string{"correct horse"}, 1, true},
		{[]string{"", "correct horse"}, 2, true},
		{[]string{"correct", "horse", "correct horse"}, 3, true},
		{[]string{"a", "b", "c", "correct horse"}, 3, false},
		{[]string{"a"}, 2, false},
		{nil, 1, false},
	} {
		asked := 0
		held, err := place.Load(t.Context(), answering(&asked, c.typed...))
		if (err == nil) != c.works || asked != c.asked || c.works && held.Reviewer() != set.Reviewer() ||
			err != nil && strings.Contains(err.Error(), "PRIVATE") {
			t.Errorf("%q: asked %d times, %v", c.typed, asked, err)
		}
		if gave := len(c.typed) >= 3 && !c.works; errors.Is(err, identity.ErrPassphrase) != gave {
			t.Errorf("%q: %v", c.typed, err)
		}
	}
	if reviewer := place.Reviewer(); reviewer.ID != neutral.ID || reviewer.Role != neutral.Role {
		t.Errorf("who it is can be told without the key: %v", reviewer)
	}
}

func TestASpoiltIdentityIsRefusedWithoutItsText(t *testing.T) {
	for name, text := range map[string]string{
		"no TOML": "secret = = ", "an unknown key": "id = \"rev-1\"\nrole = \"neutral_reviewer\"\nsecret = \"x\"\n",
		"an unknown role": "id = \"rev-1\"\nrole = \"secret\"\nkey = \"/none\"\n", "no id": "role = \"neutral_reviewer\"\nkey = \"/none\"\n",
		"much": strings.Repeat("#", 64<<10+1),
	} {
		place := identity.Place{Folder: t.TempDir()}
		must(t, os.WriteFile(filepath.Join(place.Folder, "identity.toml"), []byte(text), 0o600))
		if _, err := place.Load(t.Context(), nil); err == nil || strings.Contains(err.Error(), "secret") || place.Reviewer().ID != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAKeyFileThatCannotBeUsedIsRefusedWithAReason(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	must(t, os.WriteFile(at("a file"), []byte("no key"), 0o600))
	must(t, os.WriteFile(at("large"), make([]byte, 64<<10+1), 0o600))
	for path, says := range map[string]string{
		at("none"):       "there is no key at",
		at("a file/key"): "not a directory",
		folder:           "is not a file",
		at("a file"):     "is not an OpenSSH private key",
		at("large"):      "is not an OpenSSH private key",
		at("\x00"):       "read the key",
	} {
		if _, err := setUp(t, identity.Setup{KeyFile: path}); err == nil || !strings.Contains(err.Error(), says) || strings.Count(err.Error(), path) != 1 {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestAPrivateFileIsReadOnlyWhereItIsAFileOfItsOwnerOfAModestSize(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	must(t, os.WriteFile(at("token"), []byte("12345"), 0o600))
	must(t, os.WriteFile(at("open"), []byte("12345"), 0o640))
	for _, c := range []struct {
		path string
		most int64
		says string // "" where it is read
	}{
		{at("token"), 5, ""}, {at("token"), 6, ""}, {at("token"), 4, "too large to hold this"}, {at("token"), 0, "too large to hold this"},
		{folder, 5, "it is a folder"}, {at("none"), 5, "there is no such file"}, {at("token/below"), 5, "not a directory"},
		{at("open"), 5, "it can be read by others"},
	} {
		content, err := identity.ReadPrivate(c.path, c.most)
		if c.says == "" {
			if err != nil || string(content) != "12345" {
				t.Errorf("at most %d bytes: %q, %v", c.most, content, err)
			}
		} else if content != nil || err == nil || !strings.Contains(err.Error(), c.says) || strings.Count(err.Error(), c.path) != 1 ||
			errors.Is(err, identity.ErrNoFile) != (c.path == at("none")) {
			t.Errorf("%s, at most %d bytes: %q, %v", c.path, c.most, content, err)
		}
	}
}

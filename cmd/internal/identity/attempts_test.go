package identity_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"docket/cmd/internal/identity"
	"docket/domain/terms"
)

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

func TestAPassphraseIsAskedForUpToThreeTimes(t *testing.T) {
	place, made := identity.Place{Folder: filepath.Join(t.TempDir(), "docket")}, 0
	setup := identity.Setup{ID: "rev-0417", Role: terms.NeutralReviewer}
	if _, err := place.Init(t.Context(), setup, answering(&made, "correct horse", "correct horse")); err != nil {
		t.Fatal(err)
	}
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
	} {
		asked := 0
		_, err := place.Load(t.Context(), answering(&asked, c.typed...))
		if (err == nil) != c.works || asked != c.asked {
			t.Errorf("%q: asked %d times, %v", c.typed, asked, err)
		}
		if gave := len(c.typed) >= 3 && !c.works; errors.Is(err, identity.ErrPassphrase) != gave {
			t.Errorf("%q: %v", c.typed, err)
		}
	}
}

package store

import (
	"errors"
	"testing"
	"time"

	"docket/domain/keys"
	"docket/domain/signed"
	"docket/domain/terms"

	"golang.org/x/crypto/ssh"
)

// aToken is one of the reviewer's that is valid for a day.
func aToken(id string, digest byte) Token {
	return Token{ID: id, Digest: [32]byte{1, 2, 3, 4, digest}, Principal: reviewerID, Role: terms.NeutralReviewer,
		Owners: []terms.ID{"owner-1", "owner-2"}, Created: terms.InstantOf(noon), Expires: terms.InstantOf(noon.AddDate(0, 0, 1))}
}

func TestATokenStandsForItsPrincipalUntilItExpiresOrIsRevoked(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	none := aToken("tok-none", 3)
	none.Owners = nil
	for _, token := range []Token{aToken("tok-1", 1), aToken("tok-2", 2), none} {
		must(t, d.store.AddToken(t.Context(), token))
	}
	valid := func(digest byte) bool {
		t.Helper()
		want := aToken("", digest).Digest
		token, err := d.store.TokenOf(t.Context(), want)
		if err != nil && (!errors.Is(err, ErrNotFound) || token.ID != "") {
			t.Fatal(token, err)
		}
		return err == nil && token.Digest == want && token.Principal == reviewerID && token.Role == terms.NeutralReviewer
	}
	if token, err := d.store.TokenOf(t.Context(), none.Digest); err != nil || len(token.Owners) != 0 || token.ID != "tok-none" {
		t.Errorf("%+v, %v", token, err)
	}
	if token, err := d.store.TokenOf(t.Context(), aToken("", 1).Digest); err != nil || len(token.Owners) != 2 || token.Owners[1] != "owner-2" {
		t.Errorf("%+v, %v", token, err)
	}
	if !valid(1) || !valid(2) || valid(4) || valid(0) {
		t.Error("it stands for somebody else")
	}
	for range 2 {
		must(t, d.store.RevokeToken(t.Context(), "tok-1"))
	}
	if valid(1) || !valid(2) {
		t.Error("the wrong one is revoked")
	}
	for at, want := range map[time.Duration]bool{24*time.Hour - 1: true, 24 * time.Hour: false, 48 * time.Hour: false} {
		d.store.options.Now = func() time.Time { return noon.Add(at) }
		wantSame(t, at, valid(2), want)
	}
	mustBe(t, d.store.RevokeToken(t.Context(), "tok-9"), ErrNotFound)
	list, err := d.store.Tokens(t.Context())
	if err != nil || len(list) != 3 || !list[0].Revoked.Present() || list[1].Revoked.Present() || list[0].Created.Time() != noon {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestATokenForTheMetricsHasNoRoleOfReviewers(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	token := aToken("tok-metrics", 7)
	token.Role, token.Metrics, token.Owners = 0, true, nil
	must(t, d.store.AddToken(t.Context(), token))
	if read, err := d.store.TokenOf(t.Context(), token.Digest); err != nil || !read.Metrics || read.Role.Present() || read.RoleText() != "metrics" {
		t.Errorf("%+v, %v", read, err)
	}
	for _, word := range TokenRoles() {
		var read Token
		if err := read.SetRole(word); err != nil || read.RoleText() != word || read.Metrics == read.Role.Present() {
			t.Errorf("%s is read as %+v, %v", word, read, err)
		}
	}
	for _, word := range []string{"", "Metrics", "metrics ", "boss"} {
		wantFailure(t, word, (&Token{}).SetRole(word))
	}
}

func TestATokenThatIsNotWholeOrThereAlreadyIsNotAdded(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	must(t, d.store.AddToken(t.Context(), aToken("tok-1", 1)))
	mustBe(t, d.store.AddToken(t.Context(), aToken("tok-1", 2)), ErrTaken)
	mustBe(t, d.store.AddToken(t.Context(), aToken("tok-2", 1)), ErrTaken)
	must(t, d.store.RevokeToken(t.Context(), "tok-1"))
	mustBe(t, d.store.AddToken(t.Context(), aToken("tok-1", 1)), ErrTaken)
	for name, change := range map[string]func(*Token){
		"no name":           func(b *Token) { b.ID = "" },
		"no name's form":    func(b *Token) { b.ID = "a b" },
		"no digest":         func(b *Token) { b.Digest = [32]byte{} },
		"no principal":      func(b *Token) { b.Principal = "" },
		"no role":           func(b *Token) { b.Role = 0 },
		"an unknown role":   func(b *Token) { b.Role = 99 },
		"an absent owner":   func(b *Token) { b.Owners = []terms.ID{""} },
		"no end":            func(b *Token) { b.Expires = terms.Instant{} },
		"an end before":     func(b *Token) { b.Expires = terms.InstantOf(noon.Add(-1)) },
		"an end at the day": func(b *Token) { b.Expires = b.Created },
	} {
		bad := aToken("tok-3", 3)
		change(&bad)
		wantFailure(t, name, d.store.AddToken(t.Context(), bad))
	}
	wantSame(t, "tokens", len(need(d.store.Tokens(t.Context()))(t)), 1)
}

func TestARowOfATokenThatWasEditedStandsForNobody(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"role":    "role = 'queen'",
		"owners":  `owners = '{"a":1}'`,
		"expires": "expiresAt = 'never'",
	} {
		d := serviceFixture(t)
		o := d.store.options
		must(t, d.store.AddToken(t.Context(), aToken("tok-1", 1)))
		d.close()
		tamperWith(t, o.Path, tokensTable, "UPDATE "+tokensTable+" SET "+change)
		s := openWith(t, o)
		if token, err := s.TokenOf(t.Context(), aToken("", 1).Digest); !errors.Is(err, ErrDamaged) || token.Principal != "" {
			t.Errorf("%s: %+v, %v", name, token, err)
		}
	}
}

func TestAKeyIsOnePrincipalsUntilItIsRevoked(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	first, second := newKey(t, 1).PublicKey(), newKey(t, 2).PublicKey()
	add := func(principal terms.ID, key ssh.PublicKey) error {
		fingerprint, err := d.store.AddKey(t.Context(), principal, signed.AuthorizedKey(key)+" a comment\n")
		if err == nil && fingerprint != ssh.FingerprintSHA256(key) {
			t.Errorf("the fingerprint is %s", fingerprint)
		}
		return err
	}
	has := func(principal terms.ID, key ssh.PublicKey) bool {
		t.Helper()
		state := need(d.store.KeyState(t.Context(), principal, ssh.FingerprintSHA256(key)))(t)
		return state == keys.Counts
	}
	if has("rev-1", first) {
		t.Error("a key is there before it is added")
	}
	must(t, errors.Join(add("rev-1", first), add("rev-1", first), add("rev-1", second)))
	mustBe(t, add("rev-2", first), ErrTaken)
	if !has("rev-1", first) || !has("rev-1", second) || has("rev-2", first) {
		t.Error("a key belongs to somebody else")
	}
	mustBe(t, d.store.RevokeKey(t.Context(), "rev-2", ssh.FingerprintSHA256(first)), ErrNotFound)
	mustBe(t, d.store.RevokeKey(t.Context(), "rev-1", "SHA256:none"), ErrNotFound)
	for range 2 {
		must(t, d.store.RevokeKey(t.Context(), "rev-1", ssh.FingerprintSHA256(first)))
	}
	if has("rev-1", first) || !has("rev-1", second) {
		t.Error("the wrong one is revoked")
	}
	mustBe(t, add("rev-1", first), ErrTaken)
	mustBe(t, add("rev-2", first), ErrTaken)
	list, err := d.store.Keys(t.Context())
	if err != nil || len(list) != 2 || !list[0].Revoked.Present() || list[1].Revoked.Present() || list[1].publicKey != signed.AuthorizedKey(second) {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestWhatIsNoPublicKeyIsNotAdded(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	line := signed.AuthorizedKey(newKey(t, 1).PublicKey())
	for _, text := range []string{"", "ssh-ed25519", "ssh-ed25519 AAAA", "x " + line + "\n" + line, line + "\n" + line, "no-pty " + line, line[:40],
		"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"} {
		if fingerprint, err := d.store.AddKey(t.Context(), reviewerID, text); err == nil || fingerprint != "" {
			t.Errorf("%q is added", text)
		}
	}
	wantFailure(t, "it is nobody's", errOf(d.store.AddKey(t.Context(), "", line)))
	certificate := &ssh.Certificate{Key: newKey(t, 1).PublicKey(), CertType: ssh.UserCert, ValidBefore: ssh.CertTimeInfinity}
	must(t, certificate.SignCert(zeros{}, newKey(t, 2)))
	wantFailure(t, "a certificate is added", errOf(d.store.AddKey(t.Context(), reviewerID, signed.AuthorizedKey(certificate))))
}

// zeros is a source of randomness that is none.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

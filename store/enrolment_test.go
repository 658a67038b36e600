package store

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"docket/domain/signed"
	"docket/domain/terms"
)

// invite adds an invitation with the token of a secret, whose end is that of aToken.
func (d *fixture) invite(t testing.TB, name, secret string) Token {
	t.Helper()
	invitation := aToken(invitationPrefix+name, 0)
	invitation.Digest = [32]byte(signed.InvitationKey(secret).Public().(ed25519.PublicKey))
	must(t, d.store.AddToken(t.Context(), invitation))
	return invitation
}

// answer is the enrolment of the reviewer with the key of a seed.
func answer(t testing.TB, name, secret, seed string, principal terms.ID) *signed.Enrolment {
	t.Helper()
	sum := sha256.Sum256([]byte(seed))
	signer := need(ssh.NewSignerFromSigner(ed25519.NewKeyFromSeed(sum[:])))(t)
	e := signed.Answer(invitationPrefix+name, principal, signed.AuthorizedKey(signer.PublicKey()), secret)
	signature := need(sshsig.Sign(bytes.NewReader([]byte(e.Text())), signer, sshsig.HashSHA512, signed.EnrolmentNamespace))(t)
	e.Signature = sshsig.Armor(signature)
	return &e
}

func TestAnAnswerRegistersTheKeyAddsTheTokenAndEndsTheInvitation(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	invitation := d.invite(t, "a", "secret-a")
	wantErr(t, "an invitation authenticates", errOf(d.store.TokenOf(t.Context(), invitation.Digest)), ErrNotFound)
	wantErr(t, "the token authenticates before the answer", errOf(d.store.TokenOf(t.Context(), sha256.Sum256([]byte("secret-a")))), ErrNotFound)
	e := answer(t, "a", "secret-a", "key", reviewerID)
	token, fingerprint, err := d.store.Enroll(t.Context(), e)
	must(t, err)
	found, err := d.store.TokenOf(t.Context(), sha256.Sum256([]byte("secret-a")))
	if err != nil || found.ID != token.ID || found.ID != "token-a" || found.Principal != reviewerID || found.Role != invitation.Role ||
		len(found.Owners) != 2 || found.Expires != invitation.Expires || found.Created != terms.InstantOf(noon) {
		t.Errorf("%+v, %v", found, err)
	}
	keys, err := d.store.Keys(t.Context())
	if err != nil || keys[len(keys)-1].Fingerprint != fingerprint || keys[len(keys)-1].Principal != reviewerID {
		t.Errorf("%+v, %v", keys, err)
	}
	list, err := d.store.Tokens(t.Context())
	if err != nil || len(list) != 2 || !list[0].Revoked.Present() || !list[0].Answered(list) || list[1].Answered(list) {
		t.Errorf("%+v, %v", list, err)
	}
	if _, _, err := d.store.Enroll(t.Context(), e); !errors.Is(err, ErrInvitation) || !strings.Contains(err.Error(), "was answered") {
		t.Errorf("a second time: %v", err)
	}
}

func TestNothingIsTakenInThatAnswersNoOpenInvitation(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	d.invite(t, "a", "secret-a")
	d.invite(t, "withdrawn", "secret-w")
	must(t, d.store.RevokeToken(t.Context(), "invite-withdrawn"))
	must(t, d.store.AddToken(t.Context(), aToken("token-plain", 9)))
	before := need(d.store.Keys(t.Context()))(t)
	plain := answer(t, "a", "secret-a", "key", reviewerID)
	plain.Invitation = "token-plain"
	taken := answer(t, "a", "secret-a", "key", reviewerID)
	taken.Proof = answer(t, "a", "secret-a", "another key", reviewerID).Proof
	for name, e := range map[string]*signed.Enrolment{
		"no such invitation":     answer(t, "b", "secret-a", "key", reviewerID),
		"another principal":      answer(t, "a", "secret-a", "key", "rev-other"),
		"another secret":         answer(t, "a", "secret-b", "key", reviewerID),
		"a withdrawn one":        answer(t, "withdrawn", "secret-w", "key", reviewerID),
		"a token, no invitation": plain,
		"a proof for a key":      taken,
	} {
		if token, fingerprint, err := d.store.Enroll(t.Context(), e); !errors.Is(err, ErrInvitation) || token.ID != "" || fingerprint != "" {
			t.Errorf("%s: %+v, %v", name, token, err)
		}
	}
	wantSame(t, "tokens", len(need(d.store.Tokens(t.Context()))(t)), 3)
	wantSame(t, "keys", len(need(d.store.Keys(t.Context()))(t)), len(before))
}

func TestAnInvitationIsAnsweredBeforeItsEndOnly(t *testing.T) {
	t.Parallel()
	for after, open := range map[time.Duration]bool{-time.Nanosecond: true, 0: false, time.Hour: false} {
		d := serviceFixture(t)
		invitation := d.invite(t, "a", "secret-a")
		d.store.options.Now = func() time.Time { return invitation.OpenUntil().Time().Add(after) }
		_, _, err := d.store.Enroll(t.Context(), answer(t, "a", "secret-a", "key", reviewerID))
		if (err == nil) != open || err != nil && (!errors.Is(err, ErrInvitation) || !strings.Contains(err.Error(), "expired at")) {
			t.Errorf("%v after the end: %v", after, err)
		}
	}
}

func TestAnInvitationIsOpenForAWeekOrUntilItsTokenExpires(t *testing.T) {
	t.Parallel()
	long, short := aToken("invite-a", 1), aToken("invite-b", 2)
	long.Expires = terms.InstantOf(noon.AddDate(0, 3, 0))
	if long.OpenUntil() != terms.InstantOf(noon.AddDate(0, 0, 7)) || short.OpenUntil() != short.Expires {
		t.Errorf("%s, %s", long.OpenUntil(), short.OpenUntil())
	}
}

func TestAKeyOfSomebodyElseLeavesTheInvitationOpen(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	d.invite(t, "a", "secret-a")
	other := answer(t, "a", "secret-a", "key of another", reviewerID)
	need(d.store.AddKey(t.Context(), "rev-other", other.PublicKey))(t)
	if _, _, err := d.store.Enroll(t.Context(), other); !errors.Is(err, ErrTaken) {
		t.Errorf("the key of another: %v", err)
	}
	if _, _, err := d.store.Enroll(t.Context(), answer(t, "a", "secret-a", "key", reviewerID)); err != nil {
		t.Errorf("the invitation is not open any more: %v", err)
	}
}

func TestOfTwoAnswersAtOnceOneIsTakenIn(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	d.invite(t, "a", "secret-a")
	var all sync.WaitGroup
	var failed [4]error
	for i := range failed {
		e := answer(t, "a", "secret-a", "key "+string(rune('a'+i)), reviewerID)
		all.Go(func() { _, _, failed[i] = d.store.Enroll(t.Context(), e) })
	}
	all.Wait()
	taken := 0
	for _, err := range failed {
		switch {
		case err == nil:
			taken++
		case !errors.Is(err, ErrInvitation):
			t.Error(err)
		}
	}
	list, err := d.store.Tokens(t.Context())
	if taken != 1 || err != nil || len(list) != 2 {
		t.Errorf("%d were taken in; %d tokens, %v", taken, len(list), err)
	}
}

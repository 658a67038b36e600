package store

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"docket/domain/keys"
	"docket/domain/signed"
	"docket/domain/terms"
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
		mustNot(t, err != nil && (!errors.Is(err, ErrNotFound) || token.ID != ""),
			"%v %v", token, err)
		return err == nil && token.Digest == want && token.Principal == reviewerID && token.Role == terms.NeutralReviewer
	}
	token := need(d.store.TokenOf(t.Context(), none.Digest))(t)
	wantNot(t, len(token.Owners) != 0 || token.ID != "tok-none", "%+v", token)
	token = need(d.store.TokenOf(t.Context(), aToken("", 1).Digest))(t)
	wantNot(t, len(token.Owners) != 2 || token.Owners[1] != "owner-2", "%+v", token)
	wantNot(t, !valid(1) || !valid(2) || valid(4) || valid(0), "it stands for somebody else")
	for range 2 {
		must(t, d.store.RevokeToken(t.Context(), "tok-1"))
	}
	wantNot(t, valid(1) || !valid(2), "the wrong one is revoked")
	for at, want := range map[time.Duration]bool{24*time.Hour - 1: true, 24 * time.Hour: false, 48 * time.Hour: false} {
		d.at(noon.Add(at))
		wantSame(t, at, valid(2), want)
	}
	mustBe(t, d.store.RevokeToken(t.Context(), "tok-9"), ErrNotFound)
	list := need(d.store.Tokens(t.Context()))(t)
	wantNot(t, len(list) != 3 || !list[0].Revoked.Present() || list[1].Revoked.Present() ||
		list[0].Created.Time() != noon, "%+v", list)
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
		must(t, d.store.AddToken(t.Context(), aToken("tok-1", 1)))
		s := d.forged("UPDATE " + tokensTable + " SET " + change)
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
		wantNot(t, err == nil && fingerprint != ssh.FingerprintSHA256(key),
			"the fingerprint is %s", fingerprint)
		return err
	}
	has := func(principal terms.ID, key ssh.PublicKey) bool {
		t.Helper()
		state := need(d.store.KeyState(t.Context(), principal, ssh.FingerprintSHA256(key)))(t)
		return state == keys.Counts
	}
	wantNot(t, has("rev-1", first), "a key is there before it is added")
	must(t, errors.Join(add("rev-1", first), add("rev-1", first), add("rev-1", second)))
	mustBe(t, add("rev-2", first), ErrTaken)
	wantNot(t, !has("rev-1", first) || !has("rev-1", second) || has("rev-2", first),
		"a key belongs to somebody else")
	mustBe(t, d.store.RevokeKey(t.Context(), "rev-2", ssh.FingerprintSHA256(first)), ErrNotFound)
	mustBe(t, d.store.RevokeKey(t.Context(), "rev-1", "SHA256:none"), ErrNotFound)
	for range 2 {
		must(t, d.store.RevokeKey(t.Context(), "rev-1", ssh.FingerprintSHA256(first)))
	}
	wantNot(t, has("rev-1", first) || !has("rev-1", second), "the wrong one is revoked")
	mustBe(t, add("rev-1", first), ErrTaken)
	mustBe(t, add("rev-2", first), ErrTaken)
	list := need(d.store.Keys(t.Context()))(t)
	wantNot(t, len(list) != 2 || !list[0].Revoked.Present() || list[1].Revoked.Present() ||
		list[1].publicKey != signed.AuthorizedKey(second), "%+v", list)
}

func TestWhatIsNoPublicKeyIsNotAdded(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	line := signed.AuthorizedKey(newKey(t, 1).PublicKey())
	for _, text := range []string{"", "ssh-ed25519", "ssh-ed25519 AAAA", "x " + line + "\n" + line, line + "\n" + line, "no-pty " + line, line[:40],
		"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"} {
		fingerprint, err := d.store.AddKey(t.Context(), reviewerID, text)
		wantNot(t, err == nil || fingerprint != "", "%q is added", text)
	}
	wantFailure(t, "it is nobody's", errOf(d.store.AddKey(t.Context(), "", line)))
	certificate := &ssh.Certificate{Key: newKey(t, 1).PublicKey(), CertType: ssh.UserCert, ValidBefore: ssh.CertTimeInfinity}
	must(t, certificate.SignCert(zeros{}, newKey(t, 2)))
	wantFailure(t, "a certificate is added", errOf(d.store.AddKey(t.Context(), reviewerID, signed.AuthorizedKey(certificate))))
}

// zeros is a source of randomness that is none.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

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
	long := aToken("invite-a", 1)
	long.Expires = terms.InstantOf(noon.AddDate(0, 3, 0))
	wantSame(t, "open until", long.OpenUntil(), terms.InstantOf(noon.AddDate(0, 0, 7)))
	for after, open := range map[time.Duration]bool{-time.Nanosecond: true, 0: false, time.Hour: false} {
		d := serviceFixture(t)
		invitation := d.invite(t, "a", "secret-a")
		wantSame(t, "open until", invitation.OpenUntil(), invitation.Expires)
		d.at(invitation.OpenUntil().Time().Add(after))
		_, _, err := d.store.Enroll(t.Context(), answer(t, "a", "secret-a", "key", reviewerID))
		if !open {
			wantErr(t, after, err, ErrInvitation, "expired at")
			continue
		}
		must(t, err)
	}
}

func TestOfTwoAnswersAtOnceOneIsTakenIn(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	d.invite(t, "a", "secret-a")
	var answers []*signed.Enrolment
	for i := range 4 {
		answers = append(answers, answer(t, "a", "secret-a", "key "+string(rune('a'+i)), reviewerID))
	}
	taken := 0
	for _, err := range atOnce(4, func(i int) error {
		_, _, err := d.store.Enroll(t.Context(), answers[i])
		return err
	}) {
		switch {
		case err == nil:
			taken++
		case !errors.Is(err, ErrInvitation):
			t.Error(err)
		}
	}
	list, err := d.store.Tokens(t.Context())
	wantNot(t, taken != 1 || err != nil || len(list) != 2,
		"%d were taken in; %d tokens, %v", taken, len(list), err)
}

// TestNothingThatWaitedIsTakenOnceARevocationHasReturned lets many records of one reviewer wait for the lock, each let in by its token and
// key before, while the token or the key is revoked.
func TestNothingThatWaitedIsTakenOnceARevocationHasReturned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		revoke  func(d *fixture) error
		refused error
	}{
		"the key": {func(d *fixture) error {
			return d.store.RevokeKey(context.Background(), d.reviewer.ID, d.reviewer.KeyFingerprint)
		}, ErrKeyRevoked},
		"the token": {func(d *fixture) error {
			return d.store.RevokeToken(context.Background(), d.grant(d.reviewer))
		}, ErrTokenInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			const rounds = 50 // most end after the first, with records on both sides of the revocation
			for range rounds {
				if taken, refused := revokeWhileWaiting(t, c.revoke, c.refused); t.Failed() || taken > 0 && refused > 0 {
					return
				}
			}
			t.Error("in no round the revocation came between the records")
		})
	}
}

// revokeWhileWaiting counts the records that are taken and refused.
func revokeWhileWaiting(t *testing.T, revoke func(*fixture) error, want error) (taken, refused int) {
	const waiting = 12
	d := serviceFixture(t)
	d.register()
	subs := make([]Submission, waiting)
	for i, id := range d.many("case", waiting) {
		subs[i] = d.judged(id, decision{})
		subs[i].Token = d.grant(d.reviewer)
	}
	results := make([]error, waiting)
	begin, first := make(chan struct{}), make(chan struct{})
	var letIn, wait sync.WaitGroup
	var once sync.Once
	for i := range subs {
		letIn.Add(1)
		wait.Go(func() {
			_, err := d.store.TokenOf(context.Background(), sha256.Sum256([]byte(subs[i].Token)))
			_, failed := d.store.KeyState(context.Background(), d.reviewer.ID, d.reviewer.KeyFingerprint)
			letIn.Done()
			<-begin
			if results[i] = errors.Join(err, failed); results[i] == nil {
				_, results[i] = d.store.HandIn(context.Background(), subs[i])
			}
			once.Do(func() { close(first) })
		})
	}
	letIn.Wait()
	close(begin)
	<-first
	must(t, revoke(d))
	returned, err := d.store.Head(context.Background())
	wait.Wait()
	end, failed := d.store.Head(context.Background())
	if err = errors.Join(err, failed); err != nil || end != returned {
		t.Errorf("the log had %d entries when the revocation returned, and has %d: %v", returned.Size, end.Size, err)
	}
	for _, err := range results {
		switch {
		case err == nil:
			taken++
		case errors.Is(err, want):
			refused++
		default:
			t.Error(err)
		}
	}
	wantSame(t, "records are acknowledged, and the log has", taken, len(wholeLog(t, d.store)))
	return taken, refused
}

func TestARecordIsHandedInWithAValidTokenOfItsReviewer(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	sub := d.judged("case-1", decision{})
	other := d.reviewer
	other.ID = "rev-another"
	for name, token := range map[string]string{"none": "", "an unknown one": "tok", "another reviewer's": d.grant(other)} {
		sub.Token = token
		wantErr(t, name, errOf(d.store.HandIn(t.Context(), sub)), ErrTokenInvalid)
	}
	taken := d.handIn(sub)
	sub.Token = d.grant(d.reviewer)
	must(t, d.store.RevokeToken(t.Context(), sub.Token))
	// Not even what the log has is told to somebody whose token was revoked.
	told, err := d.store.HandIn(t.Context(), sub)
	wantNot(t, told.Again || !errors.Is(err, ErrTokenInvalid) || taken.Again, "%+v, %v", told, err)
}

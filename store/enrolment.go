package store

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"

	"golang.org/x/crypto/ssh"
)

// An invitation to a service is kept as a token that authenticates no request: its digest is the
// public key of the invitation, which is derived from the token that was handed over. The answer
// adds that token, registers the reviewer's key and revokes the invitation, in one transaction.

// invitationPrefix begins the name of an invitation, and tokenPrefix that of the token that its answer adds.
const (
	invitationPrefix = "invite-"
	tokenPrefix      = "token-"
)

// InvitationLife is how long an invitation can be answered, unless its token expires before.
const InvitationLife = 7 * 24 * time.Hour

// ErrInvitation says that an enrolment answers no open invitation of the service.
var ErrInvitation = errors.New("it answers no open invitation")

// Invites reports whether the token is an invitation.
func (t *Token) Invites() bool { return strings.HasPrefix(t.ID, invitationPrefix) }

// OpenUntil is until when an invitation can be answered.
func (t *Token) OpenUntil() terms.Instant {
	end := terms.InstantOf(t.Created.Time().Add(InvitationLife))
	if t.Expires.Before(end) {
		return t.Expires
	}
	return end
}

// answered is the name of the token that the answer to the invitation adds.
func (t *Token) answered() string { return tokenPrefix + strings.TrimPrefix(t.ID, invitationPrefix) }

// Answered reports whether a token of the list answers the invitation.
func (t *Token) Answered(list []Token) bool {
	return t.Invites() && slices.ContainsFunc(list, func(other Token) bool { return other.ID == t.answered() })
}

// TokenName returns the name of a token or, if it invites, of an invitation with the random part.
func TokenName(random string, invites bool) string {
	if invites {
		return invitationPrefix + random
	}
	return tokenPrefix + random
}

// Operator returns the fingerprint of the key of the operator whom the service names; "" for none.
func (s *Store) Operator(ctx context.Context) (fingerprint string, err error) {
	err = s.reading(ctx, "read the operator", func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(true); err != nil {
			return err
		}
		fingerprint, err = s.operatorOf(ctx, tx)
		return err
	})
	return fingerprint, err
}

// Enroll accepts the answer to an invitation, once: it registers the key for the invited principal as AddKey does, and
// adds the token, which it returns, with the role, the owners and the end that the invitation gave. The error wraps
// ErrInvitation if no invitation of that name and principal is open now or its key did not sign, and ErrTaken if the
// key is or was another principal's, or was revoked.
func (s *Store) Enroll(ctx context.Context, e *signed.Enrolment) (token Token, fingerprint string, err error) {
	key, err := signed.PublicKey(e.PublicKey)
	if err != nil {
		return Token{}, "", err
	}
	fingerprint = ssh.FingerprintSHA256(key)
	tried := false
	err = s.serving(ctx, "take the enrolment in", func(ctx context.Context, tx engine.Tx) error {
		now := terms.InstantOf(s.now())
		invitation, err := invitationOf(ctx, tx, e, now)
		if tried && errors.Is(err, ErrInvitation) {
			if held, failed := tx.Service().Token(ctx, token.ID); failed == nil && bytes.Equal(held.Digest, e.TokenDigest[:]) {
				return nil // it was committed
			}
		}
		tried = true
		if err != nil {
			return err
		}
		if err := s.registerKey(ctx, tx, invitation.Principal, fingerprint, e.PublicKey); err != nil {
			return err
		}
		token = invitation
		token.ID, token.Digest, token.Created = invitation.answered(), e.TokenDigest, now
		if err := addToken(ctx, tx, &token); err != nil {
			return err
		}
		return tx.Service().RevokeToken(ctx, invitation.ID, now)
	})
	if err != nil {
		return Token{}, "", err
	}
	return token, fingerprint, nil
}

// invitationOf returns the open invitation that the enrolment answers.
func invitationOf(ctx context.Context, tx engine.Tx, e *signed.Enrolment, now terms.Instant) (Token, error) {
	stored, err := tx.Service().Tokens(ctx)
	if err != nil {
		return Token{}, err
	}
	var list []Token
	for i := range stored {
		t, err := readToken(&stored[i])
		if err != nil {
			return Token{}, err
		}
		list = append(list, t)
	}
	place := slices.IndexFunc(list, func(t Token) bool { return t.Invites() && t.ID == e.Invitation && t.Principal == e.Principal })
	refuse := func(reason string, args ...any) error {
		return fmt.Errorf("%w: "+reason, append([]any{ErrInvitation}, args...)...)
	}
	if place < 0 {
		return Token{}, refuse("this service has none with that name for that person")
	}
	invitation := list[place]
	switch {
	case !e.ProvenBy(ed25519.PublicKey(invitation.Digest[:])):
		return Token{}, refuse("who made it did not have %s", invitation.ID)
	case invitation.Answered(list):
		return Token{}, refuse("%s was answered at %s; an invitation is answered once, so make a new one", invitation.ID, toSecond(invitation.Revoked))
	case invitation.Revoked.Present():
		return Token{}, refuse("%s was withdrawn at %s; make a new one", invitation.ID, toSecond(invitation.Revoked))
	case !now.Before(invitation.OpenUntil()):
		return Token{}, refuse("%s expired at %s; make a new one", invitation.ID, toSecond(invitation.OpenUntil()))
	}
	return invitation, nil
}

// toSecond writes a time to the second, for people.
func toSecond(at terms.Instant) string { return at.Time().Format(time.RFC3339) }

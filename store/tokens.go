package store

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/subtle"
	"encoding/json"
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

// A Token says which principal the holder of a secret is. The secret itself is not stored.
type Token struct {
	ID        string        // names it in lists and logs; no secret
	Digest    [32]byte      // SHA-256 of the secret
	Principal terms.ID      // for whom it stands
	Role      terms.Role    // in which role; absent for Metrics
	Metrics   bool          // it is for reading the metrics of the service, and nothing else
	Owners    []terms.ID    // whose amendments it is for; none: no amendment
	Created   terms.Instant // absent in AddToken: now
	Expires   terms.Instant // from then on it stands for nobody
	Revoked   terms.Instant // absent unless it was revoked
}

const metricsRole = "metrics"

// TokenRoles lists the words for roles of a token: the roles of reviewers, and that for Metrics.
func TokenRoles() []string { return append(terms.Roles.Texts(), metricsRole) }

// RoleText returns the word for the token's role, one of TokenRoles; "" if it has none.
func (t *Token) RoleText() string {
	if t.Metrics {
		return metricsRole
	}
	return t.Role.String()
}

// SetRole sets the role to the one of the word. The error does not repeat a word that is none.
func (t *Token) SetRole(word string) (err error) {
	if t.Metrics = word == metricsRole; t.Metrics {
		t.Role = 0
		return nil
	}
	t.Role, err = terms.Roles.Parse(word)
	return err
}

// check returns an error unless the token is complete.
func (t *Token) check() error {
	_, principal := terms.ParseID(string(t.Principal))
	_, id := terms.ParseID(t.ID)
	err := (&Token{}).SetRole(t.RoleText())
	switch {
	case t.Metrics && (t.Role.Present() || len(t.Owners) > 0):
		return errors.New("a token for the metrics has no other role, and no owners")
	case t.Metrics && t.Invites():
		return errors.New("an invitation is not for the metrics; add a token for them")
	case !id:
		return errors.New("a token needs a name: a letter or digit, then letters, digits and ._:-")
	case t.Digest == [32]byte{}:
		return errors.New("a token needs its SHA-256")
	case !principal:
		return errors.New("a token needs the id of its principal")
	case err != nil:
		return fmt.Errorf("a token needs a role: %w", err)
	case !t.Expires.Present() || !t.Created.Before(t.Expires):
		return errors.New("a token has to expire later than it is made")
	}
	for _, owner := range t.Owners {
		if _, ok := terms.ParseID(string(owner)); !ok {
			return errors.New("an owner of a token is no id")
		}
	}
	return nil
}

// ErrTaken says that the name was registered before; a name is never registered again.
var ErrTaken = errors.New("it was registered before")

// AddToken makes a token valid. The error wraps ErrTaken if its ID or Digest was used before, and
// ErrKind in a console's store.
func (s *Store) AddToken(ctx context.Context, t Token) error {
	if !t.Created.Present() {
		t.Created = terms.InstantOf(s.now())
	}
	if err := t.check(); err != nil {
		return err
	}
	return s.writingOnce(ctx, "add the token", t.isThere, func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(true); err != nil {
			return err
		}
		return addToken(ctx, tx, &t)
	})
}

func (t *Token) isThere(ctx context.Context, tx engine.Tx) (bool, error) {
	held, err := tx.Service().Token(ctx, t.ID)
	return err == nil && bytes.Equal(held.Digest, t.Digest[:]), unlessNoRow(err)
}

func addToken(ctx context.Context, tx engine.Tx, t *Token) error {
	owners, err := json.Marshal(append([]terms.ID{}, t.Owners...))
	if err != nil {
		return err
	}
	taken, err := tx.Service().HasToken(ctx, t.ID, t.Digest[:])
	if err != nil {
		return err
	}
	if taken {
		return fmt.Errorf("token %s: %w", t.ID, ErrTaken)
	}
	return tx.Service().AddToken(ctx, engine.Token{ID: t.ID, Digest: t.Digest[:],
		Principal: t.Principal, Role: t.RoleText(), Owners: owners,
		Created: t.Created.String(), Expires: t.Expires.String()})
}

// RevokeToken revokes a token for good; a second time changes nothing. The error wraps ErrNotFound
// if there is none.
func (s *Store) RevokeToken(ctx context.Context, id string) error {
	return s.serving(ctx, "revoke the token", func(ctx context.Context, tx engine.Tx) error {
		return orNotFound(tx.Service().RevokeToken(ctx, id, terms.InstantOf(s.now())), "%s", id)
	})
}

// Tokens lists all tokens in the order of adding, expired and revoked ones included.
func (s *Store) Tokens(ctx context.Context) ([]Token, error) {
	return s.tokens(ctx, engine.Service.Tokens)
}

func (s *Store) tokens(ctx context.Context, read func(engine.Service, context.Context) ([]engine.Token, error)) ([]Token, error) {
	return ask(ctx, s, "read the tokens", func(ctx context.Context, tx engine.Tx) ([]Token, error) {
		stored, err := read(tx.Service(), ctx)
		if err != nil {
			return nil, err
		}
		return readTokens(stored)
	})
}

func readTokens(stored []engine.Token) (tokens []Token, err error) {
	for i := 0; i < len(stored) && err == nil; i++ {
		var t Token
		t, err = readToken(&stored[i])
		tokens = append(tokens, t)
	}
	return tokens, err
}

func readToken(stored *engine.Token) (t Token, err error) {
	t = Token{ID: stored.ID, Principal: stored.Principal}
	failed := t.SetRole(stored.Role)
	var ok [3]bool
	t.Created, ok[0] = terms.ParseInstant(stored.Created)
	t.Expires, ok[1] = terms.ParseInstant(stored.Expires)
	t.Revoked, ok[2] = terms.ParseInstant(stored.Revoked)
	ok[2] = ok[2] || stored.Revoked == ""
	owners, read := readWords(stored.Owners)
	for _, owner := range owners {
		t.Owners = append(t.Owners, terms.ID(owner))
	}
	if copy(t.Digest[:], stored.Digest) != len(t.Digest) || failed != nil || !read || ok != [3]bool{true, true, true} {
		return Token{}, fmt.Errorf("token %s: %w", t.ID, ErrDamaged)
	}
	return t, nil
}

// prefixSize is how many bytes of a digest are looked up; the rest is compared in constant time.
const prefixSize = 4

// TokenOf returns the token with this SHA-256; ErrNotFound if it is unknown, expired or revoked.
func (s *Store) TokenOf(ctx context.Context, digest [32]byte) (Token, error) {
	from, to := [32]byte{}, [32]byte(bytes.Repeat([]byte{0xff}, 32))
	copy(from[:prefixSize], digest[:prefixSize])
	copy(to[:prefixSize], digest[:prefixSize])
	tokens, err := s.tokens(ctx, func(q engine.Service, ctx context.Context) ([]engine.Token, error) {
		return q.TokensBetween(ctx, from[:], to[:])
	})
	if err != nil {
		return Token{}, err
	}
	now := terms.InstantOf(s.now())
	found, valid := Token{}, false
	for i := range tokens {
		t := &tokens[i]
		if subtle.ConstantTimeCompare(t.Digest[:], digest[:]) == 1 && t.validAt(now) {
			found, valid = *t, true
		}
	}
	if !valid {
		return Token{}, fmt.Errorf("a valid token: %w", ErrNotFound)
	}
	return found, nil
}

// ErrTokenInvalid says that the token is unknown, expired, revoked or not the record's reviewer's.
var ErrTokenInvalid = errors.New("the token is not valid, or not one of the record's reviewer")

// checkToken refuses, within the transaction that appends, a token that is not valid any more.
func (s *Store) checkToken(ctx context.Context, tx engine.Tx, a *appending) error {
	if !a.handedIn {
		return nil
	}
	stored, err := tx.Service().Token(ctx, a.Token)
	if errors.Is(err, engine.ErrNoRow) {
		return ErrTokenInvalid
	}
	if err != nil {
		return err
	}
	t, err := readToken(&stored)
	if err != nil {
		return err
	}
	who := a.Record.Members().Reviewer
	if !t.validAt(terms.InstantOf(s.now())) || t.Principal != who.ID || t.Role != who.Role {
		return ErrTokenInvalid
	}
	return nil
}

// validAt reports whether the token authenticates its principal, which an invitation never does.
func (t *Token) validAt(now terms.Instant) bool {
	return !t.Revoked.Present() && now.Before(t.Expires) && !t.Invites()
}

// An invitation to a service is kept as a token that authenticates no request: its digest is the
// public key of the invitation, which is derived from the token that was handed over. The answer
// adds that token, registers the reviewer's key and revokes the invitation, in one transaction.

// The prefixes of the names of an invitation, and of the token that its answer adds.
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

// TokenName returns the name of a token or an invitation with the random part.
func TokenName(random string, invites bool) string {
	if invites {
		return invitationPrefix + random
	}
	return tokenPrefix + random
}

// Operator returns the fingerprint of the key of the service's operator; "" for none.
func (s *Store) Operator(ctx context.Context) (string, error) {
	return askKind(ctx, s, true, "read the operator", s.operatorOf)
}

// Enroll accepts the answer to an invitation, once: it registers the key for the invited principal
// as AddKey does, and adds the token, which it returns, with the role, the owners and the end that
// the invitation gave. The error wraps ErrInvitation if no invitation of that name and principal is
// open now or its key did not sign, and ErrTaken if the key is or was another principal's, or was
// revoked.
func (s *Store) Enroll(ctx context.Context, e *signed.Enrolment) (token Token, fingerprint string, err error) {
	key, err := signed.PublicKey(e.PublicKey)
	if err != nil {
		return Token{}, "", err
	}
	fingerprint = ssh.FingerprintSHA256(key)
	there := func(ctx context.Context, tx engine.Tx) (bool, error) { return token.isThere(ctx, tx) }
	err = s.writingOnce(ctx, "take the enrolment in", there, func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(true); err != nil {
			return err
		}
		now := terms.InstantOf(s.now())
		invitation, err := invitationOf(ctx, tx, e, now)
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

func invitationOf(ctx context.Context, tx engine.Tx, e *signed.Enrolment, now terms.Instant) (Token, error) {
	stored, err := tx.Service().Tokens(ctx)
	if err != nil {
		return Token{}, err
	}
	list, err := readTokens(stored)
	if err != nil {
		return Token{}, err
	}
	place := slices.IndexFunc(list, func(t Token) bool { return t.Invites() && t.ID == e.Invitation && t.Principal == e.Principal })
	refuse := func(reason string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrInvitation, fmt.Sprintf(reason, args...))
	}
	if place < 0 {
		return Token{}, refuse("this service has none with that name for that person")
	}
	invitation := list[place]
	switch {
	case !e.ProvenBy(ed25519.PublicKey(invitation.Digest[:])):
		return Token{}, refuse("who made it did not have %s", invitation.ID)
	case invitation.Answered(list):
		return Token{}, refuse("%s was answered at %s; an invitation is answered once, so make a new one",
			invitation.ID, toSecond(invitation.Revoked))
	case invitation.Revoked.Present():
		return Token{}, refuse("%s was withdrawn at %s; make a new one", invitation.ID, toSecond(invitation.Revoked))
	case !now.Before(invitation.OpenUntil()):
		return Token{}, refuse("%s expired at %s; make a new one", invitation.ID, toSecond(invitation.OpenUntil()))
	}
	return invitation, nil
}

// toSecond writes a time to the second, for people.
func toSecond(at terms.Instant) string { return at.Time().Format(time.RFC3339) }

package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"testing"
)

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
		t.Errorf("the log had %d records when the revocation returned, and has %d: %v", returned.Size, end.Size, err)
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
	wantSame(t, "records are acknowledged, and the log has", int64(taken), end.Size)
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
	if told, err := d.store.HandIn(t.Context(), sub); told.Again || !errors.Is(err, ErrTokenInvalid) || taken.again {
		t.Errorf("%+v, %v", told, err)
	}
}

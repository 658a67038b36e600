package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"docket/domain"
)

// ErrEarly says that a record was made later than it is by this machine's clock, so that it cannot be taken yet.
var ErrEarly = errors.New("the record is from the future of this machine's clock")

// clockLeeway is how far the clock of a reviewer's machine may be ahead of this one.
const clockLeeway = time.Minute

// HandIn takes a record into a service's log that a reviewer made at a console. It judges the packets again, first as
// they were when the record was made, then as they are now, as Append does, while nobody else can write. When it
// returns a receipt, the record is durable. checkpoint is the signed one of exactly the receipt's tree. again tells that
// the record was in the log before; it is not appended twice, and its receipt is the one of the first time.
//
// The log that the reviewer saw is a console's, and not checked. There is no private note: it stays where it was written.
// Whose record it is, and whether its key is registered, is for the caller to know.
//
// The error wraps ErrNotFound if the case or amendment, or the policy that the record names, is not held; it wraps
// domain.ErrRefused whenever the record is at fault: ErrSignature, ErrRecordConflict, a *domain.DiffersError if it does
// not follow from its packets, a *domain.StaleError if it did and does not any more, else a *domain.Refusal. After
// ErrEarly and ErrRulesUnknown the same record can be taken later. Other errors are those of Append.
func (s *Store) HandIn(ctx context.Context, sub Submission) (receipt domain.Receipt, checkpoint []byte, again bool, err error) {
	signature, err := sub.checkHandedIn()
	if err != nil {
		return domain.Receipt{}, nil, false, err
	}
	a := appending{Submission: sub, signature: signature, handedIn: true}
	if err := s.enter(ctx, &a); err != nil {
		return domain.Receipt{}, nil, false, err
	}
	return a.receipt, a.own.Note, a.known, s.keepAnchor(ctx, a.newest)
}

// recheckHandedIn judges the packets of a record as they were and as they are now. That it differs from what was is said
// before what has changed.
func (s *Store) recheckHandedIn(ctx context.Context, tx *sql.Tx, sub *Submission) error {
	m := sub.Record.Members()
	at, early := momentOf(m, s.now())
	d, err := look(ctx, tx, &s.shelf, domain.RecordTable(m.Area), m.Key, domain.InstantOf(at))
	if err != nil {
		return err
	}
	then, err := rejudge(sub, &d.View)
	if err != nil {
		return err
	}
	changed := sub.Record.Recheck(&d.View, d.InForce)
	if err := then.finish(); err != nil {
		return err
	}
	if early {
		return ErrEarly
	}
	if changed != nil {
		return changed
	}
	return checkOriginOrder(ctx, tx, m)
}

// momentOf is the moment for which a record that is handed in is judged again: now, or the one at which it was made if
// that is a little later. early tells that it is more than a little.
func momentOf(m *domain.EnforcementMembers, now time.Time) (at time.Time, early bool) {
	made := m.RecordedAt.Time()
	switch {
	case made.After(now.Add(clockLeeway)):
		return now, true
	case made.After(now):
		return made, false
	}
	return now, false
}

package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// AnchorToAccept verifies the whole log and returns the statement by which a person accepts it as
// it is, without time, person and key. The error wraps records.ErrRefused where nothing is to be
// accepted, or the log must not be: with any other finding, or if a checkpoint outside the store
// contradicts it.
func (s *Store) AnchorToAccept(ctx context.Context) (records.LogStatement, error) {
	if s.anchor == nil || len(s.findings.all()) == 0 {
		return records.LogStatement{}, fmt.Errorf(
			"%w: there is nothing to accept; the log extends the checkpoint that is kept outside the store",
			records.ErrRefused)
	}
	if _, err := s.Verify(ctx, verify.Options{}); err != nil {
		return records.LogStatement{}, err
	}
	var codes []string
	for _, f := range s.findings.all() {
		if f.Code != verify.AnchorMissing && f.Code != verify.AnchorUnreadable && f.Code != verify.RowsRolledBack {
			return records.LogStatement{}, fmt.Errorf("%w: the log cannot be accepted as it is: %s", records.ErrRefused, f.Sentence())
		}
		codes = append(codes, f.Code.String())
	}
	if err := s.checkMoveKept(ctx); err != nil {
		return records.LogStatement{}, err
	}
	accepted, err := ask(ctx, s, "read the log", func(ctx context.Context, tx engine.Tx) (records.LogStatement, error) {
		return s.due(ctx, tx, records.AnchorAccepted, codes...)
	})
	if err == nil {
		err = s.uncontradicted(ctx, accepted.Size)
	}
	return accepted, err
}

// checkMoveKept refuses a file without the mark that its store was moved, if the anchor covers one.
func (s *Store) checkMoveKept(ctx context.Context) error {
	held, err := s.anchor.Read(ctx)
	if err != nil || s.options.Database != nil {
		return nil // an anchor that cannot be read is what is accepted
	}
	return s.reading(ctx, "read the tables beside the log", func(ctx context.Context, tx engine.Tx) error {
		tables, err := tx.Covered().Tables(ctx)
		for _, t := range tables {
			if t.Name == movesTable && t.Rows < held.Tables.Chains[movesTable].Count {
				return fmt.Errorf(
					"%w: the store was moved to a database, and the mark that says so was removed; name the database with --db",
					records.ErrRefused)
			}
		}
		return err
	})
}

// uncontradicted refuses a log that a checkpoint in the anchor, of any key, contradicts.
func (s *Store) uncontradicted(ctx context.Context, size int64) error {
	return s.reading(ctx, "read the log", func(ctx context.Context, tx engine.Tx) error {
		for _, claimed := range s.anchor.Claims() {
			differs := claimed.Size > size
			if !differs {
				now, err := rootOf(ctx, tx, claimed.Size)
				if err != nil {
					return err
				}
				differs = now != signed.ToTree(claimed.Root)
			}
			if differs {
				return fmt.Errorf(
					"%w: a checkpoint of %s that is kept outside the store contradicts the log; look for the newer file",
					records.ErrRefused, records.Count(claimed.Size))
			}
		}
		return nil
	})
}

// AcceptAnchor keeps a person's signed statement that accepts the log as it is, and makes a new
// anchor; the old one is set aside in its folder. The statement has to be that of AnchorToAccept,
// with time, person and key: for a service that names an operator, the operator's key. The store
// has to be opened again to be written.
func (s *Store) AcceptAnchor(ctx context.Context, accepted signed.Statement) error {
	due, err := s.AnchorToAccept(ctx)
	if err != nil {
		return err
	}
	statement, err := accepted.Open()
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	if !isDue(due, &statement) {
		return fmt.Errorf("%w: the log is not the one that was accepted; look at it again", records.ErrRefused)
	}
	newest, err := s.keepThrough(ctx, nil, func(ctx context.Context, tx engine.Tx) error { return s.addStatement(ctx, tx, accepted) })
	if err != nil {
		return s.explain("keep the statement", err)
	}
	if _, err := s.anchor.Read(ctx); err == nil && !slices.Contains(due.Found, verify.RowsRolledBack.String()) {
		return nil
	}
	if err := s.anchor.Renew(newest, statement.At); err != nil {
		return &AnchorError{err}
	}
	return nil
}

// keepThrough adds a statement by its own connection: a store with findings has no writing one.
func (s *Store) keepThrough(ctx context.Context, kept *merkle.TableHead, add engine.Work) (newest merkle.Anchored, err error) {
	if !s.key.CanSign() {
		if err := s.unlock(ctx, s.key); err != nil {
			return newest, err
		}
	}
	err = s.db.UpdateOnce(ctx, func(ctx context.Context, tx engine.Tx) (err error) {
		if err := add(ctx, tx); err != nil {
			return err
		}
		newest, err = s.newestOf(ctx, tx, kept)
		return err
	})
	return newest, err
}

// A clockMark is the time from which the records of a console's log are held in order.
type clockMark struct {
	from   int64         // the sequence of the first record that counts
	newest terms.Instant // of what counts, or accepted for it; absent without any
}

// clockMarkOf returns the clock mark by the log's statements: once a person who may has accepted
// this machine's clock, earlier records and statements do not count.
func clockMarkOf(ctx context.Context, tx engine.Tx, l *statedLog) (mark clockMark, err error) {
	for i := range l.opened {
		switch s := &l.opened[i].Statement; {
		// A restore may be made on a machine with another clock.
		case !l.opened[i].Counts || s.Kind == records.LogRestored:
		case s.Kind == records.ClockAccepted:
			mark = clockMark{s.Size, s.At}
		case !mark.newest.Present() || mark.newest.Before(s.At):
			mark.newest = s.At
		}
	}
	id, err := tx.Log().NewestFrom(ctx, mark.from)
	if err != nil {
		return clockMark{}, err
	}
	if newest := id.At(); newest.Present() && (!mark.newest.Present() || mark.newest.Before(newest)) {
		mark.newest = newest
	}
	return mark, nil
}

// arrivalBy limits the time of an arrival to that of a clock accepted before the record.
func arrivalBy(statements []verify.OpenedStatement, sequence int64, arrived terms.Instant) terms.Instant {
	for i := range statements {
		s := &statements[i].Statement
		if statements[i].Counts && s.Kind == records.ClockAccepted && s.Size <= sequence && s.At.Before(arrived) {
			arrived = s.At
		}
	}
	return arrived
}

func (m clockMark) after(now terms.Instant) bool {
	return m.newest.Present() && m.newest.Sub(now) > records.OrderLeeway
}

func (m clockMark) refusal(now terms.Instant) *records.Refusal {
	return &records.Refusal{Reason: fmt.Sprintf("this machine's clock says %s; the newest entry in this log was made at %s: "+
		"recording waits until the clock is right, or until a person accepts it", now, m.newest)}
}

// ErrOvertaken says that nothing was recorded, because another console recorded long after the time
// of a record that waited for its signature. It can be recorded with a new time and signature.
var ErrOvertaken = errors.New("nothing was recorded; record it again")

// checkOrder refuses a console's record from before the newest one, unless the clock was accepted.
func (s *Store) checkOrder(ctx context.Context, tx engine.Tx, a *appending, newest records.RecordID) error {
	at := a.Record.Members().RecordedAt
	if a.handedIn || !(clockMark{newest: newest.At()}).after(at) {
		return nil
	}
	l, err := statedIn(ctx, tx, s.key)
	if err != nil {
		return err
	}
	mark, err := clockMarkOf(ctx, tx, l)
	if err != nil || !mark.after(at) {
		return err
	}
	if !mark.after(terms.InstantOf(s.now())) {
		return fmt.Errorf(
			"%w: the record is of %s, and another console recorded at %s while it waited for its signature",
			ErrOvertaken, at, mark.newest)
	}
	return mark.refusal(at)
}

// waitsFor says why nothing can be recorded in a console's log now; "" if something can.
func (s *Store) waitsFor(ctx context.Context, tx engine.Tx, now terms.Instant) (string, error) {
	if s.key == nil || s.key.OfService() {
		return "", nil
	}
	l, err := s.registered(ctx, tx)
	if err != nil {
		return "", err
	}
	mark, err := clockMarkOf(ctx, tx, l)
	if err != nil || !mark.after(now) {
		return "", err
	}
	return mark.refusal(now).Reason, nil
}

// ClockToAccept returns the statement by which a person accepts this machine's clock, although it
// is before the newest record, without person and key. The error wraps records.ErrRefused if there
// is nothing to accept.
func (s *Store) ClockToAccept(ctx context.Context) (records.LogStatement, error) {
	return ask(ctx, s, "read the log", func(ctx context.Context, tx engine.Tx) (due records.LogStatement, err error) {
		if err := s.checkNoFindings(); err != nil {
			return due, err
		}
		if err := s.checkKind(false); err != nil {
			return due, err
		}
		return s.clockToAccept(ctx, tx, terms.InstantOf(s.now()))
	})
}

func (s *Store) clockToAccept(ctx context.Context, tx engine.Tx, now terms.Instant) (records.LogStatement, error) {
	l, err := statedIn(ctx, tx, s.key)
	if err != nil {
		return records.LogStatement{}, err
	}
	mark, err := clockMarkOf(ctx, tx, l)
	if err != nil {
		return records.LogStatement{}, err
	}
	if !mark.after(now) {
		return records.LogStatement{}, fmt.Errorf(
			"%w: there is nothing to accept; this machine's clock does not stand before the newest record",
			records.ErrRefused)
	}
	due, err := s.due(ctx, tx, records.ClockAccepted, mark.newest.String())
	due.At = now
	return due, err
}

// AcceptClock keeps a person's signed statement that accepts this machine's clock. Later records
// then have to be in order among themselves, but not with earlier ones. The statement has to be
// that of ClockToAccept, with person and key.
func (s *Store) AcceptClock(ctx context.Context, accepted signed.Statement) error {
	statement, err := accepted.Open()
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	return s.writing(ctx, "keep the statement", func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkKind(false); err != nil {
			return err
		}
		if err := s.verifyAgain(ctx, tx); err != nil {
			return err
		}
		due, err := s.clockToAccept(ctx, tx, statement.At)
		if err != nil {
			return err
		}
		if !isDue(due, &statement) || terms.InstantOf(s.now()).Before(statement.At) {
			return fmt.Errorf("%w: the log or the clock is not the one that was accepted; look at it again", records.ErrRefused)
		}
		return s.addStatement(ctx, tx, accepted)
	})
}

// LogStatements lists the statements about the log, oldest first, unverified.
func (s *Store) LogStatements(ctx context.Context) ([]signed.Statement, error) {
	return ask(ctx, s, "read the statements about the log", statementsOf)
}

// Accepted lists the statements that count by which persons named a service, or accepted the log, a
// clock or a service, oldest first.
func (s *Store) Accepted(ctx context.Context) ([]records.LogStatement, error) {
	return ask(ctx, s, "read the statements about the log", func(ctx context.Context, tx engine.Tx) (
		list []records.LogStatement, err error) {
		if s.key == nil {
			return nil, nil
		}
		opened, err := openedStatements(ctx, tx, s.key)
		for i := range opened {
			switch opened[i].Statement.Kind {
			case records.AnchorAccepted, records.ClockAccepted, records.ServiceAccepted, records.ServiceNamed:
				if opened[i].Counts {
					list = append(list, opened[i].Statement)
				}
			}
		}
		return list, err
	})
}

func statementsOf(ctx context.Context, tx engine.Tx) (list []signed.Statement, err error) {
	stored, err := tx.Statements().All(ctx)
	for i := range stored {
		list = append(list, stored[i].Signed())
	}
	return list, err
}

// due returns a statement about the log as it is, without time, person and key.
func (s *Store) due(ctx context.Context, tx engine.Tx, kind records.LogStatementKind, found ...string) (records.LogStatement, error) {
	head, err := headOf(ctx, tx)
	return records.LogStatement{Kind: kind, Origin: s.key.Origin, Size: head.Size, Root: head.Root, Found: found}, err
}

func isDue(due records.LogStatement, stated *records.LogStatement) bool {
	due.At, due.By, due.KeyFingerprint = stated.At, stated.By, stated.KeyFingerprint
	return due.Text() == stated.Text()
}

// addStatement keeps a statement by a person who may make it, also signed by the log if due.
func (s *Store) addStatement(ctx context.Context, tx engine.Tx, kept signed.Statement) error {
	key := s.key
	statement, err := records.ReadLogStatement(kept.Text)
	if err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	if statement.LogSigns() {
		if kept, err = key.Countersign(kept); err != nil {
			return err
		}
	}
	if statement, err = kept.Open(key.Encoded); err != nil {
		return fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	var l *statedLog
	if accepted := statement.Kind == records.AnchorAccepted; accepted || !key.OfService() {
		if l, err = statedIn(ctx, tx, key); err != nil {
			return err
		}
		if operator := l.operator(); accepted && key.OfService() && operator != "" && operator != statement.KeyFingerprint {
			return &records.Refusal{Reason: fmt.Sprintf("the operator of this service accepts its log, with the key %s", operator)}
		}
	}
	if !statement.AboutKey() && !key.OfService() {
		err := l.mayState(records.Reviewer{ID: statement.By, KeyFingerprint: statement.KeyFingerprint})
		if stranger := (*strangerError)(nil); errors.As(err, &stranger) && statement.Kind == records.AnchorAccepted {
			kept, err = s.vouchForFirst(l, kept, statement.By)
		} else if err == nil && len(l.signers) == 0 && statement.LogMaySign() {
			kept, err = key.Countersign(kept) // nobody has a record in the log yet
		}
		if err != nil {
			return err
		}
	}
	head, err := headOf(ctx, tx)
	if err != nil {
		return err
	}
	if statement.Origin != key.Origin || statement.Size != head.Size || statement.Root != head.Root {
		return fmt.Errorf("%w: the log is not the one that was accepted; look at it again", records.ErrRefused)
	}
	if !key.OfService() && statement.Kind != records.ClockAccepted {
		mark, err := clockMarkOf(ctx, tx, l)
		if err == nil && mark.after(statement.At) {
			err = mark.refusal(statement.At)
		}
		if err != nil {
			return err
		}
	}
	return s.state(ctx, tx, kept)
}

// isStated is the question of writingOnce for a statement of the text.
func isStated(text string) func(context.Context, engine.Tx) (bool, error) {
	return func(ctx context.Context, tx engine.Tx) (bool, error) {
		statements, err := statementsOf(ctx, tx)
		return slices.ContainsFunc(statements, func(kept signed.Statement) bool { return kept.Text == text }), err
	}
}

// A strangerError refuses a person who has no record in the log.
type strangerError struct{ *records.Refusal }

func strangerTo(by terms.ID) error {
	return &strangerError{&records.Refusal{Reason: fmt.Sprintf(
		"%s has no record in this log, so states nothing about it; a reviewer who has one does that",
		string(by))}}
}

// vouchForFirst lets another user of this machine get an anchor: once, the log's key signs, too.
func (s *Store) vouchForFirst(l *statedLog, kept signed.Statement, by terms.ID) (signed.Statement, error) {
	for _, earlier := range l.list {
		if read, err := records.ReadLogStatement(earlier.Text); err != nil || read.By == by {
			return kept, strangerTo(by)
		}
	}
	return s.key.Countersign(kept)
}

// mayState refuses a person who has no record in a console's log, if anybody has, or whose key does
// not count.
func (l *statedLog) mayState(by records.Reviewer) error {
	if len(l.signers) == 0 {
		return nil
	}
	if !hasSigned(l.signers, by.ID) {
		return strangerTo(by.ID)
	}
	return keyFault(l.ring.Now(keys.Holder{Reviewer: by.ID, Fingerprint: by.KeyFingerprint}).State)
}

func hasSigned(signers []engine.Signer, reviewer terms.ID) bool {
	return slices.ContainsFunc(signers, func(signer engine.Signer) bool { return signer.Reviewer == reviewer })
}

type logName struct{ origin, verifier string }

// currentLog returns the log that the store was made with, or the newest restore began, unverified.
func currentLog(ctx context.Context, tx engine.Tx) (name logName, err error) {
	for i, value := range []*string{&name.origin, &name.verifier} {
		row := []string{metaOrigin, metaVerifierKey}[i]
		if *value, err = tx.Meta().Value(ctx, row); errors.Is(err, engine.ErrNoRow) {
			err = &merkle.KeyError{Cause: fmt.Errorf("%s is missing", row)}
		}
		if err != nil {
			return logName{}, err
		}
	}
	restores, err := tx.Statements().Restores(ctx)
	for i := range restores {
		statement, err := records.ReadLogStatement(restores[i].Text)
		if err != nil || statement.Kind != records.LogRestored {
			return name, &merkle.KeyError{Cause: errors.New("a restore cannot be read")}
		}
		if records.OfService(statement.Origin) == records.OfService(name.origin) { // not of a console's service
			return logName{statement.Restore.NewOrigin(), statement.Restore.NewKey}, nil
		}
	}
	return name, err
}

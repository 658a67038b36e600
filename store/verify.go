package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

// connectionsOfVerify is how many connections a check reads through: one for the records, and one for each core that
// reads packets.
const connectionsOfVerify = 3

// Verify checks the whole log and all that the store keeps beside it, as deep as the options say. It adds what it finds
// to Findings; from then on the store takes no records, unless the findings are harmless. Records appended while it
// runs are left out, and it blocks no reader or writer. An error means that the store could not be read to its end.
//
// It cannot tell whether the store as a whole was replaced by an equally consistent one. The anchor does, as do
// receipts and exports.
func (s *Store) Verify(ctx context.Context, o verify.Options) (report verify.Report, err error) {
	db, err := s.db.OpenReaders(ctx, connectionsOfVerify)
	if err != nil {
		return verify.Report{}, s.explain("open the store once more", err)
	}
	defer func() { err = s.explain("verify the log", errors.Join(err, db.Close())) }()
	v := &Snapshot{store: s, db: db}
	s.handles.RLock()
	anchor := s.anchor
	s.handles.RUnlock()
	if err := v.readAnchor(ctx, anchor); err != nil {
		return verify.Report{}, err
	}
	if err := v.reading(ctx, "read the log", v.take); err != nil {
		return verify.Report{}, err
	}
	o.Known = append(s.Findings(), o.Known...)
	tell := o.Found
	o.Found = func(f verify.Finding) {
		s.findings.add(f)
		if tell != nil {
			tell(f)
		}
	}
	return verify.Check(ctx, v, o)
}

// reading runs do in one transaction that reads.
func (v *Snapshot) reading(ctx context.Context, doing string, do engine.Work) error {
	switch {
	case v.tx != nil:
		return v.store.explain(doing, do(ctx, v.tx))
	case v.db == nil:
		return v.store.reading(ctx, doing, do)
	}
	return v.store.explain(doing, v.db.View(ctx, do))
}

// VerifyRecords checks each record from one sequence up to but not including another: that it is the one that was
// logged, its signature, and what is kept beside it. It adds what it finds to Findings. The time it takes does not
// depend on the size of the log.
func (s *Store) VerifyRecords(ctx context.Context, from, to int64) (list []verify.Finding, err error) {
	err = s.reading(ctx, "verify the records", func(ctx context.Context, tx engine.Tx) error {
		v := &Snapshot{store: s}
		if err := v.takeAt(ctx, tx); err != nil {
			return err
		}
		list, err = verify.Entries(ctx, v, from, to, verify.Storage)
		return err
	})
	s.findings.add(list...)
	return list, err
}

// found makes a finding about the store as a whole.
func found(code verify.Code, detail string, args ...any) verify.Finding {
	return code.OfLog(fmt.Sprintf(detail, args...))
}

// mostFindings is how many findings are kept; more of them would say nothing new about the store.
const mostFindings = 100

// findings are what has been found in an open store; they only grow.
type findings struct {
	mutex sync.Mutex
	list  []verify.Finding
}

// add keeps new findings that stop the store from taking records.
func (l *findings) add(more ...verify.Finding) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, f := range more {
		if f.Code.Stops() && len(l.list) < mostFindings && !slices.Contains(l.list, f) {
			l.list = append(l.list, f)
		}
	}
}

func (l *findings) all() []verify.Finding {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.Clone(l.list)
}

// Findings lists what is wrong with the store, as far as is known: what was found when it was opened and since, at
// most a hundred. With any, the store is ReadOnly.
func (s *Store) Findings() []verify.Finding { return s.findings.all() }

// checkNoFindings refuses to write to a store with findings.
func (s *Store) checkNoFindings() error {
	if list := s.findings.all(); len(list) > 0 {
		return &Problem{Path: s.path, Kind: ErrTampered, Advice: fmt.Sprintf("verify the store: %s", list[0].Sentence())}
	}
	return nil
}

// verifyAnswers compares the kept answers of the service with what the service signed, and with the records.
func (c *storageCheck) verifyAnswers(ctx context.Context, tx engine.Tx) error {
	keys, err := tx.Answers().Bound(ctx)
	if err != nil {
		return err
	}
	bound, err := boundServiceOf(ctx, tx)
	if err != nil {
		return err
	}
	if len(keys) > 1 {
		c.add(found(verify.ServiceKeyUnusable, "%d are kept", len(keys)))
	}
	for _, step := range []func(context.Context, engine.Tx, *boundService) error{c.verifyFollowed, c.verifyShown, c.verifyRejections, c.verifyAcceptances, c.verifyServiceRecords} {
		if err := step(ctx, tx, &bound); err != nil {
			return err
		}
	}
	return nil
}

// verifyFollowed checks that the restores of the service that the console followed lead from the key to which it was
// bound.
func (c *storageCheck) verifyFollowed(ctx context.Context, tx engine.Tx, bound *boundService) error {
	followed, err := tx.Answers().Followed(ctx)
	if err != nil {
		return err
	}
	if len(followed) != len(bound.statements) || bound.first != "" && !bound.whole {
		c.add(found(verify.ServiceKeyUnusable, "the restores of the service do not lead to it"))
	}
	for i := range followed {
		if due, most := followedColumns(followed[i].Text); followed[i].Ended != due || followed[i].Size != most {
			c.add(found(verify.ServiceKeyUnusable, "a restore of the service was edited"))
		}
	}
	return nil
}

// answeredLeaf reads the leaf to which an answer belongs; none if the log has no such row.
func answeredLeaf(stored *engine.Leaf) leaf {
	l := leaf{sequence: stored.Sequence, id: stored.RecordID}
	if len(stored.Hash) == tlog.HashSize {
		l.hash = tlog.Hash(stored.Hash)
	}
	l.table, _ = terms.Tables.Parse(stored.Table)
	return l
}

// verifyRejections compares the columns of each rejection with what the service signed. The rejection itself is checked
// with the records.
func (c *storageCheck) verifyRejections(ctx context.Context, tx engine.Tx, bound *boundService) error {
	next, missing := int64(0), int64(0)
	err := tx.Answers().Rejections(ctx, math.MinInt64, math.MaxInt64, math.MaxInt, func(kept *engine.Rejection) error {
		missing += max(0, min(kept.Position, math.MaxInt64-1)-next)
		next = max(next, min(kept.Position, math.MaxInt64-1)+1)
		l := answeredLeaf(&kept.Leaf)
		key, _ := bound.keyOf(kept.Signed) // the zero key verifies nothing
		r, err := key.OpenRejection(kept.Signed)
		_, readable := readWords([]byte(kept.Changes))
		if err == nil && l.rejectedBy(&r) && (r.InForce != kept.InForce || !readable) {
			c.add(verify.AnswerAltered.OfRecord(kept.Sequence, l.id, "the rejection"))
		}
		return nil
	})
	if missing > 0 {
		c.add(found(verify.AnswerMissing, "%d of them", missing))
	}
	return err
}

// verifyAcceptances compares each receipt with its checkpoint of the service and with its record.
func (c *storageCheck) verifyAcceptances(ctx context.Context, tx engine.Tx, bound *boundService) error {
	return tx.Answers().Acceptances(ctx, func(kept *engine.Acceptance) error {
		key, _ := bound.keyOf(kept.Checkpoint)
		l := answeredLeaf(&kept.Leaf)
		receipt, err := key.OpenAcceptance(kept.Acceptance(), l.id, merkle.FromTree(l.hash))
		if err != nil || kept.Rejected || receipt.TreeSize != kept.TreeSize || key.Origin() != kept.Origin {
			c.add(verify.AnswerAltered.OfRecord(kept.Sequence, l.id, "the receipt"))
		}
		return nil
	})
}

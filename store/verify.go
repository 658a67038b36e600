package store

import (
	"context"
	"database/sql"
	"errors"

	"docket/store/verify"
)

// connectionsOfVerify is how many connections a check reads through: one for the records, one for each core that asks for packets.
const connectionsOfVerify = 3

// Verify checks the whole log and all that the store keeps beside it, as deep as the options say. It adds what it finds to
// Findings; the store takes nothing from then on, unless what was found is harmless. What is appended while it runs is left
// out, and it keeps nobody from reading or writing. An error means that the store could not be read to its end.
//
// What it cannot know is whether the store as a whole was replaced by an equally consistent one. The anchor tells that, as do
// receipts and exports.
func (s *Store) Verify(ctx context.Context, o verify.Options) (report verify.Report, err error) {
	db, err := s.db.OpenReaders(ctx, connectionsOfVerify)
	if err != nil {
		return verify.Report{}, s.explain("open the store once more", err)
	}
	defer func() { err = s.explain("verify the log", errors.Join(err, db.Close())) }()
	v := &Snapshot{store: s, db: db}
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
func (v *Snapshot) reading(ctx context.Context, doing string, do func(context.Context, *sql.Tx) error) error {
	if v.db == nil {
		return v.store.reading(ctx, doing, do)
	}
	tx, err := v.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return v.store.explain(doing, err)
	}
	defer func() { _ = tx.Rollback() }()
	return v.store.explain(doing, do(ctx, tx))
}

// VerifyRecord checks one record by itself: that it is the one that was logged, its signature, and what is kept beside it.
// It adds what it finds to Findings.
func (s *Store) VerifyRecord(ctx context.Context, sequence int64) ([]verify.Finding, error) {
	v, err := s.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list, err := verify.Record(ctx, v, sequence, verify.Storage)
	s.findings.add(list...)
	return list, err
}

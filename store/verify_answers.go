package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"docket/domain"
	"docket/domain/signed"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

// verifyAnswers holds what is kept of the service's answers to what the service signed, and to the records.
func (c *storageCheck) verifyAnswers(ctx context.Context) error {
	var services int64
	if err := c.q.QueryRowContext(ctx, "SELECT count(*) FROM main."+boundTable).Scan(&services); err != nil {
		return err
	}
	key, err := serviceKey(ctx, c.q)
	if err != nil && !errors.Is(err, ErrNotBound) && !errors.Is(err, ErrDamaged) {
		return err
	}
	if services > 1 {
		c.add(found(verify.ServiceKeyUnusable, "%d are kept", services))
	}
	for _, step := range []func(context.Context, signed.Key) error{c.verifyRejections, c.verifyAcceptances} {
		if err := step(ctx, key); err != nil {
			return err
		}
	}
	return c.verifyCosignatures(ctx)
}

// answeredLeaf reads the leaf to which an answer belongs; there is none where the log has no such row.
func answeredLeaf(sequence int64, table, id sql.NullString, hash []byte) leaf {
	l := leaf{sequence: sequence, id: domain.RecordID(id.String)}
	if len(hash) == tlog.HashSize {
		l.hash = tlog.Hash(hash)
	}
	l.table, _ = domain.Tables.Parse(table.String)
	return l
}

// verifyRejections holds what the store says of each rejection to what the service signed. The rejection itself is checked with
// the records.
func (c *storageCheck) verifyRejections(ctx context.Context, key signed.Key) error {
	query := fmt.Sprintf("SELECT kept.position, kept.sequence, kept.inForce, kept.signed, kept.changes, log.tableName, log.recordId, log.leafHash"+
		" FROM main.%s AS kept LEFT JOIN main.%s AS log ON log.sequence = kept.sequence ORDER BY kept.position", rejectionsTable, logTable)
	next, missing := int64(0), int64(0)
	err := eachRow(ctx, c.q, query, func(scan func(...any) error) error {
		var position, sequence int64
		var inForce, text, changes string
		var table, id sql.NullString
		var hash []byte
		if err := scan(&position, &sequence, &inForce, &text, &changes, &table, &id, &hash); err != nil {
			return err
		}
		missing += max(0, min(position, math.MaxInt64-1)-next)
		next = max(next, min(position, math.MaxInt64-1)+1)
		l := answeredLeaf(sequence, table, id, hash)
		r, err := key.OpenRejection(text)
		var told []string
		if err == nil && l.rejectedBy(&r) && (string(r.InForce) != inForce || json.Unmarshal([]byte(changes), &told) != nil) {
			c.add(verify.AnswerAltered.OfRecord(sequence, l.id, "the rejection"))
		}
		return nil
	})
	if missing > 0 {
		c.add(found(verify.AnswerMissing, "%d of them", missing))
	}
	return err
}

// verifyAcceptances holds each receipt to the service's checkpoint with it and to its record.
func (c *storageCheck) verifyAcceptances(ctx context.Context, key signed.Key) error {
	query := fmt.Sprintf("SELECT kept.sequence, kept.treeSize, kept.receipt, kept.checkpoint, log.tableName, log.recordId, log.leafHash,"+
		" EXISTS (SELECT 1 FROM main.%s AS rejected WHERE rejected.sequence = kept.sequence)"+
		" FROM main.%s AS kept LEFT JOIN main.%s AS log ON log.sequence = kept.sequence ORDER BY kept.sequence",
		rejectionsTable, acceptancesTable, logTable)
	return eachRow(ctx, c.q, query, func(scan func(...any) error) error {
		var sequence, treeSize int64
		var text, checkpoint string
		var table, id sql.NullString
		var hash []byte
		var both bool
		if err := scan(&sequence, &treeSize, &text, &checkpoint, &table, &id, &hash, &both); err != nil {
			return err
		}
		a := answered{leaf: answeredLeaf(sequence, table, id, hash), key: key}
		receipt, err := readReceipt(text)
		if err != nil || both || receipt.TreeSize != treeSize || a.vouchesFor(receipt, checkpoint) != nil {
			c.add(verify.AnswerAltered.OfRecord(sequence, a.id, "the receipt"))
		}
		return nil
	})
}

// verifyCosignatures holds each cosignature to the checkpoint that it is over; all are by one key.
func (c *storageCheck) verifyCosignatures(ctx context.Context) error {
	query := fmt.Sprintf("SELECT kept.size, kept.cosignature, kept.key, coalesce(signed.note, '') FROM main.%s AS kept"+
		" LEFT JOIN main.%s AS signed ON signed.size = kept.size ORDER BY kept.size", cosignaturesTable, checkpointsTable)
	first := ""
	return eachRow(ctx, c.q, query, func(scan func(...any) error) error {
		var size int64
		var cosignature, key, checkpoint string
		if err := scan(&size, &cosignature, &key, &checkpoint); err != nil {
			return err
		}
		if first == "" {
			first = key
		}
		if key != first || checkCosignature(checkpoint, cosignature, key) != nil {
			c.add(found(verify.CosignatureAltered, "of %d records", size))
		}
		return nil
	})
}

package store

import (
	"context"
	"errors"

	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// errRowsGone says that a table has fewer rows than this process saw in it.
var errRowsGone = errors.New("a table beside the log has fewer rows than before")

// extendChain takes the rows of a table after those that a chain covers, up to a number of rows; -1 takes all.
func extendChain(ctx context.Context, tx engine.Tx, table string, chain *merkle.Chain, most int64) error {
	if most >= 0 {
		most -= chain.Count
	}
	return tx.Covered().Rows(ctx, table, chain.Count, most, func(columns [][]byte) { chain.Add(columns...) })
}

// coverTables returns the head of the tables as they are in the transaction, which goes on from an earlier one; without a Note where
// nothing came since. The error is errRowsGone if it covers rows that are not there.
func coverTables(ctx context.Context, tx engine.Tx, key *merkle.Key, before *merkle.TableHead) (head merkle.TableHead, err error) {
	tables, err := tx.Covered().Tables(ctx)
	if err != nil {
		return merkle.TableHead{}, err
	}
	more := before.Note == nil
	head.Chains = map[string]merkle.Chain{}
	for _, t := range tables {
		chain := before.Chains[t.Name]
		if chain.Count > t.Rows {
			return merkle.TableHead{}, errRowsGone
		}
		if chain.Count < t.Rows {
			more = true
			if err := extendChain(ctx, tx, t.Name, &chain, -1); err != nil {
				return merkle.TableHead{}, err
			}
		}
		head.Chains[t.Name] = chain
	}
	if !more {
		return merkle.TableHead{}, nil
	}
	return head, key.SignTables(&head)
}

// verifyCovered holds the tables to the head that is kept outside the store; nil: there is none. Those that grow with the log are read if
// storage says so, and else looked at where they end.
func verifyCovered(ctx context.Context, tx engine.Tx, held *merkle.TableHead, storage bool) (list []verify.Finding, err error) {
	if held == nil {
		return nil, nil
	}
	tables, err := tx.Covered().Tables(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		due := held.Chains[t.Name]
		var chain merkle.Chain
		switch {
		case t.Rows < due.Count:
			list = append(list, found(verify.RowsRolledBack, "%s: %d rows were there, and %d are", t.Name, due.Count, max(0, t.Rows)))
			continue
		case t.Grows != storage:
			continue
		}
		if err := extendChain(ctx, tx, t.Name, &chain, due.Count); err != nil {
			return nil, err
		}
		if chain != due {
			list = append(list, found(verify.RowsRolledBack, "%s: its first %d rows are others", t.Name, due.Count))
		}
	}
	return list, nil
}

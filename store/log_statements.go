package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
	"docket/domain/signed"
	"docket/store/merkle"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

// LogStatements lists what was accepted of the log, the oldest first. Nothing in it has been checked.
func (s *Store) LogStatements(ctx context.Context) (list []signed.Statement, err error) {
	err = s.reading(ctx, "read the statements about the log", func(ctx context.Context, tx *sql.Tx) error {
		list, err = statementsOf(ctx, tx)
		return err
	})
	return list, err
}

func statementsOf(ctx context.Context, q querier) (list []signed.Statement, err error) {
	err = eachRow(ctx, q, "SELECT statement, signature FROM main."+statementsTable+" ORDER BY position", func(scan func(...any) error) error {
		var s signed.Statement
		err := scan(&s.Text, &s.Signature)
		list = append(list, s)
		return err
	})
	return list, err
}

// addStatement keeps a statement that is one of the log as it is in the transaction.
func addStatement(ctx context.Context, tx *sql.Tx, key *merkle.Key, kept signed.Statement) error {
	statement, err := kept.Open()
	if err != nil {
		return fmt.Errorf("%w: %w", domain.ErrRefused, err)
	}
	head, err := headOf(ctx, tx)
	if err != nil {
		return err
	}
	if statement.Origin != key.Origin || statement.Size != head.Size || statement.Root != head.Root {
		return fmt.Errorf("%w: the log is not the one that was accepted; look at it again", domain.ErrRefused)
	}
	const add = "INSERT INTO main." + statementsTable + " (position, statement, signature) " +
		"SELECT coalesce(max(position) + 1, 0), ?, ? FROM main." + statementsTable
	return changeOne(ctx, tx, add, kept.Text, string(kept.Signature))
}

// proveStatements holds the statements to their signatures, and to the log of which they speak.
func proveStatements(ctx context.Context, q querier, origin string) (list []verify.Finding, err error) {
	statements, err := statementsOf(ctx, q)
	if err != nil {
		return nil, err
	}
	for position, kept := range statements {
		statement, err := kept.Open()
		if err != nil || statement.Origin != origin {
			list = append(list, found(verify.LogStatementAltered, "statement %d", position))
			continue
		}
		size, err := logSize(ctx, q)
		if errors.Is(err, ErrDamaged) {
			return list, nil // every opening finds that
		}
		if err != nil {
			return nil, err
		}
		var root tlog.Hash
		if statement.Size <= size {
			if root, err = rootOf(ctx, q, statement.Size); err != nil && !errors.Is(err, ErrDamaged) {
				return nil, err
			}
		}
		if statement.Size > size || root != merkle.ToTree(statement.Root) {
			list = append(list, found(verify.LogStatementAltered, "statement %d", position))
		}
	}
	return list, nil
}

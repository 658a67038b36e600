package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"docket/domain"
	"docket/store/merkle"

	cosigned "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Lodged is the size of the log that the service last cosigned; 0 for none.
func (s *Store) Lodged(ctx context.Context) (size int64, err error) {
	err = s.reading(ctx, "read what the service cosigned", func(ctx context.Context, tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT coalesce(max(size), 0) FROM main."+cosignaturesTable).Scan(&size)
	})
	return size, err
}

// KeepCosignature keeps the service's cosignature of the log's checkpoint of a size, as one line of C2SP tlog-cosignature.
// It verifies with the key that came with it, which has to be the one of the first time: else the error wraps
// ErrOtherService; it wraps domain.ErrRefused if the cosignature does not verify. One of a size that was cosigned before, or
// of a smaller one, is not kept.
func (s *Store) KeepCosignature(ctx context.Context, size int64, cosignature, key string) error {
	return s.writing(ctx, "keep the service's cosignature", func(ctx context.Context, tx *sql.Tx) error {
		if _, err := serviceKey(ctx, tx); err != nil {
			return err
		}
		first, newest, err := cosignedBy(ctx, tx)
		if err != nil {
			return err
		}
		if first != "" && first != key {
			return fmt.Errorf("%w: it cosigned with another key before", ErrOtherService)
		}
		notes, err := checkpointsOf(ctx, tx, size, size)
		if err != nil {
			return err
		}
		if err := checkCosignature(notes[size], cosignature, key); err != nil {
			return refusedAnswer("the cosignature of %d records: %v", size, err)
		}
		if size <= newest {
			return nil
		}
		return changeOne(ctx, tx, "INSERT INTO main."+cosignaturesTable+" (size, cosignature, key, keptAt) VALUES (?, ?, ?, ?)",
			size, cosignature, key, s.stamp())
	})
}

// cosignedBy tells with which key the service cosigned first, and the size that it cosigned last; "" and -1 for none.
func cosignedBy(ctx context.Context, q querier) (key string, newest int64, err error) {
	const query = "SELECT key, (SELECT max(size) FROM main." + cosignaturesTable + ") FROM main." + cosignaturesTable + " ORDER BY size LIMIT 1"
	err = q.QueryRowContext(ctx, query).Scan(&key, &newest)
	if errors.Is(err, sql.ErrNoRows) {
		return "", -1, nil
	}
	return key, newest, err
}

// checkCosignature holds a cosignature to being one line that the key made over the checkpoint.
func checkCosignature(checkpoint, cosignature, key string) error {
	verifier, err := cosigned.NewVerifierForCosignatureV1(key)
	switch {
	case err != nil:
		return errors.New("its key cannot be read")
	case checkpoint == "":
		return errors.New("the log has no checkpoint of that size")
	case strings.Count(cosignature, "\n") != 1 || !strings.HasSuffix(cosignature, "\n"):
		return errors.New("it is not one line")
	}
	opened, err := note.Open([]byte(checkpoint+cosignature), note.VerifierList(verifier))
	if err != nil || len(opened.Sigs) != 1 || len(opened.UnverifiedSigs) != 1 {
		return errors.New("it does not verify")
	}
	return nil
}

// Consistency proves that the log of one size is the beginning of the log of a later size (RFC 6962). Nothing proves it of a
// size and itself, or of the empty log. The error wraps ErrNotFound if the log has not that many records.
func (s *Store) Consistency(ctx context.Context, from, to int64) (proof []domain.Hash, err error) {
	err = s.reading(ctx, "prove the log", func(ctx context.Context, tx *sql.Tx) error {
		l, err := logOf(ctx, tx)
		if err != nil {
			return err
		}
		if from < 0 || from > to || to > l.Size {
			return fmt.Errorf("a log of %d records that begins with one of %d: %w", to, from, ErrNotFound)
		}
		proof = []domain.Hash{}
		if from == 0 || from == to {
			return nil
		}
		hashes, err := tlog.ProveTree(to, from, l.Hashes)
		for _, hash := range hashes {
			proof = append(proof, merkle.FromTree(hash))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return proof, nil
}

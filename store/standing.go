package store

import (
	"context"
	"database/sql"
	"errors"

	"docket/domain"
)

// A Standing is what holds now on a revision of a case or an amendment.
type Standing struct {
	InForce  domain.RecordID // "" for none
	Latest   int64           // the latest revision that is held
	Blockers []domain.Blocker
	Carried  domain.BlockerSet // added by people, in records on the revision
}

// Standing judges a revision for now. Of one that is not held the zero Standing is told.
func (s *Store) Standing(ctx context.Context, area domain.Area, key domain.Key) (standing Standing, err error) {
	err = s.reading(ctx, "look at what is in force", func(ctx context.Context, tx *sql.Tx) error {
		d, err := look(ctx, tx, &s.shelf, domain.RecordTable(area), key, domain.InstantOf(s.now()))
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		standing = Standing{InForce: d.InForce, Latest: d.Revisions[len(d.Revisions)-1], Blockers: d.View.Judgment().Blockers(),
			Carried: d.View.Carried()}
		return nil
	})
	return standing, err
}

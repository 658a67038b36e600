package workbench

import (
	"context"
	"errors"
	"fmt"

	"docket/domain/records"
	"docket/store"
)

// PlanErasures returns what each erasure of a list would do, for those whose data exists or was
// erased before. The error wraps records.ErrRefused if the reviewer may not erase here.
func (d *Workbench) PlanErasures(ctx context.Context, list []records.Erasure) (plans []records.ErasurePlan, err error) {
	for _, e := range list {
		plan, err := d.Store.PlanErasure(ctx, e, d.Reviewer())
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			plans = append(plans, plan)
		}
	}
	return plans, nil
}

// Erase states an erasure, signed by the reviewer, erases, and rewrites the store's file. Until the
// store takes its write lock, the end of ctx stops it and nothing is erased; from then on it
// completes. With an error that wraps records.ErrErased the data is erased. For an earlier erasure
// the data is deleted again if it is back, and the file is rewritten again.
func (d *Workbench) Erase(ctx context.Context, e records.Erasure) error {
	plan, err := d.Store.PlanErasure(ctx, e, d.Reviewer())
	if err != nil {
		return err
	}
	if plan.Before != nil {
		_, err = d.Store.EraseAgain(ctx) // a backup from before may have been put back
	} else {
		statement := plan.Due
		statement.At = d.Now()
		kept, failed := d.State(ctx, statement)
		if failed != nil {
			return failed
		}
		err = d.Store.Erase(ctx, kept)
	}
	if err != nil && !errors.Is(err, records.ErrErased) {
		return err
	}
	if scrubbed := d.Store.Scrub(context.WithoutCancel(ctx)); scrubbed != nil {
		left := "in the file or beside it: close every other docket on this store, then erase it again"
		if errors.Is(scrubbed, store.ErrNoAccess) {
			left = "where the database server keeps its tables"
		}
		err = errors.Join(err, fmt.Errorf("%w bytes of it may be left %s: %w", records.ErrErased, left, scrubbed))
	}
	return err
}

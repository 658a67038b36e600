package desk

import (
	"context"

	"docket/domain/records"
)

// HandIns tells how the store stands with its service.
func (d *Desk) HandIns(ctx context.Context) (records.HandInTally, error) {
	return d.Store.HandInTally(ctx)
}

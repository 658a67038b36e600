package desk

import (
	"context"

	"docket/domain"
)

// HandIns tells how the store stands with its service.
func (d *Desk) HandIns(ctx context.Context) (domain.HandInTally, error) {
	return d.Store.HandInTally(ctx)
}

package desk

import (
	"context"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// SaveDraft keeps what this reviewer has begun on a revision, in the store and nowhere else.
func (d *Desk) SaveDraft(ctx context.Context, table terms.Table, key packets.Key, draft records.Draft) error {
	return d.Store.SaveDraft(ctx, d.Reviewer().ID, table, key, draft)
}

// DropDraft forgets what this reviewer has begun on the revision and on earlier ones.
func (d *Desk) DropDraft(ctx context.Context, table terms.Table, key packets.Key) error {
	return d.Store.DropDraft(ctx, d.Reviewer().ID, table, key)
}

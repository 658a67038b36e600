package ui

import (
	"context"

	"docket/domain"
)

// Drafts keep decisions that were begun. They are this reviewer's, local and in no log. A dossier brings the draft that
// there is, a row of the queue says that there is one.
type Drafts interface {
	// SaveDraft keeps a draft in place of the one kept of the revision before. When it returns nil, the draft is durable.
	SaveDraft(ctx context.Context, table domain.Table, key domain.Key, draft domain.Draft) error
	// DropDraft forgets what was begun on the revision and on earlier ones; that there is nothing is no error. Record does
	// so itself.
	DropDraft(ctx context.Context, table domain.Table, key domain.Key) error
}

package audittest

import (
	"context"
	"errors"

	"docket/cmd/internal/audit"
)

// Head implements audit.Log.
func (l *Log) Head(context.Context) (audit.Head, error) {
	head := l.Says
	head.Size = int64(len(l.List))
	return head, nil
}

// Entries implements audit.Log.
func (l *Log) Entries(ctx context.Context, from int64, yield func(audit.Entry) error) error {
	for _, entry := range l.List[from:] {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(entry); err != nil {
			return err
		}
	}
	return nil
}

// Packets implements audit.Log.
func (l *Log) Packets(_ context.Context, refs []audit.Ref) ([][]byte, error) {
	documents := make([][]byte, len(refs))
	for i, ref := range refs {
		documents[i] = l.Held[ref]
	}
	return documents, nil
}

// Rejections implements audit.Log.
func (l *Log) Rejections(ctx context.Context, yield func(audit.Rejection) error) error {
	for _, rejection := range l.Rejected {
		if err := errors.Join(ctx.Err(), yield(rejection)); err != nil {
			return err
		}
	}
	return nil
}

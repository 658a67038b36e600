package sqlite

import (
	"context"
	"errors"
	"time"

	"docket/store/engine"
)

// Load makes a store of an empty file from rows of another database. It makes the triggers that
// compare a row with earlier ones after the rows. The file is whole when Load returns, without any
// file beside it.
func Load(ctx context.Context, path string, busy time.Duration, fill engine.Work) error {
	if err := lockByFile(); err != nil {
		return err
	}
	db, err := openPool(ctx, Connect(creating, path, busy), 1)
	if err != nil {
		return err
	}
	made, err := create(ctx, db, fill, true)
	if err == nil && !made {
		err = errors.New("the file is not empty")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return putByItself(ctx, path, busy)
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"docket/store/engine"
)

// pagesAtOnce is how much is copied between two looks at the context: 4 MB with the usual pages.
const pagesAtOnce = 1024

// Copy copies one snapshot of the database into the empty file target, without any file beside it.
// look sees the snapshot first: its transaction keeps what others write out of the copy. Errors of
// the target call it by the name. progress is told pages.
func (d *DB) Copy(ctx context.Context, target, name string, look engine.Work, progress func(done, total int64)) (err error) {
	db, err := openPool(ctx, d.connect(d.reads), 1)
	if err != nil {
		return d.Explain("open the store once more", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return d.Explain("open the store once more", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return d.Explain("read the store", err)
	}
	defer func() { _ = tx.Rollback() }()
	if err := look(ctx, engine.Of(tx, flavor{})); err != nil {
		return d.Explain("read the checkpoint", err)
	}
	err = conn.Raw(func(raw any) error { return copyPages(ctx, raw, target, name, d.options.Busy, progress) })
	if err != nil {
		return err
	}
	return Explain(name, "finish the copy", putByItself(ctx, target, d.options.Busy))
}

// putByItself takes a file that nobody else has open out of the mode of a write-ahead log, in which
// a program that only reads makes a log and its index beside it, and cannot remove them; the first
// that opens the file to write puts it back.
func putByItself(ctx context.Context, path string, busy time.Duration) (err error) {
	db, err := openPool(ctx, Connect(Probing, path, busy), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode = delete").Scan(&mode); err != nil {
		return err
	}
	if mode != "delete" {
		return fmt.Errorf("the copy stays in the mode %s", mode)
	}
	return nil
}

func copyPages(ctx context.Context, raw any, target, name string, busy time.Duration, progress func(done, total int64)) error {
	source, able := raw.(Conn)
	if !able {
		return errors.New("this build of SQLite cannot copy a database")
	}
	pages, err := source.NewBackup(Probing.DSN(target, busy))
	if err != nil {
		return Explain(name, "begin the copy", err)
	}
	for more := true; more && err == nil; {
		if err = ctx.Err(); err != nil {
			break
		}
		more, err = pages.Step(pagesAtOnce)
		total := int64(pages.PageCount())
		progress(total-int64(pages.Remaining()), total)
	}
	return Explain(name, "copy the store", errors.Join(err, pages.Finish()))
}

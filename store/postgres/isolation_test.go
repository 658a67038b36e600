package postgres

import (
	"context"
	"testing"

	"docket/store/engine"
)

// hasFact reports whether there is a fact in the transaction.
func hasFact(ctx context.Context, t *testing.T, tx engine.Tx, name string) bool {
	t.Helper()
	values, err := tx.Meta().Values(ctx, 99)
	if err != nil {
		t.Error(err)
	}
	_, there := values[name]
	return there
}

// One transaction writes and has not committed; another one that writes begins; a third one reads. The second waits for the first, and sees what
// it wrote; the third waits for nobody, and sees nothing of what was not committed when it began, to its end.
func TestOfInterleavedTransactionsThoseThatWriteSeeEachOtherAndThoseThatReadWaitForNobody(t *testing.T) {
	db := opened(t)
	other, err := New(db.options)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	second := make(chan error)
	err = db.Update(t.Context(), func(ctx context.Context, first engine.Tx) error {
		if err := fact("first")(ctx, first); err != nil || !hasFact(ctx, t, first, "first") {
			t.Errorf("the first does not see what it wrote: %v", err)
		}
		go func() {
			second <- other.Update(context.Background(), func(ctx context.Context, tx engine.Tx) error {
				if !hasFact(ctx, t, tx, "first") {
					t.Error("the second does not see what the first committed while it waited")
				}
				return fact("second")(ctx, tx)
			})
		}()
		for waits := int64(0); waits == 0; { // until the second waits for the lock
			err := db.View(ctx, func(ctx context.Context, tx engine.Tx) error {
				if hasFact(ctx, t, tx, "first") {
					t.Error("one that reads sees what was not committed")
				}
				return tx.Row(ctx, "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"+
					" OR NOT granted AND locktype = 'transactionid'", nil, &waits)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		had := hasFact(ctx, t, tx, "second")
		if !had { // it may be committed meanwhile
			if err := <-second; err != nil {
				return err
			}
		}
		if hasFact(ctx, t, tx, "second") != had {
			t.Error("one that reads sees what was committed after it began")
		}
		if had {
			return <-second
		}
		return nil
	})
	if err != nil || !db.holds(t, "first") || !db.holds(t, "second") {
		t.Errorf("not both are kept: %v", err)
	}
}

package store

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/sqlite"
)

// A crowd is a service into which many hand records in while another program holds the write lock.
type crowd struct {
	*fixture
	under   *faultyDisk
	commits int // that the disk was asked for
	release func()
	wait    sync.WaitGroup

	taken []Acceptance
	errs  []error
}

// crowdOf is one with so many records that wait for the lock; change changes a submission, nil none.
func crowdOf(t *testing.T, count int, change func(i int, sub *Submission) context.Context) *crowd {
	t.Helper()
	d, under, first := serviceWithDisk(t)
	c := &crowd{fixture: d, under: under, taken: make([]Acceptance, count), errs: make([]error, count)}
	subs := []Submission{first}
	for i := 1; i < count; i++ {
		d.take(d.mill.appealCase(passing(fmt.Sprintf("case-%d", i+1), 1)))
		subs = append(subs, d.judged(terms.ID(fmt.Sprintf("case-%d", i+1)), decision{}))
	}
	token := d.grant(first.Record.Members().Reviewer)
	for i := range subs {
		subs[i].Token = token
	}
	under.commit = func(commit, _ func() error) error {
		c.commits++
		return commit()
	}
	c.release = lock(t, d.store.Path(), "BEGIN IMMEDIATE")
	t.Cleanup(c.release)
	for i := range subs {
		ctx := t.Context()
		if change != nil {
			if given := change(i, &subs[i]); given != nil {
				ctx = given
			}
		}
		c.wait.Go(func() {
			c.taken[i], c.errs[i] = d.store.HandIn(ctx, subs[i])
		})
		c.waiting(i + 1)
	}
	return c
}

func (c *crowd) waiting(count int) {
	for c.store.appends.Waiting() != count {
		runtime.Gosched()
	}
}

func (c *crowd) finish() {
	c.release()
	c.wait.Wait()
}

// mustHave fails unless exactly these were taken, each with the receipt and the checkpoint of its own tree.
func (c *crowd) mustHave(indexes ...int) {
	c.t.Helper()
	wantSame(c.t, "records in the log", len(wholeLog(c.t, c.store)), len(indexes))
	key := need(c.store.Verifier(c.t.Context()))(c.t)
	verifier := need(merkle.ParseKey(c.store.key.Origin, key))(c.t)
	for _, i := range indexes {
		taken := c.taken[i]
		if c.errs[i] != nil {
			c.t.Errorf("record %d: %v", i, c.errs[i])
			continue
		}
		opened, err := verifier.Open(taken.Checkpoint)
		if err != nil || opened.Size != taken.Receipt.TreeSize || signed.FromTree(opened.Root) != taken.Receipt.Root {
			c.t.Errorf("record %d: its checkpoint is of %d records, its receipt %+v, %v", i, opened.Size, taken.Receipt, err)
		}
		wantNot(c.t, !signed.IsLast(taken.Receipt, taken.Proof),
			"record %d: its receipt is not proven", i)
	}
}

func TestRecordsThatWaitShareACommitAndEachHasItsReceiptOrRefusal(t *testing.T) {
	t.Parallel()
	var first []byte
	for _, c := range []struct {
		name    string
		change  func(i int, sub *Submission)
		refused map[int]error
		taken   []int
	}{
		{"all are in order", func(int, *Submission) {}, nil, []int{0, 1, 2, 3, 4}},
		{"the salts of two differ", func(i int, sub *Submission) {
			if i == 0 || i == 2 {
				sub.PacketSalt = packetSalt + "x"
			}
		}, map[int]error{0: ErrPacketSalt, 2: ErrPacketSalt}, []int{1, 3, 4}},
		{"one has the signature of another", func(i int, sub *Submission) {
			switch i {
			case 0:
				first = sub.Signature
			case 2:
				sub.Signature = first
			}
		}, map[int]error{2: ErrSignature}, []int{0, 1, 3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			crowd := crowdOf(t, 5, func(i int, sub *Submission) context.Context {
				c.change(i, sub)
				return nil
			})
			crowd.finish()
			for i, kind := range c.refused {
				wantErr(t, i, crowd.errs[i], kind)
			}
			crowd.mustHave(c.taken...)
			if c.refused == nil {
				wantSame(t, "commits", crowd.commits, 1)
			}
		})
	}
}

func TestTheSameRecordTwiceInACommitIsTakenOnce(t *testing.T) {
	t.Parallel()
	var first Submission
	c := crowdOf(t, 3, func(i int, sub *Submission) context.Context {
		if i == 0 {
			first = *sub
		}
		if i == 2 {
			*sub = first
		}
		return nil
	})
	c.finish()
	wantNot(t, !c.taken[2].Again || c.taken[2].Receipt != c.taken[0].Receipt ||
		!bytes.Equal(c.taken[2].Checkpoint, c.taken[0].Checkpoint), "first %+v, then %+v", c.taken[0], c.taken[2])
	wantErr(t, "the second time", c.errs[2], nil)
	c.mustHave(0, 1)
}

func TestWhoGivesUpBeforeTheLockIsThereIsNotTakenAndTheOthersAre(t *testing.T) {
	t.Parallel()
	for _, which := range []int{0, 2} { // the one that waits for the lock, and one behind it
		ctx, cancel := context.WithCancel(t.Context())
		c := crowdOf(t, 4, func(i int, _ *Submission) context.Context {
			if i == which {
				return ctx
			}
			return nil
		})
		cancel()
		c.waiting(3)
		c.finish()
		mustBe(t, c.errs[which], context.Canceled)
		c.mustHave(map[int][]int{0: {1, 2, 3}, 2: {0, 1, 3}}[which]...)
	}
}

func TestEachLooksItsOwnRecordUpAfterACommitThatFailed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		commit func(commit, rollback func() error) error
		taken  bool
	}{"written": {written, true}, "lost": {lost, false}} {
		t.Run(name, func(t *testing.T) {
			crowd := crowdOf(t, 4, nil)
			crowd.under.commit = c.commit
			crowd.finish()
			if c.taken {
				crowd.mustHave(0, 1, 2, 3)
				return
			}
			for i, err := range crowd.errs {
				wantNot(t, !errors.Is(err, errDisk) || errors.Is(err, ErrUnknownOutcome) ||
					errors.Is(err, records.ErrRefused), "record %d: %v", i, err)
			}
			crowd.mustHave()
		})
	}
}

func TestAnOutcomeThatNobodyCanLookUpIsUnknownToAll(t *testing.T) {
	t.Parallel()
	c := crowdOf(t, 3, nil)
	c.under.commit = func(commit, rollback func() error) error {
		c.under.refuse = errDisk
		return written(commit, rollback)
	}
	c.finish()
	for _, err := range c.errs {
		mustBe(t, err, ErrUnknownOutcome)
	}
	c.under.commit, c.under.refuse = nil, nil
	wantSame(t, "records", len(wholeLog(t, c.store)), 3)
}

// TestARecordForWhichThereIsNoRoomKeepsNoneOfTheOthersFromBeingTaken has the file grow by a few pages at most: one record has a note that
// does not fit.
func TestARecordForWhichThereIsNoRoomKeepsNoneOfTheOthersFromBeingTaken(t *testing.T) {
	t.Parallel()
	d, writes := onFullDisk(t)
	d.take(d.mill.appealPolicy(1))
	const count, large = 4, 1
	subs := make([]Submission, count)
	for i := range subs {
		id := fmt.Sprintf("case-%d", i)
		d.take(d.mill.appealCase(passing(id, 1)))
		made := decision{outcome: terms.UpholdDecision}
		if i == large {
			made.note = records.Note{Salt: "s", Text: strings.Repeat("x", 1<<19)}
		}
		subs[i] = d.submission(terms.ID(id), made)
	}
	growBy(t, *writes, 64)
	release := lock(t, d.store.Path(), "BEGIN IMMEDIATE")
	defer release()
	errs := make([]error, count)
	var wait sync.WaitGroup
	for i := range subs {
		wait.Go(func() { _, errs[i] = d.store.Append(context.Background(), subs[i]) })
		for d.store.appends.Waiting() != i+1 {
			runtime.Gosched()
		}
	}
	release()
	wait.Wait()
	for i, err := range errs {
		wantErr(t, i, err, map[int]error{large: ErrDiskFull}[i])
	}
	wantSame(t, "records", len(wholeLog(t, d.store)), count-1)
}

// growBy keeps the file of a connection from growing by more than some pages.
func growBy(t *testing.T, conn sqlite.Conn, pages int64) {
	t.Helper()
	must(t, conn.RegisterAuthorizer(nil))
	rows := need(conn.QueryContext(context.Background(), "PRAGMA page_count", nil))(t)
	now := make([]driver.Value, 1)
	must(t, errors.Join(rows.Next(now), rows.Close()))
	_, err := conn.ExecContext(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", now[0].(int64)+pages), nil)
	must(t, errors.Join(err, conn.RegisterAuthorizer(sqlite.Authorize)))
}

// appending is a record that is handed in, as the store appends it.
func (d *fixture) appending(sub Submission) *appending {
	d.t.Helper()
	sub.Token = d.grant(d.reviewer)
	return &appending{Submission: sub, signature: need(sub.check(true))(d.t), handedIn: true, verdict: func() error { return nil }}
}

// What is asked of a record is read before those of the same transaction are added. The record is held to them all the same.
func TestARecordIsHeldToThoseThatAreAddedBeforeItInItsTransaction(t *testing.T) {
	t.Parallel()
	for name, together := range map[string]bool{"a transaction each": false, "one transaction": true} {
		t.Run(name, func(t *testing.T) {
			d := serviceWithCase(t)
			later := consoleHead
			later.Size += 9
			first := d.judged("case-1", decision{head: &consoleHead})
			d.take(d.mill.appealCase(passing("case-2", 1)), d.mill.appealCase(passing("case-3", 1)))
			third := d.judged("case-3", decision{head: &consoleHead})
			d.clock = noon.Add(-records.OrderLeeway - time.Second)
			second := d.judged("case-2", decision{head: &later})
			var list []*appending
			for _, sub := range []Submission{first, second, first, third} {
				list = append(list, d.appending(sub))
			}
			var errs []error
			add := func(list []*appending) {
				some := make([]error, len(list))
				must(t, d.store.writingRecord(t.Context(), "append", func(ctx context.Context, tx engine.Tx) error {
					_, err := d.store.appendAll(ctx, tx, list, some)
					if len(list) == 1 {
						some[0], err = err, nil
					}
					return err
				}))
				errs = append(errs, some...)
			}
			if together {
				add(list)
			} else {
				for i := range list {
					add(list[i : i+1])
				}
			}
			wantNot(t, errs[0] != nil || !errors.Is(errs[1], records.ErrRefused) ||
				errs[2] != nil || errs[3] != nil, "%v", errs)
			wantNot(t, !list[2].known || list[2].receipt != list[0].receipt || list[3].receipt.TreeSize != list[0].receipt.TreeSize+1 ||
				len(wholeLog(t, d.store)) != 2, "receipts: %+v, %+v, %+v", list[0].receipt, list[2].receipt, list[3].receipt)
		})
	}
}

func TestARecordThatIsRefusedWhileItIsWrittenTakesTheTransactionWithIt(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)))
	refused := &records.Refusal{Reason: "late"}
	var list []*appending
	for _, id := range []terms.ID{"case-1", "case-2"} {
		list = append(list, d.appending(d.judged(id, decision{})))
	}
	asked := 0
	list[0].verdict = func() error {
		if asked++; asked == 1 {
			return nil
		}
		return refused
	}
	failed, errs := 0, make([]error, len(list))
	err := d.store.writingRecord(t.Context(), "append", func(ctx context.Context, tx engine.Tx) (err error) {
		failed, err = d.store.appendAll(ctx, tx, list, errs)
		return err
	})
	wantNot(t, failed != 0 || !errors.Is(err, records.ErrRefused) || len(wholeLog(t, d.store)) != 0,
		"record %d ended it: %v; %d records", failed, err, len(wholeLog(t, d.store)))
}

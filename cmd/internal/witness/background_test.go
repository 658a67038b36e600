package witness_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/witness"
	"docket/store/verify"
)

func start(t *testing.T, l *ledger, servers ...*server) *witness.Background {
	t.Helper()
	b := witness.NewBackground(t.Context(), witness.BackgroundOptions{Options: witness.Options{Policy: policy(t, servers...), Patience: 5 * time.Second}, Log: l,
		MaxAge: time.Hour, Now: func() time.Time { return noon }})
	t.Cleanup(b.Close)
	return b
}

// told is the next note, which has to be there.
func told(t *testing.T, b *witness.Background) witness.Note {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	n, more := b.Next(ctx)
	if !more {
		t.Fatal("nothing is told")
	}
	return n
}

func TestACheckpointIsSubmittedOnceAfterEachRecord(t *testing.T) {
	l := newLedger(t, "a")
	w := newServer(t, "example.org/w", l)
	b := start(t, l, w)
	if n := told(t, b); !strings.Contains(n.Text, "no checkpoint of the log has the quorum") || n.Contradicts || w.asked.Load() != 0 {
		t.Errorf("%+v", n)
	}
	cosigned := make(chan struct{})
	w.answer(func(to http.ResponseWriter, r *http.Request) {
		w.answer(nil)
		w.ServeHTTP(to, r)
		close(cosigned)
	})
	next := make(chan witness.Note)
	go func() {
		n, _ := b.Next(t.Context())
		next <- n
	}()
	b.Recorded()
	<-cosigned
	l.add(t, "b")
	w.answer(answering(500, "text/plain", "out of order"))
	b.Recorded()
	if n := <-next; !strings.Contains(n.Text, "w0 did not cosign: status 500: out of order") || n.Contradicts || w.asked.Load() != 3 { // the first was passed on
		t.Errorf("%+v, asked %d times", n, w.asked.Load())
	}
	if w.size() != 1 {
		t.Errorf("%d were seen", w.size())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, more := b.Next(ctx); more {
		t.Errorf("%+v is told", n)
	}
}

// A panicking log panics where it is asked of a witness, and of a policy, with a text that must not be told.
type panicking struct{ *ledger }

func (panicking) CosignedSize(context.Context, string) (int64, error) { panic("private text") }

func (panicking) Coverage(context.Context, *verify.Policy) (verify.Coverage, error) {
	panic("private text")
}

func TestAPanicIsToldWithoutItsText(t *testing.T) {
	l := panicking{newLedger(t, "a")}
	of := policy(t, newServer(t, "example.org/w", l.ledger))
	results, err := witness.Submit(t.Context(), witness.Options{Log: l, Policy: of})
	if err != nil || len(results) != 1 || results[0].State != witness.Unanswered || results[0].Why != "the submission panicked: string" {
		t.Errorf("%+v, %v", results, err)
	}
	b := witness.NewBackground(t.Context(), witness.BackgroundOptions{Options: witness.Options{Policy: of}, Log: l, Now: func() time.Time { return noon }})
	t.Cleanup(b.Close)
	if n := told(t, b); n.Text != "the submission to the witnesses panicked: string" {
		t.Errorf("%+v", n)
	}
}

func TestAContradictionIsToldAsOne(t *testing.T) {
	l := newLedger(t, "a", "b")
	w := newServer(t, "example.org/w", l)
	submit(t, l, w)
	b := start(t, newLedger(t, "a"), w)
	told(t, b)
	b.Recorded()
	if n := told(t, b); !n.Contradicts || !strings.Contains(n.Text, "THIS LOG WAS ROLLED BACK: it saw 2 entries") {
		t.Errorf("%+v", n)
	}
}

func TestALogThatCannotBeReadIsTold(t *testing.T) {
	l := newLedger(t, "a")
	l.broken = errors.New("it cannot be read")
	b := start(t, l, newServer(t, "example.org/w", l))
	if n := told(t, b); !strings.Contains(n.Text, "it cannot be read") {
		t.Errorf("%+v", n)
	}
}

func TestTheEndWaitsForNoWitness(t *testing.T) {
	l := newLedger(t, "a")
	w := newServer(t, "example.org/w", l)
	asked, release := make(chan struct{}, 1), make(chan struct{})
	w.answer(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-release
	})
	defer close(release)
	b := witness.NewBackground(t.Context(), witness.BackgroundOptions{Options: witness.Options{Policy: policy(t, w), Patience: time.Hour}, Log: l,
		MaxAge: time.Hour, Now: func() time.Time { return noon }})
	told(t, b)
	go b.Next(t.Context())
	b.Recorded()
	<-asked
	b.Close()
	b.Recorded()
	b.Close()
}

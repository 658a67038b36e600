package verify_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

var errDisk = errors.New("the disk is gone")

// A lengthened log says that it has a record more than it has.
type lengthened struct{ *verifytest.Log }

func (l lengthened) Head(ctx context.Context) (verify.Head, error) {
	head, err := l.Log.Head(ctx)
	head.Size++
	return head, err
}

func TestALogThatPanicsOrEndsTooEarlyIsAnError(t *testing.T) {
	const private = "someone@example.org"
	panics := func() error { panic("cannot read " + private) }
	failing := func(l *verifytest.Log, at int64, do func() error) *verifytest.Log {
		l, _ = verifytest.Failing(l, at, do)
		return l
	}
	for name, l := range map[string]verify.Source{ // after four calls for the head come the entries, one by one, and then the packets
		"entries panic":   failing(sound(t), 5, panics),
		"an entry panics": failing(sound(t), 10, panics),
		"packets panic":   failing(sound(t), 11, panics),
		"too few entries": lengthened{sound(t)},
	} {
		report, err := verify.Check(t.Context(), l, verify.Options{})
		if err == nil || report.Size != 0 || report.Findings != nil || strings.Contains(err.Error(), "a panic") != strings.Contains(name, "panic") {
			t.Errorf("%s: %v %+v", name, err, report)
		}
		if err != nil && strings.Contains(err.Error(), private) {
			t.Errorf("%s: the error repeats what may be private", name)
		}
	}
}

func TestEntriesOutOfOrderAreAnError(t *testing.T) {
	l := sound(t)
	*l.Entry(1), *l.Entry(2) = *l.Entry(2), *l.Entry(1)
	if _, err := verify.Check(t.Context(), l, verify.Options{}); err == nil {
		t.Error("a source that loses its place is believed")
	}
}

func TestACheckCanBeCancelled(t *testing.T) {
	l := verifytest.Crowd(t, 400)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := verify.Options{Progress: func(int64, int64) { cancel() }}
	if _, err := verify.Check(ctx, l, o); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestAnErrorOfEachEndsTheCheckWithIt(t *testing.T) {
	l := verifytest.Crowd(t, 400)
	o := verify.Options{Each: func(c verify.Checked) error {
		if c.Entry.Sequence == 100 {
			return errDisk
		}
		return nil
	}}
	if _, err := verify.Check(t.Context(), l, o); !errors.Is(err, errDisk) {
		t.Errorf("%v", err)
	}
}

func TestEntriesAreGivenOnInOrderWhateverTheNumberOfWorkers(t *testing.T) {
	l := verifytest.Crowd(t, 400)
	l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("late", 1)), assigned, nil))
	for _, workers := range []int{1, 2, 7} {
		var next, done int64
		o := verify.Options{Workers: workers, Progress: func(now, total int64) {
			if now <= done || total != int64(len(l.List)) {
				t.Errorf("progress goes from %d to %d of %d", done, now, total)
			}
			done = now
		}}
		o.Each = func(c verify.Checked) error {
			if c.Entry.Sequence != next || c.Tree.Size() != next+1 || c.Entry.Kind == records.RecordEntry && (len(c.Packets) != 2 || c.Record.Document() == nil) {
				t.Errorf("after %d comes %+v", next-1, c.Entry.Sequence)
			}
			next++
			return nil
		}
		report := check(t, l, o)
		if !report.OK() || next != int64(len(l.List)) || done != int64(len(l.List)) {
			t.Errorf("%d workers: %d, %d, %v", workers, next, done, report.Findings)
		}
	}
}

func TestFindingsAreCountedAndToldBeyondThoseThatAreKept(t *testing.T) {
	l := verifytest.Crowd(t, 100)
	for i := range l.List {
		l.List[i].Signature = nil
	}
	var told []int64
	o := verify.Options{Keep: 3, Found: func(f verify.Finding) { told = append(told, f.Sequence) }}
	report := check(t, l, o)
	if len(report.Findings) != 3 || report.Total != 100 || report.Count(verify.SignatureInvalid) != 100 || len(told) != 100 || !slices.IsSorted(told) {
		t.Errorf("%d kept, %d in all, told %v", len(report.Findings), report.Total, told)
	}
}

func TestAFindingIsWrittenAsJSONAndOnOneLine(t *testing.T) {
	f := verify.Finding{Sequence: 3, RecordID: "019ecb6a-4e00-7abc-8def-000000000003", Code: verify.ReviewerBarred, Detail: "x"}
	text, err := json.Marshal(f)
	want := `{"sequence":3,"recordId":"019ecb6a-4e00-7abc-8def-000000000003","kind":"reviewer_barred","detail":"x"}`
	if err != nil || string(text) != want {
		t.Errorf("%s %v", text, err)
	}
	if text, err := json.Marshal(verify.RootDiffers.OfLog("")); err != nil || string(text) != `{"sequence":-1,"kind":"root_differs"}` {
		t.Errorf("of the log: %s %v", text, err)
	}
	if line := f.String(); strings.Contains(line, "\n") || !strings.Contains(line, "record 3") || !strings.Contains(line, "reviewer_barred") {
		t.Error(line)
	}
}

// Entries travel in batches; the last one may be of a single entry.
func TestEveryEntryIsCheckedWhereTheLastBatchHasOne(t *testing.T) {
	for _, n := range []int{1, 64, 65, 129} {
		l := verifytest.Crowd(t, n)
		l.Entry(n - 1).Signature = nil
		if report := check(t, l, verify.Options{}); report.Size != int64(len(l.List)) || report.Total != 1 || report.Count(verify.SignatureInvalid) != 1 {
			t.Errorf("%d entries: size %d, %v", n, report.Size, report.Findings)
		}
	}
}

// answered is a log with records, cosignatures, rejections and a record of a service's log.
func answered(t *testing.T) *verifytest.Log {
	t.Helper()
	l := sound(t)
	theirs(l)
	rejected := l.Decide(newCase(l), assigned, nil)
	l.Append(rejected)
	l.Reject(verifytest.NewService(""), rejected, "")
	l.Cosigned = append(l.Cosigned, verifytest.NewWitness(t, "example.org/one").Cosign(l.Says.Checkpoint, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	l.Says.Anchor = &verify.Anchor{Signed: l.Says.Checkpoint}
	keepTree(t, l)
	return l
}

// If any call of the source fails, a check ends with that error: it finds nothing sound that could not be read.
func TestACheckWhoseSourceFailsAtAnyCallIsAnError(t *testing.T) {
	l := answered(t)
	checks := map[string]func(verify.Source) (nothing bool, err error){
		"a stretch": func(s verify.Source) (bool, error) {
			states, err := verify.Range(t.Context(), s, 1, 4)
			return states == nil, err
		},
		"the tree alone": func(s verify.Source) (bool, error) {
			_, err := verify.Extends(t.Context(), s, s.(verify.TreeKeeper))
			return true, err
		},
	}
	for _, depth := range depths {
		checks["to the depth "+depth.String()] = func(s verify.Source) (bool, error) {
			report, err := verify.Check(t.Context(), s, verify.Options{Depth: depth})
			return report.Size == 0 && report.Findings == nil, err
		}
	}
	for name, check := range checks {
		at := int64(1)
		for ; ; at++ {
			f, reached := verifytest.Failing(l, at, nil)
			nothing, err := check(f)
			if !reached() {
				if err != nil {
					t.Errorf("%s: without a failure: %v", name, err)
				}
				break
			}
			if !errors.Is(err, verifytest.ErrFailing) || !nothing {
				t.Errorf("%s: call %d fails: %v", name, at, err)
			}
		}
		if at < 3 {
			t.Errorf("%s: %d calls", name, at-1)
		}
	}
}

func TestADepthHasItsWord(t *testing.T) {
	for depth, word := range map[verify.Depth]string{verify.HeadOnly: "head", verify.Storage: "storage", verify.Judged: "judged"} {
		if depth.String() != word {
			t.Errorf("%d is %q", depth, depth.String())
		}
	}
}

package bundle_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// whole is a log with a part of nearly every kind: rejections, a record of a service's log, cosignatures.
func whole(t testing.TB) *verifytest.Log {
	t.Helper()
	l := turnedAway(t)
	ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-9", 1))
	theirs := l.Decide(ref, verifytest.Person("admin-1", terms.SafetyAdmin), func(c *records.Choice) {
		c.Outcome, c.AddedBlockers = terms.BlockReliance, terms.SetOf(terms.NoticeMissing)
	})
	l.GiveOut(verifytest.NewService(""), theirs.Document(), "admin-1")
	l.Cosigned = append(l.Cosigned, verifytest.NewWitness(t, "example.org/one").Cosign(l.Says.Checkpoint, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	return l
}

// If any call of the log fails, an export ends with that error and leaves nothing: no bundle lacks a part of the log that could not be read.
func TestAnExportWhoseLogFailsAtAnyCallIsAnErrorAndLeavesNothing(t *testing.T) {
	t.Parallel()
	l := whole(t)
	at := int64(1)
	for ; ; at++ {
		f, reached := verifytest.Failing(l, at, nil)
		dir := filepath.Join(t.TempDir(), "bundle")
		_, err := bundle.Write(t.Context(), dir, f, bundle.Options{})
		if !reached() {
			if err != nil {
				t.Errorf("without a failure: %v", err)
			}
			break
		}
		if !errors.Is(err, verifytest.ErrFailing) {
			t.Errorf("call %d fails: %v", at, err)
		}
		nothingElse(t, filepath.Dir(dir))
	}
	if at < 20 {
		t.Errorf("%d calls", at-1)
	}
}

// If the folder that an export is written into goes at any moment, the export says so: it does not come to reading it back.
func TestAnExportThatCannotBeWrittenSaysSoAndLeavesNothing(t *testing.T) {
	t.Parallel()
	t.Run("to its end", func(t *testing.T) { losingFolder(t, whole(t)) })
	l := turnedAway(t) // nothing is written after the last call
	t.Run("at its end", func(t *testing.T) { losingFolder(t, l) })
}

// losingFolder exports the log once for each of its calls, at which the folder is removed.
func losingFolder(t *testing.T, l *verifytest.Log) {
	at := int64(1)
	for ; ; at++ {
		beside := t.TempDir()
		lose := func() error {
			partial, err := filepath.Glob(filepath.Join(beside, ".*.partial-*"))
			for _, folder := range partial {
				err = errors.Join(err, os.RemoveAll(folder))
			}
			return err
		}
		f, reached := verifytest.Failing(l, at, lose)
		_, err := bundle.Write(t.Context(), filepath.Join(beside, "bundle"), f, bundle.Options{Workers: 1})
		if !reached() {
			break
		}
		var unsound *bundle.UnsoundError
		if err == nil || errors.As(err, &unsound) || errors.Is(err, bundle.ErrNoBundle) {
			t.Errorf("the folder goes at call %d: %v", at, err)
		}
		nothingElse(t, beside)
	}
	if at < 20 {
		t.Errorf("%d calls", at-1)
	}
}

// readings reads each kind of what a bundle holds, one by one, and returns their errors.
func readings(ctx context.Context, b *bundle.Bundle, each func() error) map[string]error {
	return map[string]error{
		"entries":         b.Entries(ctx, 0, func(verify.Entry) error { return each() }),
		"rejections":      b.Rejections(ctx, func(verify.Rejection) error { return each() }),
		"service records": b.ServiceRecords(ctx, func(signed.ServiceRecord) error { return each() }),
		"cosignatures":    b.Cosignatures(ctx, func(verify.Cosigned) error { return each() }),
	}
}

// A reader of a bundle that wants no more ends the reading with its error.
func TestAnErrorOfTheReaderEndsTheReading(t *testing.T) {
	t.Parallel()
	b := need(bundle.Open(written(t, whole(t))))(t)
	enough, calls := errors.New("enough"), 0
	for name, err := range readings(t.Context(), b, func() error { calls++; return enough }) {
		if !errors.Is(err, enough) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if calls != 4 {
		t.Errorf("%d were read, want one of each", calls)
	}
	must(t, b.Close())
}

// occupied is the log, at whose second call a file is put into the export that is made beside the others.
func occupied(l *verifytest.Log, beside, name string) *verifytest.Log {
	f, _ := verifytest.Failing(l, 2, func() error {
		partial, err := filepath.Glob(filepath.Join(beside, ".*.partial-*"))
		if err != nil || len(partial) != 1 {
			return fmt.Errorf("the folder is not there: %v %w", partial, err)
		}
		path := at(partial[0], name)
		return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644))
	})
	return f
}

// Whichever file of an export is there already, put there by somebody else meanwhile, the export says so.
func TestAnExportOfWhichAFileIsThereAlreadyIsAnErrorAndLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, l := range []*verifytest.Log{whole(t), acceptedLog(t), statedLog(t)} {
		for _, name := range files(t, written(t, l)) {
			beside := t.TempDir()
			_, err := bundle.Write(t.Context(), filepath.Join(beside, "bundle"), occupied(l, beside, name), bundle.Options{Workers: 1})
			if !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: %v", name, err)
			}
			nothingElse(t, beside)
		}
	}
}

// What comes to the folder while an export is made is left alone.
func TestAnExportWhosePlaceIsTakenMeanwhileIsAnErrorAndLeavesNothing(t *testing.T) {
	t.Parallel()
	beside := t.TempDir()
	dir := filepath.Join(beside, "bundle")
	f, _ := verifytest.Failing(sampleLog(t), 1, func() error { return os.MkdirAll(filepath.Join(dir, "theirs"), 0o755) })
	if report, err := bundle.Write(t.Context(), dir, f, bundle.Options{}); err == nil {
		t.Errorf("%+v", report)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	nothingElse(t, beside, "bundle")
}

// A reading that is cancelled ends with nothing more read.
func TestAReadingThatIsCancelledYieldsNothing(t *testing.T) {
	t.Parallel()
	l := whole(t)
	b := need(bundle.Open(written(t, l)))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	calls := 0
	read := readings(ctx, b, func() error { calls++; return nil })
	documents, err := b.Packets(ctx, slices.Collect(maps.Keys(l.Held)))
	read["packets"] = err
	for name, err := range read {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if calls != 0 || documents != nil {
		t.Errorf("%d were read, and %q", calls, documents)
	}
	var sequences []int64
	if err := b.Entries(t.Context(), 4, func(e verify.Entry) error { sequences = append(sequences, e.Sequence); return nil }); err != nil || len(sequences) != len(l.List)-4 || sequences[0] != 4 {
		t.Errorf("from 4: %v, %v", sequences, err)
	}
	must(t, b.Close())
}

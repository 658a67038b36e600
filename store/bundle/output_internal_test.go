package bundle

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

var errFull = errors.New("the disk is full")

// A fault is the call at which something fails, counted from 1; 0 for none.
type fault struct{ at, calls int }

func (f *fault) hit() error {
	if f.calls++; f.calls == f.at {
		return errFull
	}
	return nil
}

// A failingOutput takes files and keeps none. It fails at one call.
type failingOutput struct{ *fault }

func (o failingOutput) put(string, []byte) error { return o.hit() }

func (o failingOutput) create(string) (io.WriteCloser, error) {
	return &failingFile{fault: o.fault}, o.hit()
}

// A failingFile fails at the first write or at the end, if at all.
type failingFile struct {
	*fault
	begun bool
}

func (f *failingFile) Write(due []byte) (int, error) {
	if f.begun {
		return len(due), nil
	}
	f.begun = true
	return len(due), f.hit()
}

func (f *failingFile) Close() error { return f.hit() }

// logOf is a log of two appeals and an amendment, the second appeal in the place of the first.
func logOf(t *testing.T) *verifytest.Log {
	t.Helper()
	l, person := verifytest.New(t), verifytest.Person(verifytest.Assigned, terms.NeutralReviewer)
	one := l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1))
	first := l.Decide(one, person, nil)
	l.Append(first)
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("amd-1", 1)), person, nil))
	l.Append(l.Decide(one, person, func(c *records.Choice) {
		c.Supersedes, c.AddedBlockers = first.Members().RecordID, terms.SetOf(terms.NoticeMissing)
	}))
	return l
}

func TestWhereAFileCannotBeWrittenNoneOfTheDerivedOnesIsTakenForWritten(t *testing.T) {
	t.Parallel()
	l := logOf(t)
	b := bundleOf(t, l)
	derive := func(f *fault) (err error) {
		became, err := readStandings(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		d, err := newDerived(failingOutput{f}, l.Says.Origin, became)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.close()) }()
		var tree *verify.Tree
		report, err := verify.Check(t.Context(), l, verify.Options{Each: func(c verify.Checked) error {
			tree = c.Tree
			documents, err := documentsOf(&c, func(refs []verify.Ref) ([][]byte, error) { return l.Packets(t.Context(), refs) })
			if err != nil {
				return err
			}
			return d.add(&c, documents)
		}})
		if err != nil {
			return err
		}
		head, err := l.Head(t.Context())
		if err != nil {
			return err
		}
		return d.finish(&head, &report, tree)
	}
	none := &fault{}
	if err := derive(none); err != nil || none.calls < 10 {
		t.Fatalf("%d calls, %v", none.calls, err)
	}
	for at := 1; at <= none.calls; at++ {
		if err := derive(&fault{at: at}); !errors.Is(err, errFull) {
			t.Errorf("call %d of %d: %v", at, none.calls, err)
		}
	}
}

// bundleOf is the open bundle of a log.
func bundleOf(t *testing.T, l Source) *Bundle {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bundle")
	if _, err := Write(t.Context(), dir, l, Options{}); err != nil {
		t.Fatal(err)
	}
	b, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// A failingLog is a log that cannot be read at one call.
type failingLog struct {
	*verifytest.Log
	*fault
}

func (l failingLog) Head(ctx context.Context) (verify.Head, error) {
	head, err := l.Log.Head(ctx)
	return head, errors.Join(err, l.hit())
}

func (l failingLog) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	return l.Log.Entries(ctx, from, func(e verify.Entry) error {
		if err := l.hit(); err != nil {
			return err
		}
		return yield(e)
	})
}

func (l failingLog) Packets(ctx context.Context, refs []verify.Ref) ([][]byte, error) {
	documents, err := l.Log.Packets(ctx, refs)
	return documents, errors.Join(err, l.hit())
}

func (l failingLog) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	return errors.Join(l.Log.Rejections(ctx, yield), l.hit())
}

func (l failingLog) ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error {
	return errors.Join(l.Log.ServiceRecords(ctx, yield), l.hit())
}

func (l failingLog) Cosignatures(ctx context.Context, yield func(verify.Cosigned) error) error {
	return errors.Join(l.Log.Cosignatures(ctx, yield), l.hit())
}

func TestWhereTheLogCannotBeReadNothingIsExported(t *testing.T) {
	t.Parallel()
	l, folder := logOf(t), t.TempDir()
	none := &fault{}
	if _, err := Write(t.Context(), filepath.Join(t.TempDir(), "whole"), failingLog{l, none}, Options{Workers: 1}); err != nil || none.calls < 5 {
		t.Fatalf("%d calls, %v", none.calls, err)
	}
	for at := 1; at <= none.calls; at++ {
		_, err := Write(t.Context(), filepath.Join(folder, "bundle"), failingLog{l, &fault{at: at}}, Options{Workers: 1})
		if left, _ := os.ReadDir(folder); !errors.Is(err, errFull) || len(left) > 0 {
			t.Errorf("call %d of %d: %v, it leaves %v", at, none.calls, err, left)
		}
	}
}

// A keptOutput keeps the sizes of the files that it takes, and fails at one path.
type keptOutput struct {
	sizes map[string]int
	fails string
}

func (o keptOutput) put(path string, content []byte) error {
	if path == o.fails {
		return errFull
	}
	o.sizes[path] = len(content)
	return nil
}

func (o keptOutput) create(string) (io.WriteCloser, error) { return nil, errFull }

// At 65,536 records a tile of the tile's level and one of the level above are full at once.
func TestEveryLevelOfFullTilesIsWritten(t *testing.T) {
	t.Parallel()
	levels := []string{"tile/0/255", "tile/1/000"}
	for _, fails := range append(levels, "", "tile/entries/000") {
		out := keptOutput{map[string]int{}, fails}
		cut, tree := tiles{out: out}, &verify.Tree{}
		err := error(nil)
		for n := 0; n < 1<<16 && err == nil; n++ {
			leaf := binary.BigEndian.AppendUint32(nil, uint32(n))
			if _, err = tree.Add(tlog.RecordHash(leaf)); err == nil {
				err = cut.add(leaf, tree)
			}
		}
		if fails != "" {
			if !errors.Is(err, errFull) {
				t.Errorf("%s cannot be written: %v", fails, err)
			}
			continue
		}
		for _, path := range levels {
			if err != nil || out.sizes[path] != 256*32 {
				t.Errorf("%s has %d bytes: %v", path, out.sizes[path], err)
			}
		}
	}
}

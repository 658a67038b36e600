package bundle

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"docket/store/verify"
)

func TestASectionKeepsWhatIsPutThere(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for _, count := range []int{0, 1, 2, 40_000} {
		var s section
		var want strings.Builder
		for n := range count {
			member := `"_:` + strings.Repeat("x", n%100) + `":{}`
			s.put([]byte(member))
			if n > 0 {
				want.WriteByte(',')
			}
			want.WriteString("\n" + member)
		}
		if (s.file != nil) != (count == 40_000) {
			t.Errorf("%d members: in a file is %v", count, s.file != nil)
		}
		var got strings.Builder
		if err := s.writeTo(&got); err != nil || got.String() != want.String() || s.empty() != (count == 0) {
			t.Errorf("%d members: %v, %d bytes", count, err, got.Len())
		}
		if left, err := os.ReadDir(temporary); runtime.GOOS != "windows" && (err != nil || len(left) > 0) {
			t.Errorf("%d members: after a crash there would be %v", count, left)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}
}

// nowhere takes files and keeps nothing of them.
type nowhere struct{}

func (nowhere) put(string, []byte) error              { return nil }
func (nowhere) create(string) (io.WriteCloser, error) { return nowhere{}, nil }
func (nowhere) Write(p []byte) (int, error)           { return len(p), nil }
func (nowhere) Close() error                          { return nil }

// What a section holds in its file and cannot be read is missing in no provenance.
func TestASectionThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	file, err := os.CreateTemp(t.TempDir(), "section")
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	p := &provenance{out: nowhere{}}
	p.sections[1] = section{file: file, written: true}
	if err := p.finish(); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

// The end of a file that is compared cannot be read: it is not taken for the end that is due.
func TestAnEndThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	file, err := os.OpenFile(filepath.Join(t.TempDir(), "file"), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&comparedFile{file: file, name: "file"}).Close(); err == nil {
		t.Error("it is taken for the same")
	}
}

func TestAPacketThatCannotBeFetchedIsAnError(t *testing.T) {
	t.Parallel()
	failed := errors.New("no packets")
	documents, err := documentsOf(&verify.Checked{Refs: make([]verify.Ref, 1)}, func([]verify.Ref) ([][]byte, error) { return nil, failed })
	if err != failed || documents != nil {
		t.Errorf("%v, %v", documents, err)
	}
}

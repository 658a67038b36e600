package bundle

import (
	"os"
	"runtime"
	"strings"
	"testing"
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

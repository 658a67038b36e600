package turn

import (
	"path/filepath"
	"testing"
)

func TestABellRingsWhileAnybodyRingsIt(t *testing.T) {
	b := Bell{Folder: t.TempDir()}
	if b.Rings() {
		t.Error("it rings by itself")
	}
	first, second := b.Ring(), b.Ring()
	if first == nil || second == nil || !b.Rings() {
		t.Fatal("it does not ring")
	}
	first()
	if !b.Rings() {
		t.Error("it fell silent with the first who stopped")
	}
	second()
	if b.Rings() {
		t.Error("it goes on ringing")
	}
}

func TestABellOfAFolderThatIsNotThereIsSilent(t *testing.T) {
	b := Bell{Folder: filepath.Join(t.TempDir(), "nowhere")}
	stop := b.Ring()
	if stop == nil || b.Rings() {
		t.Fatal("it rings")
	}
	stop()
}

package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docket/domain/visible"
)

// shown makes a file's name, which anybody may have chosen, safe to print.
func shown(name string) string { return visible.String(name) }

// A target is the folder in which a bundle is to stand, and what is there now.
type target struct {
	path    string
	earlier []byte // the checkpoint of the bundle that is there; nil if there is none
	empty   bool   // there is an empty folder
}

// ErrOccupied says that something else is in the target folder.
var ErrOccupied = errors.New("the folder holds something else than an earlier export; name another one")

func findTarget(dir string) (target, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return target{}, fmt.Errorf("find the folder: %w", err)
	}
	t := target{path: absolute}
	info, err := os.Lstat(absolute)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, nil
	case err != nil:
		return target{}, fmt.Errorf("look at the folder: %w", err)
	case !info.IsDir():
		return target{}, fmt.Errorf("%s: %w", dir, ErrOccupied)
	}
	entries, err := os.ReadDir(absolute)
	if err != nil {
		return target{}, fmt.Errorf("look at the folder: %w", err)
	}
	if t.empty = len(entries) == 0; t.empty {
		return t, nil
	}
	t.earlier, err = earlierCheckpoint(absolute)
	if err != nil {
		return target{}, fmt.Errorf("%s: %w", dir, err)
	}
	return t, nil
}

// earlierCheckpoint reads the checkpoint of a bundle that is to be replaced. A folder that holds anything besides is
// not replaced: that would delete it.
func earlierCheckpoint(dir string) ([]byte, error) {
	b, err := Open(dir)
	if errors.Is(err, ErrNoBundle) {
		return nil, ErrOccupied
	}
	if err != nil {
		return nil, err
	}
	strays, err := b.strayPackets(everyPacket)
	if err = errors.Join(err, b.Close()); err != nil {
		return nil, err
	}
	if b.layout.stray > 0 || strays.stray > 0 || len(b.head.Checkpoint) == 0 {
		return nil, ErrOccupied
	}
	return b.head.Checkpoint, nil
}

// publish puts the finished folder in the place of the target. Where the system can exchange two folders at once, there
// is no moment without a bundle.
func (t *target) publish(finished string) error {
	if t.empty {
		if err := os.Remove(t.path); err != nil {
			return fmt.Errorf("take the place of the empty folder: %w", err)
		}
	}
	if t.earlier == nil {
		if err := os.Rename(finished, t.path); err != nil {
			return fmt.Errorf("move the export into place: %w", err)
		}
		return syncFolder(filepath.Dir(t.path))
	}
	if err := exchange(finished, t.path); err != nil {
		return fmt.Errorf("put the export in the place of the earlier one: %w", err)
	}
	if err := syncFolder(filepath.Dir(t.path)); err != nil {
		return err
	}
	if err := os.RemoveAll(finished); err != nil {
		return fmt.Errorf("the export is in place, but the earlier one is left over in %s: %w", finished, err)
	}
	return nil
}

// swapByName exchanges two folders by renaming one after the other; if the second fails, the first is undone.
func swapByName(finished, old string) error {
	aside := finished + ".earlier"
	if err := os.Rename(old, aside); err != nil {
		return err
	}
	if err := os.Rename(finished, old); err != nil {
		return errors.Join(err, os.Rename(aside, old))
	}
	return os.Rename(aside, finished)
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("make the export durable: %w", err)
	}
	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("make the export durable: %w", err)
	}
	return nil
}

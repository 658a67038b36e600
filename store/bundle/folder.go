package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"

	"docket/domain/visible"
	"docket/store/disk"
)

// A folder reads and writes files below a root and follows no link out of it.
type folder struct {
	root *os.Root

	mu      sync.Mutex
	dosEnds []string // files whose line ends were changed to CR LF
}

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &folder{root: root}, nil
}

// Close releases the folder.
func (f *folder) Close() error { return f.root.Close() }

// read returns at most limit+1 bytes of a file; nil if it does not exist or is not a file.
func (f *folder) read(name string, limit int64) ([]byte, error) {
	file, err := f.open(name)
	if err != nil || file == nil {
		return nil, err
	}
	content := bytes.NewBuffer(make([]byte, 0, 4096))
	_, err = content.ReadFrom(io.LimitReader(file, limit+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read %s: %w", visible.String(name), err)
	}
	return content.Bytes(), nil // never nil
}

// readLines is read with LF for line ends that are all CR LF, which is noted.
func (f *folder) readLines(name string, limit int64) ([]byte, error) {
	content, err := f.read(name, limit)
	ends := bytes.Count(content, []byte("\r\n"))
	if err != nil || ends == 0 || ends != bytes.Count(content, []byte("\n")) {
		return content, err
	}
	f.noteDOS(name)
	return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")), nil
}

func (f *folder) noteDOS(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(f.dosEnds, name) {
		f.dosEnds = append(f.dosEnds, name)
	}
}

// open opens a file to read it; nil if it does not exist or is something else.
func (f *folder) open(name string) (*os.File, error) {
	file, err := f.root.OpenFile(name, os.O_RDONLY|disk.Nonblocking, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, syscall.ENXIO) || err != nil && f.misplaced(name) {
		return nil, nil // ENXIO: it is a socket
	}
	if err != nil {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// misplaced reports whether something else than a file is in the place of one.
func (f *folder) misplaced(name string) bool {
	info, err := f.root.Lstat(name)
	return err == nil && !info.Mode().IsRegular() || f.linked(name)
}

// linked reports whether the path of a file has a link; one out of the folder cannot be opened.
func (f *folder) linked(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if info, err := f.root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// put writes a new file and its folders; the error wraps fs.ErrExist if the file exists.
func (f *folder) put(name string, content []byte) error {
	file, err := f.create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

func (f *folder) create(name string) (io.WriteCloser, error) {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err := f.root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return nil, fmt.Errorf("make a folder of the bundle: %w", err)
		}
		file, err = f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("write the bundle: %w", err)
	}
	return file, nil
}

// leftBehind names what file managers, archive programs and version control leave in folders.
var leftBehind = []string{".DS_Store", "Thumbs.db", "desktop.ini", ".git", "@eaDir", "__MACOSX"}

// walk visits everything below a folder; of one that enter refuses only the folder itself, and what
// leftBehind names is passed to beside.
func (f *folder) walk(name string, enter func(string) bool, visit func(string, fs.DirEntry), beside func(string)) error {
	dir, err := f.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) || err != nil && f.linked(name) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the bundle: %w", err)
	}
	defer func() { _ = dir.Close() }() // only read
	for {
		entries, err := dir.ReadDir(1024)
		for _, entry := range entries {
			below := path.Join(name, entry.Name())
			switch {
			case slices.Contains(leftBehind, entry.Name()):
				beside(below)
			case !entry.IsDir() || !enter(below):
				visit(below, entry)
			default:
				if err := f.walk(below, enter, visit, beside); err != nil {
					return err
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the folder %s: %w", visible.String(name), err)
		}
	}
}

// top returns the first element of a path.
func top(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return first
}
